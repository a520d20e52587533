import { MAX_CREATED_ROWS } from '@forecourt/contract/deal-limits';
import type { Deal } from '@forecourt/contract/deals';
import { ApiError, canPass, messageOf } from '../../../platform/api-error.ts';
import type { Drafts } from '../../../platform/drafts.ts';
import { createStore } from '../../../platform/external-store.ts';
import type { NewChangeSet } from '../../../platform/ids.ts';
import { createRetry, createThrottle } from '../../../platform/retry-later.ts';
import { texts } from '../../../texts/deals.ts';
import type { DealField } from '../deal-fields.ts';
import type { Attempt, DealDraft, Origin } from '../deal-row.ts';
import {
  applySaved,
  applyConflict,
  applyEdit,
  emptyDraft,
  discardField,
  isSettled,
  keepMine,
  nextAttempt,
  applyRefusal,
  clearRefusals,
  withNewer,
  changeSetOf,
  type FieldEdit,
} from './draft.ts';
import type { EditorText } from './editor-recovery.ts';
import { createSendQueue } from './send-queue.ts';
import type { TabMessage, TabChannel } from './tab-sync.ts';

/** Above this number of drafts, subscribers of `pending` are notified once per NOTIFY_MS. */
const MANY = 100;
const NOTIFY_MS = 200;

/** Drafts of other tabs are sent from here after this time in milliseconds, because their tab may be closed. */
const RESEND_MS = 30_000;

export type DraftSyncPorts = {
  readonly drafts: Drafts<DealDraft>;
  /** Changes a row. Rejects with an `ApiError`. */
  readonly change: (draft: DealDraft, attempt: Attempt) => Promise<Deal>;
  /** Creates rows independently; returns the outcome of each. Rejects with an `ApiError` of all rows. */
  readonly create: (
    rows: readonly SentRow[],
    changeSet: NewChangeSet,
  ) => Promise<readonly (Deal | ApiError)[]>;
  readonly newKey: () => string;
  /** Returns the required fields of a new row; by default those of every company. */
  readonly required?: () => readonly DealField[];
  readonly tabs: TabChannel;
  readonly later: (run: () => void, ms: number) => () => void;
};

/** A row whose request is in flight. */
export type SentRow = { readonly draft: DealDraft; readonly attempt: Attempt };

export type RowEdits = {
  readonly key: string;
  /** Null for a new row. */
  readonly deal: Deal | null;
  readonly edits: readonly FieldEdit[];
};

/** Events for the table. An undefined draft is settled. */
type DraftListener = {
  onDraft?: (key: string, draft: DealDraft | undefined) => void;
  /** The row in the server's response: with the values sent, or the current row of a conflict. */
  onDeal: (key: string, deal: Deal, origin: Origin) => void;
  onDealFromTab?: (key: string, deal: Deal) => void;
};

/**
 * Stores typed values and sends them. Each request is stored first, each row has one request in flight, and a request
 * keeps its idempotency key until its response. Failed requests are retried (docs/product/data-entry.md, Nothing typed
 * is lost). A draft sync outlives the screen.
 */
export function createDraftSync(ports: DraftSyncPorts) {
  const { drafts: storage, newKey, later } = ports;
  const drafts = new Map<string, DealDraft>();
  const listeners = new Set<DraftListener>();
  const queue = createSendQueue(sendRows, MAX_CREATED_ROWS);
  const pending = createStore<readonly DealDraft[]>([]);
  const isRestored = createStore(false);
  const retry = createRetry(later, sendAll);
  let isStopped = false;
  /** Keys by id, for rows created here. */
  const keysById = new Map<string, string>();
  /** Keys of drafts received from other tabs, which are newer than the stored ones. */
  const updatedByTabs = new Set<string>();
  // Starts at the time, so that it is higher than all places of earlier pages.
  let lastPlace = Date.now();

  /** Applies a draft and notifies listeners. Returns whether it is settled. */
  function applyDraft(draft: DealDraft): boolean {
    const settled = isSettled(draft);
    if (settled) drafts.delete(draft.key);
    else drafts.set(draft.key, draft);
    for (const listener of listeners) listener.onDraft?.(draft.key, settled ? undefined : draft);
    return settled;
  }

  const setPending = (): void => pending.set([...drafts.values()]);
  const setPendingLater = createThrottle(later, setPending, NOTIFY_MS);
  const notifyPending = (): void => (drafts.size > MANY ? setPendingLater() : setPending());

  // Sending continues if storage fails; only a reload would then lose the drafts.
  async function setAll(all: readonly DealDraft[]): Promise<void> {
    const settled = new Set(all.filter((draft) => applyDraft(draft)));
    notifyPending();
    ports.tabs.publish({ kind: 'drafts', drafts: all });
    const unsettled = all.filter((draft) => !settled.has(draft));
    await Promise.allSettled([
      unsettled.length > 0 && storage.save(unsettled),
      settled.size > 0 && storage.delete([...settled].map(({ key }) => key)),
    ]);
  }

  const set = (draft: DealDraft): Promise<void> => setAll([draft]);

  /** Whether a stored request must still be sent: its row may have been discarded. */
  const isWanted = ({ draft: { key }, attempt }: SentRow): boolean =>
    drafts.get(key)?.attempt?.idempotencyKey === attempt.idempotencyKey;

  /** Sends the changes of rows until none are left or a request fails. */
  async function sendRows(keys: readonly string[]): Promise<void> {
    await sendNewRows(keys.filter((key) => drafts.get(key)?.dealId === null));
    for (const key of keys) await sendChanges(key);
  }

  async function sendNewRows(keys: readonly string[]): Promise<void> {
    const ready = keys.flatMap((key): SentRow[] => {
      const draft = drafts.get(key);
      const attempt = draft && nextAttempt(draft, newKey, ports.required?.());
      return attempt ? [{ draft: { ...draft, attempt }, attempt }] : [];
    });
    if (ready.length === 0) return;
    await setAll(ready.map(({ draft }) => draft));
    // Grouped, because a request has one change set.
    const bySet = Map.groupBy(ready, ({ attempt }) => changeSetOf(attempt));
    for (const [changeSet, rows] of bySet) await sendBatch(rows, changeSet);
  }

  async function sendBatch(ready: readonly SentRow[], changeSet: NewChangeSet): Promise<void> {
    const rows = ready.filter(isWanted);
    if (isStopped || rows.length === 0) return;
    try {
      const responses = await ports.create(rows, changeSet);
      retry.afterSuccess();
      await setAll(rows.flatMap(({ draft }, at) => applyResponse(draft, responses[at]!)));
    } catch (thrown) {
      const sent = rows.map(({ draft }) => draft.key);
      if (sent.length === 1 || !isServerFault(thrown)) await handleFailure(sent, thrown);
      // One row may have caused the error, so each is sent separately.
      else for (const key of sent) await sendNewRows([key]);
    }
  }

  async function sendChanges(key: string): Promise<void> {
    for (;;) {
      const draft = drafts.get(key);
      const attempt = draft && draft.dealId !== null && nextAttempt(draft, newKey, ports.required?.());
      if (!attempt) return;
      await set({ ...draft, attempt });
      if (isStopped) return;
      if (!isWanted({ draft, attempt })) continue;
      try {
        const deal = await ports.change(draft, attempt);
        retry.afterSuccess();
        await setAll(applyResponse(draft, deal));
      } catch (thrown) {
        if (!(await handleFailure([key], thrown))) return;
      }
    }
  }

  /** Returns the changed drafts; none if the edits were discarded in the meantime. */
  function applyResponse({ key, dealId }: DealDraft, response: Deal | ApiError): DealDraft[] {
    if (response instanceof ApiError) return applyError(key, response);
    const latest = drafts.get(key);
    keysById.set(response._id, key);
    for (const listener of listeners) listener.onDeal(key, response, dealId === null ? 'made' : 'changed');
    ports.tabs.publish({ kind: 'deal', key, deal: response });
    return latest ? [applySaved(latest, response)] : [];
  }

  function applyError(key: string, thrown: ApiError): DealDraft[] {
    const draft = drafts.get(key);
    if (!draft) return [];
    if (thrown.code !== 'CONFLICT')
      return [
        applyRefusal(draft, thrown.errors, thrown.code === 'NOT_FOUND' ? texts.rowGone : messageOf(thrown)),
      ];
    const current = thrown.current as Deal;
    for (const listener of listeners) listener.onDeal(key, current, 'others');
    return [applyConflict(draft, thrown.conflicts, current)];
  }

  /** Handles a failed request. Returns false if the rows have to wait. */
  async function handleFailure(keys: readonly string[], thrown: unknown): Promise<boolean> {
    if (!(thrown instanceof ApiError) || isTemporary(thrown)) {
      const waiting = keys.flatMap((key) => drafts.get(key) ?? []);
      await setAll(waiting.map((draft) => ({ ...draft, problem: messageOf(thrown) })));
      // Queued rows would fail too. All of them are retried later.
      if (isUnavailable(thrown)) queue.clear();
      if (!isStopped) retry.afterFailure();
      return false;
    }
    // The drafts stay stored until the user signs in again.
    if (thrown.status === 401) return false;
    await setAll(keys.flatMap((key) => applyError(key, thrown)));
    return true;
  }

  function send(all: readonly DealDraft[]): void {
    queue.add(all.map(({ key, dealId }) => [key, dealId === null ? 'new' : 'change']));
  }

  function sendAll(): void {
    send([...drafts.values()]);
  }

  /** Returns the key of a row in this tab, which may have loaded the row by its id. */
  function localKeyOf(key: string, dealId: string | null): string {
    if (dealId === null) return key;
    return keysById.get(dealId) ?? (drafts.has(key) ? key : dealId);
  }

  function receive(message: TabMessage): void {
    if (message.kind === 'deal') {
      const { deal } = message;
      const key = localKeyOf(message.key, deal._id);
      if (drafts.get(key)?.dealId === null) keysById.set(deal._id, key);
      for (const listener of listeners) listener.onDealFromTab?.(key, deal);
      return;
    }
    for (const draft of message.drafts) {
      const key = localKeyOf(draft.key, draft.dealId);
      updatedByTabs.add(key);
      // The tab in which the draft was typed stores it, so the version stored here is outdated.
      if (applyDraft({ ...draft, key })) void storage.delete([key]).catch(() => undefined);
      else storage.release([key]);
    }
    notifyPending();
    if (drafts.size > 0) scheduleResend();
  }

  /** Schedules sending drafts of other tabs. Idempotency keys prevent duplicates. */
  const scheduleResend = createThrottle(later, sendAll, RESEND_MS);
  const unsubscribe = ports.tabs.subscribe(receive);

  function update(key: string, change: (draft: DealDraft) => DealDraft): void {
    const draft = drafts.get(key);
    if (!draft) return;
    void set(change(draft));
    queue.add([[key, 'typed']]);
  }

  function applyEdits({ key, deal, edits }: RowEdits, month: string, changeSet?: NewChangeSet): DealDraft {
    const draft = drafts.get(key) ?? emptyDraft(key, deal?._id ?? null, month, (lastPlace += 1), newKey());
    // A pasted row that is completed before it is saved keeps the change set of the paste.
    const isKept = drafts.get(key)?.dealId === null || changeSet === undefined;
    const first = isKept ? draft : { ...draft, changeSet };
    return edits.reduce((next, fieldEdit) => applyEdit(next, deal, fieldEdit), first);
  }

  return {
    /** All drafts, for counts and decisions. Throttled above MANY drafts. */
    pending,
    /** Whether drafts of earlier pages have been read; before, it is unknown whether everything is saved. */
    isRestored,
    /** All drafts without throttling, for a new screen. */
    drafts: (): readonly DealDraft[] => [...drafts.values()],
    draftOf: (key: string): DealDraft | undefined => drafts.get(key),

    /** Restores drafts of earlier pages. If a row has got an id, it becomes the key. */
    async restore(): Promise<void> {
      const storedDrafts = await storage.all().catch(() => []);
      for (const draft of storedDrafts.toSorted((a, b) => a.place - b.place)) {
        // Drafts stored by an earlier release lack newer fields.
        const stored = { ...emptyDraft(draft.key, draft.dealId, draft.month), ...draft };
        // An earlier release also stored the failure of a request with rows that were not part of it.
        if (stored.attempt === null) stored.problem = null;
        const key = stored.dealId ?? stored.key;
        if (updatedByTabs.has(key)) continue;
        if (key !== stored.key) await storage.delete([stored.key]).catch(() => undefined);
        const newer = drafts.get(key);
        if (newer) await set(withNewer(stored, newer));
        else if (key === stored.key) applyDraft(stored);
        else await set({ ...stored, key });
      }
      notifyPending();
      isRestored.set(true);
      sendAll();
    },

    /** Applies edits of a row and sends it if possible. */
    type(row: RowEdits, month: string, changeSet?: NewChangeSet): void {
      void set(applyEdits(row, month, changeSet));
      queue.add([[row.key, 'typed']]);
    },

    /** Applies edits of many rows: stores them together, then sends them in batches. */
    async typeAll(rows: readonly RowEdits[], month: string, changeSet?: NewChangeSet): Promise<void> {
      const all = rows.map((row) => applyEdits(row, month, changeSet));
      await setAll(all);
      send(all);
    },

    /** Shows the text of an editor of a closed page in its cell, marked as unsaved. */
    offer({ rowKey, dealId, createKey, month, field, text, before }: EditorText): Promise<void> {
      const key = localKeyOf(rowKey, dealId);
      const draft = drafts.get(key) ?? emptyDraft(key, dealId, month, (lastPlace += 1), createKey);
      const refusal = { text, message: texts.pageEnded, before };
      return set(applyEdit(draft, null, { field, refusal }));
    },

    /** Resolves when no request of the row is in flight. */
    whenSettled: (key: string): Promise<void> => queue.whenSettled(key),

    keepMine: (key: string, field: DealField, deal: Deal) =>
      update(key, (draft) => keepMine(draft, field, deal)),
    discardField: (key: string, field: DealField) => update(key, (draft) => discardField(draft, field)),
    tryAgain: (key: string) => update(key, clearRefusals),

    /** Discards all edits of a row. The server may still process a request in flight. */
    discard(key: string): void {
      const draft = drafts.get(key);
      if (draft) void set({ ...draft, typed: {}, refused: {}, attempt: null });
    },

    /** Retries everything that waits, because the connection may be restored. */
    retryNow(): void {
      retry.stop();
      sendAll();
    },

    subscribe(listener: DraftListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Stops sending. Drafts stay stored. */
    stop(): void {
      isStopped = true;
      retry.stop();
      unsubscribe();
    },
  };
}

export type DraftSync = ReturnType<typeof createDraftSync>;

/** Whether other requests would fail too: the server is unreachable or overloaded, or this page has a bug. */
const isUnavailable = (thrown: unknown): boolean =>
  !(thrown instanceof ApiError) || canPass(thrown) || thrown.status === 429;

/** Whether the same request may succeed later: no response, rate limit or server error. */
const isTemporary = (error: ApiError): boolean => isUnavailable(error) || error.status >= 500;

/** Whether the content of one row may have caused a server error. */
const isServerFault = (thrown: unknown): boolean => !isUnavailable(thrown) && isTemporary(thrown as ApiError);
