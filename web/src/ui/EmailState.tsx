import type { EmailLogEntry, EmailStatus } from '@forecourt/contract/email-sending';
import type { ReactNode } from 'react';
import { formatDateTime } from '../platform/formats.ts';
import { texts } from '../texts/email-history.ts';
import { statusTexts } from '../texts/email-sending.ts';
import { StatusBadge, type BadgeTone } from './StatusBadge.tsx';

const tones: Record<EmailStatus, BadgeTone> = {
  queued: 'accent',
  sending: 'accent',
  sent: 'good',
  retrying: 'warn',
  failed: 'danger',
  cancelled: 'neutral',
  unconfirmed: 'warn',
};

export const EmailStatusBadge = ({ status }: { status: EmailStatus }): ReactNode => (
  <StatusBadge tone={tones[status]}>{statusTexts[status]}</StatusBadge>
);

/**
 * Returns the state of a message as text: the mail server's response, and the time of the next attempt.
 * @param timeZone zone of the displayed time; default: the browser's
 */
export function emailStateText(
  { answer, nextAttemptAt, status, holdReason }: EmailLogEntry,
  timeZone?: string,
): string {
  if (holdReason) return texts.holdReason[holdReason];
  const when = nextAttemptAt && formatDateTime(nextAttemptAt, timeZone);
  if (when && status === 'queued') return texts.planned(when);
  return when && status === 'retrying' ? `${answer} ${texts.nextAttempt(when)}` : answer;
}
