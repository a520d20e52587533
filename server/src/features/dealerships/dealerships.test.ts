import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { countWaiting } from '../../../test/block-inserts.ts';
import {
  ABSENT_ID,
  addDeal,
  addDealership,
  addTemplate,
  emailValues,
  newestAudit,
} from '../../../test/builders.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin' });
const clerk = await server.person();
const viewer = await server.person({ permissions: { dealershipConfiguration: { viewDealerships: true } } });
const templateId = await addTemplate(server, admin);
afterAll(() => server.close());

const contact = {
  name: 'Jo Field',
  email: 'jo@example.com',
  templateName: 'Daily',
  includeInTo: true,
  includeInCc: false,
  active: true,
};
const input = (changes: object = {}) => ({
  name: 'Harbour New Cars',
  address: '1 Pier Street',
  defaultEmailTemplateId: templateId,
  contacts: [contact],
  ...changes,
});
const create = (body: object, token = admin.token) => server.call('POST /dealerships', { token, body });
const count = async () => (await server.db.selectFrom('dealerships').select('id').execute()).length;

describe('adding a dealership', () => {
  test.each([
    [{ name: ' ' }, { name: 'Dealership name is required' }],
    [{ address: '' }, { address: 'Address is required' }],
    [{ defaultEmailTemplateId: '' }, { defaultEmailTemplateId: 'Default email template is required' }],
    [{ defaultEmailTemplateId: ABSENT_ID }, { defaultEmailTemplateId: 'Default email template is required' }],
    [{ contacts: [{ ...contact, email: 'jo@' }] }, { 'contacts.0.email': 'Must be an email address' }],
    [
      { contacts: [{ ...contact, email: 'jo@example.com\r\nBcc: x@example.com' }] },
      { 'contacts.0.email': 'Must be an email address' },
    ],
    [{ contacts: [{ ...contact, name: '' }] }, { 'contacts.0.name': 'Contact name is required' }],
    [{ name: 'a\u0000b' }, { name: 'Must be one line of plain text' }],
    [{ owner: 'me' }, { owner: 'Unknown field' }],
    [{ active: 'yes' }, { active: expect.any(String) }],
  ])('adding a dealership rejects %j', async (changes, errors) => {
    const before = await count();
    const reply = await create(input(changes));
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', errors } });
    expect(await count()).toBe(before);
  });

  test('adding a dealership is not for users with view permission only', async () => {
    expect(await create(input(), viewer.token)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_PERMISSIONS', details: 'NO_DEALERSHIP_EDIT' },
    });
  });

  test('adding a dealership returns it with its contacts, and is audited', async () => {
    const reply = await create(input());
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      ...input(),
      version: 1,
      abilities: { edit: true, toggle: true, delete: true },
    });
    expect(await newestAudit(server, reply.body._id)).toMatchObject({
      action: 'dealership.created',
      actor_id: admin.id,
      after: { name: 'Harbour New Cars', contacts: [contact] },
    });
  });

  test('adding a dealership needs no more of a contact than name, email and template', async () => {
    const { name, email, templateName } = contact;
    const required = { name, email, templateName };
    const { status, body } = await create(
      input({
        contacts: [required, { ...required, includeInCc: true }, { ...required, includeInTo: false }],
      }),
    );
    expect(status).toBe(201);
    expect(body.contacts).toEqual([
      contact,
      { ...contact, includeInTo: false, includeInCc: true },
      { ...contact, includeInTo: false },
    ]);
  });
});

describe('reading dealerships', () => {
  test('reading dealerships without the view permission returns none, and 404 for each as for an unknown one', async () => {
    const id = await addDealership(server, admin);
    expect((await server.call('GET /dealerships', { token: clerk.token })).body).toEqual({
      items: [],
      total: 0,
    });
    expect((await server.call(`GET /dealerships/${id}`, { token: clerk.token })).status).toBe(404);
  });

  test('reading dealerships with the view permission returns all, each with its abilities', async () => {
    await addDealership(server, admin);
    const { body } = await server.call('GET /dealerships', { token: viewer.token });
    expect(body.total).toBe(await count());
    expect(body.items[0].abilities).toEqual({
      edit: 'NO_DEALERSHIP_EDIT',
      toggle: 'NO_DEALERSHIP_TOGGLE',
      delete: 'NO_DEALERSHIP_DELETE',
      share: 'NO_DEALERSHIP_SHARE',
      transfer: 'NO_DEALERSHIP_TRANSFER',
    });
  });
});

describe('changing a dealership', () => {
  const put = (id: string, body: object, token = admin.token) =>
    server.call(`PUT /dealerships/${id}`, { token, body });

  test('changing a dealership to the response of GET changes nothing', async () => {
    const id = await addDealership(server, admin, { contacts: [contact] });
    const { body: before } = await server.call(`GET /dealerships/${id}`, { token: admin.token });
    const { body: after } = await put(id, before);
    expect(after).toEqual(before);
    expect((await newestAudit(server, id))?.action).toBe('dealership.created');
  });

  test('changing a dealership to the name of a template in another case changes nothing', async () => {
    await addTemplate(server, admin, { name: 'Weekly' });
    const contacts = [{ ...contact, templateName: 'WEEKLY' }];
    const { body: before } = await create(input({ contacts }));
    expect(before.contacts).toMatchObject([{ templateName: 'Weekly' }]);
    expect((await put(before._id, input({ contacts }))).body).toEqual(before);
  });

  test('changing a dealership with an outdated version returns 409 with the current one', async () => {
    const id = await addDealership(server, admin);
    await put(id, input({ name: 'Second', version: 1 }));
    const late = await put(id, input({ name: 'Third', version: 1 }));
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { name: 'Second', version: 2 } },
    });
  });

  test('changing a dealership locks its template before the names of templates, as the change of a template does', async () => {
    const id = await addDealership(server, admin, { defaultEmailTemplateId: templateId });
    const contacts = [{ ...contact, templateName: 'Not yet there' }];
    const { saving } = await server.db.transaction().execute(async (tx) => {
      await sql`select from email_templates where id = ${templateId} for update`.execute(tx);
      const saving = put(id, input({ contacts }));
      await expect.poll(() => countWaiting(server.db)).toBe(1);
      const { rows } = await sql<{ isFree: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended('new-template-names', 0)) as "isFree"`.execute(tx);
      expect(rows).toEqual([{ isFree: true }]);
      return { saving };
    });
    expect(await saving).toMatchObject({ status: 200, body: { contacts } });
  });

  test('changing a dealership audits the values before and after', async () => {
    const id = await addDealership(server, admin);
    await put(id, input({ name: 'Renamed' }));
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'dealership.updated',
      version: 2,
      before: { name: 'Harbour New Cars' },
      after: { name: 'Renamed' },
    });
  });
});

describe('activating in bulk', () => {
  const bulk = (ids: string[], token = admin.token) =>
    server.call('POST /dealerships/bulk/active', { token, body: { ids, active: false } });

  test('activating dealerships in bulk changes all of them or none', async () => {
    const ids = [await addDealership(server, admin), await addDealership(server, admin)];
    expect((await bulk([...ids, ABSENT_ID])).status).toBe(404);
    expect((await bulk(ids, viewer.token)).status).toBe(403);
    const states = () =>
      server.db.selectFrom('dealerships').where('id', 'in', ids).select('active').execute();
    expect(await states()).toEqual([{ active: true }, { active: true }]);
    expect((await bulk(ids)).body.total).toBe(2);
    expect(await states()).toEqual([{ active: false }, { active: false }]);
  });
});

describe('deleting a dealership', () => {
  test('deleting a dealership with deals is rejected with their number', async () => {
    const id = await addDealership(server, admin);
    await addDeal(server, admin, id);
    expect(await server.call(`DELETE /dealerships/${id}`, { token: admin.token })).toMatchObject({
      status: 409,
      body: {
        code: 'IN_USE',
        message: 'Harbour New Cars has 1 deal and cannot be deleted. Deactivate it instead.',
      },
    });
  });

  test('deleting a dealership with invisible deals is rejected without a number', async () => {
    const id = await addDealership(server, admin, { name: 'Hidden Deals' });
    await addDeal(server, admin, id);
    const { token } = await server.person({
      permissions: {
        features: { manageDealerships: true },
        dealershipConfiguration: { viewDealerships: true, deleteDealerships: true },
        dataEntry: { columnVisibility: { dateRangeStart: null, dateRangeEnd: '2020-01-01' } },
      } as never,
    });
    expect(await server.call(`DELETE /dealerships/${id}`, { token })).toMatchObject({
      status: 409,
      body: { message: 'Hidden Deals has deals and cannot be deleted. Deactivate it instead.' },
    });
  });

  test('deleting a dealership with emails only is rejected as well', async () => {
    const id = await addDealership(server, admin);
    await server.db
      .insertInto('emails')
      .values(emailValues(admin.id, id, { status: 'sent' }))
      .execute();
    expect(await server.call(`DELETE /dealerships/${id}`, { token: admin.token })).toMatchObject({
      status: 409,
      body: { message: 'Harbour New Cars has 1 email and cannot be deleted. Deactivate it instead.' },
    });
  });

  test('deleting a dealership without deals deletes it with its contacts', async () => {
    const id = await addDealership(server, admin, { contacts: [contact] });
    expect((await server.call(`DELETE /dealerships/${id}`, { token: admin.token })).status).toBe(204);
    expect((await server.call(`GET /dealerships/${id}`, { token: admin.token })).status).toBe(404);
    expect((await newestAudit(server, id))?.action).toBe('dealership.deleted');
  });
});
