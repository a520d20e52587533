import { monthCheckLabels, monthChecks, type MonthCheck } from '@forecourt/contract/month-checks';
import type { MonthState } from '@forecourt/contract/months';
import { formatMoney, formatMonth, formatPlural } from '../platform/formats.ts';

/** Explanations of checks, where the name is not enough (docs/product/month-close.md, Checks). */
const notes: { readonly [check in MonthCheck]?: string } = {
  changedSinceEmailed: 'The last email shows earlier values.',
  duplicates: 'Another row of the month has the same phone or deal number.',
  farFromPrice: 'The sale is more than half above or below the sum of the items.',
  rateMissing: 'The sale earns no commission without a rate.',
};

const checks = Object.fromEntries(
  monthChecks.map((check) => [check, { label: monthCheckLabels[check], note: notes[check] }]),
) as Readonly<Record<MonthCheck, { readonly label: string; readonly note: string | undefined }>>;

const states: Readonly<Record<MonthState, string>> = { open: 'Open', closing: 'Closing', closed: 'Closed' };

const rows = (count: number): string => formatPlural(count, 'row');

export const texts = {
  title: 'Month Close',
  note: 'Settle these before the month is paid.',
  closedNote: (name: string, time: string) => `${name} closed the month, ${time}.`,
  states,
  month: 'Month',
  loadFailed: 'Failed to load the checks',
  checks,
  rows,
  rowsOf: (count: number, month: string) => `${rows(count)} in ${formatMonth(month)}`,
  linkTo: (count: number, label: string) => `${rows(count)}: ${label}`,
  paidRows:
    'Missing values, unsent emails, prices, and inactive owners and dealerships are checked in paid rows only: rows with a closed status that counts for commission, other than No deal.',

  empty: 'No rows in this month',
  emptyNext: 'Choose another month, or enter its rows first.',
  toDataEntry: 'Open Data Entry',
  hidden: 'There is nothing that you can check',
  hiddenNext: 'The columns that the checks read are hidden from you. Ask an administrator to show them.',

  open: 'To do',
  openNone: 'Nothing is left to do.',
  openSince: 'Found since the close',
  waived: 'Waived',
  done: 'Nothing found',

  waive: 'Waive…',
  waiveOne: (label: string) => `Waive: ${label}`,
  waiveTitle: (label: string) => `Waive “${label}”`,
  reason: 'Reason',
  reasonHint: (count: number) =>
    `Everybody who checks the month reads it. The check is open again if it has more than ${rows(count)}.`,
  submit: 'Waive',
  waiveFailed: 'The check could not be waived. Please try again.',
  waiveDone: (label: string) => `“${label}” is waived`,

  waivedFor: (count: number, now: number) => `Waived for ${rows(count)}, now ${now}`,
  waivedBy: (name: string, time: string) => `${name}, ${time}`,
  takeBack: 'Take back',
  takeBackOne: (label: string) => `Take back the waiver: ${label}`,
  takenBack: (label: string) => `“${label}” needs attention again`,
  takeBackFailed: 'The waiver could not be taken back. Please try again.',

  close: 'Close month…',
  closeTitle: (month: string) => `Close ${formatMonth(month)}?`,
  closeSubmit: 'Close month',
  closeStatements:
    'Each person with commission and each dealership with sales gets a numbered statement that never changes. People are notified of theirs.',
  closePending: (changes: number) =>
    `${formatPlural(changes, 'change')} of earlier closed months ${changes === 1 ? 'is' : 'are'} added to the statements.`,
  closeAfter:
    'Afterwards sale, cost, items, rate, owner, dealership and month of its rows change only with a reason, by people who may close months. Such a change is part of the next month’s statements. Everything else can be edited as before.',
  closeReopen: 'An administrator can reopen the month until a later one is closed.',
  closeFailed: 'The month could not be closed. Please try again.',
  closed: (month: string) => `${formatMonth(month)} is closed`,
  settleFirst: 'Settle or waive what is listed first.',
  openForOthers: (checks: readonly string[], areHidden: boolean) =>
    `Nothing was closed. Settle or waive first: ${checks.join(', ')}.${
      areHidden ? ' You do not see all of these rows. Ask an administrator.' : ''
    }`,
  openCheck: (label: string, count: number) => `${label} (${rows(count)})`,
  refusals: {
    FUTURE_MONTH: 'This month has not begun.',
    IS_CLOSED: 'This month is closed.',
    EARLIER_IS_OPEN: 'An earlier month with rows is open. Close that one first.',
    NOT_LATEST: 'Only the month that was closed last can be reopened.',
    ONLY_ADMINISTRATORS: 'Only an administrator can reopen a month.',
  },

  reopen: 'Reopen…',
  reopenTitle: (month: string) => `Reopen ${formatMonth(month)}`,
  reopenSubmit: 'Reopen month',
  reopenNote:
    'Its statements stay and are marked as superseded: they no longer count. The next close creates new statements with new numbers; a number is never used twice. Until then the amounts of its rows can be changed without a reason.',
  reopenReasonHint: 'It is shown here and in the audit log.',
  reopenFailed: 'The month could not be reopened. Please try again.',
  reopened: (month: string) => `${formatMonth(month)} is open again`,
  reopenedBy: (name: string, time: string, reason: string) =>
    `${name} reopened the month, ${time}: ${reason}`,

  balance: 'Balance',
  balanceTable: 'Statements and rows by kind',
  kinds: { commission: 'Commission', account: 'Sales' },
  kind: 'Kind',
  ofStatements: 'Statements',
  changesSince: 'Changes since',
  ofRows: 'Rows now',
  balanced: 'Statements and changes since the close add up to what the rows say now.',
  unbalanced: (kind: string, difference: number) =>
    `${kind}: statements and changes differ from the rows by ${formatMoney(difference)}. Report this to whoever runs the server, with the name of the month.`,
} as const;
