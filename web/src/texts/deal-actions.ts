import { formatMonth, formatPlural } from '../platform/formats.ts';

/** Texts of actions on rows of Data Entry, and of their history. */
export const texts = {
  more: 'More actions',
  open: 'Open',
  items: 'Items…',
  setStatus: 'Change status…',
  setMonth: 'Move to month…',
  history: 'History of the row',
  cellHistory: 'History of the cell',
  exportExcel: 'Export as Excel',
  exportCsv: 'Export as CSV',
  oneRow: 'Choose one row',
  undo: 'Undo',

  statusTitle: (count: number) => (count === 1 ? 'Change status' : `Change status of ${count} rows`),
  status: 'New status',
  statusRequired: 'Choose a status',
  statusSet: (count: number, status: string) =>
    count === 1 ? `Status is ${status} now` : `${formatPlural(count, 'row')} are ${status} now`,
  monthTitle: (count: number) => (count === 1 ? 'Move to month' : `Move ${count} rows to month`),
  month: 'Month',
  monthRequired: 'Choose a month',
  change: 'Change',
  move: 'Move',
  moved: (count: number, month: string) =>
    count === 1
      ? `The row is in ${formatMonth(month)} now`
      : `${count} rows are in ${formatMonth(month)} now`,
  changeFailed: 'The rows could not be changed',
  restored: (count: number) => (count === 1 ? 'The row is back' : `${formatPlural(count, 'row')} are back`),

  historyOf: (customer: string) => `History of ${customer}`,
  show: 'Show',
  allColumns: 'All columns',
  noHistory: 'Nothing has changed here yet',
  noHistoryNote: 'Changes appear here with who made them and when.',
  historyFailed: 'The history could not be loaded',
  fields: {
    month: 'Month',
    sharedWith: 'Shared with',
    lastEmailedAt: 'Last emailed',
    comment: 'Comment',
    attachment: 'File',
  },
  withLevel: { view: (name: string) => `${name} (view)`, write: (name: string) => `${name} (edit)` },
  done: {
    created: 'made this row',
    updated: 'changed it',
    shared: 'changed who it is shared with',
    transferred: 'handed it over',
    deleted: 'deleted it',
    restored: 'brought it back',
    commentAdded: 'commented',
    commentEdited: 'changed a comment',
    commentRemoved: 'deleted a comment',
    attachmentAdded: 'attached a file',
    attachmentRemoved: 'removed a file',
  },
} as const;
