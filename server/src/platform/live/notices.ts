import { sql } from 'kysely';
import pg from 'pg';
import { clientConfig, type Connection, type Db, type Tx } from '../db/database.ts';
import type { Log } from '../log.ts';

/**
 * What instances tell each other: an event number is out; a person's sessions or rights changed; a job went on
 * (`<userId>:<jobId>`); there is something new for a person; everything was replaced by a restore; where
 * people are in Data Entry (see `presence.ts`); settings changed, which others remember.
 */
export type Topic = 'events' | 'revoked' | 'job' | 'notified' | 'restored' | 'presence' | 'settings';

/** The channel of all notices, for whoever sends one on a connection of its own. */
export const CHANNEL = 'forecourt';
const RECONNECT_MS = 500;

export type Notices = {
  /** `resumed` comes whenever listening begins, also again: what was told until then was not heard here. */
  on(topic: Topic | 'resumed', handler: (value: string) => void): void;
  /** Tells every instance, this one among them, as soon as `db`'s transaction commits. */
  send(db: Db | Tx, topic: Topic, value: string): Promise<void>;
  /** False while the listening connection is down: nothing may be believed then that a notice could end. */
  areHeard(): boolean;
  close(): Promise<void>;
};

/**
 * One connection that listens. NOTIFY holds a database-wide lock until its transaction is flushed, so ordinary
 * writes never send: only revocations do, in their own transaction, and the event announcer once in 20 ms.
 */
export function openNotices(connection: Connection, log: Log): Notices {
  const handlers = new Map<string, ((value: string) => void)[]>();
  let client: pg.Client | undefined;
  let heard = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const tell = (payload: string) => {
    const [, topic = '', value = ''] = /^(\S*) ?(.*)$/s.exec(payload)!;
    for (const handler of handlers.get(topic) ?? []) handler(value);
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...clientConfig(connection), statement_timeout: 0 });
    client = next;
    const lost = (reason: string) => {
      if (client !== next || closed) return;
      client = undefined;
      heard = false;
      log.warn({ reason }, 'notices cannot be heard; every request reads its session');
      void next.end().catch(() => {});
      retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    next.on('error', (error) => lost(error.message));
    next.on('end', () => lost('connection ended'));
    next.on('notification', ({ payload = '' }) => tell(payload));
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      heard = true;
      tell('resumed');
    } catch (error) {
      lost((error as Error).message);
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
          : // Alone it writes nothing that would have to reach the disk.
            sql`select set_config('synchronous_commit', 'off', true), ${notify}`
      ).execute(db);
    },
    areHeard: () => heard,
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
