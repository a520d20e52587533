import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { texts } from '../../texts/email-history.ts';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useCancelEmail, useRetryEmail } from './email-sending.queries.ts';

/** How long a message can still be called back, in milliseconds; 0: no longer. */
const timeLeft = ({ cancellableUntil }: EmailLogEntry): number =>
  cancellableUntil === null ? 0 : Math.max(0, Date.parse(cancellableUntil) - Date.now());

/**
 * Calls a message back while it waits; gone when that is over. Give it `cancellableUntil` as its key: another time
 * is another button.
 */
export function CancelEmail({ entry }: { entry: EmailLogEntry }): ReactNode {
  const { mutate, isPending } = useCancelEmail();
  const [left] = useState(() => timeLeft(entry));
  const [isOver, setIsOver] = useState(left === 0);

  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setIsOver(true), left);
    return () => clearTimeout(timer);
  }, [left]);

  if (isOver) return null;
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

/** Tries a message again that has failed. */
export function RetryEmail({ entry }: { entry: EmailLogEntry }): ReactNode {
  const { mutate, isPending } = useRetryEmail();
  if (entry.status !== 'failed') return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      loading={isPending}
      aria-label={texts.retry(entry.subject)}
      onClick={() =>
        mutate(entry._id, {
          onSuccess: () => toastDone(texts.retried),
          onError: (error) => toastFailed(error),
        })
      }
    >
      {texts.retryShort}
    </Button>
  );
}
