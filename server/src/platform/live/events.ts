import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Viewer } from '../http/context.ts';
import type { Log } from '../log.ts';
import type { Notices } from './notices.ts';

/** An instance announces all that it committed in this time with one NOTIFY. */
const ANNOUNCE_MS = 20;
/** Each instance looks for events whose announcement it missed this often. */
const LOOK_MS = 1000;

/** Of records of one entity, those that a viewer may see. A deleted record counts as it last was. */
export type Visibility = (viewer: Viewer, recordIds: string[]) => Promise<Set<string>>;

/** What the audit knows of a record as it was until a change. */
type Past = {
  /** The changed fields, or all, as they were. */
  before: Record<string, unknown>;
  creatorId: string | null;
};

/**
 * Whether a viewer saw a record until this change, of one that they do not see now: then they are told that it
 * is gone (product.md section 3). Judged by the audit entry, not by what a stream has announced: most rows on a
 * screen were loaded. Telling of all that is out of sight would tell of other people's work (security.md X10).
 */
type Departure = (viewer: Viewer, past: Past) => boolean;

type Listener = {
  /** Who listens, with the rights of now. Throws when they may no longer. */
  viewer(): Promise<Viewer>;
  deliver(events: LiveEvent[]): void;
  /** What happened could not be delivered: the listener must come again and load anew. */
  end(error: unknown): void;
};

/** Without a past where nothing was before, as with a new record. */
type Change = { event: LiveEvent; past: Past | null };

export type LiveEvents = ReturnType<typeof createLiveEvents>;

/**
 * Live events are audit entries read again: no transaction writes anything more for them. Ids are given before
 * their transactions commit, so a reader goes by transaction: it reads all entries at or above the oldest
 * transaction that was still open at its last look, and skips those it has delivered. Entities without a
 * departure leave nobody's sight but with that person's rights.
 */
export function createLiveEvents(
  db: Db,
  notices: Notices,
  log: Log,
  visibility: Record<string, Visibility>,
  departures: Record<string, Departure>,
) {
  const listeners = new Set<Listener>();
  const delivered = new Map<string, bigint>();
  let horizon: string | undefined;
  let announcement: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  const look = (): void => {
    if (looking) {
      lookAgain = true;
      return;
    }
    looking = readNew()
      .catch((error: Error) => log.warn({ reason: error.message }, 'live events are late'))
      .finally(() => {
        looking = undefined;
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
      .select((eb) => [
        'id',
        'xid',
        'entity',
        'record_id',
        'action',
        'version',
        'before',
        eb
          .selectFrom('audit_entries as first')
          .whereRef('first.record_id', '=', 'audit_entries.record_id')
          .orderBy('first.id')
          .limit(1)
          .select('first.actor_id')
          .as('creator_id'),
      ])
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

  /** Never throws: whom it cannot reach, it ends, and goes on with the others. */
  async function deliver(changes: Change[]): Promise<void> {
    for (const listener of listeners) {
      try {
        const events = await asSeenBy(await listener.viewer(), changes);
        if (events.length > 0) listener.deliver(events);
      } catch (error) {
        listeners.delete(listener);
        listener.end(error);
      }
    }
  }

  async function asSeenBy(viewer: Viewer, changes: Change[]): Promise<LiveEvent[]> {
    const visible = new Map<string, Set<string> | undefined>();
    for (const [entity, own] of Map.groupBy(changes, ({ event }) => event.entity)) {
      const ids = new Set(own.map(({ event }) => event.recordId));
      visible.set(entity, await visibility[entity]?.(viewer, [...ids]));
    }
    return changes.flatMap(({ event, past }): LiveEvent[] => {
      if (visible.get(event.entity)?.has(event.recordId)) return [event];
      const isGone = past && departures[event.entity]?.(viewer, past);
      return isGone ? [{ ...event, action: 'deleted', version: null }] : [];
    });
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
    /** Delivers to a viewer what they may see, until the returned function is called. */
    listen(listener: Listener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop(): void {
      clearInterval(timer);
      clearTimeout(announcement);
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
  creator_id: string | null;
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
    past: row.before ? { before: row.before as Past['before'], creatorId: row.creator_id } : null,
  };
}
