import { createCommandHistory } from '../../../grid/grid.ts';
import { createStore } from '../../../platform/external-store.ts';
import { texts } from '../../../texts/deal-undo.ts';
import { withErrors, type Step, type UndoOutcome } from '../undo-step.ts';

/** A step and its view. It can be undone only there, where the effect is visible. */
type Done = Step & { readonly view: string };

type UndoPorts = {
  /** Returns a key of the rows in view. */
  readonly view: () => string;
  readonly later: (run: () => void, ms: number) => () => void;
  /** Receives `beforeunload`, which warns during an undo or redo: its remaining rows would be lost. */
  readonly page: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
};

/** An undo that takes longer than this is announced. */
const SLOW_MS = 500;

const warn = (event: Event): void => event.preventDefault();

/** Undo and redo of actions on the screen (docs/product/data-entry.md, Undo). Lost at a reload. */
export function createUndoStack({ view, later, page }: UndoPorts) {
  /** The result of the last undo or redo until the next step, for the status bar. */
  const announcement = createStore('');
  const history = createCommandHistory<Done>();
  let busy = false;

  const nothing = (message: string): UndoOutcome => ({ message, isComplete: true });

  /** Moves the step at once, because the user may continue typing, and moves it back if it fails. */
  async function run(step: Done | undefined, way: 'undo' | 'redo', none: string): Promise<UndoOutcome> {
    if (step === undefined) return nothing(none);
    if (busy || step.view !== view()) return nothing(busy ? texts.busy : texts.elsewhere);
    busy = true;
    history[way]();
    page.addEventListener('beforeunload', warn);
    const stopTimer = later(() => announcement.set(texts.inProgress), SLOW_MS);
    const outcome = await step[way]();
    stopTimer();
    page.removeEventListener('beforeunload', warn);
    busy = false;
    const [last, back] =
      way === 'undo' ? [history.lastUndone(), history.redo] : [history.lastDone(), history.undo];
    if (outcome.isFailed && last === step) back();
    return outcome;
  }

  async function announced(running: Promise<UndoOutcome>): Promise<UndoOutcome> {
    const outcome = await running;
    announcement.set(outcome.isComplete ? outcome.message : '');
    return outcome;
  }

  return {
    announcement,
    /** Records a step. Its errors become its outcome. */
    record(step: Step): void {
      announcement.set('');
      history.record({ undo: withErrors(step.undo), redo: withErrors(step.redo), view: view() });
    },
    undo: () => announced(run(history.lastDone(), 'undo', texts.nothingToUndo)),
    redo: () => announced(run(history.lastUndone(), 'redo', texts.nothingToRedo)),
  };
}

export type UndoStack = ReturnType<typeof createUndoStack>;
