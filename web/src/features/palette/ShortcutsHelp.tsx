import type { ReactNode } from 'react';
import { useMay } from '../../platform/permissions.ts';
import { keyTexts } from '../../texts/palette.ts';
import { KeysDrawer } from '../../ui/KeysDrawer.tsx';

/** The keys that work on every screen. Mount it when it is wanted. */
export default function ShortcutsHelp({ onClose }: { onClose: () => void }): ReactNode {
  const { admin } = useMay();
  const everywhere = admin ? [...keyTexts.everywhere, ...keyTexts.administrators] : keyTexts.everywhere;
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
