import type { Deal } from '@forecourt/contract/deals';
import { ApiError } from '../../../platform/api-error.ts';
import { createStepSets, newChangeSet, type NewChangeSet } from '../../../platform/ids.ts';
import { texts } from '../../../texts/deal-undo.ts';
import { givenShares, isSameSharing } from '../../../ui/sharing/shares.ts';
import type { Origin } from '../deal-row.ts';
import type { shareDeal, shareDeals } from '../deals.queries.ts';
import type { DealTable } from '../store/deal-table.ts';
import type { LocalVersions } from '../store/local-versions.ts';
import type { UndoStack } from '../store/undo-stack.ts';
import { outcomeOf, type UndoOutcome } from '../undo-step.ts';

type Share = Pick<Deal['sharedWith'][number], 'userId' | 'permissions'>;

export type SharingPorts = {
  readonly table: Pick<DealTable, 'refresh'>;
  readonly history: Pick<UndoStack, 'record'>;
  readonly localVersions: Pick<LocalVersions, 'knownById'>;
  /** Updates the table with the rows of a response and records their versions. */
  readonly applyRows: (deals: readonly Deal[], origin?: Origin) => readonly Deal[];
  /** Returns the current state of a row, because the dialog was opened some time ago. */
  readonly latest: (deal: Deal) => Deal;
  readonly calls: { readonly shareOne: typeof shareDeal; readonly share: typeof shareDeals };
};

/**
 * Sharing of rows; each action is an undo step (docs/product/data-entry.md, Undo). Undo removes added users and
 * restores changed levels; other shares stay.
 */
export function createDealShares({ table, history, localVersions, applyRows, latest, calls }: SharingPorts) {
  /** Replaces the shares of a row. A row that another user has changed is refreshed instead. */
  async function replace(
    deal: Deal,
    sharedWith: Share[],
    version: number | undefined,
    changeSet: NewChangeSet,
  ): Promise<Deal> {
    try {
      return await calls.shareOne(deal._id, { sharedWith, version }, changeSet);
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'CONFLICT') table.refresh([thrown.current as Deal]);
      throw thrown;
    }
  }

  /** Sets the shares of each row that still has its last known version. Returns the changed rows. */
  async function putEach(
    sharesByDeal: ReadonlyMap<Deal, readonly Share[]>,
    changeSet: NewChangeSet,
  ): Promise<readonly Deal[]> {
    const done: Deal[] = [];
    const alike = Map.groupBy(sharesByDeal, ([deal, shares]) =>
      JSON.stringify(differenceOf(deal.sharedWith, shares)),
    );
    for (const group of alike.values()) {
      const [first, shares] = group[0]!;
      const deals = group.map(([deal]) => deal);
      const body = { ...differenceOf(first.sharedWith, shares), versions: localVersions.knownById(deals) };
      done.push(...applyRows((await calls.share({ ids: idsOf(deals), ...body }, changeSet)).items));
    }
    return done;
  }

  function recordShared(before: readonly Deal[], after: readonly Deal[], done: NewChangeSet): void {
    const sets = createStepSets(done);
    const was = sharesOf(before);
    const got = sharesOf(after);
    const seen = new Map(before.map(({ _id, version }) => [_id, version]));
    // Whether the former shares are known: another user may have changed the row before the response.
    const isKnown = ({ _id, version }: Deal): boolean => version <= seen.get(_id)! + 1;
    const unknown = after.filter((deal) => !isKnown(deal)).length;
    let now: readonly Deal[] = after.filter(isKnown);
    const to =
      (
        end: ReadonlyMap<string, readonly Share[]>,
        toMessage: (rows: number) => string,
        newSet: () => NewChangeSet,
      ) =>
      async (): Promise<UndoOutcome> => {
        const sharesByDeal = new Map(now.map((deal) => [deal, end.get(deal._id)!]));
        for (const [deal, shares] of sharesByDeal)
          if (isSameSharing(deal.sharedWith, shares)) sharesByDeal.delete(deal);
        if (sharesByDeal.size + unknown === 0) return { message: texts.gone, isComplete: false };
        now = await putEach(sharesByDeal, newSet());
        return outcomeOf(toMessage, now.length, sharesByDeal.size - now.length + unknown);
      };
    const isOther = now.some((deal) => !isSameSharing(deal.sharedWith, was.get(deal._id)!));
    if (isOther || unknown > 0)
      history.record({
        undo: to(was, texts.rowsUndone, sets.undo),
        redo: to(got, texts.rowsRedone, sets.redo),
      });
  }

  return {
    putEach,

    /** Replaces the shares of one row at this version, or adds users to several rows. */
    share: async (
      deals: readonly Deal[],
      sharedWith: Share[],
      version: number | undefined,
    ): Promise<void> => {
      const changeSet = newChangeSet('bulk');
      const before = deals.map(latest);
      const [first, second] = deals;
      const after =
        first && !second
          ? [await replace(first, sharedWith, version, changeSet)]
          : (await calls.share({ ids: idsOf(deals), sharedWith }, changeSet)).items;
      recordShared(before, applyRows(after), changeSet);
    },
  };
}

const idsOf = (deals: readonly Deal[]): string[] => deals.map(({ _id }) => _id);

const sharesOf = (deals: readonly Deal[]) => new Map(deals.map(({ _id, sharedWith }) => [_id, sharedWith]));

/** Returns the shares to add or change, and the users whose share to remove. */
const differenceOf = (from: readonly Share[], to: readonly Share[]) => ({
  sharedWith: givenShares(to.filter((share) => !from.some((has) => isSameSharing([has], [share])))),
  unshare: from.map(({ userId }) => userId).filter((id) => !to.some(({ userId }) => userId === id)),
});
