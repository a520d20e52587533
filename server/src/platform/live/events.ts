import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import { permissionsDigestOf } from '../http/permissions-digest.ts';
import type { Log } from '../log.ts';
import type { EventBus } from './event-bus.ts';

/** An instance announces all commits of this time with one NOTIFY. */
const ANNOUNCE_MS = 20;
/** The interval at which each instance polls for events whose announcement it missed. */
const POLL_MS = 1000;
/**
 * After a read the next one is delayed: by this multiple of its duration, within these bounds. Commits of that time are
 * read and authorised together, so that many changes for many users do not use the whole CPU.
 */
const REST_TIMES = 2;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 250;
/** The most that data loaded by a page before it connects may be out of date: the page can request the events of that time. */
export const RECENT_MS = 10_000;
const RECENT_COUNT = 1000;

/** Listeners served concurrently: more would take the pool's connections from requests, fewer would wait for each other. */
const CONCURRENT_LISTENERS = 4;

/**
 * Returns which records of one entity a viewer may see. Called once for records that changed together, then for each
 * viewer, so that data common to all viewers is read once.
 */
type Visibility = (recordIds: string[]) => VisibleIds;
type VisibleIds = (viewer: Viewer) => Promise<Set<string>>;

/** The state of a record before a change, from its audit entry. */
type Past = {
  /** The changed fields, or all fields, before the change. */
  before: Record<string, unknown>;
};

/** A change of a record that a viewer cannot see now. */
export type HiddenChange = { recordId: string; past: Past };

/**
 * Returns the changes with which a viewer lost visibility of a record: these are published to them as deletions
 * (docs/product/api.md, Live events). Decided by the audit entry, and independent of what a stream has sent before:
 * most rows on a screen were loaded. Publishing every invisible change would reveal the work of other users
 * (docs/product/security.md, Invisible records do not leak).
 */
type FindLostVisibility = (viewer: Viewer, changes: HiddenChange[]) => Promise<HiddenChange[]>;

type Listener = {
  /** Returns the viewer with current permissions. Throws when the session has ended. */
  viewer(): Promise<Viewer>;
  /** @param events the same array for all viewers who receive the same for the same reason */
  deliver(events: readonly LiveEvent[]): void;
  /** Events could not be delivered: the client must reconnect and load again. */
  end(error: unknown): void;
};

/**
 * Returns the records of one entity that read differently after changes of another. `visibility` names who receives the
 * event: an entity, or a part of its records that has its own visibility.
 */
type Dependants = (recordIds: string[]) => Promise<{ changedId: string; recordId: string }[]>;
type Dependent = { entity: LiveEvent['entity']; visibility: string; of: Dependants };

/** `past` is null where there is no state before, as with a new record. `visibility` names who may see it, usually its entity. */
type Change = { event: LiveEvent; past: Past | null; visibility: string };

/** The event that a viewer receives for each change; changes they may not see are absent. */
type EventsByChange = Map<Change, LiveEvent>;
/** The events that all viewers with equal permissions receive: by change, and as a list. */
type SharedEvents = { events: EventsByChange; list: readonly LiveEvent[] };
/** Changes that are delivered together, by what names who may see them, and results shared by their listeners. */
type Delivery = {
  changes: Change[];
  /** Authorised once for all viewers with equal permissions. */
  shared: [string, Change[]][];
  /** Authorised for each viewer. */
  others: [string, Change[]][];
  visibleIds: Map<string, VisibleIds>;
  sharedEvents: Map<string, Promise<SharedEvents>>;
};
const inOrder = (changes: Change[], events: EventsByChange): LiveEvent[] =>
  changes.flatMap((change) => events.get(change) ?? []);

export type LiveEvents = ReturnType<typeof createLiveEvents>;

/**
 * Live events are audit entries read back: a transaction writes nothing more for them. Ids are assigned before their
 * transactions commit, so a reader tracks transactions: it reads all entries at or above the oldest transaction that
 * was still open at its last read, and skips those already delivered. Records of entities without an entry in
 * `lostVisibility` become invisible only when the viewer's permissions change.
 * @param byPermissions entities that all viewers with equal permissions see alike, so that a change is authorised once for
 * all of them, and the fields that decide visibility: while none of those has changed, no viewer has lost visibility of
 * the record
 * @param dependents by entity, which other records change with its records
 */
export function createLiveEvents(
  db: Db,
  eventBus: EventBus,
  log: Log,
  visibility: Record<string, Visibility>,
  lostVisibility: Record<string, FindLostVisibility>,
  byPermissions: Record<string, readonly string[]> = {},
  dependents: Record<string, Dependent> = {},
) {
  const listeners = new Set<Listener>();
  const delivered = new Map<string, bigint>();
  let recent: { at: number; change: Change }[] = [];
  /** When the newest change was delivered that is no longer among `recent`, although it may be requested. */
  let droppedAt = -Infinity;
  let horizon: string | undefined;
  /** The transactions that were visible to the last read. */
  let lastSnapshot: string | undefined;
  let announcement: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let pollAgain = false;
  let restedAt = 0;
  let restTimer: NodeJS.Timeout | undefined;

  const poll = (): void => {
    if (polling) {
      pollAgain = true;
      return;
    }
    const begun = performance.now();
    if (begun < restedAt) {
      restTimer ??= setTimeout(() => {
        restTimer = undefined;
        poll();
      }, restedAt - begun);
      return;
    }
    polling = readNew()
      .catch((error: Error) => log.warn({ reason: error.message }, 'live events are late'))
      .finally(() => {
        polling = undefined;
        const ended = performance.now();
        const pause = REST_TIMES * (ended - begun);
        restedAt = ended + Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, pause));
        if (pollAgain) {
          pollAgain = false;
          poll();
        }
      });
  };

  async function readNew(): Promise<void> {
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
    // No listener has missed events from before the first read.
    if (horizon !== undefined && fresh.length > 0) await deliver(await withDependents(fresh.map(toChange)));
    for (const row of rows) delivered.set(String(row.id), BigInt(row.xid));
    horizon = snapshot!.xmin;
    lastSnapshot = snapshot!.visible;
    for (const [id, xid] of delivered) if (xid < BigInt(horizon)) delivered.delete(id);
  }

  /** Returns these changes, followed by those of the records that depend on theirs. */
  async function withDependents(changes: Change[]): Promise<Change[]> {
    const all = [...changes];
    for (const [changed, { entity, visibility: part, of }] of Object.entries(dependents)) {
      const events = changes.flatMap(({ event }) => (event.entity === changed ? event : []));
      const own = new Map(events.map((event) => [event.recordId, event]));
      if (own.size === 0) continue;
      const found = new Map((await of([...own.keys()])).map((one) => [one.recordId, one.changedId]));
      for (const [recordId, changedId] of found) {
        const { id } = own.get(changedId)!;
        const event = { id, entity, recordId, action: 'updated', version: null } as const;
        all.push({ event, past: null, visibility: part });
      }
    }
    return all;
  }

  async function deliver(changes: Change[]): Promise<void> {
    const at = performance.now();
    const known = [...recent, ...changes.map((change) => ({ at, change }))].filter(
      (one) => one.at > at - RECENT_MS,
    );
    recent = known.slice(-RECENT_COUNT);
    droppedAt = known.at(-RECENT_COUNT - 1)?.at ?? droppedAt;
    // Sessions that are due for a read are read in few statements: one by one they would take longer than everything else.
    await Promise.all([...listeners].map((listener) => listener.viewer().catch(() => undefined)));
    const delivery = createDelivery(changes);
    const left = listeners.values();
    const serveNext = async (): Promise<void> => {
      for (const listener of left) await serve(listener, delivery);
    };
    await Promise.all(Array.from({ length: CONCURRENT_LISTENERS }, serveNext));
  }

  function createDelivery(changes: Change[]): Delivery {
    const parts = [...Map.groupBy(changes, ({ visibility: part }) => part)];
    const [shared, others] = [true, false].map((is) =>
      parts.filter(([part]) => part in byPermissions === is),
    );
    return { changes, shared: shared!, others: others!, visibleIds: new Map(), sharedEvents: new Map() };
  }

  /** Never throws: a listener that cannot be served is ended, so that the others are served. */
  async function serve(listener: Listener, delivery: Delivery): Promise<void> {
    try {
      const events = await visibleEvents(await listener.viewer(), delivery);
      if (events.length > 0) listener.deliver(events);
    } catch (error) {
      listeners.delete(listener);
      listener.end(error);
    }
  }

  async function visibleEvents(viewer: Viewer, delivery: Delivery): Promise<readonly LiveEvent[]> {
    const { changes, others, sharedEvents } = delivery;
    const shared = await cachedOrFind(sharedEvents, permissionsDigestOf(viewer), async () => {
      const events = await authorise(viewer, delivery.shared, delivery);
      return { events, list: inOrder(changes, events) };
    });
    if (others.length === 0) return shared.list;
    return inOrder(changes, new Map([...shared.events, ...(await authorise(viewer, others, delivery))]));
  }

  /** Returns the events that a viewer receives for these parts of the changes. */
  async function authorise(
    viewer: Viewer,
    parts: Delivery['shared'],
    { visibleIds }: Delivery,
  ): Promise<EventsByChange> {
    const events: EventsByChange = new Map();
    for (const [entity, own] of parts) {
      const visible = await visibilityOf(entity, own, visibleIds)?.(viewer);
      const unseen = new Map<HiddenChange, Change>();
      for (const change of own) {
        const { event, past } = change;
        if (visible?.has(event.recordId)) events.set(change, event);
        else if (past) unseen.set({ recordId: event.recordId, past }, change);
      }
      const left = mayHaveLostVisibility(entity, [...unseen.keys()]);
      const lost = left.length > 0 ? await lostVisibility[entity]?.(viewer, left) : undefined;
      for (const one of lost ?? []) {
        const change = unseen.get(one)!;
        events.set(change, { ...change.event, action: 'deleted', version: null });
      }
    }
    return events;
  }

  /** Returns the visibility check for the records of these changes, which are all of one entity. */
  function visibilityOf(
    entity: string,
    own: Change[],
    visibleIds: Delivery['visibleIds'],
  ): VisibleIds | undefined {
    if (!visibleIds.has(entity) && visibility[entity]) {
      const ids = new Set(own.map(({ event }) => event.recordId));
      visibleIds.set(entity, visibility[entity]([...ids]));
    }
    return visibleIds.get(entity);
  }

  /** Removes the changes of records that were invisible before the change already. */
  function mayHaveLostVisibility(entity: string, unseen: HiddenChange[]): HiddenChange[] {
    const fields = byPermissions[entity];
    if (!fields) return unseen;
    const moved = new Set(
      unseen.flatMap(({ recordId, past }) =>
        fields.some((field) => Object.hasOwn(past.before, field)) ? recordId : [],
      ),
    );
    return unseen.filter(({ recordId }) => moved.has(recordId));
  }

  eventBus.on('events', poll);
  eventBus.on('resumed', poll);
  const timer = setInterval(poll, POLL_MS);
  poll();

  return {
    /** Called after each commit: notifies all instances soon, together with other commits of that time. */
    announce(): void {
      announcement ??= setTimeout(() => {
        announcement = undefined;
        eventBus
          .send(db, 'events', '0')
          .catch((error: Error) => log.warn({ reason: error.message }, 'announcement'));
      }, ANNOUNCE_MS);
    },
    /** Delivers an event that has no audit entry to its viewers on this instance. */
    publish(event: LiveEvent): void {
      deliver([{ event, past: null, visibility: event.entity }]).catch((error: Error) =>
        log.warn({ reason: error.message }, 'live event'),
      );
    },
    /**
     * Delivers visible events to a viewer until the returned function is called; with `withRecent` first those of the
     * last 10 s, some of which the client may have already. If these were too many to keep, it is ended.
     */
    listen(listener: Listener, { withRecent = false } = {}): () => void {
      listeners.add(listener);
      const since = performance.now() - RECENT_MS;
      if (withRecent && droppedAt > since) {
        // Later: the caller does not have the returned function yet.
        queueMicrotask(() => listener.end(undefined));
        return () => listeners.delete(listener);
      }
      const missed = withRecent ? recent.filter(({ at }) => at > since) : [];
      if (missed.length > 0) void serve(listener, createDelivery(missed.map(({ change }) => change)));
      return () => listeners.delete(listener);
    },
    stop(): void {
      clearInterval(timer);
      clearTimeout(announcement);
      clearTimeout(restTimer);
    },
  };
}

/** Returns the result cached under this key. A failed computation is repeated by the next caller. */
async function cachedOrFind<T>(
  cache: Map<string, Promise<T>>,
  key: string,
  find: () => Promise<T>,
): Promise<T> {
  for (let known = cache.get(key); known; known = cache.get(key)) {
    const result = await known.catch(() => undefined);
    if (result) return result;
  }
  const found = find();
  cache.set(key, found);
  return found.catch((error: unknown) => {
    cache.delete(key);
    throw error;
  });
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
    past: row.before ? { before: row.before as Past['before'] } : null,
    visibility: row.entity,
  };
}
