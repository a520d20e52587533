import { statementTitles } from '@forecourt/contract/statement-words';
import { formatCount, formatMonth, formatPlural } from '../platform/formats.ts';

/** Texts of statements of closed months (docs/product/month-close.md, Statements). */
export const texts = {
  title: 'Statements',
  note: 'Statements of closed months. They never change.',
  table: 'Statements',
  loadFailed: 'Failed to load the statements',
  empty: 'No statements yet',
  emptyNext: 'A month’s statements are listed here when the month is closed.',

  kinds: statementTitles,
  listOf: { commission: 'Commission statements', account: 'Account statements' },
  noneOf: {
    commission: 'Nobody has commission in this month.',
    account: 'No dealership has sales in this month.',
  },
  superseded: (count: number) => `Superseded statements (${formatCount(count)})`,
  month: 'Month',
  recipient: 'Recipient',
  kind: 'Kind',
  number: 'Number',
  rows: 'Rows',
  total: 'Total',
  state: 'State',
  badges: { seen: 'Seen', queried: 'Question', sent: 'Sent', superseded: 'Superseded' },

  statementFailed: 'Failed to load the statement',
  ofRecipient: (name: string, month: string) => `${name}, ${formatMonth(month)}`,
  printed: (company: string, name: string, time: string) => `${company}. ${name} closed the month, ${time}.`,
  supersededNotice: (month: string) =>
    `${formatMonth(month)} was opened again, so this statement no longer counts.`,
  allOf: (month: string) => `Statements of ${formatMonth(month)}`,
  allOwn: 'Your statements',
  print: 'Print',
  download: 'Download',
  formats: { pdf: 'PDF', csv: 'CSV', xlsx: 'Excel' },
  notWhileViewing: 'Nothing can be downloaded while you view as somebody else',
  downloadFailed: 'The statement could not be downloaded. Please try again.',

  totals: 'Totals',

  lines: 'Rows',
  noLines: 'No rows of this month. The statement has adjustments to earlier months only.',
  adjustedRow: 'Row',
  change: 'Change',
  difference: 'Difference',
  changedBy: (name: string, time: string) => `${name}, ${time}`,
  hiddenRow: 'A row',

  waivers: 'Waived points',
  waivedRows: (count: number) => formatPlural(count, 'row'),

  conversation: 'Questions and answers',
  noNotes: 'No questions yet.',
  askNote: 'The people who can close months are notified; their answer appears here.',
  see: 'Mark as seen',
  seen: 'Marked as seen',
  seeFailed: 'The statement could not be marked as seen. Please try again.',
  seenBy: 'has seen the statement',
  queriedBy: 'asked',
  answeredBy: 'answered',
  sentBy: (recipients: string) => `sent the statement to ${recipients}`,
  query: 'Ask a question…',
  answer: 'Answer…',
  noteForm: {
    query: {
      title: (number: string) => `Question about ${number}`,
      text: 'Question',
      hint: () =>
        'The people who can close months are notified and answer. The statement itself stays as it is.',
      submit: 'Ask',
      failed: 'The question could not be sent. Please try again.',
      sent: 'Your question was sent',
    },
    answer: {
      title: (number: string) => `Answer about ${number}`,
      text: 'Answer',
      hint: (name: string) => `${name} is notified.`,
      submit: 'Answer',
      failed: 'The answer could not be sent. Please try again.',
      sent: 'The answer was sent',
    },
  },

  signature: (name: string) => `${name}, signature and date`,
  digest: (digest: string) => `SHA-256 of this statement, which the audit log has too: ${digest}`,
} as const;
