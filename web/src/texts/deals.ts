import { titlesIn } from '@forecourt/contract/deal-fields';
import type { EmailStatus } from '@forecourt/contract/email-sending';
import { formatCount, formatPlural } from '../platform/formats.ts';

/** State of the email about a row. */
export const mailStates: Readonly<Record<EmailStatus | 'none' | 'changed', string>> = {
  none: 'Not sent',
  changed: 'Changed since sent',
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  retrying: 'Retrying',
  failed: 'Failed',
  cancelled: 'Cancelled',
  unconfirmed: 'May have arrived',
};

/** State of a newer message after a delivered one. */
export const mailAfter = {
  sent: (newest: string) => `Sent, another ${newest.toLowerCase()}`,
  changed: (newest: string) => `Changed, another ${newest.toLowerCase()}`,
};

const inMonth = (month: string | undefined): string => (month === undefined ? '' : ` in ${month}`);

export const texts = {
  title: 'Data Entry',
  keys: 'Keyboard shortcuts (?)',
  grid: 'Deals',
  columns: { ...titlesIn(), emailStatus: 'Email' },
  alsoHere: 'Also here',
  isHere: (name: string) => `${name} is here`,
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  month: 'Month',
  searchAll: 'Search all months',
  searchMonth: 'Search this month',
  clearSearch: 'Clear search',
  columnsMenu: 'Columns',
  sendEmail: 'Send email',
  deleteRow: 'Delete',
  share: 'Share',
  transfer: 'Transfer',
  rowMerged: 'The row was merged into another one, in which this field has an unsaved value, too.',
  rowGone: 'The row was deleted or is hidden from you now.',
  saveFirst: 'The row must be saved first: it needs a customer and a dealership',
  mayNotBulk: (action: 'change' | 'delete' | 'email' | 'transfer') =>
    `You do not have permission to ${action} several rows at once`,
  tooManyRows: (rows: number, most: number) =>
    `${formatCount(rows)} rows are selected, and at most ${formatCount(most)} can be taken at once. Select fewer: filter by status or dealership first.`,
  mayNotTransfer: 'You do not have permission to transfer rows',
  ownedByFor: (owner: string | undefined, action: 'share' | 'transfer') =>
    `Only ${owner ?? 'its owner'} and administrators can ${action} this row`,
  more: 'More actions',
  chooseRow: 'Choose a row first',
  oneRow: 'Choose one row',
  changesFirst: 'This row has changes that are not saved yet. Send the email when they are.',
  saveRowFirst: 'The row is sent once it is saved: it needs a customer and a dealership',
  typeHere: 'Type a customer…',
  newRow: 'New row',
  importRows: 'Import',
  importRowsNote: 'Import deals from a file or pasted rows',
  ownedBy: (owner: string | undefined) =>
    owner === undefined
      ? 'This row is owned by another user. Please contact the owner if you need edit rights.'
      : `This row is owned by ${owner}. Please contact ${owner} if you need edit rights.`,
  mayNotEdit: 'You do not have permission to edit rows',
  mayNotDelete: 'You do not have permission to delete rows',
  mayNotEmail: 'You do not have permission to send emails',
  mayNotAdd: 'You can look at these rows. To add rows, ask an administrator for the right to add them.',
  monthClosed: (month: string) => `${month} is closed. Only people who may close months can add rows to it.`,
  /** Why there is no blank row, by the reason that the server gives. */
  noBlankRow: {
    COLUMN_HIDDEN:
      'You can look at these rows. New ones need a customer and a dealership: ask an administrator to show you both columns.',
    ROW_OUT_OF_SIGHT:
      'You can look at these rows. New ones would be hidden from you by their date or status: ask an administrator to see them.',
  } as Readonly<Record<string, string>>,
  emptyTitle: (month: string) => `No deals in ${month} yet`,
  emptyMayAdd: 'Type a customer and a dealership to make the first one.',
  emptyMayNotAdd: 'Rows appear here when a colleague adds them.',
  nothingFound: (search: string, month?: string, without?: string) =>
    `Nothing found for “${search}”${inMonth(month)}${without === undefined ? '' : `, also without the ${without}`}`,
  call: (number: string) => `Call ${number}`,
  noneWith: (filters: string, month?: string) => `No row with ${filters}${inMonth(month)}`,
  withoutFilters: (rows: number, isCapped: boolean, filters: number) =>
    `${isCapped ? 'More than ' : ''}${formatCount(rows)} without ${filters === 1 ? 'it' : 'them'}`,
  searchWithout: 'Search without them',
  nothingFoundNote: 'Try a part of a name, a phone number or a deal number.',
  shortSearchNote: 'Less than 3 characters find only the beginnings of words. Type more.',
  clearSearchKey: 'Escape clears the search.',
  loading: 'Loading...',
  rows: (count: number) => formatPlural(count, 'deal'),
  rowsIn: (count: number, month: string) => `${formatPlural(count, 'deal')} in ${month}`,
  foundRows: (count: number, filters = '') =>
    `${formatPlural(count, 'deal')} found${filters === '' ? '' : ` with ${filters}`}`,
  selected: (count: number) => `${formatPlural(count, 'row')} selected`,
  selectAll: (count: number) => (count === 1 ? 'Select the row' : `Select all ${formatCount(count)} rows`),
  deselect: 'Clear selection',
  count: 'Count',
  sum: 'Sum',
  average: 'Average',
  sale: 'Sale',
  grossProfit: 'Gross profit',
  notSet: 'Not set',
  allSaved: 'All changes saved',
  unsaved: (count: number) => formatPlural(count, 'unsaved row'),
  unsavedThere: (count: number, month: string) => `${count} in ${month}`,
  toCorrect: (cells: number) => `${formatPlural(cells, 'cell')} to correct`,
  waitingForLine: 'Waiting for the connection; everything typed is kept',
  waitingUnstored: 'Waiting for the connection',
  unnamed: 'a row without a name',
  unsavedRow: 'Not saved yet',
  conflict: (name: string, column: string, theirs: string) =>
    theirs === '' ? `${name} emptied ${column}` : `${name} changed ${column} to “${theirs}”`,
  decideKeys: ': keep mine (Alt+M) / take theirs (Alt+T)',
  pageEnded: 'You were typing this when the page ended. It is kept here until you save or discard it.',
  holdsNow: (theirs: string) =>
    theirs === '' ? 'Its cell is empty now.' : `Its cell holds “${theirs}” now.`,
  showRow: 'Show row',
  incomplete: (missing: string) => `saved once it has ${missing}`,
  customerRequired: 'Customer name is required',
  dealershipRequired: 'Dealership is required',
  showMore: 'Show more',
} as const;
