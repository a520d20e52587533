import { MAX_CREATED_ROWS } from '@forecourt/contract/deal-limits';
import type { Deal } from '@forecourt/contract/deals';
import { ApiError, canPass, messageOf } from '../../../platform/api-error.ts';
import type { NewChangeSet } from '../../../platform/ids.ts';
import { createRetry } from '../../../platform/retry-later.ts';
import { texts } from '../../../texts/deals.ts';
import type { DealField } from '../deal-fields.ts';
import type { Attempt, DealDraft, Origin } from '../deal-row.ts';
import {
  applyConflict,
  applyRefusal,
  applySaved,
  changeSetOf,
  moveToSurvivor,
  nextAttempt,
} from './draft.ts';
import { createSendQueue } from './send-queue.ts';

/** A row whose request is in flight. */
export type SentRow = { readonly draft: DealDraft; readonly attempt: Attempt };

export type SendingPorts = {
  /** Changes a row. Rejects with an `ApiError`. */
  readonly change: (draft: DealDraft, attempt: Attempt) => Promise<Deal>;
  /** Creates rows independently; returns the outcome of each. Rejects with an `ApiError` of all rows. */
  readonly create: (
    rows: readonly SentRow[],
    changeSet: NewChangeSet,
  ) => Promise<readonly (Deal | ApiError)[]>;
  /** Reads a row. Rejects with an `ApiError`. */
  readonly find: (id: string) => Promise<Deal>;
  readonly newKey: () => string;
  /** Returns the required fields of a new row; by default those of every company. */
  readonly required?: () => readonly DealField[];
  readonly later: (run: () => void, ms: number) => () => void;
};

/** The drafts to send, and what becomes of them. */
type SendingDrafts = {
  /** All drafts by key, always the latest. */
  readonly drafts: ReadonlyMap<string, DealDraft>;
  /** Returns the draft of a saved row; an empty one if it has none. */
  readonly draftFor: (deal: Deal) => DealDraft;
  /** Applies and stores changed drafts. Never rejects. */
  readonly setAll: (all: readonly DealDraft[]) => Promise<void>;
  /** Called with the row in a response, before its draft is changed. */
  readonly onDeal: (key: string, deal: Deal, origin: Origin) => void;
};

/**
 * Sends drafts: first stores each request, sends one for each row at a time, and repeats it unchanged until it has a
 * response.
 */
export function createDraftSending(ports: SendingPorts, { drafts, draftFor, setAll, onDeal }: SendingDrafts) {
  const queue = createSendQueue(sendRows, MAX_CREATED_ROWS);
  const retry = createRetry(ports.later, sendAll);
  let isStopped = false;

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
      const attempt = draft && nextAttempt(draft, ports.newKey, ports.required?.());
      return attempt ? [{ draft: { ...draft, attempt }, attempt }] : [];
    });
    if (ready.length === 0) return;
    await setAll(ready.map(({ draft }) => draft));
    // Grouped, because a request has one change set, and a closed month refuses all its rows.
    const batches = Map.groupBy(ready, ({ draft: { month }, attempt }) => `${month} ${changeSetOf(attempt)}`);
    for (const rows of batches.values()) await sendBatch(rows, changeSetOf(rows[0]!.attempt));
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
      const attempt = draft && draft.dealId !== null && nextAttempt(draft, ports.newKey, ports.required?.());
      if (!attempt) return;
      await setAll([{ ...draft, attempt }]);
      if (isStopped) return;
      if (!isWanted({ draft, attempt })) continue;
      try {
        const deal = await ports.change(draft, attempt);
        retry.afterSuccess();
        await setAll(applyResponse(draft, deal));
      } catch (thrown) {
        if (await moveMerged(key, thrown)) return;
        if (!(await handleFailure([key], thrown))) return;
      }
    }
  }

  /**
   * If the row was merged into another one, moves its draft there. Returns false if it was not, or if that row could not
   * be read.
   */
  async function moveMerged(key: string, thrown: unknown): Promise<boolean> {
    if (!(thrown instanceof ApiError) || thrown.mergedInto === undefined) return false;
    const survivor = await ports.find(thrown.mergedInto).catch(() => undefined);
    const draft = drafts.get(key);
    if (survivor === undefined || draft === undefined) return false;
    const ofSurvivor = draftFor(survivor);
    const { left, moved } = moveToSurvivor(draft, ofSurvivor, survivor);
    onDeal(ofSurvivor.key, survivor, 'others');
    await setAll([moved, left]);
    return true;
  }

  /** Returns the changed drafts; none if the edits were discarded in the meantime. */
  function applyResponse({ key, dealId }: DealDraft, response: Deal | ApiError): DealDraft[] {
    if (response instanceof ApiError) return applyError(key, response);
    const latest = drafts.get(key);
    onDeal(key, response, dealId === null ? 'made' : 'changed');
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
    onDeal(key, current, 'others');
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

  /** Retries everything that waits, because the connection may be restored. */
  function retryNow(): void {
    retry.stop();
    sendAll();
  }

  return {
    /** Sends a row that a user edits, before all others. */
    sendTyped: (key: string): void => queue.add([[key, 'typed']]),
    send,
    sendAll,
    /** Resolves when no request of the row is in flight. */
    whenSettled: (key: string): Promise<void> => queue.whenSettled(key),

    retryNow,
    stop(): void {
      isStopped = true;
      retry.stop();
    },
  };
}

/** Whether other requests would fail too: the server is unreachable or overloaded, or this page has a bug. */
const isUnavailable = (thrown: unknown): boolean =>
  !(thrown instanceof ApiError) || canPass(thrown) || thrown.status === 429;

/** Whether the same request may succeed later: no response, rate limit or server error. */
const isTemporary = (error: ApiError): boolean => isUnavailable(error) || error.status >= 500;

/** Whether the content of one row may have caused a server error. */
const isServerFault = (thrown: unknown): boolean => !isUnavailable(thrown) && isTemporary(thrown as ApiError);
