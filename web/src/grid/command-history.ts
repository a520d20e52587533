/** Undo and redo stacks. A new step clears the redo stack. */
export interface CommandHistory<T> {
  readonly record: (step: T) => void;
  /** Returns the step to undo, without removing it. */
  readonly lastDone: () => T | undefined;
  readonly lastUndone: () => T | undefined;
  /** Moves the last step to the redo stack. */
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Default number of steps. */
const STEPS = 200;

/** Creates a history that stores steps; the caller of the grid applies them. */
export function createCommandHistory<T>(limit = STEPS): CommandHistory<T> {
  let done: readonly T[] = [];
  let undone: readonly T[] = [];
  return {
    record(step) {
      done = [...done, step].slice(-limit);
      undone = [];
    },
    lastDone: () => done.at(-1),
    lastUndone: () => undone.at(-1),
    undo() {
      undone = [...undone, ...done.slice(-1)];
      done = done.slice(0, -1);
    },
    redo() {
      done = [...done, ...undone.slice(-1)];
      undone = undone.slice(0, -1);
    },
  };
}

interface Changed {
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the inverse changes, last one first. */
export const reversed = <C extends Changed>(changes: readonly C[]): C[] =>
  changes.map((change) => ({ ...change, before: change.after, after: change.before })).toReversed();
