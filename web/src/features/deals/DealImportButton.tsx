import { Button } from '@mantine/core';
import FileUp from 'lucide-react/icons/file-up';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/deals.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import type { DealView } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';

const DealImport = lazy(() => import('./DealImport.tsx'));

type DealImportButtonProps = { deals: Deals; view: DealView };

/** Opens the import for whoever may add many rows at once. The dialog is loaded by then and not before. */
export function DealImportButton({ deals, view }: DealImportButtonProps): ReactNode {
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may.feature('bulkEdit') || !may.do('dataEntry', 'canAddRows')) return null;
  return (
    <>
      <Tooltip label={texts.importRowsNote}>
        <Button variant="default" leftSection={<FileUp />} onClick={() => setOpen(true)}>
          {texts.importRows}
        </Button>
      </Tooltip>
      <Suspense>{open && <DealImport deals={deals} view={view} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
