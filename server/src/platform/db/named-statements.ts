import { hash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import type { ConnectionSlots } from './connection-slots.ts';

/** The most prepared statements of one connection; further statements are sent unnamed. */
const MAX_STATEMENTS = 400;

/**
 * A comment in statements that are not prepared: users determine their text, so that the number of texts is not
 * limited.
 */
export const NOT_PREPARED = '/* not prepared */';

/** Statement names by text; undefined for a text that is not prepared. */
const names = new Map<string, string | undefined>();

/**
 * Only reads and writes are prepared; `begin` and similar are not. A statement with a pattern is planned each time: a
 * generic plan would scan the whole table for a rare pattern.
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

/** From this many values on, planning a statement costs little beside executing it. */
const MANY_VALUES = 500;

/**
 * A statement with an array of many values is planned each time: a generic plan of another call may scan a table, which
 * was empty then, for each of them.
 */
const hasManyValues = (values: readonly unknown[]) =>
  values.some((value) => Array.isArray(value) && value.length >= MANY_VALUES);

/** `processID` is not part of the types: https://github.com/brianc/node-postgres/issues/1128 */
type Client = pg.PoolClient & { processID: number };

/**
 * A pool for Kysely that names each statement by a hash of its text, so that PostgreSQL parses and plans it once for
 * each connection. Kysely sends no names itself (1.5 times slower, measured on the deal list).
 * @param slots limit the connections in use; the pool has as many as they ever allow
 */
export function namedStatements(pool: pg.Pool, slots: ConnectionSlots): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      await slots.acquire();
      try {
        return new NamingClient((await pool.connect()) as Client, slots);
      } catch (error) {
        slots.release();
        throw error;
      }
    },
    async end() {
      slots.close();
      await pool.end();
    },
  };
}

class NamingClient implements PostgresPoolClient {
  readonly #client: Client;
  readonly #slots: ConnectionSlots;

  constructor(client: Client, slots: ConnectionSlots) {
    this.#client = client;
    this.#slots = slots;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('Cursors are not used');
    const name = hasManyValues(values) ? undefined : nameOf(text);
    return this.#slots.run(this.#client.processID, text, () =>
      this.#client.query({ text, values: [...values], ...(name && { name }) }),
    );
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
    this.#slots.release();
  }
}
