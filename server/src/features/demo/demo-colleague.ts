import type { ResponseBody } from '@forecourt/contract/api';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { people } from './demo-company.ts';
import { isOtherUserActive } from './demo.queries.ts';

/** The interval of the colleague's moves to another cell, in milliseconds. */
const MOVE_MS = 4000;
/** The colleague changes the row after this many moves. */
export const MOVES_PER_CHANGE = 6;

const ADMINISTRATOR = people[1].email;
const CLERK = people[3].email;
const ORIGIN = {
  requestId: 'demo-colleague',
  ip: '127.0.0.1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
};

/** The status that a row gets at the next change. */
const NEXT_STATUS: Record<string, string> = { Entered: 'Called', Called: 'To Call', 'To Call': 'Called' };

type Parts = { app: Pick<FastifyInstance, 'inject'>; db: Db; clock: Clock; sessions: Sessions };
type Deals = ResponseBody<'GET /deals'>['items'];

const nextStatus = ({ status = '' }: Deals[number]): string | undefined => NEXT_STATUS[status];

/** Returns a client that calls the API as one user of the demo, in a session that is renewed when it has ended. */
function createCaller({ app, db, sessions }: Parts, email: string) {
  let session: Promise<{ id: string; token: string }> | undefined;
  async function signIn() {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    // A session ended by this one may be cached for a moment, which is harmless in a demo.
    const { token } = await db
      .transaction()
      .execute((tx) => sessions.start({ db: tx, afterCommit: (task) => task() }, id, ORIGIN));
    return { id, token };
  }
  return {
    async userId(): Promise<string> {
      return (await (session ??= signIn())).id;
    },
    async call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
      const { token } = await (session ??= signIn());
      const response = await app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization: `Bearer ${token}`, 'x-change-set': 'edit' },
        ...(body && { payload: body }),
      });
      if (response.statusCode === 401) session = undefined;
      return response;
    },
  };
}

/** Creates files as an administrator of the demo: two exports and a backup. */
export async function createDemoFiles(parts: Parts): Promise<void> {
  const administrator = createCaller(parts, ADMINISTRATOR);
  const month = parts.clock.businessMonth();
  await administrator.call('POST', '/exports', { kind: 'deals', format: 'xlsx', month });
  await administrator.call('POST', '/exports', { kind: 'contacts', format: 'csv' });
  await administrator.call('POST', '/backups');
}

/**
 * A simulated colleague in the demo's current month: presence moves between the colleague's newest open rows, and every
 * sixth move changes the row. It uses the API with the colleague's permissions, and only while another user is active.
 * `step` makes one move.
 */
export function createDemoColleague(parts: Parts) {
  const { db, clock } = parts;
  const colleague = createCaller(parts, CLERK);
  let moves = 0;

  return async function step(): Promise<void> {
    const own = await colleague.userId();
    if (!(await isOtherUserActive(db, own))) return;
    const month = clock.businessMonth();
    const list = await colleague.call('GET', `/deals?month=${month}&owner=${own}&limit=20`);
    if (list.statusCode !== 200) return;
    const rows = (list.json() as { items: Deals }).items.filter(nextStatus);
    const row = rows[moves % Math.max(rows.length, 1)];
    moves += 1;
    await colleague.call('POST', '/events/presence', {
      month,
      ...(row && { dealId: row._id, column: 'status' }),
    });
    if (!row || moves % MOVES_PER_CHANGE !== 0) return;
    const change = { version: row.version, status: nextStatus(row) };
    await colleague.call('PATCH', `/deals/${row._id}`, change);
  };
}

/** Runs the colleague until `close`. */
export function startDemoColleague(parts: Parts & { log: Log }): { close(): Promise<void> } {
  const step = createDemoColleague(parts);
  let current = Promise.resolve();
  let isMoving = false;
  const timer = setInterval(() => {
    if (isMoving) return;
    isMoving = true;
    current = step()
      .catch((error: unknown) => parts.log.warn({ err: error }, 'the demo colleague could not work'))
      .finally(() => (isMoving = false));
  }, MOVE_MS);
  return {
    async close() {
      clearInterval(timer);
      await current;
    },
  };
}
