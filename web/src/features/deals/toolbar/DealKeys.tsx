import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-keys.ts';
import { KeysDrawer } from '../../../ui/KeysDrawer.tsx';

/** The shortcuts of Data Entry. Their texts are not part of the first load. */
export default function DealKeys({ onClose }: { onClose: () => void }): ReactNode {
  return <KeysDrawer title={texts.title} groups={texts.groups} onClose={onClose} />;
}
