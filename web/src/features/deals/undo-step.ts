import type { CellAddress } from '../../grid/grid.ts';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { texts } from '../../texts/deal-undo.ts';

/** An action of the user that can be undone and redone. */
export type Step = {
  readonly undo: () => Promise<UndoOutcome>;
  readonly redo: () => Promise<UndoOutcome>;
};

export type UndoOutcome = {
  /** Message for display, including why rows were skipped. */
  readonly message: string;
  readonly isComplete: boolean;
  /** Nothing has changed, so the step can be repeated. */
  readonly isFailed?: true;
  /** The affected cells. The first visible one gets the focus. */
  readonly cells?: readonly CellAddress[];
};

/** Returns the outcome of a step: complete, or with the number of skipped rows. */
export const outcomeOf = (toMessage: (rows: number) => string, done: number, left: number): UndoOutcome =>
  left === 0
    ? { message: toMessage(done), isComplete: true }
    : { message: texts.leftAlone(left), isComplete: false };

/** Whether the server refused a request, so that repeating it is useless. */
export const isRefusal = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500;

/** Returns a function that never throws: a refusal becomes its final outcome; after other errors it can be repeated. */
export const withErrors = (action: Step['undo']) => async (): Promise<UndoOutcome> => {
  try {
    return await action();
  } catch (thrown) {
    // The message of a field is more specific than the general one.
    const [named] = thrown instanceof ApiError ? Object.values(thrown.errors) : [];
    return {
      message: texts.notUndone(named ?? messageOf(thrown)),
      isComplete: false,
      ...(!isRefusal(thrown) && { isFailed: true }),
    };
  }
};
