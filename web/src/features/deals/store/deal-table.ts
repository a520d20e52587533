import type { Deal } from '@forecourt/contract/deals';
import type { DealDraft, DealRow } from '../deal-row.ts';
import { createUnsavedRows, type UnsavedRowsOptions } from './unsaved-rows.ts';

type TableOptions = UnsavedRowsOptions & { readonly isInView: (deal: Deal) => boolean };

/**
 * Combines saved rows and drafts into the rows of the grid. A row created here keeps its key when it gets an id, so
 * that its cells keep their focus and editors.
 */
export function createDealTable(options: TableOptions) {
  const { rows, draftSync, isInView } = options;
  const unsaved = createUnsavedRows(options);
  /** Keys by id, for rows created here. */
  const keys = new Map<string, string>();
  /** Keys of rows that were deleted on the server but stay because they have a draft. */
  const removed = new Set<string>();
  /** Keys of rows that are only here for their page, each with its newest registration. */
  const pageRows = new Map<string, symbol>();

  const keyOf = (id: string): string => keys.get(id) ?? id;
  /** Returns the newer of this and the loaded version, because responses can arrive out of order. */
  const newest = (key: string, deal: Deal): Deal => {
    const here = rows.get(key)?.deal;
    return here?._id === deal._id && here.version > deal.version ? here : deal;
  };
  const rowOf = (deal: Deal): DealRow => {
    const key = keyOf(deal._id);
    return { key, deal: newest(key, deal), draft: draftSync.draftOf(key) };
  };

  /** Removes rows. A row with a draft stays until the draft is settled. */
  function remove(ids: readonly string[]): void {
    const loadedKeys = ids.map(keyOf).filter((key) => rows.get(key));
    for (const key of loadedKeys) removed.add(key);
    rows.remove(loadedKeys.filter((key) => draftSync.draftOf(key) === undefined));
  }

  /**
   * Removes a row when its cell is left: an unsaved row that was emptied, or a row that the user's own edit moved to
   * another month. A row with a draft stays.
   */
  const removeWhenLeft = (key: string): void =>
    rows.runWhenInactive(key, () => {
      const row = rows.get(key);
      if (!row || unsaved.isBlank(key) || pageRows.has(key) || draftSync.draftOf(key) !== undefined) return;
      if (row.deal && isInView(row.deal)) return;
      unsaved.drop(key);
      rows.remove([key]);
    });

  /** Whether an edit of this page moves the row to another month. The live event can arrive before the response. */
  function isOwnMove(key: string): boolean {
    const deal = rows.get(key)?.deal;
    return draftSync.draftOf(key) !== undefined || (deal != null && !isInView(deal));
  }

  /** Updates a row that is only here for its page. Returns whether it is one. */
  function updatePageRow(deal: Deal): boolean {
    const isPageRow = pageRows.has(keyOf(deal._id));
    if (isPageRow) rows.upsert([rowOf(deal)], 'aside');
    return isPageRow;
  }

  return {
    ...unsaved.ofTable,
    keyOf,

    /** Removes a created row after undo. Its key can be used again. */
    undoCreate(id: string): void {
      const key = keyOf(id);
      keys.delete(id);
      removed.delete(key);
      rows.remove([key]);
    },

    /** Replaces all saved rows by the first page of a view. */
    replace: (deals: readonly Deal[]): void => rows.setRows(deals.map(rowOf)),
    append: (deals: readonly Deal[]): void => rows.upsert(deals.map(rowOf)),

    /** Returns the saved rows of the table, without those that are only here because of a draft or their page. */
    savedDeals: (): Deal[] =>
      rows.recordsOf(rows.getOrder()).flatMap((row) => (row?.deal && !removed.has(row.key) ? row.deal : [])),

    /**
     * Reloads the current view without moving rows under the pointer: new rows are added at the end. `page` takes each
     * page; then `end` removes rows that were in no page, except those that have changed since: a row may be restored
     * after the server has read the page that would contain it.
     */
    beginAgain() {
      const before = rows.recordsOf(rows.getOrder()).flatMap((row) => row?.deal ?? []);
      const foundKeys = new Set<string>();
      return {
        page(deals: readonly Deal[]): void {
          for (const { _id } of deals) {
            foundKeys.add(_id);
            removed.delete(keyOf(_id));
          }
          rows.upsert(deals.map(rowOf));
        },
        end(): void {
          const isUnchanged = ({ _id, version }: Deal) => rows.get(keyOf(_id))?.deal?.version === version;
          const missing = before.filter((deal) => !foundKeys.has(deal._id) && isUnchanged(deal));
          remove(missing.map(({ _id }) => _id));
        },
      };
    },

    /** Updates saved rows. Adds new rows of this view at the end, and removes rows of other views. */
    refresh(deals: readonly Deal[]): void {
      for (const { _id } of deals) removed.delete(keyOf(_id));
      const latest = deals
        .map((deal) => newest(keyOf(deal._id), deal))
        .filter((deal) => !updatePageRow(deal));
      const { stay = [], go = [] } = Object.groupBy(
        latest.filter((deal) => !isInView(deal) && rows.get(keyOf(deal._id))?.deal),
        ({ _id }) => (isOwnMove(keyOf(_id)) ? 'stay' : 'go'),
      );
      rows.upsert([...latest.filter((deal) => isInView(deal)), ...stay].map(rowOf));
      for (const { _id } of stay) removeWhenLeft(keyOf(_id));
      rows.remove(go.map(({ _id }) => keyOf(_id)));
    },

    remove,

    /**
     * Adds a row that the table does not contain, so that its page can change it. Returns a function that removes it,
     * unless it belongs to the table by then.
     */
    holdForPage(deal: Deal): () => void {
      const key = keyOf(deal._id);
      const registration = Symbol();
      if (pageRows.has(key) || !rows.get(key)) pageRows.set(key, registration);
      updatePageRow(deal);
      return () =>
        rows.runWhenInactive(key, () => {
          if (pageRows.get(key) !== registration) return;
          pageRows.delete(key);
          const row = rows.get(key);
          if (!row?.deal || rows.getOrder().includes(key)) return;
          rows.remove([key]);
          if (isInView(row.deal)) rows.upsert([row]);
        });
    },

    /** Removes saved rows that fail a test. */
    narrow: (meets: (deal: Deal) => boolean): void => rows.narrow(({ deal }) => deal !== null && meets(deal)),

    /** Applies new status names (old to new) to the rows. */
    renameStatuses(names: ReadonlyMap<string, string>): void {
      const renamed = rows.recordsOf(rows.getOrder()).flatMap((row): DealRow[] => {
        const status = names.get(row?.deal?.status ?? '');
        return row?.deal && status !== undefined ? [{ ...row, deal: { ...row.deal, status } }] : [];
      });
      rows.upsert(renamed);
    },

    /** Applies a changed draft; undefined means that it is settled. */
    onDraft(key: string, draft: DealDraft | undefined): void {
      const row = rows.get(key);
      if (row && draft === undefined && removed.has(key)) {
        removed.delete(key);
        rows.remove([key]);
      } else if (row) {
        rows.upsert([{ ...row, draft }], 'aside');
        removeWhenLeft(key);
      } else if (draft?.dealId === null) {
        unsaved.add(key, draft);
      } else {
        unsaved.drop(key);
      }
      if (unsaved.isBlank(key) && draft !== undefined) unsaved.addBlank();
    },

    onDeal(key: string, response: Deal): void {
      // The live event may have arrived before the response, with another user's change.
      const deal = newest(response._id, response);
      keys.set(deal._id, key);
      if (key !== deal._id) rows.remove([deal._id]);
      if (!updatePageRow(deal) && (isInView(deal) || rows.get(key)))
        rows.upsert([{ key, deal: newest(key, deal), draft: draftSync.draftOf(key) }]);
      removeWhenLeft(key);
      unsaved.drop(key);
    },
  };
}

export type DealTable = ReturnType<typeof createDealTable>;
