import { isInField, typesInto } from '../../../platform/types-into.ts';
import { useWindowKey } from '../../../ui/use-window-key.ts';

type ScreenKeys = {
  onFind: () => void;
  onFindNext: (backwards: boolean) => void;
  onNewRow: () => void;
  onFilter: () => void;
  onGroup: () => void;
  onComments: () => void;
  onFiles: () => void;
  /** Handled by the table itself; these apply to the rest of the screen, except in text fields. */
  onUndo: () => void;
  onRedo: () => void;
  /** Loads the previous or next window; undefined if all rows are loaded. */
  onSlide: ((backwards: boolean) => void) | undefined;
  onHelp: () => void;
  /** Whether the page of a deal covers the table: then only undo, redo and the list of shortcuts apply. */
  isCovered: boolean;
};

/**
 * Shortcuts of the screen. Ctrl+F focuses the search, F3 the next cell that matches; Ctrl+Shift+L opens the filter,
 * Ctrl+Shift+G the groups; Alt+N starts a row, Alt+C opens the comments of the active row and Alt+A its files; Alt+Page
 * Up and Down change the window of a large view; Ctrl+Z and Ctrl+Y undo and redo. `?` lists the shortcuts outside text
 * fields, Ctrl+/ everywhere. Inactive while a dialog is open.
 */
export function useScreenKeys({ isCovered, ...keys }: ScreenKeys): void {
  useWindowKey((event) => {
    if (document.querySelector('[aria-modal="true"]')) return;
    const run = actionOf(event, keys);
    const isOfPage = run === keys.onUndo || run === keys.onRedo || run === keys.onHelp;
    if (run === undefined || (isCovered && !isOfPage)) return;
    event.preventDefault();
    run();
  });
}

function actionOf(event: KeyboardEvent, keys: Omit<ScreenKeys, 'isCovered'>): (() => void) | undefined {
  const { code, altKey, shiftKey, target } = event;
  const { onFindNext, onSlide } = keys;
  const isCtrl = event.ctrlKey || event.metaKey;
  const step = typesInto(target) ? undefined : stepOf(event);
  if (step) return step === 'undo' ? keys.onUndo : keys.onRedo;
  if (isCtrl && !altKey && !shiftKey && code === 'KeyF') return keys.onFind;
  if (isCtrl && !altKey && shiftKey && code === 'KeyL') return keys.onFilter;
  if (isCtrl && !altKey && shiftKey && code === 'KeyG') return keys.onGroup;
  if (onSlide && altKey && /^Page(Up|Down)$/.test(code)) return () => onSlide(code === 'PageUp');
  if (code === 'F3' && !isCtrl && !altKey) return () => onFindNext(shiftKey);
  if (altKey && !isCtrl && code === 'KeyC') return keys.onComments;
  if (altKey && !isCtrl && code === 'KeyA') return keys.onFiles;
  if (isCtrl ? event.key === '/' : event.key === '?' && !isInField(target)) return keys.onHelp;
  return altKey && !isCtrl && code === 'KeyN' ? keys.onNewRow : undefined;
}

/** Returns `undo` for Ctrl+Z, and `redo` for Ctrl+Y or Ctrl+Shift+Z. */
function stepOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !shiftKey ? 'redo' : undefined;
}
