import { sql } from 'kysely';
import { expect } from 'vitest';
import { valuesOf, type Db } from '../src/platform/db/database.ts';
import { newId } from '../src/platform/ids.ts';
import type { Reply, TestApp } from './app.ts';
import { PASSWORD } from './people.ts';

/** An id that nothing has. */
export const ABSENT_ID = '01930000-0000-7000-8000-00000000ffff';

/** The API caller: an app in this process or a server in its own. */
type Caller = {
  call(route: string, call: { token: string; body: unknown }): Promise<Pick<Reply, 'status' | 'body'>>;
};
type By = { token: string };

/** Tries to sign in with a password. */
export const login = (server: TestApp, email: string, password = PASSWORD): Promise<Reply> =>
  server.call('POST /auth/login', { body: { email, password } });

/** Keeps the wait after failed sign-ins, a second at first, from passing while a slow machine runs the test. */
export const keepWait = (server: TestApp, account: string) =>
  server.db
    .updateTable('sign_in_failures')
    .set({ created_at: sql`now() + interval '1 hour'` })
    .where('subject', '=', `account:${account}`)
    .execute();

/** Changes parts of the permission record of a user through the API. */
export const changePermissions = (
  server: TestApp,
  by: By,
  user: { id: string },
  body: object,
): Promise<Reply> => server.call(`PUT /permissions/user/${user.id}`, { token: by.token, body });

/** Creates an active template through the API and returns its id. */
export async function addTemplate(server: Caller, by: By, changes: object = {}): Promise<string> {
  const reply = await server.call('POST /email-templates', {
    token: by.token,
    body: {
      name: `Template ${Math.random().toString(36).slice(2)}`,
      subject: 'About {{customer}}',
      status: 'active',
      document: {
        blocks: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'Dear ' },
              { type: 'variable', key: 'customer' },
            ],
          },
        ],
      },
      variables: [
        {
          key: 'customer',
          label: 'Customer',
          category: 'deal',
          defaultValue: '',
          description: '',
          linkedData: 'deal.customerName',
          required: true,
        },
      ],
      ...changes,
    },
  });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body._id;
}

/** Creates a dealership with a template of its own through the API and returns its id. */
export async function addDealership(server: Caller, by: By, changes: object = {}): Promise<string> {
  const reply = await server.call('POST /dealerships', {
    token: by.token,
    body: {
      name: 'Harbour New Cars',
      address: '1 Pier Street, Sydney NSW 2000',
      defaultEmailTemplateId: await addTemplate(server, by),
      contacts: [],
      ...changes,
    },
  });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body._id;
}

/** Creates a deal row through the API and returns it. */
export async function addDeal(server: Caller, by: By, dealershipId: string, changes: object = {}) {
  const reply = await server.call('POST /deals', {
    token: by.token,
    body: { dealershipId, customerName: 'Ann Example', ...changes },
  });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body;
}

/** Inserts many copies of a deal: 'Row 000001' one second older than it, 'Row 000002' two seconds, and so on. */
export const addManyDeals = (db: Db, likeId: string, count: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`
      insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by, created_at)
      select gen_random_uuid(), status_id, dealership_id, 'Row ' || lpad(n::text, 6, '0'), month, owner_id, created_by,
        updated_by, created_at - n * interval '1 second'
      from deals, generate_series(1, ${count}::int) as n
      where deals.id = ${likeId}`.execute(tx);
    await sql`analyze deals`.execute(tx);
  });

/** Returns the columns of a queued email with a new id. */
export function emailValues(sender_id: string, dealership_id: string, changes: object = {}) {
  const id = newId();
  return {
    id,
    sender_id,
    dealership_id,
    template_name: 'Daily',
    template_version: 1,
    from_name: 'Kim Novak',
    from_address: 'kim@example.com',
    to_addresses: ['sam@dealer.example'],
    cc_addresses: [],
    subject: 'Hello',
    html: '<p>Hello</p>',
    body_text: 'Hello',
    message_id: `<${id}@example.com>`,
    search_text: '',
    status: 'queued',
    ...changes,
  };
}

/** Inserts a failed job into the mail queue and returns its id. Its sender has no messages. */
export async function addFailedJob(db: Db, message: string): Promise<string> {
  const id = newId();
  await sql`
    insert into pgboss.job (id, name, data, state, retry_count, completed_on, output)
    values (${id}, 'mail', ${JSON.stringify({ senderId: newId() })}, 'failed', 3, now(), ${JSON.stringify({ message })})`.execute(
    db,
  );
  return id;
}

/** Returns the actions on a record, as in the audit log. */
export const auditedActions = (server: TestApp, recordId: string) =>
  server.db
    .selectFrom('audit_entries')
    .where('record_id', '=', recordId)
    .orderBy('id')
    .select('action')
    .$call(valuesOf('action'));

/** Returns the newest audit entry about a record, as in the audit log. */
export const newestAudit = (server: TestApp, recordId: string) =>
  server.db
    .selectFrom('audit_entries')
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc')
    .selectAll()
    .executeTakeFirst();

/** Waives all open checks of a month and closes it, through the API. Months are closed in their order. */
export async function closeMonth(server: Caller, by: By, month: string): Promise<void> {
  const call = async (route: string, body: unknown) => {
    const reply = await server.call(route, { token: by.token, body });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body as { checks: { key: string; count: number }[] };
  };
  for (const { key, count } of (await call(`GET /months/${month}`, undefined)).checks)
    if (count > 0) await call(`POST /months/${month}/waive`, { check: key, rows: count, reason: 'Agreed' });
  await call(`POST /months/${month}/close`, {});
}
