import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';

type LiveSyncPorts = {
  /** Whether a row is loaded in this version or a later one: events include this page's own changes. */
  readonly isKnown: (id: string, version: number) => boolean;
  /** Whether a row is loaded, may be part of a pending load, or is outside the view. */
  readonly locate: (id: string) => 'loaded' | 'loading' | 'outside';
  readonly onDeals: (deals: readonly Deal[]) => void;
  readonly onRemoved: (ids: readonly string[]) => void;
  /** Reloads the view after a change of so many rows that their events contain none. */
  readonly reload: () => void;
  readonly later: (run: () => void, ms: number) => () => void;
};

/** Events are batched for this time in milliseconds, so that a burst updates the table once. */
const BATCH_MS = 80;

/**
 * Applies events to rows of a response that arrived after them. The response may be older than an event, or newer: a
 * restored row has a later version than its deletion. The loss of its visibility has no version.
 * @param stays whether a row stays in the view after a change
 */
export function applyEvents(
  deals: readonly Deal[],
  events: readonly LiveEvent[],
  stays: (deal: Deal) => boolean,
): Deal[] {
  const last = new Map(events.map((event) => [event.recordId, event]));
  return deals.flatMap((deal) => {
    const { action, version = null, row } = last.get(deal._id) ?? {};
    if (action === 'deleted') return version !== null && deal.version > version ? deal : [];
    // A change without a version, such as a delivered email, may be missing in a row of the same version.
    const isNewer = row !== undefined && row.version >= deal.version + (version === null ? 0 : 1);
    if (!isNewer) return deal;
    return stays(row) ? row : [];
  });
}

/** Applies other users' changes: batches live events and applies their rows together. */
export function createLiveSync({ isKnown, locate, onDeals, onRemoved, reload, later }: LiveSyncPorts) {
  /** The newest event of each row. Later events have later rows: the server reads and sends them in order. */
  let events = new Map<string, LiveEvent>();
  let stopTimer: (() => void) | null = null;

  function applyLater(): void {
    stopTimer ??= later(apply, BATCH_MS);
  }

  function apply(): void {
    stopTimer = null;
    const byPlace = Map.groupBy(events, ([id]) => locate(id));
    events = new Map(byPlace.get('loading'));
    if (events.size > 0) applyLater();
    const changed = (byPlace.get('loaded') ?? []).flatMap(([id, event]) =>
      event.version !== null && isKnown(id, event.version) ? [] : event,
    );
    const deals = changed.flatMap(({ row }) => row ?? []);
    if (deals.length > 0) onDeals(deals);
    if (deals.length < changed.length) reload();
  }

  return {
    onDeal(event: LiveEvent): void {
      const { recordId, action, version } = event;
      if (action === 'deleted') {
        events.delete(recordId);
        // A later version was restored: its response can arrive before the event of its deletion.
        if (version === null || !isKnown(recordId, version + 1)) onRemoved([recordId]);
      } else {
        // A change without a version may concern a row whose version is loaded.
        const isVersioned = events.get(recordId)?.version !== null;
        events.set(recordId, isVersioned ? event : { ...event, version: null });
        applyLater();
      }
    },
    stop: (): void => stopTimer?.(),
  };
}
