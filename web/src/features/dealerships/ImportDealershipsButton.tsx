import { Button } from '@mantine/core';
import FileUp from 'lucide-react/icons/file-up';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { texts } from '../../texts/dealership-import.ts';

const DealershipImport = lazy(async () => ({
  default: (await import('./DealershipImport.tsx')).DealershipImport,
}));

/** Opens the import, which is loaded by then and not before. */
export function ImportDealershipsButton(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<FileUp />} onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      <Suspense>{open && <DealershipImport onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
