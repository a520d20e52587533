import { formatPlural } from '../platform/formats.ts';

const rows = (count: number): string => formatPlural(count, 'row', 'rows');

/** Texts of the rows of a backup (docs/product/backups.md, Copying rows). */
export const texts = {
  title: 'Copy rows from a backup',
  note: (name: string) => `From ${name}. Search for the rows you want back. Nothing else is changed.`,
  month: 'Month',
  dealership: 'Dealership',
  everyDealership: 'Every dealership',
  search: 'Text',
  find: 'Search the backup',
  reading: 'Reading the backup. A large one may take a minute.',
  searchFailed: 'The backup could not be searched. Please try again.',
  none: 'No rows found',
  noneNote: 'The backup has no such row. Search another month or text.',
  found: (count: number, total: number) =>
    count < total
      ? `The newest ${rows(count)} of ${total.toLocaleString('en-AU')}. Narrow the search to see the others.`
      : `${rows(count)} found`,
  allSame: (count: number, total: number) =>
    count < total
      ? `The newest ${rows(count)} of ${total.toLocaleString('en-AU')} are as in the backup. Narrow the search to compare the others.`
      : `${rows(count)} found. All are as in the backup.`,
  showSame: 'Also show rows that are the same',
  table: 'Rows of the backup',
  row: 'Row',
  what: 'Compared with today',
  unnamed: 'Row',
  include: (name: string) => `Copy ${name}`,
  all: (count: number) => `All ${rows(count)}`,
  states: { missing: 'Missing today', different: 'Different today', same: 'Same' },
  refused: 'Not possible',
  comments: 'Comments, files and emails of a row that no longer exists do not come back with it.',
  cancel: 'Cancel',
  close: 'Close',
  submit: (count: number) => (count === 0 ? 'Copy back' : `Copy back ${rows(count)}`),
  failed: 'Failed to copy the rows. Please try again.',
  done: (count: number, refused: number) =>
    refused === 0
      ? `Copied ${rows(count)} back.`
      : `Copied ${rows(count)} back. ${formatPlural(refused, 'row was', 'rows were')} refused.`,
  nothingDone: 'These rows are already as in the backup. Nothing was changed.',
  show: 'Show',
};
