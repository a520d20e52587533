import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import { formatCount, formatMonth, formatPlural } from '../platform/formats.ts';

/** Maximum lines that a message names. */
const MAX_NAMED = 3;

export const texts = {
  title: 'Import Deals',
  note: 'Phone numbers and dates are corrected where their format is known. Nothing is written before you confirm.',
  usualDealership: 'Dealership for lines without one',
  usualDealershipHint: 'A dealership’s own list seldom names it.',
  usualMonth: 'Month for lines without one',
  usualMonthHint: 'The month that the table shows.',
  choose: 'Choose a dealership',
  unknownNames: 'Unknown names',
  unknownNamesNote: 'Choose the meaning of each name once, for all lines with it.',
  nameIs: (column: string, name: string) => `${column} “${name}”`,
  inLines: (lines: number) => `In ${formatPlural(lines, 'line')}`,
  chooseMeaning: 'Choose its meaning',

  submit: (count: number) => `Import ${formatPlural(count, 'deal')}`,
  submitNothing: 'Import',
  importing: (count: number) => `Importing ${formatPlural(count, 'deal')}…`,
  progress: 'Import of deals',
  written: (count: number, total: number) => `${formatCount(count)} of ${formatPlural(total, 'deal')}`,
  importingNote:
    'All of them are written or none. You can close this: the import continues, and you will be notified when it is done.',
  leave: 'Leave it running',
  goesOn: (count: number) =>
    `The import of ${formatPlural(count, 'deal')} continues. You will be notified when it is done.`,
  chooseFirst: 'Choose a file or paste rows first',
  checking: 'Looking for duplicates…',
  checkFailed: 'The duplicates could not be looked up',
  tryAgain: 'Try again',
  correctFirst: 'Correct the marked cells first',
  nothing: 'Every line is left out. Tick those that are to be imported anyway.',
  tooMany: `At most ${formatCount(MAX_BULK_RECORDS)} deals can be imported at once`,
  willAdd: (count: number) => `${formatPlural(count, 'deal')} will be added`,
  repaired: (count: number) => `${formatPlural(count, 'cell')} corrected`,
  toCorrect: (count: number) => `${formatPlural(count, 'cell')} to correct`,
  duplicates: (count: number, leftOut: number) =>
    `${formatPlural(count, 'duplicate')}, ${leftOut === 0 ? 'all imported anyway' : `${leftOut === count ? 'all' : formatPlural(leftOut, 'line')} left out`}`,
  addedDuplicates: (count: number) =>
    count === 1 ? '1 added row may be a duplicate' : `${formatCount(count)} added rows may be duplicates`,
  allAnyway: 'Import all duplicates anyway',

  mode: 'What the import does',
  modes: { add: 'Add rows', update: 'Update rows', addOrUpdate: 'Add and update rows' },
  matchBy: 'A line finds its row by',
  matchByHint: 'Upper and lower case are treated as the same.',
  phoneAndName: 'Phone and customer',
  noComparison: 'Choose a column for the deal number, the phone or another field that identifies a row',
  emptyClears: 'Empty cells clear the value',
  emptyClearsHint: 'Otherwise they leave the value alone.',
  matching: 'Looking for the rows…',
  previewFailed: 'The rows could not be looked up. Please try again.',
  nothingToUpdate:
    'Nothing would change. Decide what to do with the lines that are left out, or choose another file.',
  kinds: {
    changed: (count: number) => `${formatPlural(count, 'row')} will change`,
    new: (count: number) => `${formatPlural(count, 'row')} will be added`,
    same: (count: number) => `${formatPlural(count, 'line stays', 'lines stay')} the same`,
    ambiguous: (count: number) => `${formatPlural(count, 'line matches', 'lines match')} several rows`,
    unmatched: (count: number) => `${formatPlural(count, 'line matches', 'lines match')} no row`,
    refused: (count: number) => `${formatPlural(count, 'line')} refused`,
    none: (count: number) => `${formatPlural(count, 'line')} left out`,
  },
  sameRowAs: (line: number) => `Line ${line} is for the same row.`,
  chooseRow: 'Choose a row',
  undecided: 'Not decided',
  updateRow: (row: string) => `Update ${row}`,
  addRow: 'Add a new row',
  leaveOut: 'Leave out',
  correctLine: 'Correct this line',
  mergeRowsOf: (line: number) => `Merge these rows of line ${line}…`,
  updated: (
    { changed, items }: { changed: number; items: readonly unknown[] },
    left: readonly { line: number; reason: string }[],
  ) =>
    [
      `${formatPlural(changed, 'deal')} updated${items.length > 0 ? `, ${formatCount(items.length)} added` : ''}.`,
      ...(left.length > 0 ? [`${formatPlural(left.length, 'line was', 'lines were')} left out:`] : []),
      ...left.slice(0, MAX_NAMED).map(({ line, reason }) => `Line ${line}: ${reason}`),
    ].join(' '),

  leftOut: 'Left out',
  samePhone: (as: string) => `Same phone as ${as}`,
  sameNumber: (as: string) => `Same deal number as ${as}`,
  sameBoth: (as: string) => `Same phone and deal number as ${as}`,
  lineAs: (line: number) => `line ${line}`,
  unnamedRow: 'a row',

  noDealership: (name: string) => `There is no dealership called “${name}”`,
  noStatus: (name: string) => `There is no status called “${name}”`,
  noMonth: 'Please enter a month such as November 2026',
  onlyMonth: 'You may only use the current month',
  notPlain: 'Must be plain text',
  emailInvalid: 'Must be an email address',

  failed: 'Failed to import deals',
  failedMeanwhile: (count: number, reason: string) =>
    `The import of ${formatPlural(count, 'deal')} failed. ${reason}`,
  unknownMeanwhile: (count: number) =>
    `The connection failed during the import of ${formatPlural(count, 'deal')}. Please check whether they are there before you import them again.`,
  done: (count: number, months: readonly string[]) =>
    months.length === 1 && months[0] !== undefined
      ? `${formatPlural(count, 'deal')} imported into ${formatMonth(months[0])}`
      : `${formatPlural(count, 'deal')} imported`,
  undo: 'Undo',
} as const;
