/** Texts of the debug panel. */
export const texts = {
  title: 'Debug Panel',
  search: 'Search the log',
  levels: 'Levels',
  levelNames: { debug: 'Debug', info: 'Info', warn: 'Warn', error: 'Error' },
  expand: 'Expand debug panel',
  collapse: 'Collapse debug panel',
  close: 'Close debug panel',
  clear: 'Clear',
  copy: 'Copy for support',
  copied: 'Copied without secrets',
  notCopied: 'The browser refused to copy. Select the lines and copy them.',
  log: 'Log',
  count: (shown: number, all: number) => (shown === all ? `${all}` : `${shown} of ${all}`),
  empty: 'Nothing here yet',
  nothingFound: 'Nothing matches',
  requestId: (id: string) => `request ${id}`,
} as const;
