import type { Deal } from '@forecourt/contract/deals';
import type { Drafts } from '../../../platform/drafts.ts';
import { createStore } from '../../../platform/external-store.ts';
import type { NewChangeSet } from '../../../platform/ids.ts';
import { createThrottle } from '../../../platform/retry-later.ts';
import { texts } from '../../../texts/deals.ts';
import type { DealField } from '../deal-fields.ts';
import type { DealDraft, Origin } from '../deal-row.ts';
import { createDraftSending, type SendingPorts } from './draft-sending.ts';
import {
  applyEdit,
  emptyDraft,
  discardField,
  isSettled,
  keepMine,
  clearRefusals,
  withNewer,
  type FieldEdit,
} from './draft.ts';
import type { EditorText } from './editor-recovery.ts';
import type { TabMessage, TabChannel } from './tab-sync.ts';

/** Above this number of drafts, subscribers of `pending` are notified once per NOTIFY_MS. */
const MANY = 100;
const NOTIFY_MS = 200;

/** Drafts of other tabs are sent from here after this time in milliseconds, because their tab may be closed. */
const RESEND_MS = 30_000;

export type DraftSyncPorts = SendingPorts & {
  readonly drafts: Drafts<DealDraft>;
  readonly tabs: TabChannel;
};

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
  const pending = createStore<readonly DealDraft[]>([]);
  const isRestored = createStore(false);
  const sending = createDraftSending(ports, { drafts, draftFor, setAll, onDeal });
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

  /** Passes the row of a response on. That of a conflict has no values of this tab, so other tabs do not get it. */
  function onDeal(key: string, deal: Deal, origin: Origin): void {
    if (origin !== 'others') keysById.set(deal._id, key);
    for (const listener of listeners) listener.onDeal(key, deal, origin);
    if (origin !== 'others') ports.tabs.publish({ kind: 'deal', key, deal });
  }

  function draftFor({ _id, month }: Deal): DealDraft {
    const key = localKeyOf(_id, _id);
    return drafts.get(key) ?? emptyDraft(key, _id, month, (lastPlace += 1), newKey());
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
  const scheduleResend = createThrottle(later, sending.sendAll, RESEND_MS);
  const unsubscribe = ports.tabs.subscribe(receive);

  function update(key: string, change: (draft: DealDraft) => DealDraft): void {
    const draft = drafts.get(key);
    if (!draft) return;
    void set(change(draft));
    sending.sendTyped(key);
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
      sending.sendAll();
    },

    /** Applies edits of a row and sends it if possible. */
    type(row: RowEdits, month: string, changeSet?: NewChangeSet): void {
      void set(applyEdits(row, month, changeSet));
      sending.sendTyped(row.key);
    },

    /** Applies edits of many rows: stores them together, then sends them in batches. */
    async typeAll(rows: readonly RowEdits[], month: string, changeSet?: NewChangeSet): Promise<void> {
      const all = rows.map((row) => applyEdits(row, month, changeSet));
      await setAll(all);
      sending.send(all);
    },

    /** Shows the text of an editor of a closed page in its cell, marked as unsaved. */
    offer({ rowKey, dealId, createKey, month, field, text, before }: EditorText): Promise<void> {
      const key = localKeyOf(rowKey, dealId);
      const draft = drafts.get(key) ?? emptyDraft(key, dealId, month, (lastPlace += 1), createKey);
      const refusal = { text, message: texts.pageEnded, before };
      return set(applyEdit(draft, null, { field, refusal }));
    },

    whenSettled: sending.whenSettled,
    retryNow: sending.retryNow,

    keepMine: (key: string, field: DealField, deal: Deal) =>
      update(key, (draft) => keepMine(draft, field, deal)),
    discardField: (key: string, field: DealField) => update(key, (draft) => discardField(draft, field)),
    tryAgain: (key: string) => update(key, clearRefusals),

    /** Discards all edits of a row. The server may still process a request in flight. */
    discard(key: string): void {
      const draft = drafts.get(key);
      if (draft) void set({ ...draft, typed: {}, refused: {}, attempt: null });
    },

    subscribe(listener: DraftListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Stops sending. Drafts stay stored. */
    stop(): void {
      sending.stop();
      unsubscribe();
    },
  };
}

export type DraftSync = ReturnType<typeof createDraftSync>;
