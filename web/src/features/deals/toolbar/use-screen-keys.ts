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
  /** The table handles these keys itself. Outside of it they apply on the rest of the screen, except in text fields. */
  onUndo: () => void;
  onRedo: () => void;
  /** Loads the previous or next window. Absent if all rows are loaded. */
  onSlide: ((backwards: boolean) => void) | undefined;
  onHelp: () => void;
  /** The page of a deal lies over the table: of these keys only the list of keys is available. */
  isCovered: boolean;
};

/**
 * Keys of the screen: Ctrl+F focuses the search of the data, F3 the next cell that matches it; Ctrl+Shift+L opens the
 * filter, Ctrl+Shift+G the groups; Alt+N starts a row, Alt+C opens the comments of the active row and Alt+A its files,
 * Alt+Page Up and Down change the window of a large view, Ctrl+Z and Ctrl+Y undo and redo. `?` lists the keys outside of
 * text fields, and Ctrl+/ everywhere. Inactive while a dialog is open.
 */
export function useScreenKeys({ isCovered, ...keys }: ScreenKeys): void {
  const { onFind, onFindNext, onNewRow, onFilter, onGroup, onUndo, onRedo, onSlide, onHelp } = keys;
  useWindowKey((event) => {
    if (document.querySelector('[aria-modal="true"]')) return;
    const step = typesInto(event.target) ? undefined : stepOf(event);
    const find =
      (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyF';
    const isShift = (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey;
    const filter = isShift && event.code === 'KeyL';
    const group = isShift && event.code === 'KeyG';
    const isAlt = event.altKey && !event.ctrlKey && !event.metaKey;
    const comments = isAlt && event.code === 'KeyC';
    const files = isAlt && event.code === 'KeyA';
    const fresh = isAlt && event.code === 'KeyN';
    const next = event.code === 'F3' && !event.ctrlKey && !event.altKey && !event.metaKey;
    const help =
      event.ctrlKey || event.metaKey ? event.key === '/' : event.key === '?' && !isInField(event.target);
    const slides = onSlide !== undefined && event.altKey && /^Page(Up|Down)$/.test(event.code);
    if (isCovered && !help) return;
    if (!find && !filter && !group && !fresh && !comments && !files && !next && !help && !slides && !step)
      return;
    event.preventDefault();
    if (step) (step === 'undo' ? onUndo : onRedo)();
    else if (find) onFind();
    else if (filter) onFilter();
    else if (group) onGroup();
    else if (slides) onSlide(event.code === 'PageUp');
    else if (next) onFindNext(event.shiftKey);
    else if (comments) keys.onComments();
    else if (files) keys.onFiles();
    else if (help) onHelp();
    else onNewRow();
  });
}

/** Ctrl+Z, and Ctrl+Y or Ctrl+Shift+Z. */
function stepOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !shiftKey ? 'redo' : undefined;
}
