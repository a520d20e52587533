import type { EmailStatus } from '@forecourt/contract/email-sending';
import type { Notification } from '@forecourt/contract/notifications';
import { paths } from '../../platform/paths.ts';
import { dealLink, linkTo, type ScreenLink } from '../../platform/rows-link.ts';
import { backupAlertTexts } from '../../texts/backup-alerts.ts';
import { texts } from '../../texts/notifications.ts';

type OfStatement = 'statement' | 'statementQuery' | 'statementAnswer';
type Kind = Exclude<Notification['kind'], OfStatement>;

const sentences: Record<Kind, (by: string, what: string, count: number) => string> = {
  shared: texts.shared,
  transferred: texts.transferred,
  comment: texts.comment,
  commentMention: texts.commentMention,
  followUp: (_, what) => texts.followUp(what),
  emailFailed: (_, what) => texts.emailFailed(what),
  emailUnconfirmed: (_, what) => texts.emailUnconfirmed(what),
  exportReady: () => texts.exportReady,
  mailHeld: (_by, _what, count) => texts.mailHeld(count),
  backupFailed: () => `${backupAlertTexts.backupFailed}.`,
  restoreTestFailed: () => `${backupAlertTexts.restoreTestFailed}.`,
  backupCopyFailed: () => `${backupAlertTexts.backupCopyFailed}.`,
  backupOverdue: () => `${backupAlertTexts.backupOverdue}.`,
  diskLow: () => texts.diskLow,
  diskAlmostFull: () => texts.diskAlmostFull,
};

/** A notification about a statement is about one, whose month says which. */
const sentencesOfStatement: Record<OfStatement, (by: string, month: string | null) => string> = {
  statement: (_, month) => texts.statement(month),
  statementQuery: (by, month) => texts.statementQuery(by, texts.statementOf(month)),
  statementAnswer: (by, month) => texts.statementAnswer(by, texts.statementOf(month)),
};

const isOfStatement = (kind: Notification['kind']): kind is OfStatement => kind in sentencesOfStatement;

/** The status filter of Email History for notifications about emails. */
const statusOf: Partial<Record<Notification['kind'], EmailStatus>> = {
  emailFailed: 'failed',
  emailUnconfirmed: 'unconfirmed',
};

export function notificationText({ kind, name, byName, count, month }: Notification): string {
  if (isOfStatement(kind)) return sentencesOfStatement[kind](byName ?? texts.somebody, month);
  const first = name === '' ? (statusOf[kind] ? texts.anEmail : texts.aRow) : name;
  const what = count === 1 ? first : texts.named(first, texts.others(count - 1));
  return sentences[kind](byName ?? texts.somebody, what, count);
}

/** Returns the link of a notification; null for an export, which is downloaded: only administrators have the list. */
export function notificationLink({ kind, recordId, commentId, count }: Notification): ScreenLink | null {
  if (kind === 'exportReady') return null;
  if (isOfStatement(kind)) return linkTo(paths.closedStatement(recordId), {});
  const status = statusOf[kind];
  if (status) return count > 1 ? linkTo(paths.emailHistory, { status }) : linkTo(paths.email(recordId), {});
  if (kind === 'mailHeld') return linkTo(paths.emailHistory, {});
  if (kind === 'diskLow' || kind === 'diskAlmostFull' || kind in backupAlertTexts)
    return linkTo(paths.backups, {});
  return dealLink(recordId, commentId ?? undefined);
}
