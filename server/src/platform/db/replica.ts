import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { isConnectionError } from './connection-errors.ts';
import { openDatabase, type Database, type Db, type Tx } from './database.ts';
import { transactionOf, withClient } from './dedicated-client.ts';
import { assertDirect } from './pooler.ts';

/**
 * Runs reads on the replica if it has all that was committed before, and otherwise on the primary. `work` may run a second
 * time, on the primary, if the replica fails. It uses no cache: a value read here may be older than its invalidation.
 */
export type Read = <R>(work: (db: Db) => Promise<R>) => Promise<R>;

/** Connections for reads. While all are in use, the primary serves further reads. */
const SIZE = 10;

/** Times in milliseconds. */
const TIMES = {
  /** A read waits this long for the replica to replay what the primary has committed. */
  lagMs: 500,
  /** The same, with the time of a new connection and of a server that does not respond. */
  responseMs: 1000,
  /** The interval of attempts to use a replica that is left out. */
  retryMs: 5000,
};
/** The timeout of such an attempt, once it has connected. */
const ATTEMPT_MS = 5000;
const POLL_MS = 5;

const NO_REPLICA =
  'DATABASE_REPLICA_URL leads to a primary: name a replica of DATABASE_URL, or leave it out.';
const OTHER_DATABASE =
  'DATABASE_REPLICA_URL leads to another database than DATABASE_URL: name a replica of that one.';
const POOLER = 'DATABASE_REPLICA_URL leads to a pooler: name PostgreSQL itself.';

/** The replica has not replayed this many bytes of the log. */
class LagError extends Error {
  readonly lagBytes: number;
  constructor(lagBytes: number) {
    super('it is behind the primary');
    this.lagBytes = lagBytes;
  }
}

/** A database, and the place in its log that all commits have reached which were acknowledged. */
type Position = { system: string; database: string; timeline: string; lsn: string };

async function readPosition(primary: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select system_identifier::text as system, current_database()::text as database,
      left(pg_walfile_name(flushed), 8) as timeline, flushed::text as lsn
    from pg_control_system(), pg_current_wal_flush_lsn() as flushed`.execute(primary);
  return rows[0]!;
}

/**
 * Returns how many bytes of the log before a position the replica has not replayed. Throws a `StartError` for a server
 * that is no replica of that database. A former primary has the numbers of its own lost transactions: its timeline is
 * another one.
 */
async function readLag(replica: Db | Tx, { system, database, timeline, lsn }: Position): Promise<number> {
  const { rows } = await sql<{ isReplica: boolean; isSame: boolean; timeline: string; lag: number | null }>`
    select pg_is_in_recovery() as "isReplica",
      system_identifier::text = ${system} and current_database()::text = ${database} as "isSame",
      upper(lpad(to_hex(greatest(timeline_id, min_recovery_end_timeline)), 8, '0')) as timeline,
      pg_wal_lsn_diff(${lsn}::pg_lsn, pg_last_wal_replay_lsn()) as lag
    from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`.execute(replica);
  const state = rows[0]!;
  if (!state.isReplica) throw new StartError(NO_REPLICA);
  if (!state.isSame) throw new StartError(OTHER_DATABASE);
  if (state.timeline !== timeline)
    throw new Error(`its timeline is ${state.timeline}, that of the primary is ${timeline}`);
  return Math.max(0, state.lag ?? Infinity);
}

/** Whether a read failed because of its server. A statement that took too long would do so on the primary too. */
const isInterrupted = (error: Error & { code?: string }): boolean =>
  isConnectionError(error) && error.code !== '57014';

/** Whether replaying the log ended a read, for example because rows that it may read were removed: others continue. */
const isReplayConflict = (error: unknown): boolean => (error as { code?: string }).code === '40001';

export type Replica = {
  read: Read;
  /** Returns whether reads use the replica, and how far it is behind if that is known. */
  measure(): Promise<{ isInUse: boolean; lagBytes: number | undefined }>;
  close(): Promise<void>;
};

/**
 * Opens a replica for reads (docs/scaling.md, Replicas). While it is behind, fails or is not reached, it is left out: the
 * primary serves the reads, and attempts to use it again continue. Throws a `StartError` if it is a primary, a pooler or
 * another database.
 */
export async function openReplica(
  url: string,
  primary: Db,
  log: Log,
  times: Partial<typeof TIMES> = {},
): Promise<Replica> {
  const { lagMs, responseMs, retryMs } = { ...TIMES, ...times };
  const connection = { connectionString: url, isReplica: true } as const;
  let inUse: Database | undefined;
  let running = 0;
  let lagBytes: number | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  /** Waits until the replica has replayed the log up to a position. Throws a `LagError` if that takes too long. */
  async function catchUp(replica: Db | Tx, position: Position): Promise<void> {
    const until = performance.now() + lagMs;
    let lag = await readLag(replica, position);
    lagBytes = lag;
    while (lag > 0) {
      if (performance.now() > until) throw new LagError(lag);
      await pause(POLL_MS);
      lag = await readLag(replica, position);
    }
  }

  /** Compares the replica with the primary, on a connection of its own. Returns why it cannot be used. */
  const findFault = (): Promise<Error | undefined> =>
    withClient(
      connection,
      async (client) => {
        await assertDirect(client, POOLER);
        await catchUp(transactionOf(client), await readPosition(primary));
        return undefined;
      },
      { signal: AbortSignal.timeout(ATTEMPT_MS) },
    ).catch((error: Error) => {
      lagBytes = error instanceof LagError ? error.lagBytes : undefined;
      return error.message.includes('unsupported startup parameter') ? new StartError(POOLER) : error;
    });

  function logLeftOut(error: Error & { code?: string }): void {
    log.warn(
      { reason: error.message || error.code, ...(error instanceof LagError && { lagBytes: error.lagBytes }) },
      'replica left out: the primary serves its reads',
    );
  }

  function use(): void {
    inUse = openDatabase(connection, log.child({ server: 'replica' }), SIZE);
  }

  function retryLater(): void {
    timer = setTimeout(() => {
      void findFault().then((fault) => {
        if (isClosed) return;
        if (fault) return retryLater();
        use();
        log.info('replica used again');
      });
    }, retryMs);
    timer.unref();
  }

  function leaveOut(opened: Database, error: Error): void {
    // Several reads may have failed.
    if (inUse !== opened) return;
    inUse = undefined;
    logLeftOut(error);
    // Reads that run continue, and the next attempt may reach another server.
    void opened.close().catch(() => {});
    retryLater();
  }

  /** Runs `work` on one connection, because an address may lead to several servers, once that server has a position. */
  async function readFrom<R>(opened: Database, position: Position, work: (db: Db) => Promise<R>): Promise<R> {
    const late = Promise.withResolvers<never>();
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      late.reject(new Error('it does not respond'));
    }, responseMs);
    const reading = opened.db.connection().execute(async (replica) => {
      await catchUp(replica, position);
      clearTimeout(limit);
      if (isLate) throw new Error('the primary has served this read');
      return work(replica);
    });
    try {
      return await Promise.race([reading, late.promise]);
    } finally {
      clearTimeout(limit);
    }
  }

  /** Returns the result of a read of the replica; undefined if the primary must serve it. */
  async function attempt<R>(
    opened: Database,
    work: (db: Db) => Promise<R>,
  ): Promise<{ result: R } | undefined> {
    let hasBegun = false;
    running += 1;
    try {
      const position = await readPosition(primary).catch(() => undefined);
      if (!position) return undefined;
      const result = await readFrom(opened, position, (db) => {
        hasBegun = true;
        return work(db);
      });
      return { result };
    } catch (error) {
      if (hasBegun && !isInterrupted(error as Error)) throw error;
      if (!isReplayConflict(error)) leaveOut(opened, error as Error);
      return undefined;
    } finally {
      running -= 1;
    }
  }

  const read: Read = async (work) => {
    const served = inUse && running < SIZE ? await attempt(inUse, work) : undefined;
    return served ? served.result : work(primary);
  };

  const fault = await findFault();
  if (fault instanceof StartError) throw fault;
  if (fault) {
    logLeftOut(fault);
    retryLater();
  } else use();

  return {
    read,
    async measure() {
      await read(async () => undefined);
      return { isInUse: inUse !== undefined, lagBytes };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await inUse?.close();
    },
  };
}
