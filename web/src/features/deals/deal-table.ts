import type { Deal } from '@forecourt/contract/deals';
import type { RowStore } from '../../grid/grid.ts';
import { createStore, type Store } from '../../platform/external-store.ts';
import type { DealDraft } from './deal-draft.ts';
import type { Outbox } from './deal-outbox.ts';
import type { DealRow } from './deal-row.ts';

type TableOptions = {
  readonly rows: RowStore<DealRow>;
  readonly outbox: Pick<Outbox, 'draftOf'>;
  readonly newKey: () => string;
  /** Whether a saved row is one of those in sight. */
  readonly belongs: (deal: Deal) => boolean;
  /** Whether an unsaved row is one of those in sight: it stands in its own month only. */
  readonly isInSight: (draft: DealDraft) => boolean;
};

/**
 * Puts what the server says and what was typed together into the rows of the grid. A row that was typed here keeps
 * its key when it gets its id, so that whoever works in it notices nothing.
 */
export function createDealTable({ rows, outbox, newKey, belongs, isInSight }: TableOptions) {
  /** Ids of rows that were typed here to their keys. */
  const keys = new Map<string, string>();
  /** Rows without an id, also those that are out of sight; the blank one last. */
  let unsaved: readonly string[] = [];
  /** Of these those in sight. */
  const trailing: Store<readonly string[]> = createStore<readonly string[]>([]);
  let blank: string | null = null;
  /** Rows that are gone on the server, as far as something typed in them keeps them here. */
  const gone = new Set<string>();

  const keyOf = (id: string): string => keys.get(id) ?? id;
  /** Answers overtake one another: what is here stays, when it is newer than what comes. */
  const newest = (key: string, deal: Deal): Deal => {
    const here = rows.get(key)?.deal;
    return here?._id === deal._id && here.version > deal.version ? here : deal;
  };
  const rowOf = (deal: Deal): DealRow => {
    const key = keyOf(deal._id);
    return { key, deal: newest(key, deal), draft: outbox.draftOf(key) };
  };
  const isShown = (deal: Deal): boolean => rows.get(keyOf(deal._id))?.deal != null;

  /** Rows that are gone. One with something typed in it stays until its person has given that up. */
  function remove(ids: readonly string[]): void {
    const known = ids.map(keyOf).filter((key) => rows.get(key));
    for (const key of known) gone.add(key);
    rows.remove(known.filter((key) => outbox.draftOf(key) === undefined));
  }

  function setUnsaved(keys: readonly string[]): void {
    unsaved = keys;
    trailing.set(
      keys.filter((key) => {
        const draft = outbox.draftOf(key);
        return draft === undefined || isInSight(draft);
      }),
    );
  }

  function addBlank(): void {
    blank = newKey();
    rows.upsert([{ key: blank, deal: null, draft: undefined }], 'aside');
    setUnsaved([...unsaved, blank]);
  }

  /**
   * Takes out of sight what its own person's edit made so, when they have left it: a row that is emptied before it was
   * saved, and one that moved to another month while it is being filled in. What is not saved yet keeps its row.
   */
  const goesWhenLeft = (key: string): void =>
    rows.whenLeft(key, () => {
      const row = rows.get(key);
      if (!row || key === blank || outbox.draftOf(key) !== undefined || (row.deal && belongs(row.deal)))
        return;
      dropTrailing(key);
      rows.remove([key]);
    });

  /** Whether a row leaves its month by what is typed here: the event may be faster than the answer. */
  function isOwnMove(key: string): boolean {
    const deal = rows.get(key)?.deal;
    return outbox.draftOf(key) !== undefined || (deal != null && !belongs(deal));
  }

  /** Nothing typed, nothing saved. */
  const isEmpty = (key: string): boolean => rows.get(key)?.deal === null && outbox.draftOf(key) === undefined;

  function dropTrailing(key: string): void {
    if (unsaved.includes(key)) setUnsaved(unsaved.filter((other) => other !== key));
  }

  return {
    trailing,
    keyOf,
    blankKey: (): string | null => blank,

    /** Begins or ends to offer a blank row. */
    offerBlank(offered: boolean): void {
      if (offered === (blank !== null)) return;
      if (offered) return addBlank();
      const gone = blank;
      blank = null;
      if (gone === null) return;
      dropTrailing(gone);
      rows.remove([gone]);
    },

    /** Whether a row is on its way that the server may know already under an id. */
    isMaking: (): boolean => unsaved.some((key) => outbox.draftOf(key)?.attempt != null),

    /** Makes rows below the others for what is about to be typed into them; the blank one follows. */
    addRows(count: number): readonly string[] {
      if (blank === null) return [];
      const made = Array.from({ length: count }, newKey);
      rows.upsert(
        made.map((key) => ({ key, deal: null, draft: undefined })),
        'aside',
      );
      const others = unsaved.filter((key) => key !== blank);
      // What is the blank row now is the first that a paste fills.
      setUnsaved([...others, blank, ...made]);
      blank = made.at(-1) ?? blank;
      return made;
    },

    /** Takes away rows into which nothing was typed after all; never the blank one. */
    dropEmpty(keys: readonly string[]): void {
      const empty = new Set(keys.filter((key) => key !== blank && isEmpty(key)));
      if (empty.size === 0) return;
      setUnsaved(unsaved.filter((key) => !empty.has(key)));
      rows.remove(empty);
    },

    /** Others are in sight now: unsaved rows come and go with their month. */
    sight(): void {
      for (const key of unsaved) {
        const draft = outbox.draftOf(key);
        if (draft === undefined) continue;
        if (!isInSight(draft)) rows.remove([key]);
        else if (!rows.get(key)) rows.upsert([{ key, deal: null, draft }], 'aside');
      }
      setUnsaved(unsaved);
    },

    /** A saved row was taken back by whoever typed it: its key is free for typing it again. */
    takeBack(id: string): void {
      const key = keyOf(id);
      keys.delete(id);
      gone.delete(key);
      rows.remove([key]);
    },

    /** The first page of a view: replaces every saved row. */
    replace: (deals: readonly Deal[]): void => rows.setRows(deals.map(rowOf)),
    append: (deals: readonly Deal[]): void => rows.upsert(deals.map(rowOf)),

    /**
     * Loads the view that is shown once more without moving anything: under a hand that is about to click, rows
     * stay where they are, and new ones come to the end. Hand each page to `page`, then call `end`: what was there
     * at the beginning and did not come is gone.
     */
    beginAgain() {
      const missing = new Set(rows.getOrder().flatMap((key) => rows.get(key)?.deal?._id ?? []));
      return {
        page(deals: readonly Deal[]): void {
          for (const { _id } of deals) {
            missing.delete(_id);
            gone.delete(keyOf(_id));
          }
          rows.upsert(deals.map(rowOf));
        },
        end: (): void => remove([...missing]),
      };
    },

    /** Saved rows as they are now: those in sight are replaced, new ones of this view come to the end. */
    refresh(deals: readonly Deal[]): void {
      for (const { _id } of deals) gone.delete(keyOf(_id));
      const latest = deals.map((deal) => newest(keyOf(deal._id), deal));
      const { stay = [], go = [] } = Object.groupBy(
        latest.filter((deal) => !belongs(deal) && isShown(deal)),
        ({ _id }) => (isOwnMove(keyOf(_id)) ? 'stay' : 'go'),
      );
      rows.upsert([...latest.filter((deal) => belongs(deal)), ...stay].map(rowOf));
      for (const { _id } of stay) goesWhenLeft(keyOf(_id));
      rows.remove(go.map(({ _id }) => keyOf(_id)));
    },

    remove,

    /** Statuses have other names now: old to new. The rows themselves have not changed. */
    renameStatuses(names: ReadonlyMap<string, string>): void {
      const renamed = rows.getOrder().flatMap((key): DealRow[] => {
        const row = rows.get(key);
        const status = names.get(row?.deal?.status ?? '');
        return row?.deal && status !== undefined ? [{ ...row, deal: { ...row.deal, status } }] : [];
      });
      rows.upsert(renamed);
    },

    /** What was typed into a row changed; undefined: nothing is left of it. */
    onDraft(key: string, draft: DealDraft | undefined): void {
      const row = rows.get(key);
      if (row && draft === undefined && gone.has(key)) {
        gone.delete(key);
        dropTrailing(key);
        rows.remove([key]);
      } else if (row) {
        rows.upsert([{ ...row, draft }], row.deal === null ? 'aside' : 'end');
        if (draft === undefined) goesWhenLeft(key);
      } else if (draft?.dealId === null) {
        if (isInSight(draft)) rows.upsert([{ key, deal: null, draft }], 'aside');
        // Above the blank row, which stays the last one.
        const others = unsaved.filter((other) => other !== blank && other !== key);
        setUnsaved([...others, key, ...(blank === null ? [] : [blank])]);
      } else if (draft === undefined) {
        dropTrailing(key);
      }
      if (key === blank && draft !== undefined) addBlank();
    },

    /** The answer to a save. */
    onDeal(key: string, answer: Deal): void {
      // The live event may have been faster than the answer, and with it what somebody else has made of the row.
      const deal = newest(answer._id, answer);
      keys.set(deal._id, key);
      if (key !== deal._id) rows.remove([deal._id]);
      if (belongs(deal) || rows.get(key))
        rows.upsert([{ key, deal: newest(key, deal), draft: outbox.draftOf(key) }]);
      goesWhenLeft(key);
      dropTrailing(key);
    },
  };
}

export type DealTable = ReturnType<typeof createDealTable>;
