import type { ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { keyTexts } from '../../texts/palette.ts';
import { KeysDrawer } from '../../ui/KeysDrawer.tsx';

/** The keyboard shortcuts of all screens. */
export default function ShortcutsHelp({ onClose }: { onClose: () => void }): ReactNode {
  const { isAdmin } = usePermissions();
  const everywhere = isAdmin ? [...keyTexts.everywhere, ...keyTexts.administrators] : keyTexts.everywhere;
  return (
    <KeysDrawer
      title={keyTexts.title}
      groups={[
        [keyTexts.groups.everywhere, everywhere],
        [keyTexts.groups.lists, keyTexts.lists],
      ]}
      onClose={onClose}
    />
  );
}
