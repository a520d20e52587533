import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { builtInColumnNames } from '@forecourt/contract/custom-fields';
import { dealColumns } from '@forecourt/contract/deal-fields';
import type { Export } from '@forecourt/contract/exports';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import readXlsx from 'read-excel-file/node';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { blockWrites } from '../../../test/block-inserts.ts';
import {
  addDeal,
  addDealership,
  auditedActions,
  changePermissions,
  emailValues,
} from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';
import { readWhole, type WholeKind } from './records.queries.ts';
import { dealColumnsFor, WHOLE } from './tables.ts';

test('no custom field can be named as a column of the export', () => {
  const headers = dealColumnsFor(dealColumns).map(({ header }) => header.toLowerCase());
  expect(headers.filter((header) => !builtInColumnNames.includes(header))).toEqual([]);
});

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk', permissions: { dataEntry: { canAddRows: true } } });
const dealershipId = await addDealership(server, admin, { name: 'Harbour Cars' });
afterAll(() => server.close());

const begin = (body: object, by: Person = admin) => server.call('POST /exports', { token: by.token, body });
const read = async (id: string, by: Person = admin) =>
  (await server.call(`GET /exports/${id}`, { token: by.token })).body;

/** Returns the id of an export once its file is complete. */
async function exported(body: object, by: Person = admin): Promise<string> {
  const begun = await begin(body, by);
  expect(begun, JSON.stringify(begun.body)).toMatchObject({ status: 201 });
  const id = begun.body._id as string;
  await expect.poll(async () => (await read(id, by)).state).toBe('ready');
  return id;
}

async function bytesOf(id: string, by: Person = admin): Promise<Buffer> {
  const reply = await server.app.inject({
    url: `/api/exports/${id}/download`,
    headers: { authorization: `Bearer ${by.token}` },
  });
  expect(reply.statusCode).toBe(200);
  return reply.rawPayload;
}

/** Returns the rows of a CSV file as parsed by an independent library, by header. */
async function rowsOf(body: object, by: Person = admin): Promise<Record<string, string>[]> {
  const file = await bytesOf(await exported({ ...body, format: 'csv' }, by), by);
  return parse(file, { bom: true, columns: true });
}

const actionsOf = (id: string) => auditedActions(server, id);

describe('authorisation', () => {
  test('an export requires a session, a known kind and filter, and the permission', async () => {
    expect((await server.call('POST /exports', { body: { kind: 'deals' } })).status).toBe(401);
    expect((await server.call('GET /exports')).status).toBe(401);
    for (const body of [
      {},
      { kind: 'sessions' },
      { kind: 'users', month: '2026-11' },
      { kind: 'deals', ids: [] },
    ])
      expect((await begin(body)).status, JSON.stringify(body)).toBe(400);
    for (const permissions of [
      { dataEntry: { canExport: false } },
      { features: { export: false } },
      { pages: { dataEntry: false } },
    ])
      expect((await begin({ kind: 'deals' }, await server.person({ permissions } as never))).status).toBe(
        403,
      );
    expect(await begin({ kind: 'users' }, clerk)).toMatchObject({
      status: 403,
      body: { details: 'NO_EXPORT' },
    });
    expect((await server.call(`GET /exports/${newId()}`, { token: admin.token })).status).toBe(404);
  });

  test('an export is visible to administrators, not to other users', async () => {
    const id = await exported({ kind: 'deals' }, clerk);
    const other = await server.person();
    for (const route of [`GET /exports/${id}`, `GET /exports/${id}/download`, `DELETE /exports/${id}`])
      expect((await server.call(route, { token: other.token })).status, route).toBe(404);
    const list = (by: Person) => server.call('GET /exports', { token: by.token });
    expect((await list(other)).body).toEqual({ items: [], total: 0 });
    expect((await list(admin)).body.items).toContainEqual(
      expect.objectContaining({ _id: id, createdByName: 'Cleo Clerk', state: 'ready', percent: 100 }),
    );
  });

  test('an export is not downloaded after a custom field in it was hidden; the order of fields does not matter', async () => {
    const change = (route: string, body: object) => server.call(route, { token: admin.token, body });
    const add = async (name: string) => (await change('POST /custom-fields', { name, type: 'text' })).body;
    const [rebate, bonus] = [await add('Rebate'), await add('Bonus')];
    await addDeal(server, admin, dealershipId, { custom: { [rebate.key]: 'Secret' } });
    const id = await exported({ kind: 'deals' }, clerk);
    const download = () => server.call(`GET /exports/${id}/download`, { token: clerk.token });
    await change('POST /custom-fields/reorder', { ids: [bonus._id, rebate._id] });
    expect((await download()).body).toContain('Secret');
    const hidden = { name: 'Rebate', type: 'text', visibleTo: 'administrators' };
    expect((await change(`PUT /custom-fields/${rebate._id}`, hidden)).status).toBe(200);
    expect(await download()).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_PERMISSIONS' } });
    const ticket = await server.call(`POST /exports/${id}/download-ticket`, { token: clerk.token });
    expect(ticket.status).toBe(403);
  });

  test('an export is limited to three at a time for each user', async () => {
    const busy = await server.person({ role: 'admin' });
    const running = { user_id: busy.id, kind: 'users', format: 'csv', name: 'x', filter: '{}' };
    for (let i = 0; i < 3; i += 1) {
      const job_id = newId();
      await server.db.insertInto('jobs').values({ id: job_id, user_id: busy.id, kind: 'export' }).execute();
      await server.db
        .insertInto('exports')
        .values({ ...running, id: newId(), job_id, permissions_hash: Buffer.alloc(1) })
        .execute();
    }
    expect((await begin({ kind: 'users' }, busy)).status).toBe(429);
    await server.db.deleteFrom('jobs').where('user_id', '=', busy.id).execute();
    const hasty = await server.person({ role: 'admin' });
    const replies = await blockWrites(server.db, 'hold_exports', sql`update on exports for each row`, () =>
      Promise.all(Array.from({ length: 8 }, () => begin({ kind: 'users' }, hasty))),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
  });
});

test('an export notifies only its user when it is ready, as long as it exists', async () => {
  const id = await exported({ kind: 'dealerships', format: 'csv' });
  const newsOf = async ({ token }: Person) =>
    (await server.call('GET /notifications', { token })).body.items.filter(
      ({ recordId }: { recordId: string }) => recordId === id,
    );
  expect(await newsOf(admin)).toMatchObject([{ kind: 'exportReady' }]);
  expect(await newsOf(clerk)).toEqual([]);
  await server.call(`DELETE /exports/${id}`, { token: admin.token });
  expect(await newsOf(admin)).toEqual([]);
});

describe('deals', () => {
  const month = '2024-03';
  const clerks = (changes: object = {}) => addDeal(server, clerk, dealershipId, { month, ...changes });

  test('an export of deals as CSV: a BOM, dates as in en-AU on the company’s clock, money as numbers, no formula', async () => {
    await clerks({
      customerName: '=HYPERLINK("http://x.example")',
      customerNumber: '(0400) 123 456',
      vehicle: ' \t+1',
      notes: 'Two\nlines, "quoted"; ö',
      deliveryDate: '2024-03-09',
      saleAmount: 1234.5,
      costAmount: 2000,
      followUpAt: '2024-03-09T22:30:00.000Z',
    });
    const id = await exported({ kind: 'deals', month, search: 'hyperlink' });
    const file = await bytesOf(id);
    expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(parse(file, { bom: true, columns: true })).toEqual([
      expect.objectContaining({
        Customer: `'=HYPERLINK("http://x.example")`,
        Phone: '(0400) 123 456',
        Vehicle: "'+1",
        Notes: 'Two\nlines, "quoted"; ö',
        'Delivery date': '09/03/2024',
        Sale: '1234.50',
        'Gross profit': '-765.50',
        'Follow-up': '10/03/2024 09:30',
        Month: month,
        Dealership: 'Harbour Cars',
        Owner: 'Cleo Clerk',
      }),
    ]);
    expect(await actionsOf(id)).toEqual(['export.created', 'export.finished', 'export.downloaded']);
  });

  test('an export of deals as XLSX: typed cells, and every text a text', async () => {
    const file = await bytesOf(await exported({ kind: 'deals', month, search: 'hyperlink', format: 'xlsx' }));
    const [{ data }] = (await readXlsx(file)) as unknown as [{ data: unknown[][] }];
    const [head, row] = data as [string[], unknown[]];
    const cell = (name: string) => row[head.indexOf(name)];
    expect(cell('Customer')).toBe('=HYPERLINK("http://x.example")');
    expect(cell('Notes')).toBe('Two\nlines, "quoted"; ö');
    expect(cell('Sale')).toBe(1234.5);
    expect(cell('Gross profit')).toBe(-765.5);
    expect(cell('Delivery date')).toEqual(new Date('2024-03-09T00:00:00Z'));
    expect(cell('Follow-up')).toEqual(new Date('2024-03-10T09:30:00Z'));
  });

  test('an export of deals has exactly the rows and columns visible to its reader', async () => {
    const hidden = await addDealership(server, admin, { name: 'Hidden Cars' });
    await addDeal(server, admin, hidden, { month, customerName: 'Hidden' });
    const shown = await clerks({ customerName: 'Shown', notes: 'Secret' });
    const reader = await server.person({
      permissions: {
        dataEntry: {
          columnVisibility: {
            viewAllColumns: false,
            visibleColumns: ['customerName', 'status'],
            restrictedDealerships: [hidden],
          },
        },
      } as never,
    });
    const rows = await rowsOf({ kind: 'deals', month }, reader);
    const seen = (await server.call(`GET /deals?month=${month}`, { token: reader.token })).body.items;
    expect(rows.map(({ Customer }) => Customer!.replace(/^'/, ''))).toEqual(
      seen.map(({ customerName }: { customerName: string }) => customerName),
    );
    expect(Object.keys(rows[0]!)).toEqual(['Status', 'Customer', 'Comments', 'Month', 'Created', 'Changed']);
    expect(rows.some(({ Customer }) => Customer === shown.customerName)).toBe(true);
    const byHidden = await begin({ kind: 'deals', dealershipId }, reader);
    expect(byHidden).toMatchObject({ status: 400, body: { errors: { dealershipId: expect.anything() } } });
  });

  test('an export of deals marks phone numbers and addresses on the Do not contact list, only in columns that its reader sees', async () => {
    const customer = { customerNumber: '(0498) 765 432', customerEmail: 'Dee@Buyer.example' };
    const rows = [await clerks(customer), await clerks({ customerNumber: '(0498) 765 433' }), await clerks()];
    const body = { values: ['0498765432', 'dee@buyer.example'], reason: 'Asked' };
    await server.call('POST /do-not-contact', { token: clerk.token, body });
    const request = { kind: 'deals', ids: rows.map(({ _id }) => _id) };
    const exported = await rowsOf(request, clerk);
    expect(exported.map((row) => [row['Do not call'], row['Do not email']])).toEqual([
      ['No', 'No'],
      ['No', 'No'],
      ['Yes', 'Yes'],
    ]);
    const reader = await server.person({
      permissions: {
        dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns: ['customerEmail'] } },
      } as never,
    });
    const [seen] = (await rowsOf(request, reader)).toReversed();
    expect(seen).toMatchObject({ 'Do not email': 'Yes' });
    expect(seen).not.toHaveProperty('Do not call');
  });

  test('an export of deals has the comments of each row, oldest first, and no formula', async () => {
    const eve = await server.person({ name: '=Eve' });
    const [row, other] = [await clerks(), await clerks()];
    for (const [by, body] of [
      [eve, '=1+1'],
      [clerk, 'Two\nlines'],
    ] as const)
      await server.call(`POST /deals/${row._id}/comments`, { token: by.token, body: { body } });
    await server.db
      .updateTable('deal_comments')
      .set({ created_at: '2024-03-09T22:30:00.000Z' })
      .where('deal_id', '=', row._id)
      .execute();
    const rows = await rowsOf({ kind: 'deals', ids: [row._id, other._id] }, clerk);
    expect(rows.map(({ Comments }) => Comments)).toEqual([
      '',
      "'=Eve, 10/03/2024 09:30: =1+1\nCleo Clerk, 10/03/2024 09:30: Two\nlines",
    ]);
  });

  test('an export of deals has the custom fields that its reader may see, typed, with options and people by name', async () => {
    const addField = async (body: object) =>
      (await server.call('POST /custom-fields', { token: admin.token, body })).body.key as string;
    const lender = await addField({
      name: 'Lender',
      type: 'select',
      options: [{ name: 'ANZ' }, { name: 'CBA' }],
    });
    const handler = await addField({ name: 'Handler', type: 'person' });
    const fee = await addField({ name: 'Fee', type: 'currency' });
    const paid = await addField({ name: 'Paid', type: 'checkbox' });
    const secret = await addField({ name: 'Margin', type: 'percent', visibleTo: 'administrators' });
    const custom = { [lender]: 'o2', [handler]: clerk.id, [fee]: 1250.5, [paid]: true, [secret]: 7.25 };
    const { _id } = await addDeal(server, admin, dealershipId, { custom });
    const [own] = await rowsOf({ kind: 'deals', ids: [_id] });
    expect(own).toMatchObject({
      Lender: 'CBA',
      Handler: 'Cleo Clerk',
      Fee: '1250.50',
      Paid: 'Yes',
      Margin: '7.25',
    });
    const [seen] = await rowsOf({ kind: 'deals', ids: [_id] }, clerk);
    expect(seen).toMatchObject({ Lender: 'CBA' });
    expect(seen).not.toHaveProperty('Margin');
    const id = await exported({ kind: 'deals', ids: [_id], format: 'xlsx' });
    const [headers, row] = (await readXlsx(await bytesOf(id)))[0]!.data as unknown[][];
    expect(row![headers!.indexOf('Fee')]).toBe(1250.5);
  });

  test('an export of deals of a selection has exactly these rows', async () => {
    const [one, , three] = [await clerks(), await clerks(), await clerks()];
    const rows = await rowsOf({ kind: 'deals', ids: [one._id, three._id] }, clerk);
    expect(rows).toHaveLength(2);
    const listed = (await server.call('GET /exports', { token: clerk.token })).body.items[0];
    expect(listed.filter).toEqual({ rows: 2 });
  });

  test('an export of deals has the same total as the grid to the cent', async () => {
    const at = '2023-07';
    for (const saleAmount of [0.1, 0.2, 1999.99, 12_345.67, 0.07])
      await clerks({ month: at, saleAmount, costAmount: 0.03 });
    const rows = await rowsOf({ kind: 'deals', month: at });
    const cents = (column: string) =>
      rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
    const { body } = await server.call(`GET /deals/summary?month=${at}`, { token: admin.token });
    expect([cents('Sale'), cents('Gross profit'), cents('Commission')]).toEqual(
      [body.saleAmount, body.grossProfit, body.commission].map((sum) => Math.round(sum * 100)),
    );
  });

  test.each(['csv', 'xlsx'])(
    'the commission that counts of an export adds up to the statement: %s',
    async (format) => {
      const at = format === 'csv' ? '2023-08' : '2023-09';
      await server.call('PUT /settings/user/company/commission.newSales', {
        token: admin.token,
        body: { value: 10 },
      });
      const newCars = await addDealership(server, admin, { name: 'Harbour New Cars' });
      const statuses = await server.db.selectFrom('statuses').select(['id', 'name']).execute();
      for (const [n, { name }] of statuses.entries())
        await addDeal(server, clerk, newCars, { month: at, status: name, saleAmount: 100.1 + n });
      // One that counts, one that does not, and undecided ones.
      await server.db
        .updateTable('statuses')
        .set((eb) => ({
          counts_for_commission: eb
            .case()
            .when('name', '=', 'Deal')
            .then(true)
            .when('name', '=', 'No deal')
            .then(false)
            .else(null)
            .end(),
        }))
        .execute();
      const file = { kind: 'deals', month: at };
      let rows: Record<string, unknown>[];
      if (format === 'csv') rows = await rowsOf(file);
      else {
        const bytes = await bytesOf(await exported({ ...file, format }));
        const [{ data }] = (await readXlsx(bytes)) as unknown as [{ data: unknown[][] }];
        const [head, ...lines] = data;
        rows = lines.map((line) => Object.fromEntries(head!.map((name, index) => [name, line[index]])));
      }
      const heads = Object.keys(rows[0]!);
      expect(heads[heads.indexOf('Commission') + 1]).toBe('Counts for commission');
      const counting = rows.filter((row) => ['Yes', true].includes(row['Counts for commission'] as never));
      expect(rows.filter((row) => !counting.includes(row)).map(({ Status }) => Status)).toEqual(['No deal']);
      const cents = counting.reduce((sum, { Commission }) => sum + Math.round(Number(Commission) * 100), 0);
      const { body } = await server.call(`GET /reports/commission-statement?owner=${clerk.id}&month=${at}`, {
        token: admin.token,
      });
      expect(cents).toBeGreaterThan(0);
      expect(cents / 100).toBe(body.total.commission);
    },
  );

  test('an export of deals of more rows than one batch has each of them once, from one snapshot', async () => {
    const at = '2022-01';
    await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
      select gen_random_uuid(), (select id from statuses limit 1), ${dealershipId}, 'Row ' || n, ${at},
        ${clerk.id}, ${clerk.id}, ${clerk.id} from generate_series(1, 4500) as n`.execute(server.db);
    const rows = await rowsOf({ kind: 'deals', month: at });
    expect(new Set(rows.map(({ Customer }) => Customer)).size).toBe(4500);
    expect(rows).toHaveLength(4500);
  });
});

test.each([
  ['dealerships', 'Name', 'Harbour Cars'],
  ['templates', 'Subject', 'About {{customer}}'],
  ['users', 'Name', 'Cleo Clerk'],
  ['audit', 'Action', 'deal.created'],
])('administrators export %s', async (kind, column, value) => {
  const rows = await rowsOf({ kind });
  expect(rows.map((row) => row[column])).toContain(value);
  expect(JSON.stringify(rows)).not.toContain('argon2');
});

test('contacts and the email log are exported, narrowed by a filter', async () => {
  const contacts = [
    {
      name: 'Tess',
      email: 'tess@harbour.example',
      templateName: 'Daily',
      includeInTo: true,
      includeInCc: false,
      active: true,
    },
  ];
  await addDealership(server, admin, { name: 'With contacts', contacts });
  expect(await rowsOf({ kind: 'contacts' })).toContainEqual(
    expect.objectContaining({
      Dealership: 'With contacts',
      Email: 'tess@harbour.example',
      To: 'Yes',
      Cc: 'No',
    }),
  );
  const to_addresses = ['sam@dealer.example', 'ann@dealer.example'];
  await server.db
    .insertInto('emails')
    .values(emailValues(admin.id, dealershipId, { to_addresses }))
    .execute();
  expect(await rowsOf({ kind: 'emails', status: 'queued' })).toEqual([
    {
      When: expect.any(String),
      Sender: 'Ada Admin',
      From: 'kim@example.com',
      To: 'sam@dealer.example, ann@dealer.example',
      Cc: '',
      Subject: 'Hello',
      Template: 'Daily',
      'Template version': '1',
      Dealership: 'Harbour Cars',
      Status: 'queued',
      Sent: '',
      "Server's answer": '',
    },
  ]);
  expect(await rowsOf({ kind: 'emails', status: 'sent', search: 'nothing like it' })).toEqual([]);
});

test.each(Object.entries(WHOLE))('the query of %s returns each column', async (kind, columns) => {
  const batch = await server.db.transaction().execute((tx) => readWhole(tx, kind as WholeKind).next());
  const [row] = batch.value!;
  expect(columns.filter(({ of }) => of(row!) === undefined)).toEqual([]);
});

test('the audit log is filtered like its list', async () => {
  const rows = await rowsOf({ kind: 'audit', actorId: clerk.id, action: 'deal.created' });
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map(({ Who, Action }) => `${Who} ${Action}`))).toEqual(
    new Set(['Cleo Clerk deal.created']),
  );
});

describe('the file', () => {
  test('the file of an export returns 403 to a ticket whose user must change the password meanwhile', async () => {
    const person = await server.person({ role: 'admin' });
    const id = await exported({ kind: 'users' }, person);
    const { body } = await server.call(`POST /exports/${id}/download-ticket`, { token: person.token });
    await server.db
      .updateTable('users')
      .set({ force_password_change: true })
      .where('id', '=', person.id)
      .execute();
    const refused = await server.app.inject({ url: body.url });
    expect(refused.json()).toMatchObject({ code: 'PASSWORD_CHANGE_REQUIRED' });
  });

  test('the file of an export is downloaded by a single-use ticket', async () => {
    const id = await exported({ kind: 'users' });
    const { status, body } = await server.call(`POST /exports/${id}/download-ticket`, { token: admin.token });
    expect(status).toBe(201);
    const first = await server.app.inject({ url: body.url });
    expect(first.statusCode).toBe(200);
    expect(first.headers['content-disposition']).toMatch(/attachment; filename="Users \d{4}-\d\d-\d\d\.csv"/);
    expect(first.headers['cache-control']).toBe('no-store');
    expect((await server.app.inject({ url: body.url })).statusCode).toBe(404);
    expect(await actionsOf(id)).toContain('export.downloaded');
  });

  test('the file of an export is rejected after a reduction of the user’s permissions', async () => {
    const person = await server.person();
    const id = await exported({ kind: 'deals' }, person);
    await changePermissions(server, admin, person, {
      dataEntry: { columnVisibility: { restrictedDealerships: [dealershipId] } },
    });
    const refused = await server.call(`GET /exports/${id}/download`, { token: person.token });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('has changed') } });
  });

  test('the file of an export is complete or absent: a dead server’s export is marked as failed, and deleted', async () => {
    const id = await exported({ kind: 'users' });
    const { db } = server;
    await sql`update jobs set status = 'running', heartbeat_at = now() - interval '1 minute'
      where id = (select job_id from exports where id = ${id})`.execute(db);
    await db.updateTable('exports').set({ finished_at: null }).where('id', '=', id).execute();
    const download = () => server.call(`GET /exports/${id}/download`, { token: admin.token });
    expect((await download()).status).toBe(409);
    await server.call('POST /jobs/recurring/interrupted-work/run', { token: admin.token });
    const message = expect.stringMatching(/^The server stopped during this/);
    await expect.poll(() => read(id)).toMatchObject({ state: 'failed', message });
    expect((await download()).status).toBe(409);
  });

  test('the file of an export is deleted with its export, also while it is created', async () => {
    const id = (await begin({ kind: 'deals', month: '2022-01', format: 'xlsx' })).body._id;
    expect((await server.call(`DELETE /exports/${id}`, { token: admin.token })).status).toBe(204);
    expect((await server.call(`GET /exports/${id}`, { token: admin.token })).status).toBe(404);
    const jobs = () =>
      sql<{ status: string }>`select status from jobs where status = 'running'`.execute(server.db);
    await expect.poll(async () => (await jobs()).rows).toEqual([]);
    const left = async () =>
      (await readdir(join(server.dataDir, 'files'))).filter((name) => name.startsWith('.'));
    await expect.poll(left).toEqual([]);
    expect((await actionsOf(id)).at(-1)).toMatch(/^export\.(cancelled|deleted)$/);
  });

  test('the file of an export is never listed without its job, which a deletion cancels', async () => {
    const person = await server.person({ role: 'admin' });
    const begun: Promise<unknown>[] = [];
    await blockWrites(server.db, 'hold_jobs', sql`insert on jobs for each row`, async (untilBlocked) => {
      begun.push(begin({ kind: 'users' }, person));
      await untilBlocked();
      const { body } = await server.call('GET /exports', { token: person.token });
      expect(body.items.filter((one: Export) => one.createdBy === person.id)).toEqual([]);
    });
    expect(await begun[0]).toMatchObject({ status: 201 });
  });

  test('the file of an export is stored for a week, and its deletion has an entry', async () => {
    const id = await exported({ kind: 'users' });
    await sql`update exports set created_at = now() - interval '8 days' where id = ${id}`.execute(server.db);
    expect((await server.call(`GET /exports/${id}/download`, { token: admin.token })).status).toBe(404);
    await server.call('POST /jobs/recurring/export-clean-up/run', { token: admin.token });
    const left = () => server.db.selectFrom('exports').select('id').where('id', '=', id).execute();
    await expect.poll(left).toEqual([]);
    expect((await actionsOf(id)).at(-1)).toBe('export.deleted');
  });
});
