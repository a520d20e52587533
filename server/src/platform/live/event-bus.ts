import { sql } from 'kysely';
import type pg from 'pg';
import { clientConfig, NO_LIMITS, type Connection, type Db, type Tx } from '../db/database.ts';
import { HostsClient } from '../db/hosts-client.ts';
import { CHANNEL } from '../db/schemas.ts';
import type { Log } from '../log.ts';

/** The topics of messages between instances. */
export type Topic =
  /** Transactions have committed live events. */
  | 'events'
  /** The sessions or permissions of a user have changed; the value is the user id. */
  | 'revoked'
  /** Progress of a job: `<userId>:<jobId>`. */
  | 'job'
  /** A job has started or ended: `<jobId>`. */
  | 'job-state'
  /** A user has a new notification; the value is the user id. */
  | 'notified'
  /** An instance starts, and whether others see what it writes; see `shared-folder.ts`. */
  | 'folder-probe'
  | 'folder-response'
  /** A restore has replaced the data. */
  | 'restored'
  /** A newer release has migrated the database. */
  | 'migrated'
  /** Presence in Data Entry; see `presence.ts`. */
  | 'presence'
  /** Cached values have changed. */
  | 'settings'
  | 'custom-fields';

/** The name of the connection of each instance that listens. */
export const MESSAGES = 'forecourt messages';
const RECONNECT_MS = 500;
/** The interval of the heartbeat, and the timeout of its response. */
const HEARTBEAT_MS = 5000;

/**
 * The timeline of the server, which each promotion of a standby changes. Services without files of the log have none;
 * there promotions are not detected.
 */
const TIMELINE = 'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline';

export type EventBus = {
  /**
   * `resumed` is emitted when listening starts or restarts: earlier messages were missed. After it comes `promoted` if
   * a standby has become the primary meanwhile, which may lack the last transactions.
   */
  on(topic: Topic | 'resumed' | 'promoted', handler: (value: string) => void): void;
  /** Publishes to every instance including this one, when the transaction of `db` commits. */
  send(db: Db | Tx, topic: Topic, value: string): Promise<void>;
  /** Calls the handlers of this instance, without a message. */
  emit(topic: Topic): void;
  /** False while the listening connection is down; caches that depend on messages must then not be used. */
  isListening(): boolean;
  close(): Promise<void>;
};

/**
 * Opens a listening connection. NOTIFY holds a database-wide lock until its transaction is flushed, so ordinary writes
 * never notify: only revocations do, in their own transaction, and the event announcer once in 20 ms.
 */
export function openEventBus(connection: Connection, log: Log, heartbeatMs = HEARTBEAT_MS): EventBus {
  const handlers = new Map<string, ((value: string) => void)[]>();
  let client: pg.Client | undefined;
  let isListening = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let lastTimeline: string | undefined;

  const dispatch = (payload: string) => {
    const [, topic = '', value = ''] = /^(\S*) ?(.*)$/s.exec(payload)!;
    for (const handler of handlers.get(topic) ?? []) handler(value);
  };

  async function connect(): Promise<void> {
    const next = new HostsClient({
      ...clientConfig(connection, NO_LIMITS),
      application_name: MESSAGES,
    });
    client = next;
    const onLost = (reason: string) => {
      if (client !== next) return;
      clearTimeout(timer);
      if (closed) return;
      client = undefined;
      isListening = false;
      log.warn({ reason }, 'messages cannot be received; every request reads its session');
      void next.end().catch(() => {});
      timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    /** Detects a server that died without closing the connection, and a standby, which refuses NOTIFY. */
    const listen = async (): Promise<void> => {
      timer = setTimeout(() => onLost('no response from the database'), heartbeatMs);
      await next.query(`listen ${CHANNEL}`);
      if (client !== next || closed) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        listen().catch((error: Error) => onLost(error.message));
      }, heartbeatMs);
    };
    next.on('error', (error) => onLost(error.message));
    next.on('end', () => onLost('connection ended'));
    next.on('notification', ({ payload = '' }) => dispatch(payload));
    try {
      await next.connect();
      await listen();
      const timeline = await next.query<{ timeline: string }>(TIMELINE).then(
        ({ rows }) => rows[0]?.timeline,
        () => undefined,
      );
      if (client !== next) return;
      const isPromoted = lastTimeline !== undefined && timeline !== undefined && timeline !== lastTimeline;
      lastTimeline = timeline ?? lastTimeline;
      isListening = true;
      dispatch('resumed');
      if (isPromoted) dispatch('promoted');
    } catch (error) {
      onLost((error as Error).message);
    }
  }
  void connect();

  return {
    on: (topic, handler) => void handlers.set(topic, [...(handlers.get(topic) ?? []), handler]),
    send: async (db, topic, value) => {
      const notify = sql`pg_notify(${CHANNEL}, ${`${topic} ${value}`})`;
      await (
        db.isTransaction
          ? sql`select ${notify}`
          : // Outside a transaction it writes nothing that must be flushed to disk.
            sql`select set_config('synchronous_commit', 'off', true), ${notify}`
      ).execute(db);
    },
    emit: dispatch,
    isListening: () => isListening,
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
