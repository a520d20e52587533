import { MOST_CREATED } from '@forecourt/contract/deal-limits';
import type { Deal } from '@forecourt/contract/deals';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import type { Drafts } from '../../platform/drafts.ts';
import { createStore, type Store } from '../../platform/external-store.ts';
import { texts } from '../../texts/deals.ts';
import {
  confirm,
  conflict,
  edit,
  emptyDraft,
  giveUp,
  isSettled,
  keepMine,
  nextAttempt,
  refuse,
  release,
  type Attempt,
  type DealDraft,
  type FieldEdit,
} from './deal-draft.ts';
import type { DealField } from './deal-fields.ts';
import type { TabNote, Tabs } from './deal-tabs.ts';
import type { KeptText } from './kept-texts.ts';
import type { Origin } from './own-versions.ts';
import { createRetry } from './retry-later.ts';
import { createSendQueue, type Lane } from './send-queue.ts';

/** While more drafts than this come and go, what shows them hears of it now and then and not each time. */
const MANY = 100;
const NOW_AND_THEN_MS = 200;

/** What another tab has not sent after this time is sent from here: it may have been closed. */
const LEFT_BEHIND_MS = 30_000;

export type OutboxPorts = {
  readonly drafts: Drafts<DealDraft>;
  /** Changes a row. Rejects with an `ApiError`. */
  readonly change: (draft: DealDraft, attempt: Attempt) => Promise<Deal>;
  /** Adds rows, each for itself: answers what became of each. Rejects with an `ApiError` that concerns all. */
  readonly create: (rows: readonly Sent[]) => Promise<readonly (Deal | ApiError)[]>;
  readonly newKey: () => string;
  /** This person's other tabs. */
  readonly tabs: Tabs;
  /** Runs something later; answers how to call it off. */
  readonly later: (run: () => void, ms: number) => () => void;
};

/** A row that is on its way. */
export type Sent = { readonly draft: DealDraft; readonly attempt: Attempt };

/** What somebody did in one row. */
export type RowEdits = {
  readonly key: string;
  /** Null: the row is new. */
  readonly deal: Deal | null;
  readonly edits: readonly FieldEdit[];
};

/** What the table hears. A draft that is undefined is done with. */
export type OutboxListener = {
  onDraft: (key: string, draft: DealDraft | undefined) => void;
  /** A row as the server has it now: with what was typed here, or with what somebody else was faster with. */
  onDeal: (key: string, deal: Deal, origin: Origin) => void;
  /** The same from another tab, which has told its own listeners. */
  onDealOfTab?: (key: string, deal: Deal) => void;
};

/**
 * Keeps what is typed and sends it: stored before the request, one request at a time for each row, the same
 * idempotency key until there is an answer, tried again until the line is back (product section 4, Nothing typed
 * is lost). It outlives the screen.
 */
export function createOutbox(ports: OutboxPorts) {
  const { drafts: storage, newKey, later } = ports;
  const drafts = new Map<string, DealDraft>();
  const listeners = new Set<OutboxListener>();
  const queue = createSendQueue(pump, MOST_CREATED);
  const pending: Store<readonly DealDraft[]> = createStore<readonly DealDraft[]>([]);
  const retry = createRetry(later, wake);
  let stopped = false;
  let announces = false;
  let looksAfter = false;
  /** Ids of rows that were new here to their keys. */
  const made = new Map<string, string>();
  /** What other tabs have told of, which is newer than what is stored. */
  const heard = new Set<string>();
  // Later than those of any page before.
  let places = Date.now();

  /** Puts a draft where everybody sees it, and answers whether it is done with. */
  function place(draft: DealDraft): boolean {
    const settled = isSettled(draft);
    if (settled) drafts.delete(draft.key);
    else drafts.set(draft.key, draft);
    for (const listener of listeners) listener.onDraft(draft.key, settled ? undefined : draft);
    return settled;
  }

  function announce(): void {
    if (drafts.size <= MANY) return pending.set([...drafts.values()]);
    if (announces) return;
    announces = true;
    later(() => {
      announces = false;
      pending.set([...drafts.values()]);
    }, NOW_AND_THEN_MS);
  }

  // A full disk costs what a reload would have kept; the work itself goes on.
  async function setAll(all: readonly DealDraft[]): Promise<void> {
    const settled = new Set(all.filter((draft) => place(draft)));
    announce();
    ports.tabs.tell({ kind: 'drafts', drafts: all });
    const kept = all.filter((draft) => !settled.has(draft));
    await Promise.allSettled([
      ...(kept.length > 0 ? [storage.keep(kept)] : []),
      ...(settled.size > 0 ? [storage.forget([...settled].map(({ key }) => key))] : []),
    ]);
  }

  const set = (draft: DealDraft): Promise<void> => setAll([draft]);

  /** Sends what rows have to send, until nothing is left or something is in the way. */
  async function pump(keys: readonly string[]): Promise<void> {
    const fresh = keys.filter((key) => drafts.get(key)?.dealId === null);
    if (fresh.length > 0 && !(await pumpNew(fresh))) return;
    for (const key of keys) await pumpChanges(key);
  }

  /** New rows in one request. False: they are to wait. */
  async function pumpNew(keys: readonly string[]): Promise<boolean> {
    const ready = keys.flatMap((key): Sent[] => {
      const draft = drafts.get(key);
      const attempt = draft && !stopped && nextAttempt(draft, newKey);
      return draft && attempt ? [{ draft: { ...draft, attempt }, attempt }] : [];
    });
    if (ready.length === 0) return true;
    await setAll(ready.map(({ draft }) => draft));
    if (stopped) return false;
    try {
      const answers = await ports.create(ready);
      retry.afterSuccess();
      await setAll(ready.flatMap((sent, at) => afterAnswer(sent, answers[at]!)));
      return true;
    } catch (thrown) {
      if (ready.length === 1 || !isAboutRows(thrown)) return failed(keys, thrown);
      // One of them may be what the server fails at: it holds up no other.
      for (const { draft } of ready) await pumpNew([draft.key]);
      return true;
    }
  }

  async function pumpChanges(key: string): Promise<void> {
    for (;;) {
      const draft = drafts.get(key);
      const attempt = draft && draft.dealId !== null && !stopped && nextAttempt(draft, newKey);
      if (!draft || !attempt) return;
      await set({ ...draft, attempt });
      if (stopped) return;
      try {
        const deal = await ports.change(draft, attempt);
        retry.afterSuccess();
        await setAll(afterAnswer({ draft, attempt }, deal));
      } catch (thrown) {
        if (!(await failed([key], thrown))) return;
      }
    }
  }

  /** What is left of a row after the answer about it. */
  function afterAnswer({ draft, attempt }: Sent, answer: Deal | ApiError): DealDraft[] {
    const { key } = draft;
    if (answer instanceof ApiError) return afterRefusal(key, answer);
    const latest = drafts.get(key) ?? { ...draft, attempt };
    const origin = draft.dealId === null ? 'made' : 'changed';
    if (origin === 'made') made.set(answer._id, key);
    for (const listener of listeners) listener.onDeal(key, answer, origin);
    ports.tabs.tell({ kind: 'deal', key, deal: answer });
    return [confirm(latest, answer)];
  }

  function afterRefusal(key: string, thrown: ApiError): DealDraft[] {
    const draft = drafts.get(key);
    if (!draft) return [];
    if (thrown.code !== 'CONFLICT') return [refuse(draft, thrown.errors, thrown.message)];
    const current = thrown.current as Deal;
    for (const listener of listeners) listener.onDeal(key, current, 'others');
    return [conflict(draft, thrown.conflicts, current)];
  }

  /** A request that concerned these rows came to nothing. False: they are to wait. */
  async function failed(keys: readonly string[], thrown: unknown): Promise<boolean> {
    if (!(thrown instanceof ApiError) || mayPass(thrown)) {
      const waiting = keys.flatMap((key) => drafts.get(key) ?? []);
      await setAll(waiting.map((draft) => ({ ...draft, problem: messageOf(thrown) })));
      // Those that wait would fail like this one, and are all tried again.
      if (!(thrown instanceof ApiError) || isLineDown(thrown)) queue.clear();
      if (!stopped) retry.afterFailure();
      return false;
    }
    // Somebody who was signed out finds everything here when they are back.
    if (thrown.status === 401) return false;
    await setAll(keys.flatMap((key) => afterRefusal(key, thrown)));
    return true;
  }

  function wake(): void {
    queue.add([...drafts.values()].map((draft) => [draft.key, laneOf(draft)]));
  }

  /** A row's key in this tab, which may have met it when it had its id already. */
  function keyHere(key: string, dealId: string | null): string {
    if (dealId === null) return key;
    return made.get(dealId) ?? (drafts.has(key) ? key : dealId);
  }

  function hear(note: TabNote): void {
    if (note.kind === 'deal') {
      const { deal } = note;
      const key = keyHere(note.key, deal._id);
      if (drafts.get(key)?.dealId === null) made.set(deal._id, key);
      for (const listener of listeners) listener.onDealOfTab?.(key, deal);
      return;
    }
    for (const draft of note.drafts) {
      const key = keyHere(draft.key, draft.dealId);
      heard.add(key);
      // It is stored where it was typed; what is stored here under another key is done with as well.
      if (place({ ...draft, key }) && key !== draft.key) void storage.forget([key]).catch(() => undefined);
    }
    announce();
    lookAfter();
  }

  /** Sends what other tabs leave behind. By its keys the server knows what comes twice. */
  function lookAfter(): void {
    if (looksAfter || drafts.size === 0) return;
    looksAfter = true;
    later(() => {
      looksAfter = false;
      if (!stopped) wake();
    }, LEFT_BEHIND_MS);
  }
  const stopHearing = ports.tabs.listen(hear);

  function update(key: string, change: (draft: DealDraft) => DealDraft): void {
    const draft = drafts.get(key);
    if (!draft) return;
    void set(change(draft));
    queue.add([[key, 'typed']]);
  }

  function typed({ key, deal, edits }: RowEdits, month: string): DealDraft {
    const draft = drafts.get(key) ?? emptyDraft(key, deal?._id ?? null, month, (places += 1), newKey());
    return edits.reduce((next, did) => edit(next, deal, did), draft);
  }

  return {
    /** Every draft there is, for counting and for what needs a decision; while there are many, a moment late. */
    pending,
    /** The same without any delay, for a screen that begins. */
    drafts: (): readonly DealDraft[] => [...drafts.values()],
    draftOf: (key: string): DealDraft | undefined => drafts.get(key),

    /** Brings back what an earlier page left. A row that has an id by now is known by it. */
    async restore(): Promise<void> {
      const found = await storage.all().catch(() => []);
      for (const draft of found.toSorted((a, b) => a.place - b.place)) {
        // What an earlier release has stored lacks what came since.
        const stored = { ...emptyDraft(draft.key, draft.dealId, draft.month), ...draft };
        const key = stored.dealId ?? stored.key;
        if (drafts.has(key) || heard.has(key)) continue;
        if (key === stored.key) place(stored);
        else {
          await storage.forget([stored.key]).catch(() => undefined);
          await set({ ...stored, key });
        }
      }
      announce();
      wake();
    },

    /** Takes in what somebody types into one row, and sends what can be sent. */
    type(row: RowEdits, month: string): void {
      void set(typed(row, month));
      queue.add([[row.key, 'typed']]);
    },

    /** The same for many rows at once: stored in one go, then sent one after the other. */
    async typeAll(rows: readonly RowEdits[], month: string): Promise<void> {
      const all = rows.map((row) => typed(row, month));
      await setAll(all);
      queue.add(all.filter((draft) => !isSettled(draft)).map(({ key, ...draft }) => [key, laneOf(draft)]));
    },

    /** Shows what was typed when a page ended, in its cell and marked, as a text that was not saved. */
    offer({ rowKey, dealId, createKey, month, field, text, before }: KeptText): Promise<void> {
      const key = keyHere(rowKey, dealId);
      const draft = drafts.get(key) ?? emptyDraft(key, dealId, month, (places += 1), createKey);
      const refusal = { text, message: texts.pageEnded, before };
      return set(edit(draft, null, { field, refusal }));
    },

    /** When nothing of the row is on its way. */
    settled: (key: string): Promise<void> => queue.settled(key),

    keepMine: (key: string, field: DealField, deal: Deal) =>
      update(key, (draft) => keepMine(draft, field, deal)),
    giveUp: (key: string, field: DealField) => update(key, (draft) => giveUp(draft, field)),
    tryAgain: (key: string) => update(key, release),

    /** Forgets everything typed into a row. What was sent and not answered may have arrived nevertheless. */
    discard(key: string): void {
      const draft = drafts.get(key);
      if (draft) void set({ ...draft, typed: {}, refused: {}, attempt: null });
    },

    /** The line may be back: everything that waits is tried now. */
    wake(): void {
      retry.stop();
      wake();
    },

    listen(listener: OutboxListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Sends nothing any more. What is stored stays stored. */
    stop(): void {
      stopped = true;
      retry.stop();
      stopHearing();
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

const laneOf = ({ dealId }: Pick<DealDraft, 'dealId'>): Lane => (dealId === null ? 'new' : 'change');

/** No server, or one that is busy: nobody's requests get through. */
const isLineDown = ({ status }: ApiError): boolean =>
  status === 0 || status === 429 || (status >= 502 && status <= 504);

/** Whether a server may have failed at what one row holds. */
const isAboutRows = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.status >= 500 && !isLineDown(thrown);

/** Whether the same request may succeed later: no answer, too many at once, or a server in trouble. */
const mayPass = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;
