import type { RowStore } from '../../../grid/grid.ts';
import { createStore } from '../../../platform/external-store.ts';
import type { DealDraft, DealRow } from '../deal-row.ts';
import type { DraftSync } from '../sync/draft-sync.ts';

export type UnsavedRowsOptions = {
  readonly rows: RowStore<DealRow>;
  readonly draftSync: Pick<DraftSync, 'draftOf'>;
  readonly newKey: () => string;
  /** Whether an unsaved row is visible, which it is only in its own month. */
  readonly isVisible: (draft: DealDraft) => boolean;
};

/** The rows that have no id yet: those with a draft, and the blank row, in which the next one begins. */
export function createUnsavedRows({ rows, draftSync, newKey, isVisible }: UnsavedRowsOptions) {
  /** Keys of unsaved rows, including invisible ones. The blank row is the last. */
  let unsaved: readonly string[] = [];
  /** Keys of the visible unsaved rows. */
  const trailing = createStore<readonly string[]>([]);
  let blank: string | null = null;

  const isBlank = (key: string): boolean => key === blank;

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

  function setBlankRow(offered: boolean): void {
    if (offered && blank === null) addBlank();
    if (offered || blank === null) return;
    drop(blank);
    rows.remove([blank]);
    blank = null;
  }

  /** Adds a row with a draft above the blank row, which stays the last one. */
  function add(key: string, draft: DealDraft): void {
    if (isVisible(draft)) rows.upsert([{ key, deal: null, draft }], 'aside');
    const others = unsaved.filter((other) => other !== blank && other !== key);
    setUnsaved([...others, key, ...(blank === null ? [] : [blank])]);
  }

  /** Removes a key, but not its row, which may be saved now. */
  function drop(key: string): void {
    if (unsaved.includes(key)) setUnsaved(unsaved.filter((other) => other !== key));
  }

  /** Adds rows at the end for a paste, followed by a new blank row. Returns the keys to fill. */
  function addRows(count: number): readonly string[] {
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
  }

  /** Removes rows without edits, except the blank one. */
  function dropEmpty(keys: readonly string[]): void {
    const isEmpty = (key: string): boolean =>
      key !== blank && rows.get(key)?.deal === null && draftSync.draftOf(key) === undefined;
    const empty = new Set(keys.filter(isEmpty));
    if (empty.size === 0) return;
    setUnsaved(unsaved.filter((key) => !empty.has(key)));
    rows.remove(empty);
  }

  /** Updates which unsaved rows are visible, after a change of the view. */
  function updateVisibility(): void {
    for (const key of unsaved) {
      const draft = draftSync.draftOf(key);
      if (draft === undefined) continue;
      if (!isVisible(draft)) rows.remove([key]);
      else rows.upsert([{ key, deal: null, draft }], 'aside');
    }
    setUnsaved(unsaved);
  }

  return {
    isBlank,
    addBlank,
    add,
    drop,
    /** The parts that the table offers to its users. */
    ofTable: {
      trailing,
      blankKey: (): string | null => blank,
      setBlankRow,
      /** Whether a row is being created: the server may already have an id for it. */
      isCreating: (): boolean => unsaved.some((key) => draftSync.draftOf(key)?.attempt != null),
      addRows,
      dropEmpty,
      updateVisibility,
    },
  };
}
