import type { Deal } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDealership } from '../../../../test/builders.ts';
import { seededRandom } from '../../../../test/seeded-random.ts';
import type { Db } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { UNLIMITED_SCOPE } from '../deals.policy.ts';
import { listDeals } from './deal-list.queries.ts';

// A page is read as columns, with the names, shares, items and mail of its rows by id. Its rows are compared with single
// reads, which do none of that.

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
  for (let round = 0; round < 8; round += 1) {
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

/** Adds rows of April 2025, the first one newest. */
async function addNewest(names: readonly string[], ownerId = admin.id): Promise<string[]> {
  const added = names.map(newId);
  for (const [at, name] of names.entries())
    await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by, created_at)
      values (${added[at]}, ${statuses[0]}, ${dealerships[0]}, ${name}, '2025-04', ${ownerId}, ${admin.id}, ${ownerId},
        ${`${2040 - at}-01-01`})`.execute(server.db);
  return added;
}
const removeAdded = () => sql`delete from deals where month = '2025-04'`.execute(server.db);

test.each([
  ['hidden from the viewer', sql`dealership_id = ${dealerships[1]}`],
  ['deleted', sql`deleted_at = now()`],
])(
  'a row that is %s between two statements of a search is left out, and the page is full',
  async (_how, change) => {
    const [first, ...others] = await addNewest(['Quoll 1', 'Quoll 2', 'Quoll 3', 'Quoll 4']);
    let isChanged = false;
    const db = interrupted(async () => {
      if (isChanged) return;
      isChanged = true;
      await sql`update deals set ${change} where id = ${first}`.execute(server.db);
    });
    const scope = { ...WHOLE, exceptDealerships: [dealerships[1]!] };
    const { rows, total } = await listDeals(db, scope, { search: 'quoll' }, { ...PAGE, limit: 3 });
    expect([rows.map(({ id }) => id), total]).toEqual([others, 3]);
    await removeAdded();
  },
);

test('a row that is changed between two statements of a search has the names of its current people', async () => {
  const owners = [await server.person({ name: 'Even Owner' }), await server.person({ name: 'Odd Owner' })];
  const [id] = await addNewest(['Ann 0'], owners[0]!.id);
  let changed = 0;
  const db = interrupted(async () => {
    changed += 1;
    const { id: owner } = owners[changed % 2]!;
    await sql`update deals set customer_name = ${`Ann ${changed}`}, owner_id = ${owner}, updated_by = ${owner}
      where id = ${id}`.execute(server.db);
  });
  const { rows } = await listDeals(db, WHOLE, { search: 'ann' }, { ...PAGE, limit: 1 });
  expect(changed).toBeGreaterThan(1);
  const owner = owners[Number(rows[0]!.customer_name.slice(4)) % 2]!;
  expect(rows).toMatchObject([
    { id, owner_id: owner.id, owner_name: owner.name, updated_by: owner.id, updated_by_name: owner.name },
  ]);
  await removeAdded();
});

test('a search with more rows than are counted returns the newest, and counts them all once there are fewer', async () => {
  const [newest] = await addNewest(['Quokka newest']);
  await sql`
    insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by, created_at)
    select gen_random_uuid(), status_id, dealership_id, 'Quokka ' || n, month, owner_id, created_by, updated_by, '2025-04-01'
    from deals, generate_series(1, 1000) as n where deals.id = ${newest}`.execute(server.db);
  const find = async (page: object) =>
    listDeals(server.db, WHOLE, { search: 'quokka' }, { ...PAGE, ...page });
  const { rows, ...counted } = await find({});
  expect([rows.length, rows[0]!.id, counted]).toMatchObject([100, newest, { total: 1000, isCapped: true }]);
  await sql`delete from deals where customer_name = 'Quokka 1'`.execute(server.db);
  expect(await find({})).toMatchObject({ total: 1000, isCapped: false });
  const last = await find({ sort: 'customerName', descending: true, limit: 1 });
  expect(last).toMatchObject({ total: 1000, rows: [{ id: newest }] });
  await removeAdded();
});
