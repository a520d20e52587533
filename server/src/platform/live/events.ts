import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import type { Log } from '../log.ts';
import { createBatchedTask } from './batched-task.ts';
import type { EventBus } from './event-bus.ts';
import { createEventFilter, type Change, type EventRules, type SentEvent } from './event-filter.ts';

/** An instance announces all commits of this period with one NOTIFY. */
const ANNOUNCE_MS = 20;
/** The interval at which each instance polls for events whose announcement it missed. */
const POLL_MS = 1000;
/**
 * Delay of the next read as a multiple of the last one's duration, and its bounds. Commits of that period are read and
 * authorised together, so that many changes for many users do not use the whole CPU.
 */
const REST_TIMES = 2;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 250;
/** Maximum age of data that a page loads before it connects: the page can request the events of this period. */
export const RECENT_MS = 10_000;
const RECENT_COUNT = 1000;

/** Listeners served concurrently. More would use connections that requests need; fewer would wait for each other. */
const CONCURRENT_LISTENERS = 4;

type Listener = {
  /** Returns the viewer with current permissions. Throws if the session has ended. */
  viewer(): Promise<Viewer>;
  /** @param events the same array for all viewers who receive the same events */
  deliver(events: readonly SentEvent[]): void;
  /** Called if events could not be delivered: the client must reconnect and reload. */
  end(error: unknown): void;
};

/**
 * Returns the records of one entity whose representation depends on changed records of another. `visibility` decides
 * who receives the event: an entity, or a part of its records with a visibility of its own.
 */
type Dependants = (recordIds: string[]) => Promise<{ changedId: string; recordId: string }[]>;
type Dependent = { entity: LiveEvent['entity']; visibility: string; of: Dependants };

export type LiveEvents = ReturnType<typeof createLiveEvents>;

/**
 * Live events are read from audit entries, so a transaction writes nothing more for them. Ids are assigned before a
 * transaction commits, so a reader also tracks transactions: it reads all entries from the oldest transaction on that
 * was open at its last read, and skips delivered ones.
 * @param byPermissions see `createEventFilter`
 * @param dependents by entity, which other records change with its records
 */
export function createLiveEvents(
  db: Db,
  eventBus: EventBus,
  log: Log,
  visibility: EventRules['visibility'],
  lostVisibility: EventRules['lostVisibility'],
  byPermissions: EventRules['byPermissions'] = {},
  dependents: Record<string, Dependent> = {},
) {
  /** Listeners, each with the delivery of its recent events. It comes first: later rows are newer. */
  const listeners = new Map<Listener, Promise<void>>();
  const delivered = new Map<string, bigint>();
  let recent: { at: number; change: Change }[] = [];
  /** When the newest change was delivered that `recent` no longer contains, although a page may request it. */
  let droppedAt = -Infinity;
  let horizon: string | undefined;
  /** Whether a standby has become the primary since the last read. */
  let isPromoted = false;
  /** The snapshot of the last read. */
  let lastSnapshot: string | undefined;
  const filterFor = (changes: readonly Change[]) =>
    createEventFilter({ visibility, lostVisibility, byPermissions }, changes);
  const polling = createBatchedTask(readNew, {
    waitMs: 0,
    restMs: (durationMs) => Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, REST_TIMES * durationMs)),
    onError: (error) => log.warn({ reason: error.message }, 'live events are late'),
  });
  const announcement = createBatchedTask(() => eventBus.send(db, 'events', '0'), {
    waitMs: ANNOUNCE_MS,
    onError: (error) => log.warn({ reason: error.message }, 'announcement'),
  });

  /**
   * Ends all listeners, whose pages then reload: they may show rows of transactions that the new primary lacks. It gives
   * the numbers of those transactions and entries to others.
   */
  function startAgain(): void {
    isPromoted = false;
    horizon = undefined;
    lastSnapshot = undefined;
    delivered.clear();
    recent = [];
    droppedAt = performance.now();
    for (const listener of listeners.keys()) listener.end(undefined);
    listeners.clear();
  }

  async function readNew(): Promise<void> {
    if (isPromoted) startAgain();
    const {
      rows: [snapshot],
    } = await sql<{ xmin: string; visible: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_current_snapshot()::text
      as visible`.execute(db);
    if (snapshot!.visible === lastSnapshot) return;
    const from = horizon ?? snapshot!.xmin;
    const rows = await db
      .selectFrom('audit_entries')
      .select(['id', 'xid', 'entity', 'record_id', 'action', 'version', 'before'])
      .where('xid', '>=', sql<string>`${from}::xid8`)
      .where('record_id', 'is not', null)
      .orderBy('id')
      .execute();
    const fresh = rows.filter((row) => !delivered.has(String(row.id)));
    // Listeners cannot have missed events from before the first read.
    if (horizon !== undefined && fresh.length > 0) await deliver(await withDependents(fresh.map(toChange)));
    for (const row of rows) delivered.set(String(row.id), BigInt(row.xid));
    horizon = snapshot!.xmin;
    lastSnapshot = snapshot!.visible;
    for (const [id, xid] of delivered) if (xid < BigInt(horizon)) delivered.delete(id);
  }

  /** Returns these changes, followed by changes of records that depend on them. */
  async function withDependents(changes: Change[]): Promise<Change[]> {
    const all = [...changes];
    for (const [changed, { entity, visibility: part, of }] of Object.entries(dependents)) {
      const events = changes.flatMap(({ event }) => (event.entity === changed ? event : []));
      const own = new Map(events.map((event) => [event.recordId, event]));
      if (own.size === 0) continue;
      const changedIds = new Map((await of([...own.keys()])).map((one) => [one.recordId, one.changedId]));
      for (const [recordId, changedId] of changedIds) {
        const { id } = own.get(changedId)!;
        const event = { id, entity, recordId, action: 'updated', version: null } as const;
        all.push({ event, past: null, visibility: part });
      }
    }
    return all;
  }

  async function deliver(changes: Change[]): Promise<void> {
    const at = performance.now();
    const recentChanges = [...recent, ...changes.map((change) => ({ at, change }))].filter(
      (one) => one.at > at - RECENT_MS,
    );
    recent = recentChanges.slice(-RECENT_COUNT);
    droppedAt = recentChanges.at(-RECENT_COUNT - 1)?.at ?? droppedAt;
    // Reads the sessions of all listeners together, in few statements; one by one they would take longer than the rest.
    await Promise.all([...listeners.keys()].map((listener) => listener.viewer().catch(() => undefined)));
    const filter = filterFor(changes);
    const left = listeners.entries();
    const serveNext = async (): Promise<void> => {
      for (const [listener, recentDelivery] of left) {
        await recentDelivery;
        await serve(listener, filter);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_LISTENERS }, serveNext));
  }

  /** Never throws: a listener that cannot be served is ended, and the others are served. */
  async function serve(listener: Listener, filter: ReturnType<typeof filterFor>): Promise<void> {
    try {
      const events = await filter(await listener.viewer());
      if (events.length > 0) listener.deliver(events);
    } catch (error) {
      listeners.delete(listener);
      listener.end(error);
    }
  }

  eventBus.on('events', polling.soon);
  eventBus.on('resumed', polling.soon);
  // Between two reads: one that has begun would store what it read from the former primary.
  eventBus.on('promoted', () => {
    isPromoted = true;
    polling.soon();
  });
  const timer = setInterval(polling.soon, POLL_MS);
  polling.soon();

  return {
    /** Called after each commit: notifies all instances soon, together with other commits. */
    announce: announcement.soon,
    /** Delivers an event without an audit entry to viewers on this instance. */
    publish(event: LiveEvent): void {
      deliver([{ event, past: null, visibility: event.entity }]).catch((error: Error) =>
        log.warn({ reason: error.message }, 'live event'),
      );
    },
    /**
     * Delivers visible events until the returned function is called. `withRecent` first delivers those of the last 10
     * s, some of which the client may already have; if they are incomplete, the listener is ended.
     */
    listen(listener: Listener, { withRecent = false } = {}): () => void {
      listeners.set(listener, Promise.resolve());
      const since = performance.now() - RECENT_MS;
      if (withRecent && droppedAt > since) {
        // Deferred, because the caller does not have the returned function yet.
        queueMicrotask(() => listener.end(undefined));
        return () => listeners.delete(listener);
      }
      const missed = withRecent ? recent.filter(({ at }) => at > since) : [];
      if (missed.length > 0)
        listeners.set(listener, serve(listener, filterFor(missed.map(({ change }) => change))));
      return () => listeners.delete(listener);
    },
    stop(): void {
      clearInterval(timer);
      announcement.stop();
      polling.stop();
    },
  };
}

const ACTIONS = { created: 'created', updated: 'updated', deleted: 'deleted' } as const;

function toChange(row: {
  id: number;
  entity: string;
  record_id: string | null;
  action: string;
  version: number | null;
  before: unknown;
}): Change {
  const verb = row.action.split('.')[1] ?? '';
  const action = verb in ACTIONS ? ACTIONS[verb as keyof typeof ACTIONS] : 'updated';
  return {
    event: {
      id: String(row.id),
      entity: row.entity as LiveEvent['entity'],
      recordId: row.record_id!,
      action,
      version: row.version,
    },
    past: row.before ? { before: row.before as Record<string, unknown> } : null,
    visibility: row.entity,
  };
}
