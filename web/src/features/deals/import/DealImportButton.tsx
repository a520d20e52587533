import { Button } from '@mantine/core';
import FileUp from 'lucide-react/icons/file-up';
import { Suspense, useState, type ReactNode } from 'react';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/deals.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';

const DealImport = lazyPart(() => import('./DealImport.tsx'));

/** Opens the import, for users who may add many rows at once. The dialog is loaded on demand. */
export function DealImportButton(): ReactNode {
  const permissions = usePermissions();
  const [open, setOpen] = useState(false);
  if (!permissions.feature('bulkEdit') || !permissions.can('dataEntry', 'canAddRows')) return null;
  return (
    <>
      <Tooltip label={texts.importRowsNote}>
        <Button variant="default" leftSection={<FileUp />} onClick={() => setOpen(true)}>
          {texts.importRows}
        </Button>
      </Tooltip>
      <Suspense>{open && <DealImport onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
