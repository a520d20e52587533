import type { EmailBatch, EmailStatus } from '@forecourt/contract/email-sending';
import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-merge.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmailStatusBadge } from '../../ui/EmailState.tsx';
import { toastFailed } from '../../ui/toasts.ts';
import { batchQuery, emailKey, hasEnded, useChangeBatch } from './email-sending.queries.ts';
import { MergeReview } from './MergeReview.tsx';
import styles from './SendEmailDialog.module.css';

type MergeDialogProps = { dealIds: readonly string[]; onClose: () => void };

/**
 * Emails about several rows, one per row or a digest per dealership: reviewed, sent in one step and tracked
 * (docs/product/email.md, Many deals at once).
 */
export default function MergeDialog({ dealIds, onClose }: MergeDialogProps): ReactNode {
  const [batch, setBatch] = useState<EmailBatch | null>(null);
  return (
    <Dialog
      title={batch ? texts.sendingTitle(batch.total) : texts.title(dealIds.length)}
      size="2xl"
      closeOnClickOutside={false}
      onClose={onClose}
    >
      {batch ? (
        <MergeProgress batch={batch} onClose={onClose} />
      ) : (
        <MergeReview dealIds={dealIds} onSent={setBatch} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** The focused button was unmounted. */
const focusAtOnce = (button: HTMLElement | null): void => button?.focus();

/** The live state of a merge's messages. Queued ones can be cancelled, failed ones retried. */
function MergeProgress({ batch, onClose }: { batch: EmailBatch; onClose: () => void }): ReactNode {
  useLiveRefresh('email', emailKey);
  const { data } = useQuery({ ...batchQuery(batch._id), initialData: batch });
  const { mutateAsync, isPending } = useChangeBatch(batch._id);
  const { counts, total } = data;
  const waiting = (counts.queued ?? 0) + (counts.retrying ?? 0);
  const unsent = (counts.failed ?? 0) + (counts.retrying ?? 0);
  const ended = Object.entries(counts).reduce(
    (sum, [status, count]) => sum + (hasEnded(status as EmailStatus) ? count : 0),
    0,
  );
  const change = (what: 'cancel' | 'retry'): void =>
    void mutateAsync(what).catch((thrown: unknown) => toastFailed(thrown));

  return (
    <>
      <div className={`ui-stack ${styles.fields}`}>
        <Progress value={(100 * ended) / total} aria-label={texts.progress(ended, total)} />
        <p aria-live="polite">{texts.progress(ended, total)}</p>
        <ul className="ui-row ui-gap-4">
          {Object.entries(counts).map(([status, count]) => (
            <li key={status}>
              <EmailStatusBadge status={status as EmailStatus} /> {count}
            </li>
          ))}
        </ul>
        <p className="ui-muted">{texts.stays}</p>
      </div>
      <div className={`ui-row ui-end ${styles.actions}`}>
        <Button className="ui-pull" variant="subtle" component={Link} to={paths.emailHistoryOf(batch._id)}>
          {texts.history}
        </Button>
        {waiting > 0 && (
          <Button variant="default" loading={isPending} onClick={() => change('cancel')}>
            {texts.callBack}
          </Button>
        )}
        {unsent > 0 && (
          <Button variant="default" loading={isPending} onClick={() => change('retry')}>
            {texts.retry(unsent)}
          </Button>
        )}
        <Button ref={focusAtOnce} onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </>
  );
}
