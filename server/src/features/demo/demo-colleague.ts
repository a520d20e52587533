import type { ResponseBody } from '@forecourt/contract/api';
import type { Log } from '../../platform/log.ts';
import { createCaller, type DemoParts } from './demo-caller.ts';
import { people } from './demo-company.ts';
import { activePeople } from './demo.queries.ts';

/** The interval at which the colleague moves to another cell, in milliseconds. */
const MOVE_MS = 4000;
/** The colleague changes a row once in this many moves. */
export const MOVES_PER_CHANGE = 6;

/** Email addresses of the users whom the demo may act as. */
const COLLEAGUES = people.filter(({ role }) => role === 'user').map(({ email }) => email);

/** The next status of a row by its current one. */
const NEXT_STATUS: Record<string, string> = { Entered: 'Called', Called: 'To Call', 'To Call': 'Called' };

type Deals = ResponseBody<'GET /deals'>['items'];

const nextStatus = ({ status = '' }: Deals[number]): string | undefined => NEXT_STATUS[status];

/**
 * A simulated colleague in the current month: the presence moves between the colleague's newest open rows, and every
 * sixth move changes a row. Uses the API with the permissions of a user who is not signed in, and only while another
 * user is. `step` makes one move.
 */
export function createDemoColleague(parts: DemoParts) {
  const { db, clock } = parts;
  const callers = new Map(COLLEAGUES.map((email) => [email, createCaller(parts, email)]));
  let moves = 0;

  return async function step(): Promise<void> {
    const active = await activePeople(db);
    const email = COLLEAGUES.find((candidate) => !active.has(candidate));
    if (active.size === 0 || email === undefined) return;
    const colleague = callers.get(email)!;
    const own = await colleague.userId();
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

export function startDemoColleague(parts: DemoParts & { log: Log }): { close(): Promise<void> } {
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
