import { Button } from '@mantine/core';
import CloudOff from 'lucide-react/icons/cloud-off';
import type { ReactNode } from 'react';
import { wordsFor } from '../platform/api-error.ts';
import { EmptyState } from './EmptyState.tsx';

type LoadFailedProps = {
  error: unknown;
  /** What failed, for when the server did not say anything itself. */
  message?: string;
  retry: () => void;
};

/** Instead of a list or a screen that could not be loaded. */
export function LoadFailed({ error, message, retry }: LoadFailedProps): ReactNode {
  const words = wordsFor(error, message);
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff />}
        title={words.message}
        action={
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        }
      >
        {words.reason}
      </EmptyState>
    </div>
  );
}
