import { Button } from '@mantine/core';
import CloudOff from 'lucide-react/icons/cloud-off';
import type { ReactNode } from 'react';
import { messageOf } from '../platform/api-error.ts';
import { EmptyState } from './EmptyState.tsx';

type LoadFailedProps = {
  error: unknown;
  /** The words; what the error says when left out. */
  message?: string;
  retry: () => void;
};

/** Instead of a list or a screen that could not be loaded. */
export function LoadFailed({ error, message = messageOf(error), retry }: LoadFailedProps): ReactNode {
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff />}
        title={message}
        action={
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        }
      />
    </div>
  );
}
