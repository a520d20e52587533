import { createCommandHistory, type CellAddress } from '../../grid/grid.ts';
import { texts } from '../../texts/deal-undo.ts';

/** One thing somebody did, and the ways back and forth. Neither of them rejects. */
export type Step = {
  readonly undo: () => Promise<UndoOutcome>;
  readonly redo: () => Promise<UndoOutcome>;
};

/** What taking back or doing again came to. */
export type UndoOutcome = {
  /** In words; also why something stays as it is. */
  readonly words: string;
  readonly isWhole: boolean;
  /** Nothing has happened, and it can be tried again. */
  readonly isFailed?: true;
  /** Where it can be seen: the first of these cells that is there. */
  readonly cells?: readonly CellAddress[];
};

/** A step, and where it was done: only there can it be taken back in sight. */
type Done = Step & { readonly view: string };

/**
 * Undo and redo of what is done on the screen (product section 4, The grid). It is gone with the page.
 * @param view what rows are in view
 */
export function createDealUndo(view: () => string) {
  const history = createCommandHistory<Done>();
  let busy = false;

  const nothing = (words: string): UndoOutcome => ({ words, isWhole: true });

  /** Moves the step at once, since somebody may go on typing while it runs, and back when it has failed. */
  async function run(step: Done | undefined, way: 'undo' | 'redo', none: string): Promise<UndoOutcome> {
    if (step === undefined) return nothing(none);
    if (busy || step.view !== view()) return nothing(busy ? texts.busy : texts.elsewhere);
    busy = true;
    history[way]();
    const outcome = await step[way]();
    busy = false;
    const [last, back] =
      way === 'undo' ? [history.lastUndone(), history.redo] : [history.lastDone(), history.undo];
    if (outcome.isFailed && last === step) back();
    return outcome;
  }

  return {
    record: (step: Step): void => history.record({ ...step, view: view() }),
    undo: (): Promise<UndoOutcome> => run(history.lastDone(), 'undo', texts.nothingToUndo),
    redo: (): Promise<UndoOutcome> => run(history.lastUndone(), 'redo', texts.nothingToRedo),
  };
}

export type DealUndo = ReturnType<typeof createDealUndo>;
