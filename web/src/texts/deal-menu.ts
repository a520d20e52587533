/** Texts of the context menus of Data Entry. */
export const texts = {
  commands: {
    edit: 'Edit',
    copy: 'Copy',
    paste: 'Paste',
    clear: 'Clear',
    fillDown: 'Fill down',
    fillRight: 'Fill to the right',
  },
  computed: 'This column is computed',
  nothingAbove: 'There is no row above',
  ascending: 'Sort ascending',
  descending: 'Sort descending',
  statusFirst: (status: string) => `Show ${status} first`,
  clearSort: 'Clear order',
  notSorted: 'The rows are not sorted by this column',
  pin: { left: 'Pin to the left', right: 'Pin to the right', none: 'Unpin' },
  fit: 'Fit to content',
  hide: 'Hide column',
  lastColumn: 'One column must be visible',
  monthIsNeeded: 'Results of all months show their month',
} as const;
