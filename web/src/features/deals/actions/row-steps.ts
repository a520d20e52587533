import type { Deal } from '@forecourt/contract/deals';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { texts } from '../../../texts/deal-undo.ts';
import type { DealTable } from '../store/deal-table.ts';
import type { Origin } from '../store/local-versions.ts';
import type { UndoStack, Step, UndoOutcome } from '../store/undo-stack.ts';

export type RowStepPorts = {
  readonly table: Pick<DealTable, 'refresh'>;
  readonly history: Pick<UndoStack, 'record'>;
  /** Returns the newest version of a row written from here. */
  readonly localVersion: (id: string) => number | undefined;
  /** Records the versions of rows in a response. */
  readonly recordVersions: (deals: readonly Deal[], origin: Origin) => void;
};

/** Creates the functions shared by all actions on chosen rows. */
export function createRowSteps({ table, history, localVersion, recordVersions }: RowStepPorts) {
  const knownVersion = ({ _id, version }: Deal): number => Math.max(version, localVersion(_id) ?? 0);
  return {
    /** Shows the rows of a response. */
    applyRows: (deals: readonly Deal[], origin: Origin = 'changed'): readonly Deal[] => {
      recordVersions(deals, origin);
      table.refresh(deals);
      return deals;
    },

    knownVersion,

    /** Returns the known versions by id: a call with them skips rows with other versions by now. */
    versionsOf: (deals: readonly Deal[]): Record<string, number> =>
      Object.fromEntries(deals.map((deal) => [deal._id, knownVersion(deal)])),

    /** Records a step whose errors become its outcome. */
    record: (step: Step): void =>
      history.record({ undo: withErrors(step.undo), redo: withErrors(step.redo) }),
  };
}

export type RowSteps = ReturnType<typeof createRowSteps>;

/** Returns the outcome of a step: complete, or with the number of skipped rows. */
export const outcomeOf = (toMessage: (rows: number) => string, done: number, left: number): UndoOutcome =>
  left === 0
    ? { message: toMessage(done), isComplete: true }
    : { message: texts.leftAlone(left), isComplete: false };

/**
 * Returns a function that does not throw: a refusal becomes its outcome and is final, other errors can be tried
 * again.
 */
export const withErrors = (action: Step['undo']) => async (): Promise<UndoOutcome> => {
  try {
    return await action();
  } catch (thrown) {
    const isRefused = thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500;
    // The message of a field is more specific than the general one.
    const [named] = thrown instanceof ApiError ? Object.values(thrown.errors) : [];
    return {
      message: texts.notUndone(named ?? messageOf(thrown)),
      isComplete: false,
      ...(!isRefused && { isFailed: true }),
    };
  }
};
