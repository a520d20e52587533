import { Button } from '@mantine/core';
import CloudOff from 'lucide-react/icons/cloud-off';
import type { ReactNode } from 'react';
import { canPass, failureText } from '../platform/api-error.ts';
import { texts } from '../texts/loading.ts';
import { EmptyState } from './EmptyState.tsx';

type LoadFailedProps = {
  error: unknown;
  /** Shown if the server sent no message. */
  message?: string | undefined;
  isRetrying?: boolean;
  retry: () => void;
};

/** Replaces a list or screen that could not be loaded. For queries use `Loaded`. */
export function LoadFailed({ error, message, isRetrying = false, retry }: LoadFailedProps): ReactNode {
  const text = failureText(error, message);
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff />}
        title={text.message}
        action={
          <Button variant="default" loading={isRetrying} onClick={retry}>
            {texts.tryAgain}
          </Button>
        }
      >
        {text.reason} {canPass(error) && texts.retriesByItself}
      </EmptyState>
    </div>
  );
}
