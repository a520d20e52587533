import { Button } from '@mantine/core';
import Columns3 from 'lucide-react/icons/columns-3';
import { Suspense, type ReactNode } from 'react';
import { comingLater } from '../../platform/coming-later.ts';
import { texts } from '../../texts/deals.ts';
import { useOpener } from '../../ui/use-opener.ts';
import type { ColumnChooserProps } from './ColumnPanel.tsx';

const ColumnPanel = comingLater(() => import('./ColumnPanel.tsx'));

/** Which columns are shown, in which order, and which of them stay in sight while the others scroll (spec section 2). */
export function ColumnChooser(props: ColumnChooserProps): ReactNode {
  const { button, part } = useOpener('dialog');
  return (
    <>
      <Button variant="default" leftSection={<Columns3 />} {...button}>
        {texts.columnsMenu}
      </Button>
      <Suspense>{part && <ColumnPanel part={part} {...props} />}</Suspense>
    </>
  );
}
