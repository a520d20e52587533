import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-keys.ts';
import { KeysDrawer } from '../../../ui/KeysDrawer.tsx';

/** The list of keys of Data Entry. Its texts are not in the first load. */
export default function DealKeys({ onClose }: { onClose: () => void }): ReactNode {
  return <KeysDrawer title={texts.title} groups={texts.groups} onClose={onClose} />;
}
