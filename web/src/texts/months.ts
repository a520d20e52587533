import type { MonthCheck } from '@forecourt/contract/month-checks';
import { formatMonth, formatPlural } from '../platform/formats.ts';

type CheckTexts = { readonly label: string; readonly note?: string };

/** The checks of a month (docs/product/month-close.md, Checks). */
const checks: Readonly<Record<MonthCheck, CheckTexts>> = {
  openStatus: { label: 'Status still open' },
  dealNotEntered: { label: 'Deal not entered' },
  saleMissing: { label: 'Sale amount missing' },
  costMissing: { label: 'Cost amount missing' },
  itemsMissing: { label: 'Items missing' },
  dealNumberMissing: { label: 'Deal number missing' },
  phoneMissing: { label: 'Phone number missing' },
  notEmailed: { label: 'Not emailed' },
  changedSinceEmailed: { label: 'Changed since emailed', note: 'The last email shows earlier values.' },
  emailFailed: { label: 'Email failed' },
  duplicates: {
    label: 'Possible duplicates',
    note: 'Another row of the month has the same phone or deal number.',
  },
  farFromPrice: {
    label: 'Sale far from the price of its items',
    note: 'The sale is more than half above or below the sum of the items.',
  },
  ownerInactive: { label: 'Owner is inactive' },
  dealershipInactive: { label: 'Dealership is inactive' },
  rateMissing: { label: 'Commission rate missing', note: 'The sale earns no commission without a rate.' },
};

const rows = (count: number): string => formatPlural(count, 'row');

export const texts = {
  title: 'Month Close',
  note: 'What is to be settled before the month is paid.',
  month: 'Month',
  loadFailed: 'Failed to load the checks',
  checks,
  rows,
  rowsOf: (count: number, month: string) => `${rows(count)} in ${formatMonth(month)}`,
  linkTo: (count: number, label: string) => `${rows(count)}: ${label}`,
  paidRows:
    'Missing values, unsent emails, prices, and inactive owners and dealerships are checked in paid rows only: rows with a closed status that counts for commission, other than No deal.',

  empty: 'No rows in this month',
  emptyNext: 'Choose another month.',
  hidden: 'There is nothing that you can check',
  hiddenNext: 'The columns that the checks read are hidden from you. Ask an administrator to show them.',

  open: 'To settle',
  openNone: 'Nothing is left to settle.',
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
  takenBack: (label: string) => `“${label}” is to be settled again`,
  takeBackFailed: 'The waiver could not be taken back. Please try again.',
} as const;
