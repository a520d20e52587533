import { formatCount } from '../platform/formats.ts';

export const texts = {
  label: 'Rows of a large month or search',
  /** @param isCapped there are more than `total` */
  range: (first: number, last: number, total: number, isCapped: boolean) =>
    `Rows ${formatCount(first)}–${formatCount(last)} of ${formatCount(total)}${isCapped ? '+' : ''}`,
  newestFirst: 'newest first',
  sortedBy: (column: string, descending: boolean) => `sorted by ${column}${descending ? ', descending' : ''}`,
  statusFirst: (status: string) => `${status} first`,
  coming: 'More are coming…',
  note: 'Ctrl+A, copying and undo reach these rows; the search looks in all.',
  unsorted:
    'A search over all months with more than 100,000 rows is sorted by month only. Choose a month or filter.',
  previous: 'Previous rows',
  next: 'Next rows',
  atFirst: 'These are the first rows',
  atLast: 'These are the last rows',
  notYet: 'The rows before them are still coming',
  endReached: 'The last of these rows. Alt+Page Down brings the next ones.',
  startReached: 'The first of these rows. Alt+Page Up brings the ones before.',
} as const;
