import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-keys.ts';
import { KeysDrawer } from '../../../ui/KeysDrawer.tsx';

/** Lists every key of the screen (docs/product/screens.md, Command palette and keys). Mounted on demand. */
export default function KeysHelp({ onClose }: { onClose: () => void }): ReactNode {
  return <KeysDrawer title={texts.title} groups={texts.groups} onClose={onClose} />;
}
