import type { Deal } from '@forecourt/contract/deals';
import { useMemo } from 'react';
import { createStepSets, newChangeSet, newKey, type NewChangeSet } from '../../../platform/ids.ts';
import { texts } from '../../../texts/deal-undo.ts';
import { useDataEntry } from '../data-entry-context.ts';
import {
  changeDeal,
  deleteDeal,
  deleteDeals,
  restoreDeals,
  setDealsMonth,
  setDealsStatus,
  shareDeal,
  shareDeals,
  transferDeals,
} from '../deals.queries.ts';
import type { DealTable } from '../store/deal-table.ts';
import type { LocalVersions } from '../store/local-versions.ts';
import { outcomeOf, withErrors, type Step, type UndoOutcome } from '../undo-step.ts';
import { mergeDeals, revertMerge, type MergeBody } from './deal-merge.queries.ts';
import { createDealShares, type SharingPorts } from './sharing-actions.ts';

type Settable = 'status' | 'month' | 'owner';
type Share = Deal['sharedWith'][number];
type DealTransfer = { targetUserId: string; keepSharing: boolean; reason: string };

/** Rows that a change moved to the current month, and a function that moves them back. */
type MovedRows = {
  readonly count: number;
  readonly month: string;
  readonly undo: Step['undo'];
};

type ActionPorts = SharingPorts & {
  readonly table: Pick<DealTable, 'remove'>;
  readonly localVersions: Pick<LocalVersions, 'latest' | 'newest'>;
  readonly newKey: () => string;
  readonly calls: {
    /** Changes one row; unlike the bulk calls, it needs no bulk permission. */
    readonly change: (
      id: string,
      body: { version: number; status?: string; month?: string },
      key: string,
      changeSet?: NewChangeSet,
    ) => Promise<Deal>;
    readonly setStatus: typeof setDealsStatus;
    readonly setMonth: typeof setDealsMonth;
    readonly transfer: typeof transferDeals;
    readonly removeOne: typeof deleteDeal;
    readonly remove: typeof deleteDeals;
    readonly restore: typeof restoreDeals;
    readonly merge: typeof mergeDeals;
    readonly revertMerge: typeof revertMerge;
  };
};

type Wanted = ReadonlyMap<Deal, string>;

/** Actions on rows, as undo steps (docs/product/data-entry.md, Undo). Undo skips rows changed by others. */
export function createDealActions(ports: ActionPorts) {
  const { table, history, localVersions, applyRows, newKey, calls } = ports;
  const shares = createDealShares(ports);

  /**
   * Sets a field of rows. Returns the changed rows.
   * @param versions skips rows that have another version; without them the call changes all rows or none
   */
  async function put(
    field: Settable,
    deals: readonly Deal[],
    value: string,
    changeSet: NewChangeSet,
    versions?: Readonly<Record<string, number>>,
  ): Promise<readonly Deal[]> {
    const ids = deals.map(({ _id }) => _id);
    const which = { ids, ...(versions && { versions }) };
    const [first, second] = deals;
    if (field === 'owner')
      return applyRows((await calls.transfer({ ...which, targetUserId: value }, changeSet)).items);
    if (first && !second)
      return applyRows([
        await calls.change(
          first._id,
          { version: localVersions.newest(first), [field]: value },
          newKey(),
          changeSet,
        ),
      ]);
    if (field === 'status')
      return applyRows((await calls.setStatus({ ...which, status: value }, newKey(), changeSet)).items);
    return applyRows((await calls.setMonth({ ...which, month: value }, newKey(), changeSet)).items);
  }

  /** Sets the value of each row that still has its last known version. */
  async function putEach(field: Settable, values: Wanted, changeSet: NewChangeSet): Promise<readonly Deal[]> {
    const versions = localVersions.knownById([...values.keys()]);
    const done: Deal[] = [];
    for (const [value, group] of Map.groupBy(values, ([, value]) => value)) {
      const deals = group.map(([deal]) => deal);
      done.push(...(await put(field, deals, value, changeSet, versions)));
    }
    return done;
  }

  function recordSet(
    field: Settable,
    before: readonly Deal[],
    after: readonly Deal[],
    done: NewChangeSet,
  ): void {
    const sets = createStepSets(done);
    const was = new Map(before.map((deal) => [deal._id, deal]));
    let now = after;
    const to =
      (end: ReadonlyMap<string, Deal>, toMessage: (rows: number) => string, newSet: () => NewChangeSet) =>
      async (): Promise<UndoOutcome> => {
        const changeSet = newSet();
        const differing = (of: Settable): Wanted =>
          new Map(
            now.flatMap((deal): [Deal, string][] => {
              const value = end.get(deal._id)?.[of];
              return value === undefined || value === deal[of] ? [] : [[deal, value]];
            }),
          );
        const values = differing(field);
        if (values.size === 0) return { message: texts.gone, isComplete: false };
        const done = await putEach(field, values, changeSet);
        now = done;
        // A new status may also move a row to the current month.
        if (field === 'status') {
          const moved = await putEach('month', differing('month'), changeSet);
          const latest = new Map(moved.map((deal) => [deal._id, deal]));
          now = done.map((deal) => latest.get(deal._id) ?? deal);
        }
        if (field === 'owner') await restoreShares(now, end, changeSet);
        return outcomeOf(toMessage, done.length, values.size - done.length);
      };
    const got = new Map(after.map((deal) => [deal._id, deal]));
    history.record({
      undo: to(was, texts.rowsUndone, sets.undo),
      redo: to(got, texts.rowsRedone, sets.redo),
    });
  }

  /** Restores the share that a user lost when they became the owner. */
  async function restoreShares(
    deals: readonly Deal[],
    end: ReadonlyMap<string, Deal>,
    changeSet: NewChangeSet,
  ): Promise<void> {
    const sharesOfDeals = deals.flatMap((deal): [Deal, Share[]][] => {
      const lost = (end.get(deal._id)?.sharedWith ?? []).filter(
        ({ userId }) => userId !== deal.owner && !deal.sharedWith.some((has) => has.userId === userId),
      );
      return lost.length === 0 ? [] : [[deal, [...deal.sharedWith, ...lost]]];
    });
    await shares.putEach(new Map(sharesOfDeals), changeSet);
  }

  /** Returns the rows that were moved to the current month; null if there are none. */
  function findMoved(before: readonly Deal[], after: readonly Deal[]): MovedRows | null {
    const was = new Map(before.map(({ _id, month }) => [_id, month]));
    const moved = after.filter(({ _id, month }) => was.get(_id) !== month);
    const [first] = moved;
    if (!first) return null;
    const undo = async (): Promise<UndoOutcome> => {
      const back = new Map(moved.map((deal) => [deal, was.get(deal._id)!]));
      const done = await putEach('month', back, newChangeSet('undo'));
      return outcomeOf(texts.rowsUndone, done.length, moved.length - done.length);
    };
    return { count: moved.length, month: first.month, undo: withErrors(undo) };
  }

  return {
    /** Returns the rows that were also moved to the current month, which a setting causes. */
    setStatus: async (deals: readonly Deal[], status: string): Promise<MovedRows | null> => {
      const changeSet = newChangeSet('bulk');
      const after = await put('status', deals, status, changeSet);
      recordSet('status', deals, after, changeSet);
      return findMoved(deals, after);
    },

    setMonth: async (deals: readonly Deal[], month: string): Promise<null> => {
      const changeSet = newChangeSet('bulk');
      recordSet('month', deals, await put('month', deals, month, changeSet), changeSet);
      return null;
    },

    /** Returns the number of transferred rows. */
    transfer: async (deals: readonly Deal[], transfer: DealTransfer): Promise<number> => {
      const ids = deals.map(({ _id }) => _id);
      const changeSet = newChangeSet('bulk');
      const { items } = await calls.transfer({ ids, ...transfer }, changeSet);
      recordSet('owner', deals, applyRows(items), changeSet);
      return items.length;
    },

    share: shares.share,

    /** Merges rows. Returns a function that takes it back once. */
    merge: async (body: MergeBody, key: string): Promise<Step['undo']> => {
      let { changeSetId: last } = await calls.merge(body, key);
      table.remove(body.others);
      let isMerged = true;
      /** Both buttons and both keys may be used: a merge that is already taken back is not taken back again. */
      const makeMerged = (becomesMerged: boolean) => async (): Promise<UndoOutcome> => {
        if (isMerged === becomesMerged) return { message: texts.gone, isComplete: true };
        const { changeSetId, reverted, refused, left } = await calls.revertMerge(last);
        if (changeSetId !== null) [last, isMerged] = [changeSetId, becomesMerged];
        return outcomeOf(
          becomesMerged ? texts.rowsRedone : texts.rowsUndone,
          reverted,
          refused.length + left.length,
        );
      };
      const undo = makeMerged(false);
      history.record({ undo, redo: makeMerged(true) });
      return withErrors(undo);
    },

    /** Restores deleted rows. Returns their number. */
    restore: async (ids: string[]): Promise<number> => applyRows((await calls.restore(ids)).items).length,

    /** Deletes rows. Returns a function that restores them once. */
    remove: async (deals: readonly Deal[]): Promise<Step['undo']> => {
      const ids = deals.map(({ _id }) => _id);
      let present: readonly Deal[] = deals;
      const changeSet = newChangeSet('bulk');
      const sets = createStepSets(changeSet);
      const remove = async (newSet: NewChangeSet): Promise<void> => {
        const [first, second] = ids;
        if (second !== undefined) await calls.remove(ids, newSet);
        else if (first !== undefined) await calls.removeOne(first, newSet);
        table.remove(ids);
        present = [];
      };
      await remove(changeSet);
      const undo = async (): Promise<UndoOutcome> => {
        if (present.length > 0) return { message: texts.gone, isComplete: true };
        const { items } = await calls.restore(ids, sets.undo());
        present = applyRows(items, 'restored');
        return { message: texts.rowsUndone(present.length), isComplete: true };
      };
      const redo = async (): Promise<UndoOutcome> => {
        const changed = present.filter(
          ({ _id, version }) => (localVersions.latest(_id) ?? version) !== version,
        );
        if (changed.length > 0) return { message: texts.leftAlone(changed.length), isComplete: false };
        await remove(sets.redo());
        return { message: texts.rowsRedone(ids.length), isComplete: true };
      };
      history.record({ undo, redo });
      return withErrors(undo);
    },
  };
}

export function useDealActions() {
  const { rows, table, history, localVersions, applyRows } = useDataEntry().deals;
  return useMemo(
    () =>
      createDealActions({
        table,
        history,
        localVersions,
        applyRows,
        latest: (deal) => rows.get(table.keyOf(deal._id))?.deal ?? deal,
        newKey,
        calls: {
          change: changeDeal,
          setStatus: setDealsStatus,
          setMonth: setDealsMonth,
          transfer: transferDeals,
          shareOne: shareDeal,
          share: shareDeals,
          removeOne: deleteDeal,
          remove: deleteDeals,
          restore: restoreDeals,
          merge: mergeDeals,
          revertMerge,
        },
      }),
    [rows, table, history, localVersions, applyRows],
  );
}
