import type { CellValue } from '../../grid/grid.ts';
import type { Drafts } from '../../platform/drafts.ts';
import type { DealField } from './deal-fields.ts';

/** What somebody is typing into a cell. */
type Typing = {
  readonly rowKey: string;
  /** Null: the row is new. */
  readonly dealId: string | null;
  /** The month that a new row gets. */
  readonly month: string;
  readonly field: DealField;
  readonly text: string;
  /** The value that the person saw when they began. */
  readonly before: CellValue;
};

/** The same as it is kept: plain data, stored as it is. */
export type KeptText = Typing & {
  /** The page in which it is typed, by a name of its own: each has one editor open. */
  readonly key: string;
  /** By this the server knows a new row that begins with it, whichever tab takes it over. */
  readonly createKey: string;
};

type KeptTextPorts = {
  readonly texts: Drafts<KeptText>;
  readonly newKey: () => string;
  /** Runs something later; answers how to call it off. */
  readonly later: (run: () => void, ms: number) => () => void;
  /** The pages in whose editors somebody is typing. */
  readonly openElsewhere: () => Promise<ReadonlySet<string>>;
  /** Offers a text that a page has left; resolves when it is stored there. */
  readonly offer: (left: KeptText) => Promise<void>;
};

/** So much of what is typed a crash may take, in milliseconds. Storing costs the keys in between nothing. */
const KEEP_MS = 300;

/**
 * Keeps what is typed into the editor that is open, and never sends it: what a page leaves that crashed is offered in
 * its cell when the next one begins (product section 4, Nothing typed is lost). A full disk costs this and no more.
 */
export function createKeptTexts({ texts, newKey, later, openElsewhere, offer }: KeptTextPorts) {
  const page = newKey();
  let typed: KeptText | null = null;
  let isStored = false;
  let callOff: (() => void) | null = null;

  function keep(): void {
    callOff = null;
    if (typed === null) return;
    isStored = true;
    void texts.keep([typed]).catch(() => undefined);
  }

  return {
    /** What is in the open editor now; null: it is committed or given up. Called with every keystroke. */
    type(typing: Typing | null): void {
      if (typing !== null) {
        typed = { ...typing, key: page, createKey: typed?.createKey ?? newKey() };
        callOff ??= later(keep, KEEP_MS);
        return;
      }
      typed = null;
      callOff?.();
      callOff = null;
      if (isStored) void texts.forget([page]).catch(() => undefined);
      isStored = false;
    },

    /** The name of this page, while somebody types in it. */
    openHere: (): string | null => (typed === null ? null : page),

    /** A new row has its id: what is typed into it is not the beginning of another one. */
    saved(rowKey: string, dealId: string): void {
      if (typed?.rowKey !== rowKey || typed.dealId !== null) return;
      typed = { ...typed, dealId };
      if (isStored) keep();
    },

    /** Offers what pages have left that are not there any more. */
    async restore(): Promise<void> {
      const all = (): Promise<KeptText[]> => texts.all().catch(() => []);
      if ((await all()).length === 0) return;
      const open = await openElsewhere();
      // Read once more: a page that began at the same time may have taken them.
      const left = (await all()).filter(({ key }) => key !== page && !open.has(key));
      for (const text of left) {
        await offer(text);
        await texts.forget([text.key]).catch(() => undefined);
      }
    },
  };
}

export type KeptTexts = ReturnType<typeof createKeptTexts>;
