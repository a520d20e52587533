import { typesInto } from '../../platform/types-into.ts';
import { useWindowKey } from '../../ui/use-window-key.ts';

type ScreenKeys = {
  onFind: () => void;
  onFindNext: (backwards: boolean) => void;
  onNewRow: () => void;
  /** The table has these keys of its own; they hold on the rest of the screen too, but in a text. */
  onUndo: () => void;
  onRedo: () => void;
  /** To the rows before or behind those that are here; left out where there are none. */
  onSlide: ((backwards: boolean) => void) | undefined;
  onHelp: () => void;
};

/**
 * Ctrl+F searches the data and not the page, F3 goes on to the next cell that holds it; Alt+N begins a row, Alt+Page
 * Up and Down go on where a view is too large, Ctrl+Z and Ctrl+Y undo and do again, `?` lists the keys where it is no text, and Ctrl+/ everywhere. Not while a dialog is open.
 */
export function useScreenKeys(keys: ScreenKeys): void {
  const { onFind, onFindNext, onNewRow, onUndo, onRedo, onSlide, onHelp } = keys;
  useWindowKey((event) => {
    if (document.querySelector('[aria-modal="true"]')) return;
    const step = typesInto(event.target) ? undefined : stepOf(event);
    const find =
      (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyF';
    const fresh = event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyN';
    const next = event.code === 'F3' && !event.ctrlKey && !event.altKey && !event.metaKey;
    const help =
      event.ctrlKey || event.metaKey ? event.key === '/' : event.key === '?' && !typesInto(event.target);
    const slides = onSlide !== undefined && event.altKey && /^Page(Up|Down)$/.test(event.code);
    if (!find && !fresh && !next && !help && !slides && !step) return;
    event.preventDefault();
    if (step) (step === 'undo' ? onUndo : onRedo)();
    else if (find) onFind();
    else if (slides) onSlide(event.code === 'PageUp');
    else if (next) onFindNext(event.shiftKey);
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
