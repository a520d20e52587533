/** The commands on the active cell or the selected block, and their keys. Browsers handle those of the clipboard. */
export const gridKeys = {
  edit: 'F2',
  copy: 'Ctrl+C',
  paste: 'Ctrl+V',
  clear: 'Delete',
  fillDown: 'Ctrl+D',
  fillRight: 'Ctrl+R',
} as const;

export type GridCommand = keyof typeof gridKeys;
