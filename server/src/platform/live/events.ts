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

type Listener = { viewer: Viewer; deliver(events: LiveEvent[]): void };

export type LiveEvents = ReturnType<typeof createLiveEvents>;

/**
 * Live events are audit entries read again: no transaction writes anything more for them. Ids are given before
 * their transactions commit, so a reader goes by transaction: it reads all entries at or above the oldest
 * transaction that was still open at its last look, and skips those it has delivered.
 */
export function createLiveEvents(db: Db, notices: Notices, log: Log, visibility: Record<string, Visibility>) {
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
      .select(['id', 'xid', 'entity', 'record_id', 'action', 'version'])
      .where('xid', '>=', sql<string>`${from}::xid8`)
      .where('record_id', 'is not', null)
      .orderBy('id')
      .execute();
    const isFirstLook = horizon === undefined;
    const fresh = rows.filter((row) => !delivered.has(String(row.id)));
    for (const row of rows) delivered.set(String(row.id), BigInt(row.xid));
    horizon = snapshot!.xmin;
    for (const [id, xid] of delivered) if (xid < BigInt(horizon)) delivered.delete(id);
    if (!isFirstLook && fresh.length > 0) await deliver(fresh.flatMap(toEvent));
  }

  async function deliver(events: LiveEvent[]): Promise<void> {
    const byEntity = Map.groupBy(events, (event) => event.entity);
    for (const listener of listeners) {
      const seen = new Set<LiveEvent>();
      for (const [entity, own] of byEntity) {
        const ids = await visibility[entity]?.(listener.viewer, [
          ...new Set(own.map((event) => event.recordId)),
        ]);
        for (const event of own) if (ids?.has(event.recordId)) seen.add(event);
      }
      if (seen.size > 0) listener.deliver(events.filter((event) => seen.has(event)));
    }
  }

  notices.on('events', look);
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

function toEvent(row: {
  id: number;
  entity: string;
  record_id: string | null;
  action: string;
  version: number | null;
}) {
  const verb = row.action.split('.')[1] ?? '';
  const action = verb in ACTIONS ? ACTIONS[verb as keyof typeof ACTIONS] : 'updated';
  return {
    id: String(row.id),
    entity: row.entity as LiveEvent['entity'],
    recordId: row.record_id!,
    action,
    version: row.version,
  } satisfies LiveEvent;
}
