/** What can be taken back and done again, one step at a time. Newer steps end what could be done again. */
export interface CommandHistory<T> {
  readonly record: (step: T) => void;
  /** The step that undo is about, left where it is. */
  readonly lastDone: () => T | undefined;
  readonly lastUndone: () => T | undefined;
  /** Moves the newest step to those that can be done again. */
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Steps kept when left out: more than anybody remembers having done. */
const STEPS = 200;

/**
 * A history belongs to the caller of the grid, who knows what taking back means: it hands out steps and moves them, and
 * changes nothing itself.
 */
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

/** The changes that lead back, last one first. */
export const reversed = <C extends Changed>(changes: readonly C[]): C[] =>
  changes.map((change) => ({ ...change, before: change.after, after: change.before })).toReversed();
