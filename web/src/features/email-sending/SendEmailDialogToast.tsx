import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { onLiveEvent, onLiveGap } from '../../platform/live-events.ts';
import { createRetry, later } from '../../platform/retry-later.ts';
import { texts as historyTexts } from '../../texts/email-history.ts';
import { texts } from '../../texts/email-sending.ts';
import { toastDone, toastFailed, toastOutcome, toastWarning } from '../../ui/toasts.ts';
import { cancelEmail, emailLogEntry, hasEnded } from './email-sending.queries.ts';

/** Maximum time for which a message is tracked, in milliseconds. Email History shows its later states. */
const FOLLOW_MS = 10 * 60_000;

/**
 * Shows on any screen that a message is queued, with an undo button while it can be cancelled, and then its result. A
 * planned message is not tracked.
 * @param options `to` is the address of a test, which cannot be cancelled
 */
export function followMessage(
  entry: EmailLogEntry,
  { to, sendAt, timeZone }: { to?: string[]; sendAt?: string; timeZone?: string },
): void {
  if (sendAt !== undefined)
    return toastDone(texts.planned(formatDateTime(entry.nextAttemptAt ?? sendAt, timeZone)));
  const [test] = to ?? [];
  const shownMs = Date.parse(entry.cancellableUntil ?? '') - Date.now();
  const canCallBack = test === undefined && shownMs > 0;
  notifications.show({
    id: entry._id,
    message: canCallBack ? <Queued id={entry._id} /> : test ? texts.testQueued(test) : texts.queued,
    autoClose: shownMs > 0 ? shownMs : 4000,
    withCloseButton: false,
  });
  track(entry._id);
}

function Queued({ id }: { id: string }): ReactNode {
  const undo = (): void => {
    notifications.hide(id);
    toastOutcome(cancelEmail(id), ({ status }) =>
      status === 'unconfirmed' ? historyTexts.unconfirmed : texts.undone,
    );
  };
  return (
    <div className="ui-line ui-gap-4 ui-between">
      {texts.queued}
      <Button variant="default" flex="none" onClick={undo}>
        {texts.undo}
      </Button>
    </div>
  );
}

/** Tracks a message and shows each state once. A failed load of the state is repeated. */
function track(id: string): void {
  let shownStatus = '';
  const retry = createRetry(later, () => void update());
  const update = async (): Promise<void> => {
    const entry = await emailLogEntry(id).catch(() => null);
    if (entry === null) return retry.afterFailure();
    retry.afterSuccess();
    if (entry.status === shownStatus) return;
    shownStatus = entry.status;
    if (shownStatus !== 'queued') notifications.hide(id);
    if (entry.status === 'retrying') toastFailed(null, texts.retrying(entry.answer));
    if (entry.status === 'sent') toastDone(texts.sent(entry.to.join(', ')));
    if (entry.status === 'failed') toastFailed(null, texts.failedBecause(entry.answer));
    if (entry.status === 'unconfirmed') toastWarning(texts.mayHaveArrived(entry.answer));
    if (hasEnded(entry.status)) stop();
  };
  const stops = [
    onLiveEvent('email', ({ recordId }) => recordId === id && void update()),
    onLiveGap(() => void update()),
  ];
  const limit = setTimeout(() => stop(), FOLLOW_MS);
  const stop = (): void => {
    clearTimeout(limit);
    retry.stop();
    for (const each of stops) each();
  };
  void update();
}
