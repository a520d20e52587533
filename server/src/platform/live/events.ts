import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import { rightsOf } from '../http/rights.ts';
import type { Log } from '../log.ts';
import type { Notices } from './notices.ts';

/** An instance announces all that it committed in this time with one NOTIFY. */
const ANNOUNCE_MS = 20;
/** Each instance looks for events whose announcement it missed this often. */
const LOOK_MS = 1000;
/**
 * After a look there is none for a while: for so many times as long as it took, within these bounds. What is committed
 * meanwhile is read and judged together, so that many changes for many people do not take all of the machine.
 */
const REST_TIMES = 2;
const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 250;
/** What a page has loaded before it connects may be as old as this: it can ask for the events of that time. */
export const RECENT_MS = 10_000;
const RECENT_COUNT = 1000;

/** So many listeners are told at once: more would keep the connections of the pool from requests, fewer wait for each other. */
const TOLD_AT_ONCE = 4;

/**
 * Of records of one entity, those that a viewer may see. Asked once for records that changed together and then for each
 * viewer, so that what is the same for all of them is read once.
 */
type Visibility = (recordIds: string[]) => SeenBy;
type SeenBy = (viewer: Viewer) => Promise<Set<string>>;

/** What the audit knows of a record as it was until a change. */
type Past = {
  /** The changed fields, or all, as they were. */
  before: Record<string, unknown>;
};

/** A change of a record that somebody does not see now. */
export type UnseenChange = { recordId: string; past: Past };

/**
 * Of changes of records that a viewer does not see now, those until which they saw them: they are told that these
 * are gone (product.md section 3). Judged by the audit entry, not by what a stream has announced: most rows on a
 * screen were loaded. Telling of all that is out of sight would tell of other people's work (security.md X10).
 */
type Departures = (viewer: Viewer, changes: UnseenChange[]) => Promise<UnseenChange[]>;

type Listener = {
  /** Who listens, with the rights of now. Throws when they may no longer. */
  viewer(): Promise<Viewer>;
  deliver(events: LiveEvent[]): void;
  /** What happened could not be delivered: the listener must come again and load anew. */
  end(error: unknown): void;
};

/** Without a past where nothing was before, as with a new record. */
type Change = { event: LiveEvent; past: Past | null };

/** What somebody is told of each change, where they are told anything. */
type Told = Map<Change, LiveEvent>;
/** What is known of changes that happened together: by entity who sees their records, by entity and rights what is told. */
type Judged = { seenBy: Map<string, SeenBy>; told: Map<string, Promise<Told>> };
const nothingJudged = (): Judged => ({ seenBy: new Map(), told: new Map() });

export type LiveEvents = ReturnType<typeof createLiveEvents>;

/**
 * Live events are audit entries read again: no transaction writes anything more for them. Ids are given before
 * their transactions commit, so a reader goes by transaction: it reads all entries at or above the oldest
 * transaction that was still open at its last look, and skips those it has delivered. Entities without a
 * departure leave nobody's sight but with that person's rights.
 * @param byRights entities that everybody with the same rights sees alike, so that a change is judged once for all of them,
 * and the fields that decide it: while none of those has changed, nobody has lost sight of the record
 */
export function createLiveEvents(
  db: Db,
  notices: Notices,
  log: Log,
  visibility: Record<string, Visibility>,
  departures: Record<string, Departures>,
  byRights: Record<string, readonly string[]> = {},
) {
  const listeners = new Set<Listener>();
  const delivered = new Map<string, bigint>();
  let recent: { at: number; change: Change }[] = [];
  let horizon: string | undefined;
  let announcement: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let restedAt = 0;
  let rest: NodeJS.Timeout | undefined;

  const look = (): void => {
    if (looking) {
      lookAgain = true;
      return;
    }
    const begun = performance.now();
    if (begun < restedAt) {
      rest ??= setTimeout(() => {
        rest = undefined;
        look();
      }, restedAt - begun);
      return;
    }
    looking = readNew()
      .catch((error: Error) => log.warn({ reason: error.message }, 'live events are late'))
      .finally(() => {
        looking = undefined;
        const ended = performance.now();
        const asked = REST_TIMES * (ended - begun);
        restedAt = ended + Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, asked));
        if (lookAgain) {
          lookAgain = false;
          look();
        }
      });
  };

  async function readNew(): Promise<void> {
    const {
      rows: [snapshot],
    } = await sql<{ xmin: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`.execute(db);
    const from = horizon ?? snapshot!.xmin;
    const rows = await db
      .selectFrom('audit_entries')
      .select(['id', 'xid', 'entity', 'record_id', 'action', 'version', 'before'])
      .where('xid', '>=', sql<string>`${from}::xid8`)
      .where('record_id', 'is not', null)
      .orderBy('id')
      .execute();
    const fresh = rows.filter((row) => !delivered.has(String(row.id)));
    // At the first look nobody can have missed these.
    if (horizon !== undefined && fresh.length > 0) await deliver(fresh.map(toChange));
    for (const row of rows) delivered.set(String(row.id), BigInt(row.xid));
    horizon = snapshot!.xmin;
    for (const [id, xid] of delivered) if (xid < BigInt(horizon)) delivered.delete(id);
  }

  async function deliver(changes: Change[]): Promise<void> {
    const at = performance.now();
    recent = [...recent, ...changes.map((change) => ({ at, change }))]
      .filter((known) => known.at > at - RECENT_MS)
      .slice(-RECENT_COUNT);
    // Whom it is time to read anew is read with few statements: one by one they would take longer than all else.
    await Promise.all([...listeners].map((listener) => listener.viewer().catch(() => undefined)));
    const judged = nothingJudged();
    const left = listeners.values();
    const tellTheNext = async (): Promise<void> => {
      for (const listener of left) await tell(listener, changes, judged);
    };
    await Promise.all(Array.from({ length: TOLD_AT_ONCE }, tellTheNext));
  }

  /** Never throws: whom it cannot reach, it ends, so that the others are reached. */
  async function tell(listener: Listener, changes: Change[], judged = nothingJudged()): Promise<void> {
    try {
      const events = await asSeenBy(await listener.viewer(), changes, judged);
      if (events.length > 0) listener.deliver(events);
    } catch (error) {
      listeners.delete(listener);
      listener.end(error);
    }
  }

  async function asSeenBy(viewer: Viewer, changes: Change[], judged: Judged): Promise<LiveEvent[]> {
    const told: Told = new Map();
    for (const [entity, own] of Map.groupBy(changes, ({ event }) => event.entity)) {
      const found =
        entity in byRights
          ? await once(judged.told, `${entity} ${rightsOf(viewer)}`, () => judge(viewer, entity, own, judged))
          : await judge(viewer, entity, own, judged);
      for (const [change, event] of found) told.set(change, event);
    }
    // In the order in which it happened.
    return changes.flatMap((change) => told.get(change) ?? []);
  }

  /** Of changes of one entity, what a viewer is told. */
  async function judge(viewer: Viewer, entity: string, own: Change[], judged: Judged): Promise<Told> {
    const told: Told = new Map();
    const visible = await whoSees(entity, own, judged)?.(viewer);
    const unseen = new Map<UnseenChange, Change>();
    for (const change of own) {
      const { event, past } = change;
      if (visible?.has(event.recordId)) told.set(change, event);
      else if (past) unseen.set({ recordId: event.recordId, past }, change);
    }
    const left = mayHaveLeft(entity, [...unseen.keys()]);
    const gone = left.length > 0 ? await departures[entity]?.(viewer, left) : undefined;
    for (const one of gone ?? []) {
      const change = unseen.get(one)!;
      told.set(change, { ...change.event, action: 'deleted', version: null });
    }
    return told;
  }

  /** Who sees the records of these changes, which are all of their entity. */
  function whoSees(entity: string, own: Change[], { seenBy }: Judged): SeenBy | undefined {
    if (!seenBy.has(entity) && visibility[entity]) {
      const ids = new Set(own.map(({ event }) => event.recordId));
      seenBy.set(entity, visibility[entity]([...ids]));
    }
    return seenBy.get(entity);
  }

  /** Without the changes of records that were out of sight before already. */
  function mayHaveLeft(entity: string, unseen: UnseenChange[]): UnseenChange[] {
    const fields = byRights[entity];
    if (!fields) return unseen;
    const moved = new Set(
      unseen.flatMap(({ recordId, past }) =>
        fields.some((field) => Object.hasOwn(past.before, field)) ? recordId : [],
      ),
    );
    return unseen.filter(({ recordId }) => moved.has(recordId));
  }

  notices.on('events', look);
  notices.on('resumed', look);
  const timer = setInterval(look, LOOK_MS);
  look();

  return {
    /** Called after each commit: tells all instances soon, together with whatever else commits by then. */
    announce(): void {
      announcement ??= setTimeout(() => {
        announcement = undefined;
        notices
          .send(db, 'events', '0')
          .catch((error: Error) => log.warn({ reason: error.message }, 'announcement'));
      }, ANNOUNCE_MS);
    },
    /**
     * Delivers to a viewer what they may see, until the returned function is called; with `withRecent` first what
     * happened in the last 10 s, some of which they may know already.
     */
    listen(listener: Listener, { withRecent = false } = {}): () => void {
      listeners.add(listener);
      const since = performance.now() - RECENT_MS;
      const missed = withRecent ? recent.filter(({ at }) => at > since) : [];
      if (missed.length > 0)
        void tell(
          listener,
          missed.map(({ change }) => change),
        );
      return () => listeners.delete(listener);
    },
    stop(): void {
      clearInterval(timer);
      clearTimeout(announcement);
      clearTimeout(rest);
    },
  };
}

/** What was found out under this key, by whoever was first. What failed for them is tried again by the next. */
async function once(judged: Judged['told'], key: string, find: () => Promise<Told>): Promise<Told> {
  for (let known = judged.get(key); known; known = judged.get(key)) {
    const told = await known.catch(() => undefined);
    if (told) return told;
  }
  const found = find();
  judged.set(key, found);
  return found.catch((error: unknown) => {
    judged.delete(key);
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
  };
}
