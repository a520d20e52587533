import type { ReactNode } from 'react';
import { texts } from '../../texts/deal-keys.ts';
import { KeysDrawer } from '../../ui/KeysDrawer.tsx';

/** Every key of the screen (product section 11). Mount it when it is wanted. */
export default function KeysHelp({ onClose }: { onClose: () => void }): ReactNode {
  return <KeysDrawer title={texts.title} groups={texts.groups} onClose={onClose} />;
}
