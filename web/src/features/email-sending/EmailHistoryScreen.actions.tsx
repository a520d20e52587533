import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/email-history.ts';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useCancelEmail, useRetryEmail } from './email-sending.queries.ts';

const waits = ({ status }: EmailLogEntry): boolean => status === 'queued' || status === 'retrying';

/** Cancels a message while it is queued, also between two attempts. */
export function CancelEmail({ entry }: { entry: EmailLogEntry }): ReactNode {
  const { mutate, isPending } = useCancelEmail();
  if (!waits(entry)) return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={isPending}
      aria-label={`${texts.cancel}: ${entry.subject}`}
      onClick={() =>
        mutate(entry._id, {
          onSuccess: () => toastDone(texts.cancelled),
          onError: (error) => toastFailed(error),
        })
      }
    >
      {texts.cancelShort}
    </Button>
  );
}

/** Retries a queued or failed message now. Releases a parked one. */
export function RetryEmail({ entry }: { entry: EmailLogEntry }): ReactNode {
  const { mutate, isPending } = useRetryEmail();
  const { isAdmin } = usePermissions();
  const hasFailed = entry.status === 'failed';
  if (!hasFailed && (!waits(entry) || (entry.parkedBecause && !isAdmin))) return null;
  const words = hasFailed ? texts.retryShort : texts.tryNow;
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={isPending}
      aria-label={`${words}: ${entry.subject}`}
      onClick={() =>
        mutate(entry._id, {
          onSuccess: () => toastDone(texts.retried),
          onError: (error) => toastFailed(error),
        })
      }
    >
      {words}
    </Button>
  );
}
