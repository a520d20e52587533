import type { Deal } from '@forecourt/contract/deals';
import { texts } from '../../texts/deal-undo.ts';
import { createRowSteps, outcomeOf, telling, type RowStepPorts } from './deal-row-steps.ts';
import { createDealShares } from './deal-shares.ts';
import type { DealTable } from './deal-table.ts';
import type { Step, UndoOutcome } from './deal-undo.ts';
import type {
  deleteDeals,
  restoreDeals,
  setDealsMonth,
  setDealsStatus,
  shareDeal,
  shareDeals,
  transferDeals,
} from './deals.queries.ts';

/** What a bulk action can set. */
type Settable = 'status' | 'month' | 'owner';
type Share = Deal['sharedWith'][number];
/** How rows are handed over. */
export type HandOver = { targetUserId: string; keepSharing: boolean; reason: string };

/** Rows that a change moved to the current month, and the way back there. */
export type MovedRows = {
  readonly count: number;
  readonly month: string;
  readonly undo: Step['undo'];
};

type ActionPorts = RowStepPorts & {
  readonly table: Pick<DealTable, 'refresh' | 'remove'>;
  /** A row as it is here by now. */
  readonly latest: (deal: Deal) => Deal;
  readonly newKey: () => string;
  readonly calls: {
    /** One row needs no right to change several. */
    readonly change: (
      id: string,
      body: { version: number; status?: string; month?: string },
      key: string,
    ) => Promise<Deal>;
    readonly setStatus: typeof setDealsStatus;
    readonly setMonth: typeof setDealsMonth;
    readonly transfer: typeof transferDeals;
    readonly shareOne: typeof shareDeal;
    readonly share: typeof shareDeals;
    readonly removeOne: (id: string) => Promise<unknown>;
    readonly remove: typeof deleteDeals;
    readonly restore: typeof restoreDeals;
  };
};

/** Rows by what they are to have. */
type Wanted = ReadonlyMap<Deal, string>;

/**
 * What is done with chosen rows, each a step that can be taken back (product section 4, The grid). Rows that somebody
 * else has changed since are left alone then, and it is said.
 */
export function createDealActions({ table, history, ownVersion, own, latest, newKey, calls }: ActionPorts) {
  const steps = createRowSteps({ table, history, ownVersion, own });
  const { take, knownVersion, versionsOf, record } = steps;
  const shares = createDealShares({ table, steps, latest, calls });

  /**
   * Gives rows a value. Answers those that got it.
   * @param versions leaves alone what has other versions by now; without them it is all or none
   */
  async function put(
    field: Settable,
    deals: readonly Deal[],
    value: string,
    versions?: Readonly<Record<string, number>>,
  ): Promise<readonly Deal[]> {
    const ids = deals.map(({ _id }) => _id);
    const which = { ids, ...(versions && { versions }) };
    const [first, second] = deals;
    if (field === 'owner') return take((await calls.transfer({ ...which, targetUserId: value })).items);
    if (first && !second)
      return take([
        await calls.change(first._id, { version: knownVersion(first), [field]: value }, newKey()),
      ]);
    if (field === 'status') return take((await calls.setStatus({ ...which, status: value }, newKey())).items);
    return take((await calls.setMonth({ ...which, month: value }, newKey())).items);
  }

  /** Gives each row what it is to have, as far as it still has the version that is known here. */
  async function putEach(field: Settable, wanted: Wanted): Promise<readonly Deal[]> {
    const versions = versionsOf([...wanted.keys()]);
    const done: Deal[] = [];
    for (const [value, group] of Map.groupBy(wanted, ([, value]) => value)) {
      const deals = group.map(([deal]) => deal);
      done.push(...(await put(field, deals, value, versions)));
    }
    return done;
  }

  /** Records that rows became others. */
  function recordSet(field: Settable, before: readonly Deal[], after: readonly Deal[]): void {
    const was = new Map(before.map((deal) => [deal._id, deal]));
    let now = after;
    const to =
      (end: ReadonlyMap<string, Deal>, words: (rows: number) => string) => async (): Promise<UndoOutcome> => {
        const differing = (of: Settable): Wanted =>
          new Map(
            now.flatMap((deal): [Deal, string][] => {
              const value = end.get(deal._id)?.[of];
              return value === undefined || value === deal[of] ? [] : [[deal, value]];
            }),
          );
        const asked = differing(field);
        if (asked.size === 0) return { words: texts.gone, isWhole: false };
        const done = await putEach(field, asked);
        now = done;
        // A status may have moved its row to the current month.
        if (field === 'status') {
          const moved = await putEach('month', differing('month'));
          const latest = new Map(moved.map((deal) => [deal._id, deal]));
          now = done.map((deal) => latest.get(deal._id) ?? deal);
        }
        if (field === 'owner') await shareAgain(now, end);
        return outcomeOf(words, done.length, asked.size - done.length);
      };
    const got = new Map(after.map((deal) => [deal._id, deal]));
    record({ undo: to(was, texts.rowsUndone), redo: to(got, texts.rowsRedone) });
  }

  /** Who gets a row loses their share of it: that comes back with the row's former owner. */
  async function shareAgain(deals: readonly Deal[], end: ReadonlyMap<string, Deal>): Promise<void> {
    const wanted = deals.flatMap((deal): [Deal, Share[]][] => {
      const lost = (end.get(deal._id)?.sharedWith ?? []).filter(
        ({ userId }) => userId !== deal.owner && !deal.sharedWith.some((has) => has.userId === userId),
      );
      return lost.length === 0 ? [] : [[deal, [...deal.sharedWith, ...lost]]];
    });
    await shares.putEach(new Map(wanted));
  }

  /** Of rows that were changed those that this moved to the current month; null: it moved none. */
  function movedBy(before: readonly Deal[], after: readonly Deal[]): MovedRows | null {
    const was = new Map(before.map(({ _id, month }) => [_id, month]));
    const moved = after.filter(({ _id, month }) => was.get(_id) !== month);
    const [first] = moved;
    if (!first) return null;
    const undo = async (): Promise<UndoOutcome> => {
      const done = await putEach('month', new Map(moved.map((deal) => [deal, was.get(deal._id)!])));
      return outcomeOf(texts.rowsUndone, done.length, moved.length - done.length);
    };
    return { count: moved.length, month: first.month, undo: telling(undo) };
  }

  return {
    /** Answers which rows went to the current month with it, as a setting has edits do. */
    setStatus: async (deals: readonly Deal[], status: string): Promise<MovedRows | null> => {
      const after = await put('status', deals, status);
      recordSet('status', deals, after);
      return movedBy(deals, after);
    },

    setMonth: async (deals: readonly Deal[], month: string): Promise<null> => {
      recordSet('month', deals, await put('month', deals, month));
      return null;
    },

    /** Answers how many rows somebody else has now. */
    transfer: async (deals: readonly Deal[], handOver: HandOver): Promise<number> => {
      const ids = deals.map(({ _id }) => _id);
      const { items } = await calls.transfer({ ids, ...handOver });
      recordSet('owner', deals, take(items));
      return items.length;
    },

    share: shares.share,

    /** Brings rows back that were deleted some time ago. Answers how many. */
    restore: async (ids: string[]): Promise<number> => take((await calls.restore(ids)).items).length,

    /** Deletes rows. Answers how to take that back once. */
    remove: async (deals: readonly Deal[]): Promise<Step['undo']> => {
      const ids = deals.map(({ _id }) => _id);
      let there: readonly Deal[] = deals;
      const remove = async (): Promise<void> => {
        const [first, second] = ids;
        if (second !== undefined) await calls.remove(ids);
        else if (first !== undefined) await calls.removeOne(first);
        table.remove(ids);
        there = [];
      };
      await remove();
      const step = {
        undo: telling(async () => {
          if (there.length > 0) return { words: texts.gone, isWhole: true };
          there = take((await calls.restore(ids)).items, 'restored');
          return { words: texts.rowsUndone(there.length), isWhole: true };
        }),
        redo: telling(async () => {
          const changed = there.filter(({ _id, version }) => (ownVersion(_id) ?? version) !== version);
          if (changed.length > 0) return { words: texts.leftAlone(changed.length), isWhole: false };
          await remove();
          return { words: texts.rowsRedone(ids.length), isWhole: true };
        }),
      };
      history.record(step);
      return step.undo;
    },
  };
}
