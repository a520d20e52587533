import { formatCount } from '../platform/formats.ts';

/** Texts of the tables of every screen (docs/product/screens.md, Tables). */
export const texts = {
  actions: 'Actions',
  selectAll: 'Select all',
  select: (row: string) => `Select ${row}`,
  rowActions: {
    edit: (row: string) => `Edit ${row}`,
    share: (row: string) => `Share ${row}`,
    transfer: (row: string) => `Transfer ${row}`,
    activate: (row: string) => `Activate ${row}`,
    deactivate: (row: string) => `Deactivate ${row}`,
    delete: (row: string) => `Delete ${row}`,
  },

  options: (column: string) => `Column options of ${column}`,
  optionsFiltered: (column: string) => `Column options of ${column}, filtered`,
  narrower: 'Narrower',
  wider: 'Wider',
  fit: 'Fit to content',
  hide: 'Hide column',
  reset: 'Reset columns',

  contains: 'Contains',
  from: 'From',
  to: 'To',
  none: 'None',
  clear: 'Clear',
  clearFilters: 'Clear filters',
  removeFilter: (text: string) => `Remove filter ${text}`,
  filter: (column: string, text: string) => `${column}: ${text}`,
  containing: (text: string) => `“${text}”`,
  anyOf: (choices: readonly string[]) => choices.join(' or '),
  between: (from: string, to: string) => `${from} to ${to}`,
  atLeast: (from: string) => `from ${from}`,
  atMost: (to: string) => `up to ${to}`,
  shown: (matches: number, all: number) => `${formatCount(matches)} of ${formatCount(all)} shown`,
  hidden: (count: number) => (count === 1 ? '1 column hidden' : `${formatCount(count)} columns hidden`),
  showAll: 'Show all columns',
  noMatch: 'Nothing matches these filters',
  noMatchNext: 'Remove one of them, or clear them all.',

  sorted: (column: string, descending: boolean) =>
    `Sorted by ${column}, ${descending ? 'descending' : 'ascending'}`,
  unsorted: 'Not sorted',
  resized: (column: string, width: number) => `${column}: ${formatCount(width)} pixels wide`,
} as const;
