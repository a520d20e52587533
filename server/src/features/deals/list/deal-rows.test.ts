import type { Deal } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDealership } from '../../../../test/builders.ts';
import { seededRandom } from '../../../../test/seeded-random.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { UNLIMITED_SCOPE } from '../deals.policy.ts';
import { listDeals } from './deal-list.queries.ts';
import { createRowCache, removePartChanges, type RowCache, type StampedRow } from './deal-rows.queries.ts';

// Lists and searches read ids first, and cache rows with their names, shares, items and mail and as JSON. Their rows are
// compared with single reads, which do none of that.

const random = seededRandom('deal rows');
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const NAMES = ['Ann Lee', 'Hannah', 'Joanne', 'Zoë', 'Bea', 'Émile'];
const DAYS = ['2025-03-04', '2025-03-05', '2025-03-06', '2025-03-07'];
const ROWS = 45;
/** Restrictions of the viewer `limited`. */
const HIDDEN_ROWS = 5;
const FROM = DAYS[1]!;

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealerships: string[] = [];
for (const name of ['Harbour', 'Inland', 'North'])
  dealerships.push(await addDealership(server, admin, { name }));
const statuses = (
  await sql<{ id: string }>`select id from statuses order by position`.execute(server.db)
).rows.map(({ id }) => id);
const ids = Array.from({ length: ROWS }, newId);
const allMonths = { canAccessAllMonths: true, canSearchHistorical: true };
const limits = {
  viewAllColumns: true,
  visibleColumns: [],
  restrictedRows: ids.slice(0, HIDDEN_ROWS),
  restrictedDealerships: [dealerships[0]!],
  restrictedStatuses: [statuses[1]!],
  dateRangeStart: FROM,
  dateRangeEnd: null,
};
const few = {
  ...limits,
  viewAllColumns: false,
  visibleColumns: ['customerName', 'dealershipId', 'items', 'owner'],
  restrictedRows: [],
  restrictedDealerships: [],
  restrictedStatuses: [],
  dateRangeStart: null,
};
const person = (dataEntry: object) => server.person({ permissions: { dataEntry } } as never);
const viewers: Record<string, Person> = {
  admin,
  colleague: await person({ ...allMonths, canDeleteRows: true }),
  limited: await person({ ...allMonths, columnVisibility: limits }),
  fewColumns: await person({ ...allMonths, columnVisibility: few }),
  currentMonth: await person({ canAccessAllMonths: false }),
};
const people = Object.values(viewers);
const itemId = newId();
await sql`insert into items (id, name, price, cost, owner_id, position)
  values (${itemId}, 'Tint', 100, 50, ${admin.id}, 1)`.execute(server.db);
beforeAll(async () => {
  for (const id of ids) {
    const day = pick(DAYS);
    await sql`
      insert into deals (id, status_id, dealership_id, customer_name, customer_number, deal_number, vehicle,
        delivery_date, sale_amount, cost_amount, notes, follow_up_at, month, owner_id, created_by, updated_by,
        commission_rate, created_at)
      select ${id}, ${pick(statuses)}, ${pick(dealerships)}, ${pick(NAMES)}, ${pick(['', '(0400) 111 222'])},
        ${pick(['', 'D-10'])}, ${pick(['', 'Corolla', 'Hannover'])}, ${pick([null, day])}, ${pick([null, 0, 100.5])},
        ${pick([null, 40])}, ${pick(['', 'Rang "twice"'])}, ${pick([null, `${day}T05:06:07.890123Z`])},
        case when ${pick([true, false])} then '2025-03' else to_char(now() at time zone 'Australia/Sydney', 'YYYY-MM') end,
        ${pick(people).id}, ${pick(people).id}, ${pick(people).id}, ${pick([null, 5])},
        -- Two in the afternoon or three in Sydney.
        (${`${day}T04:00:00Z`}::timestamptz + ${Math.floor(random() * 1000)} * interval '1 millisecond')`.execute(
      server.db,
    );
    await changeItems(server.db, id, itemId);
    await changeShares(server.db, id);
    await addMessage(server.db, id);
    if (random() < 0.5) await changeNotes(server.db, id);
  }
});
afterAll(() => server.close());

async function changeItems(db: Db, id: string, itemId?: string): Promise<void> {
  if (!itemId) {
    await sql`
      update deal_items set quantity = quantity + 1, name = ${pick(NAMES)} where deal_id = ${id}`.execute(db);
    return;
  }
  const count = pick([0, 0, 1, 3]);
  await sql`insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
    select ${id}, n, ${itemId}, 'Tint ' || n, n, n + 0.5
    from generate_series(1, ${count}::int) as n`.execute(db);
}

async function changeShares(db: Db, id: string): Promise<void> {
  await sql`delete from shares where record_id = ${id}`.execute(db);
  await sql`insert into shares (entity, record_id, user_id, level, shared_by)
    select 'deal', ${id}, users.id, ${pick(['view', 'edit'])}, ${admin.id} from users
    where users.id <> ${admin.id} order by users.id limit ${pick([0, 0, 1, 3])}`.execute(db);
}

async function addMessage(db: Db, id: string): Promise<void> {
  if (random() < 0.5) return;
  const emailId = newId();
  const status = pick(['queued', 'sent', 'sent', 'failed', 'cancelled', 'unconfirmed']);
  await sql`
    insert into emails (id, sender_id, dealership_id, template_name, template_version, from_name, from_address,
      to_addresses, cc_addresses, subject, html, body_text, message_id, status, search_text, sent_at, deal_fields)
    values (${emailId}, ${admin.id}, ${dealerships[0]}, 'T', 1, 'Ada', 'ada@example.com', '{a@example.com}', '{}', 'S',
      '', '', ${emailId}, ${status}, '', case when ${status} = 'sent' then now() end, '{notes,vehicle}')`.execute(
    db,
  );
  await sql`insert into email_deals (deal_id, email_id, deal_version)
    select id, ${emailId}, version from deals where id = ${id}`.execute(db);
}

const changeNotes = (db: Db, id: string) =>
  sql`update deals set notes = ${newId()}, version = version + 1,
    field_versions = field_versions || jsonb_build_object('notes', version + 1) where id = ${id}`.execute(db);

/** Changes that set the version of a row, that do not, and that leave the row itself unchanged. */
const changes: ((db: Db, id: string) => Promise<unknown>)[] = [
  changeNotes,
  (db, id) => sql`update deals set sale_amount = ${pick([null, 7.25])} where id = ${id}`.execute(db),
  (db, id) => sql`update deals set status_id = ${pick(statuses)} where id = ${id}`.execute(db),
  (db, id) => sql`update deals set dealership_id = ${pick(dealerships)} where id = ${id}`.execute(db),
  (db, id) =>
    sql`update deals set owner_id = ${pick(people).id}, updated_by = ${pick(people).id} where id = ${id}`.execute(
      db,
    ),
  (db, id) =>
    sql`
      update deals set deleted_at = case when deleted_at is null then now() end where id = ${id}`.execute(db),
  (db, id) => sql`update deals set customer_name = ${pick(NAMES)} where id = ${id}`.execute(db),
  (db, id) =>
    db.transaction().execute(async (tx) => {
      for (const vehicle of ['Ranger', pick(NAMES)])
        await sql`update deals set vehicle = ${vehicle} where id = ${id}`.execute(tx);
    }),
  (db) => sql`update users set name = ${pick(NAMES)} where id = ${pick(people).id}`.execute(db),
  (db) => sql`update users set email = ${`${newId()}@example.com`} where id = ${pick(people).id}`.execute(db),
  (db) => sql`update dealerships set name = ${newId()} where id = ${pick(dealerships)}`.execute(db),
  (db) => sql`update statuses set name = ${newId()} where id = ${pick(statuses)}`.execute(db),
  changeShares,
  (db, id) => changeItems(db, id),
  addMessage,
  (db, id) =>
    sql`update emails set status = 'sent', sent_at = now()
    where id in (select email_id from email_deals where deal_id = ${id})`.execute(db),
];

/** Changes what a viewer may see and do. */
async function changeRights(): Promise<void> {
  const { id } = viewers.colleague!;
  const dataEntry = {
    canAccessAllMonths: true,
    canSearchHistorical: true,
    canDeleteRows: pick([true, false]),
    canChangeOwnership: pick([true, false]),
    columnVisibility: pick([
      { viewAllColumns: true },
      { viewAllColumns: false, visibleColumns: ['vehicle', 'owner'] },
    ]),
  };
  const { status } = await server.call(`PUT /permissions/user/${id}`, {
    token: admin.token,
    body: { dataEntry },
  });
  expect(status).toBe(200);
}

const get = async (path: string, { token }: Person) => {
  const reply = await server.call(`GET ${path}`, { token });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};

/** Returns the rows that a viewer sees, newest first, each by a request of its own. */
async function readSingly(name: string): Promise<Deal[]> {
  const { rows } = await sql<
    { id: string; day: string; now: string; month: string } & Record<string, string>
  >`
    select id, dealership_id, status_id, month, to_char(created_at, 'YYYY-MM-DD') as day,
      to_char(now() at time zone 'Australia/Sydney', 'YYYY-MM') as now
    from deals where deleted_at is null order by created_at desc, id desc`.execute(server.db);
  const seen = rows.filter((row) => {
    if (name === 'currentMonth') return row.month === row.now;
    if (name !== 'limited') return true;
    return (
      !ids.slice(0, HIDDEN_ROWS).includes(row.id) &&
      row.dealership_id !== dealerships[0] &&
      row.status_id !== statuses[1] &&
      row.day >= FROM
    );
  });
  const deals: Deal[] = [];
  for (const { id } of seen) deals.push(await get(`/deals/${id}`, viewers[name]!));
  return deals;
}

/** Returns all pages of a list. */
async function readPages(query: string, viewer: Person): Promise<Deal[]> {
  const items: Deal[] = [];
  let cursor = '';
  do {
    const page = await get(`/deals?limit=10${query}${cursor}`, viewer);
    items.push(...page.items);
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
    expect(page.total).toBeGreaterThanOrEqual(items.length);
    if (!page.nextCursor) expect(page.total).toBe(items.length);
  } while (cursor !== '');
  return items;
}

/** Compares rows as bytes. */
function expectSame(rows: Deal[], expected: Deal[], label: string): void {
  expect(
    rows.map(({ _id }) => _id),
    label,
  ).toEqual(expected.map(({ _id }) => _id));
  for (const [at, row] of rows.entries())
    expect(JSON.stringify(row), label).toBe(JSON.stringify(expected[at]));
}

const searched = ['customerName', 'dealNumber', 'vehicle', 'customerEmail'] as const;
const SEARCHES = ['ann', 'an', 'D-10', 'hann', 'corolla', 'nobody'];

test('lists and searches return the same rows as single reads, before and after random changes', async () => {
  for (let round = 0; round < 14; round += 1) {
    const steps = round === 0 ? 0 : 5;
    for (let step = 0; step < steps; step += 1) await pick(changes)(server.db, pick(ids));
    if (round > 0) await changeRights();
    for (const name of round === 0
      ? Object.keys(viewers)
      : [pick(Object.keys(viewers)), round % 2 === 0 ? 'limited' : 'colleague']) {
      const viewer = viewers[name]!;
      const expected = await readSingly(name);
      expectSame(await readPages('', viewer), expected, `${round} ${name}`);
      const { columns, rows } = await get('/deals?limit=100&shape=rows', viewer);
      expect(rows).toEqual(expected.map((deal) => columns.map((field: keyof Deal) => deal[field])));
      const text = pick(SEARCHES);
      // A short text in all months is the beginning of a word.
      const isBeginning = text.length < 3 && name !== 'currentMonth';
      const wanted = new RegExp(isBeginning ? `(^|[ .@'-])${text}` : text, 'i');
      const found = expected.filter((deal) => searched.some((field) => wanted.test(deal[field] ?? '')));
      // Without a month a search by this viewer covers the current month, which is all they see.
      expectSame(await readPages(`&search=${text}`, viewer), found, `${round} ${name} ${text}`);
    }
  }
});

test('a change of a cell returns the same row as a read, with and without items, shares and mail', async () => {
  const { token } = viewers.admin!;
  for (const [at, { _id: id, version, status }] of (await readSingly('admin')).entries()) {
    const { rows } = await sql<{
      name: string;
    }>`select name from statuses where id = ${pick(statuses)}`.execute(server.db);
    const { name } = rows[0]!;
    const body = { version, ...(at % 2 === 0 && name !== status ? { status: name } : { notes: newId() }) };
    const reply = await server.call(`PATCH /deals/${id}`, { token, body });
    expect(reply.status).toBe(200);
    expectSame([reply.body], [await get(`/deals/${id}`, viewers.admin!)], JSON.stringify(body));
  }
});

const WHOLE = { ...UNLIMITED_SCOPE, timeZone: 'Australia/Sydney' };
const PAGE = {
  sort: 'createdAt',
  firstStatus: undefined,
  descending: true,
  limit: 100,
  offset: 0,
  after: undefined,
} as const;
const heard = { on: () => {}, isListening: () => true };

/** Returns the database with `work` after each statement that is not part of a transaction. */
const interrupted = (work: () => Promise<void>): Db =>
  new Proxy(server.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'executeQuery') return value.bind(target);
      return async (...query: Parameters<Db['executeQuery']>) => {
        const result = await target.executeQuery(...query);
        await work();
        return result;
      };
    },
  });

test.each([{}, { search: 'ann' }])(
  'a row that is hidden from the viewer between two statements of %j is left out',
  async (filter) => {
    const id = newId();
    await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
      values (${id}, ${statuses[0]}, ${dealerships[0]}, 'Ann', '2025-04', ${admin.id}, ${admin.id}, ${admin.id})`.execute(
      server.db,
    );
    let isHidden = false;
    const db = interrupted(async () => {
      if (isHidden) return;
      isHidden = true;
      await sql`update deals set dealership_id = ${dealerships[1]} where id = ${id}`.execute(server.db);
    });
    const scope = { ...WHOLE, exceptDealerships: [dealerships[1]!] };
    const { rows, total } = await listDeals(
      db,
      scope,
      { ...filter, month: '2025-04' },
      PAGE,
      createRowCache(heard),
    );
    expect([rows, total]).toEqual([[], 0]);
    await sql`delete from deals where id = ${id}`.execute(server.db);
  },
);

test.each([
  ['a list', {}, false],
  ['a list of cached rows', {}, true],
  ['a search', { search: 'ann' }, false],
  ['a search of cached rows', { search: 'ann' }, true],
])('a row that is changed between two statements of %s is consistent', async (_what, filter, isCached) => {
  const owners = [await server.person({ name: 'Even Owner' }), await server.person({ name: 'Odd Owner' })];
  const id = newId();
  await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by, created_at)
    values (${id}, ${statuses[0]}, ${dealerships[0]}, 'Ann 0', '2025-03', ${owners[0]!.id}, ${admin.id}, ${owners[0]!.id}, '2030-01-01')`.execute(
    server.db,
  );
  let changed = 0;
  const db = interrupted(async () => {
    changed += 1;
    const { id: owner } = owners[changed % 2]!;
    await sql`update deals set customer_name = ${`Ann ${changed}`}, owner_id = ${owner}, updated_by = ${owner}
      where id = ${id}`.execute(server.db);
  });
  const cache = createRowCache(heard);
  const page = { ...PAGE, limit: 1 };
  if (isCached) await listDeals(server.db, WHOLE, filter, page, cache);
  const { rows } = await listDeals(db, WHOLE, filter, page, cache);
  expect(changed).toBeGreaterThan(0);
  const owner = owners[Number(rows[0]!.row.customer_name.slice(4)) % 2]!;
  expect(rows.map(({ row }) => row)).toMatchObject([
    { id, owner_id: owner.id, owner_name: owner.name, updated_by: owner.id, updated_by_name: owner.name },
  ]);
  await sql`delete from deals where id = ${id}`.execute(server.db);
});

test('a search by many rows counts again after a change', async () => {
  const cache = createRowCache(heard);
  const add = (count: number) =>
    sql`
    insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
    select gen_random_uuid(), status_id, dealership_id, 'Quokka ' || n, month, owner_id, created_by, updated_by
    from deals, generate_series(1, ${count}::int) as n where deals.id = ${ids[0]}`.execute(server.db);
  const total = async () => {
    const { total, isCapped, rows } = await listDeals(server.db, WHOLE, { search: 'quokka' }, PAGE, cache);
    expect(rows).toHaveLength(100);
    return [total, isCapped];
  };
  await sql`update deals set deleted_at = null where id = ${ids[0]}`.execute(server.db);
  await add(1001);
  expect(await total()).toEqual([1000, true]);
  expect(await total()).toEqual([1000, true]);
  await sql`delete from deals where customer_name = 'Quokka 1'`.execute(server.db);
  expect(await total()).toEqual([1000, false]);
  await sql`delete from deals where customer_name = 'Quokka 2'`.execute(server.db);
  expect(await total()).toEqual([999, false]);
  await sql`delete from deals where customer_name like 'Quokka%'`.execute(server.db);
});

const expectCurrent = async (cache: RowCache, db: Db = server.db) =>
  expect((await listDeals(db, WHOLE, {}, PAGE, cache)).rows.map(({ row }) => row)).toEqual(
    (await listDeals(server.db, WHOLE, {}, PAGE)).rows.map(({ row }) => row),
  );

test('the caches of two instances are current after each change, also while others read', async () => {
  const [one, other] = [createRowCache(heard), createRowCache(heard)];
  for (let step = 0; step < 20; step += 1) {
    const during = [one, one, other].map((cache) => listDeals(server.db, WHOLE, {}, PAGE, cache));
    await pick(changes)(server.db, pick(ids));
    await expectCurrent(one);
    if (step % 3 === 0) await expectCurrent(other);
    await Promise.all(during);
    await expectCurrent(other);
  }
  // Both were in use.
  expect([one.since(), other.since()]).not.toContain(null);
});

test('each change of a part is seen by a cache', async () => {
  const [id, emailId] = [newId(), newId()];
  const [person, dealership, status] = [viewers.limited!.id, dealerships[0]!, statuses[0]!];
  await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
    values (${id}, ${status}, ${dealership}, 'Ann', '2025-03', ${person}, ${admin.id}, ${admin.id})`.execute(
    server.db,
  );
  await sql`insert into emails (id, sender_id, dealership_id, template_name, template_version, from_name, from_address,
      to_addresses, cc_addresses, subject, html, body_text, message_id, status, search_text, deal_fields)
    values (${emailId}, ${admin.id}, ${dealership}, 'T', 1, 'Ada', 'ada@example.com', '{a@example.com}', '{}', 'S',
      '', '', ${emailId}, 'queued', '', '{notes}')`.execute(server.db);
  const steps = [
    sql`insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
      select ${id}, 1, id, 'Tint', 1, 1 from items`,
    sql`update deal_items set quantity = 2 where deal_id = ${id}`,
    sql`delete from deal_items where deal_id = ${id}`,
    sql`insert into shares (entity, record_id, user_id, level, shared_by)
      values ('deal', ${id}, ${viewers.colleague!.id}, 'view', ${admin.id})`,
    sql`update shares set level = 'edit' where record_id = ${id}`,
    sql`update users set email = 'colleague@example.com' where id = ${viewers.colleague!.id}`,
    sql`delete from shares where record_id = ${id}`,
    sql`insert into email_deals (deal_id, email_id, deal_version) values (${id}, ${emailId}, 1)`,
    sql`update emails set status = 'sent', sent_at = now() where id = ${emailId}`,
    sql`delete from email_deals where deal_id = ${id}`,
    sql`update users set name = 'Owner' where id = ${person}`,
    sql`update users set name = 'Editor' where id = ${admin.id}`,
    sql`update dealerships set name = 'Dealership' where id = ${dealership}`,
    sql`update statuses set name = 'Status' where id = ${status}`,
  ];
  const cache = createRowCache(heard);
  const search = async (used?: RowCache) =>
    (await listDeals(server.db, WHOLE, { month: '2025-03' }, PAGE, used)).rows.map(({ row }) => row);
  for (const [at, step] of steps.entries()) {
    const before = await search(cache);
    expect(await search(cache)).toEqual(before);
    await step.execute(server.db);
    const after = await search();
    expect(after, `step ${at}`).not.toEqual(before);
    expect(await search(cache), `step ${at}`).toEqual(after);
  }
  await sql`delete from deals where id = ${id}`.execute(server.db);
});

test.each(['before', 'after'])(
  'a row whose items are changed while it is read is not cached: %s the statement for items',
  async (when) => {
    const id = newId();
    await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by, created_at)
      values (${id}, ${statuses[0]}, ${dealerships[0]}, 'Ann', '2025-03', ${admin.id}, ${admin.id}, ${admin.id}, '2030-01-01')`.execute(
      server.db,
    );
    await sql`insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
      select ${id}, 1, id, 'Tint', 1, 1 from items`.execute(server.db);
    const cache = createRowCache(heard);
    await listDeals(server.db, WHOLE, { search: 'nobody' }, PAGE, cache);
    await listDeals(server.db, WHOLE, { month: '2020-01' }, PAGE, cache);
    let statements = 0;
    const db = interrupted(async () => {
      statements += 1;
      if (statements !== (when === 'before' ? 2 : 3)) return;
      await sql`update deal_items set quantity = quantity + 1 where deal_id = ${id}`.execute(server.db);
      // Another list has read this change before the first one has its rows.
      await listDeals(server.db, WHOLE, { month: '2020-01' }, PAGE, cache);
    });
    await listDeals(db, WHOLE, {}, PAGE, cache);
    expect(statements).toBe(3);
    await expectCurrent(cache);
    await sql`delete from deals where id = ${id}`.execute(server.db);
  },
);

test('a cache is cleared by many changes, and by the removal of recorded ones', async () => {
  const cache = createRowCache(heard);
  await expectCurrent(cache);
  await expectCurrent(cache);
  await sql`insert into deal_part_changes (deal_id) select gen_random_uuid() from generate_series(1, 5000)`.execute(
    server.db,
  );
  await sql`update deal_items set name = 'Wax'`.execute(server.db);
  await expectCurrent(cache);
  await sql`update deal_items set name = 'Polish'`.execute(server.db);
  // Transactions of other tests may still be open: these rows are older.
  await sql`update deal_part_changes set xid = '3'`.execute(server.db);
  await removePartChanges(server.db);
  const { rows } = await sql`select deal_id from deal_part_changes`.execute(server.db);
  expect(rows).toEqual([{ deal_id: null }]);
  await expectCurrent(cache);
});

test('a change of items, shares or mail locks no row of deals', async () => {
  const work = async (tx: Tx) => {
    for (const id of ids) {
      await sql`update deal_items set quantity = quantity + 1 where deal_id = ${id}`.execute(tx);
      await changeShares(tx, id);
      await sql`update emails set status = 'failed' where id in (select email_id from email_deals where deal_id = ${id})`.execute(
        tx,
      );
    }
    // Waits for no lock, and a clerk's edit skips locked rows.
    const free = await sql<{ id: string }>`
      select id from deals where id = any(${ids}::uuid[]) for no key update skip locked`.execute(server.db);
    expect(free.rows).toHaveLength(ROWS);
  };
  await server.db.transaction().execute(work);
});

test('a cache returns a row only with its stamp, within its size and while messages are received', async () => {
  const entry = (id: string, stamp: string): StampedRow => ({
    row: { id, items: [], shares: [], custom: {}, notes: 'x'.repeat(100) } as never,
    stamp,
    texts: new Map(),
  });
  let resume = () => {};
  let isHeard = true;
  const eventBus = {
    on: (_topic: string, handler: () => void) => void (resume = handler),
    isListening: () => isHeard,
  };
  const cache = createRowCache(eventBus as never, 10_000);
  const put = (id: string, stamp: string) => cache.fill(async () => [entry(id, stamp)]);
  await put('a', '1');
  expect(cache.get('a', '1')).toMatchObject({ row: { id: 'a' } });
  expect(cache.get('a', '2')).toBeUndefined();
  await put('a', '2');
  expect([cache.get('a', '1'), cache.get('a', '2')]).toMatchObject([undefined, { stamp: '2' }]);
  // Used rows stay, others are deleted.
  for (let number = 0; number < 100; number += 1) {
    await put(`row ${number}`, '1');
    expect(cache.get('a', '2')).toBeDefined();
  }
  expect(cache.get('row 0', '1')).toBeUndefined();
  expect(cache.get('row 99', '1')).toBeDefined();
  // Texts are part of the size.
  const { length } = cache.textOf(cache.get('row 99', '1')!, 'form', () => 'y'.repeat(4000));
  expect(cache.textOf(cache.get('row 99', '1')!, 'form', () => '')).toHaveLength(length);
  for (const other of ['one', 'other']) cache.textOf(cache.get('a', '2')!, other, () => 'y'.repeat(4000));
  expect(cache.get('row 99', '1')).toBeUndefined();
  isHeard = false;
  expect(cache.get('a', '2')).toBeUndefined();
  isHeard = true;
  const late = cache.fill(async () => {
    resume();
    return [entry('late', '1')];
  });
  expect(cache.get('a', '2')).toBeUndefined();
  await late;
  expect(cache.get('late', '1')).toBeUndefined();
});
