import type { Deal } from '@forecourt/contract/deals';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { texts } from '../../texts/deal-undo.ts';
import type { DealTable } from './deal-table.ts';
import type { DealUndo, Step, UndoOutcome } from './deal-undo.ts';
import type { Origin } from './own-versions.ts';

export type RowStepPorts = {
  readonly table: Pick<DealTable, 'refresh'>;
  readonly history: Pick<DealUndo, 'record'>;
  /** The version that a row has by what was sent from here. */
  readonly ownVersion: (id: string) => number | undefined;
  /** Rows as an answer has them: their versions are ours. */
  readonly own: (deals: readonly Deal[], origin: Origin) => void;
};

/** What every action on chosen rows does with its answers and its steps. */
export function createRowSteps({ table, history, ownVersion, own }: RowStepPorts) {
  const knownVersion = ({ _id, version }: Deal): number => Math.max(version, ownVersion(_id) ?? 0);
  return {
    /** Shows rows as an answer has them. */
    take: (deals: readonly Deal[], origin: Origin = 'changed'): readonly Deal[] => {
      own(deals, origin);
      table.refresh(deals);
      return deals;
    },

    knownVersion,

    /** By id what is known of rows here: a call that names it leaves alone those that have other versions by now. */
    versionsOf: (deals: readonly Deal[]): Record<string, number> =>
      Object.fromEntries(deals.map((deal) => [deal._id, knownVersion(deal)])),

    /** Keeps a step whose ways tell what went wrong instead of throwing it. */
    record: (step: Step): void => history.record({ undo: telling(step.undo), redo: telling(step.redo) }),
  };
}

export type RowSteps = ReturnType<typeof createRowSteps>;

/** How a step went: whole, or with rows that were left alone. */
export const outcomeOf = (words: (rows: number) => string, done: number, left: number): UndoOutcome =>
  left === 0 ? { words: words(done), isWhole: true } : { words: texts.leftAlone(left), isWhole: false };

/** What the server refuses is told and stays as it is; what did not reach it can be tried again. */
export const telling = (way: Step['undo']) => async (): Promise<UndoOutcome> => {
  try {
    return await way();
  } catch (thrown) {
    const isRefused = thrown instanceof ApiError && thrown.status >= 400 && thrown.status < 500;
    // What is wrong with a field says more than that something is.
    const [named] = thrown instanceof ApiError ? Object.values(thrown.errors) : [];
    return {
      words: texts.notUndone(named ?? messageOf(thrown)),
      isWhole: false,
      ...(!isRefused && { isFailed: true }),
    };
  }
};
