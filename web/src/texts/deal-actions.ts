import { RESTORABLE_DAYS } from '@forecourt/contract/deal-limits';
import { formatPlural } from '../platform/formats.ts';
import { texts as deals } from './deals.ts';

export const texts = {
  open: 'Open',
  items: 'Items…',
  setStatus: 'Change status…',
  setMonth: 'Move to month…',
  history: 'History of the row',
  cellHistory: 'History of the cell',
  exportExcel: 'Export as Excel',
  exportCsv: 'Export as CSV',
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
  changeFailed: 'The rows could not be changed',
  restored: (count: number) => (count === 1 ? 'The row is back' : `${formatPlural(count, 'row')} are back`),

  deleteTitle: (count: number) => (count === 1 ? 'Delete row' : `Delete ${count} rows`),
  deleteQuestion: (names: string) => `Delete ${names}?`,
  restorable: (count: number) =>
    `An administrator can bring ${count === 1 ? 'it' : 'them'} back for ${RESTORABLE_DAYS} days.`,
  unsavedOnly: (count: number) =>
    `${count === 1 ? 'It was' : 'They were'} never saved, so ${count === 1 ? 'it' : 'they'} cannot be brought back.`,
  partlyUnsaved: (unsaved: number) =>
    `An administrator can bring back for ${RESTORABLE_DAYS} days what was saved. ${formatPlural(unsaved, 'row')} ${unsaved === 1 ? 'was' : 'were'} never saved, so ${unsaved === 1 ? 'it' : 'they'} cannot be brought back.`,
  andMore: (count: number) => ` and ${formatPlural(count, 'more row')}`,
  deleted: (count: number) => (count === 1 ? 'Row deleted' : `${formatPlural(count, 'row')} deleted`),
  shared: (count: number, people: number) =>
    people === 0
      ? `Successfully removed all sharing from ${count} row(s)`
      : `Successfully shared ${count} row(s) with ${people} user(s)`,
  transferred: (count: number) => `Successfully transferred ${count} row(s)`,
  editsAnyway: (name: string) => `${name} is an administrator and may edit all rows anyway.`,
  editsOnlyHere: (name: string) => `${name} may not edit other rows.`,
  cannotOpen: (name: string) => `${name} may not open Data Entry.`,

  historyOf: (customer: string) => `History of ${customer}`,
  show: 'Show',
  allColumns: 'All columns',
  noHistory: 'Nothing has changed here yet',
  noHistoryNote: 'Changes appear here with who made them and when.',
  historyFailed: 'The history could not be loaded',
  fields: {
    sharedWith: 'Shared with',
    comment: 'Comment',
    attachment: 'File',
    mergedRows: 'Merged rows',
  },
  withLevel: { view: (name: string) => `${name} (view)`, write: (name: string) => `${name} (edit)` },
  inMergedRow: (done: string) => `${done} (in a row that was merged into this one)`,
  done: {
    created: 'added this row',
    updated: 'changed it',
    shared: 'changed who it is shared with',
    transferred: 'transferred it',
    deleted: 'deleted it',
    restored: 'restored it',
    merged: 'merged rows into it',
    separated: 'separated merged rows from it',
    commentAdded: 'commented',
    commentEdited: 'changed a comment',
    commentRemoved: 'deleted a comment',
    attachmentAdded: 'attached a file',
    attachmentRemoved: 'removed a file',
  },
} as const;

/** Returns the name of a field in a sentence: 'changed sharing, notes'. */
export const fieldInSentence = (field: string): string =>
  field === 'sharedWith'
    ? 'sharing'
    : (
        ({ ...deals.columns, ...texts.fields } as Readonly<Record<string, string>>)[field] ?? field
      ).toLowerCase();
