import type { Deal } from '@forecourt/contract/deals';
import type { RowStore } from '../../../grid/grid.ts';
import { createStore } from '../../../platform/external-store.ts';
import type { DealDraft, DealRow } from '../deal-row.ts';
import type { DraftSync } from '../sync/draft-sync.ts';

type TableOptions = {
  readonly rows: RowStore<DealRow>;
  readonly draftSync: Pick<DraftSync, 'draftOf'>;
  readonly newKey: () => string;
  readonly isInView: (deal: Deal) => boolean;
  /** Whether an unsaved row is visible, which it is only in its own month. */
  readonly isVisible: (draft: DealDraft) => boolean;
};

/**
 * Combines saved rows and drafts into the rows of the grid. A row created here keeps its key when it gets an id, so
 * that its cells keep their focus and editors.
 */
export function createDealTable({ rows, draftSync, newKey, isInView, isVisible }: TableOptions) {
  /** Keys by id, for rows created here. */
  const keys = new Map<string, string>();
  /** Keys of unsaved rows, including invisible ones. The blank row is the last. */
  let unsaved: readonly string[] = [];
  /** Keys of the visible unsaved rows. */
  const trailing = createStore<readonly string[]>([]);
  let blank: string | null = null;
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

  function setUnsaved(keys: readonly string[]): void {
    unsaved = keys;
    trailing.set(
      keys.filter((key) => {
        const draft = draftSync.draftOf(key);
        return draft === undefined || isVisible(draft);
      }),
    );
  }

  function addBlank(): void {
    blank = newKey();
    rows.upsert([{ key: blank, deal: null, draft: undefined }], 'aside');
    setUnsaved([...unsaved, blank]);
  }

  /**
   * Removes a row when its cell is left: an unsaved row that was emptied, or a row that the user's own edit moved to
   * another month. A row with a draft stays.
   */
  const removeWhenLeft = (key: string): void =>
    rows.runWhenInactive(key, () => {
      const row = rows.get(key);
      if (!row || key === blank || pageRows.has(key) || draftSync.draftOf(key) !== undefined) return;
      if (row.deal && isInView(row.deal)) return;
      dropTrailing(key);
      rows.remove([key]);
    });

  /** Whether an edit of this page moves the row to another month. The live event can arrive before the response. */
  function isOwnMove(key: string): boolean {
    const deal = rows.get(key)?.deal;
    return draftSync.draftOf(key) !== undefined || (deal != null && !isInView(deal));
  }

  function dropTrailing(key: string): void {
    if (unsaved.includes(key)) setUnsaved(unsaved.filter((other) => other !== key));
  }

  /** Updates a row that is only here for its page. Returns whether it is one. */
  function updatePageRow(deal: Deal): boolean {
    const isPageRow = pageRows.has(keyOf(deal._id));
    if (isPageRow) rows.upsert([rowOf(deal)], 'aside');
    return isPageRow;
  }

  return {
    trailing,
    keyOf,
    blankKey: (): string | null => blank,

    setBlankRow(offered: boolean): void {
      if (offered && blank === null) addBlank();
      if (offered || blank === null) return;
      dropTrailing(blank);
      rows.remove([blank]);
      blank = null;
    },

    /** Whether a row is being created: the server may already have an id for it. */
    isCreating: (): boolean => unsaved.some((key) => draftSync.draftOf(key)?.attempt != null),

    /** Adds rows at the end for a paste, followed by a new blank row. Returns the keys to fill. */
    addRows(count: number): readonly string[] {
      if (blank === null) return [];
      const created = Array.from({ length: count }, newKey);
      rows.upsert(
        created.map((key) => ({ key, deal: null, draft: undefined })),
        'aside',
      );
      const others = unsaved.filter((key) => key !== blank);
      // The current blank row is the first one to fill.
      setUnsaved([...others, blank, ...created]);
      blank = created.at(-1) ?? blank;
      return created;
    },

    /** Removes rows without edits, except the blank one. */
    dropEmpty(keys: readonly string[]): void {
      const isEmpty = (key: string): boolean =>
        key !== blank && rows.get(key)?.deal === null && draftSync.draftOf(key) === undefined;
      const empty = new Set(keys.filter(isEmpty));
      if (empty.size === 0) return;
      setUnsaved(unsaved.filter((key) => !empty.has(key)));
      rows.remove(empty);
    },

    /** Updates which unsaved rows are visible, after a change of the view. */
    updateVisibility(): void {
      for (const key of unsaved) {
        const draft = draftSync.draftOf(key);
        if (draft === undefined) continue;
        if (!isVisible(draft)) rows.remove([key]);
        else rows.upsert([{ key, deal: null, draft }], 'aside');
      }
      setUnsaved(unsaved);
    },

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

    /**
     * Reloads the current view without moving rows under the pointer: new rows are added at the end. `page` takes each
     * page; then `end` removes rows that were in no page.
     */
    beginAgain() {
      const before = rows.getOrder();
      const foundKeys = new Set<string>();
      return {
        page(deals: readonly Deal[]): void {
          for (const { _id } of deals) {
            foundKeys.add(_id);
            removed.delete(keyOf(_id));
          }
          rows.upsert(deals.map(rowOf));
        },
        end: (): void =>
          remove(before.flatMap((key) => rows.get(key)?.deal?._id ?? []).filter((id) => !foundKeys.has(id))),
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
        if (isVisible(draft)) rows.upsert([{ key, deal: null, draft }], 'aside');
        // Inserted above the blank row, which stays the last one.
        const others = unsaved.filter((other) => other !== blank && other !== key);
        setUnsaved([...others, key, ...(blank === null ? [] : [blank])]);
      } else {
        dropTrailing(key);
      }
      if (key === blank && draft !== undefined) addBlank();
    },

    onDeal(key: string, response: Deal): void {
      // The live event may have arrived before the response, with another user's change.
      const deal = newest(response._id, response);
      keys.set(deal._id, key);
      if (key !== deal._id) rows.remove([deal._id]);
      if (!updatePageRow(deal) && (isInView(deal) || rows.get(key)))
        rows.upsert([{ key, deal: newest(key, deal), draft: draftSync.draftOf(key) }]);
      removeWhenLeft(key);
      dropTrailing(key);
    },
  };
}

export type DealTable = ReturnType<typeof createDealTable>;
