import { hash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { isOutdatedPlan, isReadOnlyError } from './connection-errors.ts';
import type { ConnectionSlots } from './connection-slots.ts';
import type { StallError, StallWatch } from './stalls.ts';

/** Maximum prepared statements per connection; further ones are sent unnamed. */
const MAX_STATEMENTS = 400;

/** Marks statements that are not prepared: users determine their text, so there is no limit to the number of texts. */
export const NOT_PREPARED = '/* not prepared */';

/** Statement names by text; undefined for texts that are not prepared. */
const names = new Map<string, string | undefined>();

/**
 * Only reads and writes are prepared. A statement with a pattern is planned each time: a generic plan would scan the
 * whole table for a rare pattern.
 */
const isStatement = (text: string) =>
  /^\s*(select|insert|update|delete|with)\b/i.test(text) && !/ like \$/.test(text);

const nameOf = (text: string): string | undefined => {
  if (text.includes(NOT_PREPARED)) return undefined;
  if (names.has(text) || names.size >= MAX_STATEMENTS) return names.get(text);
  const name = isStatement(text) ? `q${hash('sha256', text, 'base64url').slice(0, 20)}` : undefined;
  names.set(text, name);
  return name;
};

const IN_FAILED_TRANSACTION = '25P02';

/** From this number of values on, planning costs little compared with execution. */
const MANY_VALUES = 500;

/** Planned each time: a generic plan made for an empty table may scan the table for each value of an array. */
const hasManyValues = (values: readonly unknown[]) =>
  values.some((value) => Array.isArray(value) && value.length >= MANY_VALUES);

/** The types lack `processID`: https://github.com/brianc/node-postgres/issues/1128 */
type Client = pg.PoolClient & { processID: number };

/**
 * A pool for Kysely that names each statement by a hash of its text, so that PostgreSQL parses and plans it once per
 * connection. Kysely sends no names (1.5 times slower, measured on the deal list).
 * @param slots limit the connections in use; the pool has as many as they permit
 * @param hasNames false behind a pooler that gives one client the prepared statements of another
 */
export function namedStatements(
  pool: pg.Pool,
  slots: ConnectionSlots,
  stalls: StallWatch,
  hasNames = true,
): PostgresPool {
  /**
   * Connections that must not be used again: they were open when the server became read-only, because another server
   * may be the primary now, or when a newer release changed the result of a prepared statement.
   */
  let outdated = new WeakSet<Client>();
  const open = new Set<Client>();
  pool.on('connect', (client) => void open.add(client as Client));
  pool.on('remove', (client) => void open.delete(client as Client));
  const onOutdated = (): void => {
    outdated = new WeakSet(open);
  };
  async function connect(): Promise<Client> {
    for (;;) {
      const client = (await pool.connect()) as Client;
      if (!outdated.has(client)) return client;
      client.release(true);
    }
  }
  return {
    options: pool.options,
    async connect() {
      await slots.acquire();
      try {
        return new NamingClient(await connect(), { slots, stalls, hasNames, onOutdated });
      } catch (error) {
        slots.release();
        throw error;
      }
    },
    async end() {
      slots.close();
      stalls.close();
      await pool.end();
    },
  };
}

type Parts = { slots: ConnectionSlots; stalls: StallWatch; hasNames: boolean; onOutdated: () => void };

class NamingClient implements PostgresPoolClient {
  readonly #client: Client;
  readonly #parts: Parts;
  /** Why the connection must not be used again. */
  #failure: Error | undefined;

  constructor(client: Client, parts: Parts) {
    this.#client = client;
    this.#parts = parts;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('Cursors are not used');
    return this.#run(text, values);
  }

  async #run(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    // Throws the original failure for the rollback after it too.
    if (this.#failure && !this.#client.connection.stream.writable) throw this.#failure;
    const { slots, stalls, hasNames, onOutdated } = this.#parts;
    const name = !hasNames || hasManyValues(values) ? undefined : nameOf(text);
    const pid = this.#client.processID;
    const destroy = (error: StallError): void => {
      this.#failure = error;
      this.#client.connection.stream.destroy(error);
    };
    const send = (as?: string): Promise<pg.QueryResult> =>
      slots.run(pid, text, () =>
        stalls.run({ text, destroy }, () =>
          this.#client.query({ text, values: [...values], ...(as && { name: as }) }),
        ),
      );
    try {
      return await send(name);
    } catch (error) {
      if (!isReadOnlyError(error) && !isOutdatedPlan(error)) throw error;
      this.#failure = error as Error;
      onOutdated();
      if (isReadOnlyError(error)) throw error;
      // Nothing of it was executed. A transaction has failed as a whole, and is repeated by `inTransaction`.
      return send().catch((again: { code?: string }) => {
        throw again.code === IN_FAILED_TRANSACTION ? error : again;
      });
    }
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy || this.#failure !== undefined);
    this.#parts.slots.release();
  }
}
