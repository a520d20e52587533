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
      const { recordId, action } = event;
      if (action === 'deleted') {
        events.delete(recordId);
        onRemoved([recordId]);
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
