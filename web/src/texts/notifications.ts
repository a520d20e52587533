import { LOW_DISK_PERCENT } from '@forecourt/contract/notification-limits';
import { formatMonth } from '../platform/formats.ts';

export const texts = {
  title: 'Notifications',
  /** What the bell shows: its accessible name contains the same text. */
  unreadCount: (unread: number) => (unread > 9 ? '9+' : String(unread)),
  bell: (unread: string) => `Notifications, ${unread} unread`,
  readAll: 'Mark all as read',
  empty: 'Nothing new',
  emptyNote:
    'Rows that are shared with you or transferred to you, comments, statements, follow-ups that are due and emails that failed are listed here.',
  loadFailed: 'Failed to load notifications',
  unread: 'Unread',
  aRow: 'a row',
  anEmail: 'an email',
  somebody: 'Somebody',
  others: (count: number) => (count === 1 ? 'another row' : `${count} others`),
  named: (name: string, others: string) => `${name} and ${others}`,
  shared: (by: string, what: string) => `${by} shared ${what} with you`,
  transferred: (by: string, what: string) => `${by} transferred ${what} to you`,
  comment: (by: string, what: string) => `${by} commented on ${what}`,
  commentMention: (by: string, what: string) => `${by} mentioned you in a comment on ${what}`,
  followUp: (what: string) => `Follow-up due: ${what}`,
  emailFailed: (what: string) => `Failed to send ${what}`,
  emailUnconfirmed: (what: string) => `No mail server confirmed ${what}. It may have arrived.`,
  exportReady: 'Your export is ready',
  exportDeleted: 'This export was deleted. Please export it again.',
  statementOf: (month: string | null) =>
    month === null ? 'a statement' : `the statement of ${formatMonth(month)}`,
  statement: (month: string | null) =>
    month === null
      ? 'Your commission statement is ready'
      : `Your commission statement of ${formatMonth(month)} is ready`,
  statementQuery: (by: string, what: string) => `${by} has a question about ${what}`,
  statementAnswer: (by: string, what: string) => `${by} answered your question about ${what}`,
  mailHeld: (count: number) =>
    count === 1
      ? 'An email is on hold until you release it'
      : `${count} emails are on hold until you release them`,
  diskLow: `Less than ${LOW_DISK_PERCENT}% of the server’s disk is left. Delete old backups or add space.`,
  diskAlmostFull:
    'Less than 1 GB of the server’s disk is left. Delete old backups or add space, before nothing can be saved.',
} as const;
