import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';
import { ApiError, canPass } from '../../../platform/api-error.ts';

type LiveSyncPorts = {
  readonly deal: (id: string) => Promise<Deal>;
  /** Whether a row is loaded in this version or a later one: events include this page's own changes. */
  readonly isKnown: (id: string, version: number) => boolean;
  /** Whether a row is loaded, may be part of a pending load, or is outside the view. */
  readonly locate: (id: string) => 'loaded' | 'loading' | 'outside';
  readonly onDeals: (deals: readonly Deal[]) => void;
  readonly onRemoved: (ids: readonly string[]) => void;
  /** Reloads the view after too many changes. */
  readonly reload: () => void;
  readonly later: (run: () => void, ms: number) => () => void;
};

/** Events are batched for this time in milliseconds, so that a burst updates the table once. */
const BATCH_MS = 80;

/** Delay in milliseconds before a row is fetched again after the server was busy. */
const RETRY_MS = 5000;

/** Above this number of changed rows the view is reloaded. */
const MANY = 60;

/** Applies other users' changes: batches live events, fetches the changed rows and applies them together. */
export function createLiveSync(ports: LiveSyncPorts) {
  const { deal, isKnown, locate, onDeals, onRemoved, reload, later } = ports;
  /** Newest versions of changed rows by id; null for a change without a version. */
  let ids = new Map<string, number | null>();
  /** The newest request of each row. Its response is ignored after a newer request or a deletion. */
  const newest = new Map<string, symbol>();
  let stopTimer: (() => void) | null = null;
  let isStopped = false;

  function scheduleFetch(ms = BATCH_MS): void {
    stopTimer ??= later(() => void fetchChanged(), ms);
  }

  async function fetchChanged(): Promise<void> {
    stopTimer = null;
    const byPlace = Map.groupBy(ids, ([id]) => locate(id));
    ids = new Map(byPlace.get('loading'));
    if (ids.size > 0) scheduleFetch();
    const changed = (byPlace.get('loaded') ?? []).flatMap(([id, version]) =>
      version !== null && isKnown(id, version) ? [] : [id],
    );
    if (changed.length > MANY) return reload();
    const failures = new Map<string, unknown>();
    const request = Symbol();
    for (const id of changed) newest.set(id, request);
    const responses = await Promise.all(
      changed.map((id) => deal(id).catch((failure: unknown) => void failures.set(id, failure))),
    );
    if (isStopped) return;
    const isNewest = (id: string): boolean => newest.get(id) === request;
    const current = changed.filter(isNewest);
    const failed = current.filter((id) => canPass(failures.get(id)));
    for (const id of failed) ids.set(id, null);
    if (failed.length > 0) scheduleFetch(RETRY_MS);
    const removed = current.filter((id) => isNotFound(failures.get(id)));
    const deals = responses.filter((response) => response !== undefined).filter(({ _id }) => isNewest(_id));
    for (const id of current) newest.delete(id);
    if (deals.length > 0) onDeals(deals);
    if (removed.length > 0) onRemoved(removed);
  }

  function enqueue(id: string, version: number | null): void {
    const before = ids.get(id);
    ids.set(id, before === null || version === null ? null : Math.max(before ?? 0, version));
    scheduleFetch();
  }

  return {
    onDeal({ recordId, action, version }: LiveEvent): void {
      if (action !== 'deleted') return enqueue(recordId, version);
      ids.delete(recordId);
      newest.delete(recordId);
      onRemoved([recordId]);
    },
    stop(): void {
      isStopped = true;
      stopTimer?.();
    },
  };
}

const isNotFound = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 404;
