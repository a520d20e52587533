import type { Deal } from '@forecourt/contract/deals';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import type { Drafts } from '../../platform/drafts.ts';
import { createStore, type Store } from '../../platform/external-store.ts';
import {
  confirm,
  conflict,
  emptyDraft,
  giveUp,
  isSettled,
  keepMine,
  nextAttempt,
  refuse,
  release,
  type as typeInto,
  type Attempt,
  type DealDraft,
  type FieldChange,
} from './deal-draft.ts';
import type { DealField } from './deal-row.ts';

/** Waits between attempts while the server cannot be reached, in milliseconds: doubled from first to last. */
const FIRST_WAIT_MS = 1000;
const LAST_WAIT_MS = 30_000;

export type OutboxPorts = {
  readonly drafts: Drafts<DealDraft>;
  /** Creates or changes a row. Rejects with an `ApiError`. */
  readonly send: (draft: DealDraft, attempt: Attempt) => Promise<Deal>;
  readonly newKey: () => string;
  /** Runs something later; answers how to call it off. */
  readonly later: (run: () => void, ms: number) => () => void;
};

/** What the table hears. A draft that is undefined is done with. */
export type OutboxListener = {
  onDraft: (key: string, draft: DealDraft | undefined) => void;
  onDeal: (key: string, deal: Deal) => void;
};

/**
 * Keeps what is typed and sends it: stored before the request, one request at a time for each row, the same
 * idempotency key until there is an answer, tried again until the line is back (product section 4, Nothing typed
 * is lost). It outlives the screen.
 */
export function createOutbox({ drafts: storage, send, newKey, later }: OutboxPorts) {
  const drafts = new Map<string, DealDraft>();
  const listeners = new Set<OutboxListener>();
  const busy = new Set<string>();
  const pending: Store<readonly DealDraft[]> = createStore<readonly DealDraft[]>([]);
  let wait = FIRST_WAIT_MS;
  let stopWaiting: (() => void) | null = null;
  let stopped = false;

  function set(draft: DealDraft): Promise<void> {
    const settled = isSettled(draft);
    if (settled) drafts.delete(draft.key);
    else drafts.set(draft.key, draft);
    pending.set([...drafts.values()]);
    for (const listener of listeners) listener.onDraft(draft.key, settled ? undefined : draft);
    // A full disk costs what a reload would have kept; the work itself goes on.
    return (settled ? storage.forget(draft.key) : storage.keep(draft.key, draft)).catch(() => undefined);
  }

  /** Sends what one row has to send, until nothing is left or something is in the way. */
  async function pump(key: string): Promise<void> {
    if (busy.has(key) || stopped) return;
    busy.add(key);
    try {
      for (;;) {
        const draft = drafts.get(key);
        const attempt = draft && nextAttempt(draft, newKey);
        if (!draft || !attempt || stopped) return;
        await set({ ...draft, attempt });
        if (!(await deliver(draft, attempt))) return;
      }
    } finally {
      busy.delete(key);
    }
  }

  /** One request and what its answer means. False: it is to wait. */
  async function deliver({ key, ...draft }: DealDraft, attempt: Attempt): Promise<boolean> {
    try {
      const deal = await send({ key, ...draft }, attempt);
      wait = FIRST_WAIT_MS;
      const latest = drafts.get(key) ?? { ...draft, key, attempt };
      for (const listener of listeners) listener.onDeal(key, deal);
      await set(confirm(latest, deal));
      return true;
    } catch (thrown) {
      return failed(key, thrown);
    }
  }

  async function failed(key: string, thrown: unknown): Promise<boolean> {
    const draft = drafts.get(key);
    if (!draft) return false;
    if (!(thrown instanceof ApiError) || mayPass(thrown)) {
      await set({ ...draft, problem: messageOf(thrown) });
      tryLater();
      return false;
    }
    // Somebody who was signed out finds everything here when they are back.
    if (thrown.status === 401) return false;
    if (thrown.code === 'CONFLICT') {
      const current = thrown.current as Deal;
      for (const listener of listeners) listener.onDeal(key, current);
      await set(conflict(draft, (thrown.details ?? '').split(', '), current.updatedByName));
      return true;
    }
    await set(refuse(draft, thrown.errors, thrown.message));
    return true;
  }

  function tryLater(): void {
    if (stopWaiting !== null || stopped) return;
    stopWaiting = later(() => {
      stopWaiting = null;
      wake();
    }, wait);
    wait = Math.min(wait * 2, LAST_WAIT_MS);
  }

  function wake(): void {
    for (const key of drafts.keys()) void pump(key);
  }

  function update(key: string, change: (draft: DealDraft) => DealDraft): void {
    const draft = drafts.get(key);
    if (!draft) return;
    void set(change(draft));
    void pump(key);
  }

  return {
    /** Every draft there is, for counting and for what needs a decision. */
    pending,
    draftOf: (key: string): DealDraft | undefined => drafts.get(key),

    /** Brings back what an earlier page left. A row that has an id by now is known by it. */
    async restore(): Promise<void> {
      for (const stored of await storage.all().catch(() => [])) {
        const key = stored.dealId ?? stored.key;
        if (key !== stored.key) await storage.forget(stored.key).catch(() => undefined);
        if (!drafts.has(key)) await set({ ...stored, key });
      }
      wake();
    },

    /** Takes in changes of one row and sends what can be sent. */
    type(row: { key: string; deal: Deal | null }, month: string, changes: readonly FieldChange[]): void {
      const draft = drafts.get(row.key) ?? emptyDraft(row.key, row.deal?._id ?? null, month);
      void set(changes.reduce((typed, change) => typeInto(typed, row.deal, change), draft));
      void pump(row.key);
    },

    keepMine: (key: string, field: DealField, deal: Deal) =>
      update(key, (draft) => keepMine(draft, field, deal)),
    giveUp: (key: string, field: DealField) => update(key, (draft) => giveUp(draft, field)),
    tryAgain: (key: string) => update(key, release),

    /** Forgets everything typed into a row. What was sent and not answered may have arrived nevertheless. */
    discard(key: string): void {
      const draft = drafts.get(key);
      if (draft) void set({ ...draft, typed: {}, attempt: null });
    },

    /** The line may be back: everything that waits is tried now. */
    wake(): void {
      wait = FIRST_WAIT_MS;
      stopWaiting?.();
      stopWaiting = null;
      wake();
    },

    listen(listener: OutboxListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Sends nothing any more. What is stored stays stored. */
    stop(): void {
      stopped = true;
      stopWaiting?.();
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Whether the same request may succeed later: no answer, too many at once, or a server in trouble. */
const mayPass = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;
