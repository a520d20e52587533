import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import { monthChecks } from '@forecourt/contract/month-checks';
import type { Balance, MonthOverview } from '@forecourt/contract/months';
import { statementKinds } from '@forecourt/contract/statement-kinds';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { lockName } from '../src/platform/db/database.ts';
import { addDealership } from './builders.ts';
import { makeDataFolder } from './data-folder.ts';
import { testDatabase, urlOf } from './database.ts';
import { insertPerson } from './people.ts';
import { callServer, signInAsAdmin, startServer, type ServerProcess } from './process.ts';
import { seededRandom } from './seeded-random.ts';

const ROUNDS = process.env.LONG_TESTS ? 200 : 3;
const WRITERS = 16;
const ROWS = 2000;
/** A close of these rows takes about this long. */
const CLOSE_MS = 1200;

const database = await testDatabase();
const { db } = database;
const dataDir = await makeDataFolder('month-kills-');
const open: ServerProcess[] = [];
afterAll(async () => {
  await Promise.all(open.map((server) => server.stop()));
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts an instance, with the session of another one. */
async function start(token?: string) {
  const server = await startServer(dataDir, { DATABASE_URL: urlOf(database.connection) });
  open.push(server);
  return { server, token: token ?? (await signInAsAdmin(server.url)) };
}
type Instance = Awaited<ReturnType<typeof start>>;

const monthOf = (round: number): string =>
  `${2005 + Math.floor(round / 12)}-${String((round % 12) + 1).padStart(2, '0')}`;

/** Adds sold rows of several people and dealerships, and waives every check of the month. */
async function fill(
  month: string,
  owners: readonly string[],
  dealerships: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by, sale_amount,
      commission_rate)
    select gen_random_uuid(), ${fixedStatuses.deal}, (${dealerships}::uuid[])[1 + n % ${dealerships.length}], 'Row ' || n,
      ${month}, (${owners}::uuid[])[1 + n % ${owners.length}], ${owners[0]}, ${owners[0]}, 100 + n % 7, 2.5
    from generate_series(1, ${ROWS}) as n returning id`.execute(db);
  await sql`insert into month_waivers (month, "check", reason, rows, waived_by)
    select ${month}, "check", 'Agreed', 1000000, ${owners[0]} from unnest(${monthChecks}::text[]) as "check"`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Changes sales until the month is closed or the server stops. Returns the acknowledged amount of each row of this
 * writer; null: the server died before it responded.
 */
async function write({ server, token }: Instance, ids: readonly string[], random: () => number) {
  const acknowledged = new Map<string, number | null>();
  let refused = 0;
  while (refused < 3) {
    const id = ids[Math.floor(random() * ids.length)]!;
    const saleAmount = Math.floor(random() * 100_000) / 100;
    try {
      const { body: deal } = await callServer(server.url, `GET /deals/${id}`, token);
      const before = acknowledged.get(id);
      acknowledged.set(id, null);
      const reply = await callServer(server.url, `PATCH /deals/${id}`, token, {
        saleAmount,
        version: deal.version,
      });
      if (reply.status === 200) acknowledged.set(id, saleAmount);
      else {
        expect(reply).toMatchObject({ status: 403, body: { code: 'MONTH_CLOSED' } });
        if (before === undefined) acknowledged.delete(id);
        else acknowledged.set(id, before);
        refused += 1;
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return acknowledged;
    }
  }
  return acknowledged;
}

const stateOf = async (month: string) => {
  const { rows } = await sql<{ closed: boolean; statements: number; entries: number }>`
    select exists (select from business_months where month = ${month} and state = 'closed') as closed,
      (select count(*) from statements where month = ${month})::int as statements,
      (select count(*) from audit_entries where action = 'month.closed' and after ->> 'name' = ${month})::int as entries`.execute(
    db,
  );
  return rows[0]!;
};

/** Fails unless every row of the month is in exactly one statement of each kind, and numbers have no gap. */
async function expectWhole({ server, token }: Instance, month: string) {
  const { closing }: MonthOverview = (await callServer(server.url, `GET /months/${month}`, token)).body;
  for (const kind of statementKinds) {
    const { statements, adjustments, rows: now }: Balance = closing![kind]!;
    expect([adjustments, statements]).toEqual([0, now]);
    const { rows } = await sql<{ number: number; ids: string[] }>`
      select number, array(select line ->> 'dealId' from jsonb_array_elements(content -> 'lines') as line) as ids
      from statements where month = ${month} and kind = ${kind} order by number`.execute(db);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    const { rows: sold } = await sql<{ id: string }>`
      select id from deals where month = ${month} and ${kind === 'commission' ? sql`commission` : sql`sale_amount`} > 0`.execute(
      db,
    );
    expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(sold.map(({ id }) => id).toSorted());
  }
}

test(
  `a month is closed whole or not at all in ${ROUNDS} closes by two instances, one of which is killed, while ${WRITERS} people write`,
  { timeout: 300_000 + ROUNDS * 60_000 },
  async () => {
    const random = seededRandom('month-kills');
    const lasting = await start();
    const owners = [(await insertPerson(db)).id, (await insertPerson(db)).id, (await insertPerson(db)).id];
    const caller = {
      call: (route: string, { token, body }: { token: string; body: unknown }) =>
        callServer(lasting.server.url, route, token, body),
    };
    const dealerships = [
      await addDealership(caller, lasting, { name: 'Harbour New Cars' }),
      await addDealership(caller, lasting, { name: 'Coast Used Cars' }),
    ];
    const seen = { closedByKilled: 0, closedByOther: 0, undone: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const month = monthOf(round);
      const ids = await fill(month, owners, dealerships);
      const killed = await start(lasting.token);
      const writing = Array.from({ length: WRITERS }, (_, index) =>
        write(
          index % 2 === 0 ? lasting : killed,
          ids.filter((_id, position) => position % WRITERS === index),
          random,
        ),
      );
      const close = async ({ server, token }: Instance) =>
        callServer(server.url, `POST /months/${month}/close`, token).catch(() => undefined);
      const isAlone = random() < 0.5;
      const byKilled = close(killed);
      const byOther = isAlone ? undefined : close(lasting);
      await pause(random() * CLOSE_MS);
      await killed.server.kill();
      const [reply, other] = await Promise.all([byKilled, byOther]);
      if (other) expect([200, 409]).toContain(other.status);
      if (isAlone) {
        // PostgreSQL may still commit what the killed instance has sent.
        await whenUnlocked();
        const left = await stateOf(month);
        if (reply?.status === 200) expect(left.closed).toBe(true);
        if (left.closed) seen.closedByKilled += 1;
        else {
          expect(left).toMatchObject({ statements: 0, entries: 0 });
          seen.undone += 1;
          expect(await close(lasting)).toMatchObject({ status: 200 });
        }
      } else seen.closedByOther += 1;
      expect(await stateOf(month)).toMatchObject({ closed: true, entries: 1 });
      const acknowledged = await Promise.all(writing);
      await expectWhole(lasting, month);
      const { rows } = await sql<{ id: string; sale_amount: number }>`
        select id, sale_amount from deals where month = ${month}`.execute(db);
      const stored = new Map(rows.map(({ id, sale_amount }) => [id, sale_amount]));
      for (const [id, amount] of acknowledged.flatMap((map) => [...map]))
        if (amount !== null) expect(stored.get(id)).toBe(amount);
    }
    process.stdout.write(`month-kills: ${ROUNDS} closes, ${JSON.stringify(seen)}\n`);
  },
);

/** Waits until no transaction closes a month. */
const whenUnlocked = () => db.transaction().execute((tx) => lockName(tx, 'month closes'));
