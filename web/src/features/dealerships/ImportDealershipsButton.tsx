import { Button } from '@mantine/core';
import FileUp from 'lucide-react/icons/file-up';
import { Suspense, useState, type ReactNode } from 'react';
import { texts } from '../../texts/dealership-import.ts';
import { lazyPart } from '../../ui/lazy-part.ts';

const DealershipImport = lazyPart(async () => ({
  default: (await import('./DealershipImport.tsx')).DealershipImport,
}));

/** Opens the import dialog, which is loaded lazily. */
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
