import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { scopeOf } from '../server/src/features/deals/deals.policy.ts';
import { clientConfig } from '../server/src/platform/db/database.ts';

/** The visibility scope of an administrator: every row. */
export const wholeScope = { ...scopeOf({ role: 'admin' }, ''), timeZone: 'Australia/Sydney' };

/** Starts the limit of one case (limit-server.mjs). Returns its port, its process id and a function that stops it. */
export async function startLimit(limit) {
  const child = fork(join(import.meta.dirname, 'limit-server.mjs'));
  child.send(limit);
  const [{ port }] = await once(child, 'message');
  return { port, pid: child.pid, close: () => child.disconnect() };
}

/** Returns the statements that the product's code sends, with their values, for the limit to run. */
export async function statementsOf({ connection }, work) {
  const sent = [];
  // The code's next statement depends on the results: numbers must be numbers here too.
  const pool = new pg.Pool({ ...clientConfig(connection), max: 1 });
  const db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
  return { statements: sent.map(({ sql }) => sql), values: sent.map(({ parameters }) => parameters) };
}
