/**
 * The keys of the actions on deals. An action, a button and a listener take them from here, and no other file of deals
 * binds or names one; `texts/deal-keys.ts` explains them to users. The grid binds the keys of its commands itself
 * (`gridKeys`), and Space, Ctrl+← and Ctrl+→, which it does not name.
 */
export const actionKeys = {
  newRow: 'Alt+N',
  filter: 'Ctrl+Shift+L',
  group: 'Ctrl+Shift+G',
  find: 'Ctrl+F',
  /** Searches backwards with Shift. */
  findNext: 'F3',
  undo: 'Ctrl+Z',
  redo: 'Ctrl+Y',
  /** This key is usual on a Mac. The list of shortcuts does not name it. */
  redoByShift: 'Ctrl+Shift+Z',
  open: 'Space',
  email: 'Ctrl+Enter',
  comments: 'Alt+C',
  attachments: 'Alt+A',
  keepMine: 'Alt+M',
  takeTheirs: 'Alt+T',
  previousWindow: 'Alt+PageUp',
  nextWindow: 'Alt+PageDown',
  previousDeal: 'Alt+ArrowUp',
  nextDeal: 'Alt+ArrowDown',
  previousDealByLetter: 'K',
  nextDealByLetter: 'J',
  collapseAll: 'Ctrl+←',
  expandAll: 'Ctrl+→',
} as const;

/** Returns the pressed key as in `actionKeys`, a letter by its position. Shift does not matter with Alt. */
export const pressedKeys = ({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string =>
  (ctrlKey || metaKey ? 'Ctrl+' : '') +
  (altKey ? 'Alt+' : shiftKey ? 'Shift+' : '') +
  code.replace('Key', '');

/** Returns the value of `aria-keyshortcuts`. */
export const ariaKeys = (keys: string | undefined): string | undefined => keys?.replace('Ctrl', 'Control');
