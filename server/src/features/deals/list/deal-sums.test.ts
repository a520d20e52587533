import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../../test/app.ts';
import { addDealership } from '../../../../test/builders.ts';
import { seededRandom } from '../../../../test/seeded-random.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { UNLIMITED_SCOPE } from '../deals.policy.ts';
import { withSharedIds, type InScope } from '../deals.queries.ts';
import {
  figuresBy,
  figuresByItem,
  foldDealSums,
  isStored,
  type Dimension,
  type FiguresFilter,
} from './deal-figures.queries.ts';

/** Figures from stored sums equal those of the rows to the cent, whatever writes the rows. */

const months = ['2024-01', '2024-02', '2025-02'];
const server = await testApp();
const ada = await server.person({ role: 'admin' });
const people = [ada.id, (await server.person()).id];
const dealerships = [
  await addDealership(server, ada, { name: 'Harbour New Cars' }),
  await addDealership(server, ada, { name: 'Inland Used Cars' }),
];
const statuses = (await server.db.selectFrom('statuses').orderBy('position').select('id').execute()).map(
  ({ id }) => id,
);
afterAll(() => server.close());

type Random = ReturnType<typeof seededRandom>;
const oneOf = <T>(random: Random, choices: readonly T[]): T =>
  choices[Math.floor(random() * choices.length)]!;
const amount = (random: Random) => (random() < 0.2 ? null : Math.floor(random() * 10_000_000) / 100);

const items = await Promise.all(
  ['Tint', 'Mats'].map(async (name) => {
    const { body } = await server.call('POST /item-configurations', { token: ada.token, body: { name } });
    return String(body._id);
  }),
);

/** Replaces the items of some rows, as a change of the cell does. */
async function replaceItems(db: Db | Tx, random: Random): Promise<void> {
  for (const { id } of await someRows(db, random).execute()) {
    await db.deleteFrom('deal_items').where('deal_id', '=', id).execute();
    const lines = Array.from({ length: Math.floor(random() * 3) }, (_, position) => ({
      deal_id: id,
      position,
      item_id: oneOf(random, items),
      name: 'Sold',
      quantity: 1 + Math.floor(random() * 3),
      unit_price: Math.floor(random() * 1000),
    }));
    if (lines.length > 0) await db.insertInto('deal_items').values(lines).execute();
  }
}

const values = (random: Random) => ({
  month: oneOf(random, months),
  dealership_id: oneOf(random, dealerships),
  status_id: oneOf(random, statuses),
  owner_id: oneOf(random, people),
  sale_amount: amount(random),
  cost_amount: amount(random),
  commission_rate: random() < 0.2 ? null : Math.floor(random() * 1000) / 100,
  deleted_at: random() < 0.2 ? new Date() : null,
});

/** Some rows, and those of other writers only if they are not locked. */
const someRows = (db: Db | Tx, random: Random) =>
  db
    .selectFrom('deals')
    .orderBy(sql`md5(id::text || ${String(random())})`)
    .limit(1 + Math.floor(random() * 5))
    .forUpdate()
    .skipLocked()
    .select('id');

const add = (db: Db | Tx, random: Random) =>
  db
    .insertInto('deals')
    .values(
      Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
        id: newId(),
        customer_name: 'Ann Example',
        created_by: oneOf(random, people),
        updated_by: ada.id,
        created_at: new Date(Date.UTC(2024, 0, 1) - Math.floor(random() * 1e9)),
        ...values(random),
      })),
    )
    .execute();

async function share(db: Db | Tx, random: Random): Promise<void> {
  for (const { id } of await someRows(db, random).execute())
    await db
      .insertInto('shares')
      .values({
        entity: 'deal',
        record_id: id,
        user_id: oneOf(random, people),
        level: 'view',
        shared_by: ada.id,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

async function write(db: Db | Tx, random: Random): Promise<void> {
  const rows = db.with('chosen', () => someRows(db, random));
  const fields = Object.entries(values(random)).filter(() => random() < 0.4);
  const chance = random();
  if (chance < 0.2) await add(db, random);
  else if (chance < 0.3) await replaceItems(db, random);
  else if (chance < 0.4) await share(db, random);
  else if (chance < 0.5)
    await rows
      .deleteFrom('deals')
      .where('id', 'in', (eb) => eb.selectFrom('chosen').select('id'))
      .execute();
  else
    await rows
      .updateTable('deals')
      .set({ notes: 'Changed', ...Object.fromEntries(fields) })
      .where('id', 'in', (eb) => eb.selectFrom('chosen').select('id'))
      .execute();
}

const everything: InScope = {
  ...UNLIMITED_SCOPE,
  timeZone: 'Australia/Sydney',
};

/** Every kind of scope and filter that stored sums have. */
const questions = (hiddenRows: readonly string[]): [InScope, FiguresFilter][] => [
  [everything, {}],
  [{ ...everything, onlyMonth: months[1]! }, {}],
  [{ ...everything, exceptDealerships: [dealerships[0]!], exceptStatuses: statuses.slice(0, 2) }, {}],
  [everything, { month: months[0] }],
  [everything, { fromMonth: months[1], toMonth: months[2], dealershipId: dealerships[1] }],
  [everything, { status: 'Deal', owner: people[1] }],
  [{ ...everything, exceptRows: hiddenRows }, {}],
  [{ ...everything, exceptRows: hiddenRows, exceptStatuses: statuses.slice(0, 2) }, { month: months[0] }],
  ...people.map((userId): [InScope, FiguresFilter] => [{ ...everything, onlyOf: { userId } }, {}]),
  [
    { ...everything, onlyOf: { userId: people[1]! }, exceptRows: hiddenRows, exceptStatuses: [statuses[0]!] },
    { fromMonth: months[1], dealershipId: dealerships[1] },
  ],
];

/** Compares both in one snapshot. */
async function expectEqual(): Promise<void> {
  await server.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const rows = await tx.selectFrom('deals').select('id').orderBy('id').execute();
      // With those of one status, so that whole groups are hidden.
      const ofStatus = await tx
        .selectFrom('deals')
        .where('status_id', '=', statuses[1]!)
        .select('id')
        .execute();
      const hiddenRows = [...rows.filter((_, index) => index % 3 === 0), ...ofStatus].map(({ id }) => id);
      for (const [scope, filter] of questions([...new Set([newId(), ...hiddenRows])])) {
        // For a viewer of a range of days, the figures are computed from rows.
        const ofRows = { ...scope, from: '1970-01-01' };
        expect([isStored(scope, filter), isStored(ofRows, filter)]).toEqual([true, false]);
        const seen = await withSharedIds(tx, scope, filter);
        expect(await figuresByItem(tx, seen, filter)).toEqual(await figuresByItem(tx, ofRows, filter));
        for (const by of ['month', 'dealership', 'owner', 'status'] as Dimension[]) {
          const expected = await figuresBy(tx, ofRows, filter, by);
          expect(await figuresBy(tx, seen, filter, by)).toEqual(expected);
          if (scope.onlyOf) expect(await figuresBy(tx, scope, filter, by)).toEqual(expected);
        }
      }
    });
}

class Undo extends Error {}

test('stored sums equal the rows in each snapshot, with writers, undone writes and folding at the same time', async () => {
  const rounds = process.env['LONG_TESTS'] ? 40 : 2;
  const random = seededRandom('sums');
  const writer = async () => {
    for (let count = 0; count < 10; count += 1)
      await server.db
        .transaction()
        .execute(async (tx) => {
          for (let writes = 0; writes < 3; writes += 1) await write(tx, random);
          if (random() < 0.3) throw new Undo();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undo)) throw error;
        });
  };
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all([
      writer(),
      writer(),
      writer(),
      foldDealSums(server.db),
      expectEqual(),
      foldDealSums(server.db).then(expectEqual),
    ]);
    await Promise.all([foldDealSums(server.db), foldDealSums(server.db)]);
    await expectEqual();
    expect(await server.db.selectFrom('deal_sum_changes').selectAll().execute()).toEqual([]);
  }
  // Sums of no rows would be equal too. How many are left depends on the order in which the writers run.
  expect((await figuresBy(server.db, everything, {}, 'month')).total.deals).toBeGreaterThan(0);
});

test('a change of another field adds no change of sums, and one without rows leaves none', async () => {
  const random = seededRandom('other fields');
  await add(server.db, random);
  await foldDealSums(server.db);
  await server.db.updateTable('deals').set({ notes: 'x', customer_name: 'Bo' }).execute();
  expect(await foldDealSums(server.db)).toBe(false);
  await server.db.deleteFrom('deals').execute();
  await foldDealSums(server.db);
  expect(await server.db.selectFrom('deal_sums').selectAll().execute()).toEqual([]);

  await add(server.db, random);
  await sql`truncate deals cascade`.execute(server.db);
  await expectEqual();
});
