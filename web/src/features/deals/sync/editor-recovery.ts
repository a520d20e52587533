import type { CellValue } from '../../../grid/grid.ts';
import type { Drafts } from '../../../platform/drafts.ts';
import type { DealField } from '../deal-fields.ts';

/** Text in an open cell editor. */
type Typing = {
  readonly rowKey: string;
  /** Null for a new row. */
  readonly dealId: string | null;
  /** Month of a new row. */
  readonly month: string;
  readonly field: DealField;
  readonly text: string;
  /** The value at the start of the edit. */
  readonly before: CellValue;
};

/** The text of an editor with its keys. Plain data, which is stored unchanged. */
export type EditorText = Typing & {
  /** Unique name of the page, which has at most one open editor. */
  readonly key: string;
  /** Idempotency key of a new row that starts with this text, equal in all tabs that may restore it. */
  readonly createKey: string;
};

type EditorRecoveryPorts = {
  readonly texts: Drafts<EditorText>;
  readonly newKey: () => string;
  readonly later: (run: () => void, ms: number) => () => void;
  /** Returns the names of the pages with an open editor. */
  readonly findOpenElsewhere: () => Promise<ReadonlySet<string>>;
  /** Restores a text of a closed page. Resolves when it is stored. */
  readonly offer: (left: EditorText) => Promise<void>;
};

/** Storing is delayed by this time in milliseconds, which is the most that a crash loses. */
const STORE_MS = 300;

/**
 * Stores the text of the open editor without sending it. After a crash, the next page restores the text in its cell
 * (docs/product/data-entry.md, Nothing typed is lost). Storage errors are ignored.
 */
export function createEditorRecovery({
  texts,
  newKey,
  later,
  findOpenElsewhere,
  offer,
}: EditorRecoveryPorts) {
  const page = newKey();
  let typed: EditorText | null = null;
  let isStored = false;
  let cancel: (() => void) | null = null;

  function store(): void {
    cancel = null;
    if (typed === null) return;
    isStored = true;
    void texts.save([typed]).catch(() => undefined);
  }

  return {
    /** Sets the text of the open editor, on every keystroke; null when it is committed or discarded. */
    type(typing: Typing | null): void {
      if (typing !== null) {
        typed = { ...typing, key: page, createKey: typed?.createKey ?? newKey() };
        cancel ??= later(store, STORE_MS);
        return;
      }
      typed = null;
      cancel?.();
      cancel = null;
      if (isStored) void texts.delete([page]).catch(() => undefined);
      isStored = false;
    },

    /** Returns the name of this page while an editor is open, otherwise null. */
    getOpenPage: (): string | null => (typed === null ? null : page),

    /** Sets the id of a new row, so that its text is not restored as another new row. */
    setDealId(rowKey: string, dealId: string): void {
      if (typed?.rowKey !== rowKey || typed.dealId !== null) return;
      typed = { ...typed, dealId };
      if (isStored) store();
    },

    /** Restores texts of pages that are closed. */
    async restore(): Promise<void> {
      const all = (): Promise<EditorText[]> => texts.all().catch(() => []);
      if ((await all()).length === 0) return;
      const open = await findOpenElsewhere();
      // Read again, because another page may have restored them in the meantime.
      const left = (await all()).filter(({ key }) => key !== page && !open.has(key));
      for (const text of left) {
        await offer(text);
        await texts.delete([text.key]).catch(() => undefined);
      }
    },
  };
}

export type EditorRecovery = ReturnType<typeof createEditorRecovery>;
