import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { ABSENT_ID, addTemplate, newestAudit } from '../../../test/builders.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin' });
const templateId = await addTemplate(server, admin, { name: 'Daily' });
beforeEach(async () => {
  await server.db.deleteFrom('dealerships').execute();
});
afterAll(() => server.close());

const contact = (changes: object = {}) => ({
  name: 'Jo Field',
  email: 'jo@example.com',
  templateName: 'Daily',
  includeInTo: true,
  includeInCc: false,
  active: true,
  ...changes,
});
const dealership = (name: string, changes: object = {}) => ({
  name,
  address: '1 Pier Street',
  defaultEmailTemplateId: templateId,
  contacts: [contact()],
  ...changes,
});
const run = (dealerships: object[], token: string | undefined = admin.token, headers = {}) =>
  server.call('POST /dealerships/import', { token, body: { dealerships }, headers });
const list = async () => (await server.call('GET /dealerships', { token: admin.token })).body;

describe('bad input', () => {
  test.each([
    ['dealerships.1.name', { name: ' ' }, 'Dealership name is required'],
    ['dealerships.1.name', { name: 'HARBOUR cars' }, 'This name is in the import twice'],
    ['dealerships.1.address', { address: '' }, 'Address is required'],
    [
      'dealerships.1.defaultEmailTemplateId',
      { defaultEmailTemplateId: ABSENT_ID },
      'Default email template is required',
    ],
    [
      'dealerships.1.contacts.1.email',
      { contacts: [contact(), contact({ email: 'jo@' })] },
      'Must be an email address',
    ],
    [
      'dealerships.1.contacts.0.templateName',
      { contacts: [contact({ templateName: 'Weekly' })] },
      'There is no template of this name',
    ],
    ['dealerships.1.sharedWith', { sharedWith: [] }, 'Unknown field'],
    ['dealerships.1.owner', { owner: 'me' }, 'Unknown field'],
  ])('an import of dealerships names %s, and adds nothing: %j', async (field, changes, message) => {
    expect(await run([dealership('Harbour Cars'), dealership('Other', changes)])).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', errors: { [field]: message } },
    });
    expect((await list()).total).toBe(0);
  });

  test('an import of dealerships names every invalid field at once, including an existing name', async () => {
    await run([dealership('Harbour Cars')]);
    const { status, body } = await run([
      dealership('Inland Cars', { contacts: [contact({ templateName: 'Weekly' })] }),
      dealership('harbour CARS'),
    ]);
    expect(status).toBe(400);
    expect(body.errors).toEqual({
      'dealerships.0.contacts.0.templateName': 'There is no template of this name',
      'dealerships.1.name': 'There is already a dealership with this name',
    });
    expect((await list()).total).toBe(1);
  });

  test('an import of dealerships names 1,000 invalid fields, and says that the other dealerships were not checked', async () => {
    const wrong = dealership('Harbour Cars', { contacts: Array.from({ length: 50 }, () => ({})) });
    const { status, body } = await run(Array.from({ length: 2000 }, () => wrong));
    expect([status, Object.keys(body.errors).length]).toEqual([400, 1000]);
    expect(body.message).toContain('the rows after them were not checked');
  });

  test('an import of dealerships rejects none and more than 2,000', async () => {
    expect((await run([])).status).toBe(400);
    const many = Array.from({ length: 2001 }, (_, index) => dealership(`Dealership ${index}`));
    expect((await run(many)).body.errors).toEqual({ dealerships: 'At most 2,000 dealerships at once' });
  });
});

test('an import of dealerships is not for users with view permission only, and reveals no invisible dealership to an editor', async () => {
  const viewer = await server.person({ permissions: { dealershipConfiguration: { viewDealerships: true } } });
  const editor = await server.person({ permissions: { dealershipConfiguration: { editDealerships: true } } });
  expect(await run([dealership('Harbour Cars')], viewer.token)).toMatchObject({
    status: 403,
    body: { details: 'NO_DEALERSHIP_EDIT' },
  });
  expect((await run([dealership('Harbour Cars')])).status).toBe(201);
  expect((await run([dealership('Harbour Cars', { contacts: [] })], editor.token)).status).toBe(201);
});

test('an import of dealerships adds dealerships with their contacts in order, each with an audit entry', async () => {
  const given = [
    dealership('Harbour New Cars', {
      contacts: [contact({ name: 'Tess' }), contact({ name: 'Cam', includeInTo: false, includeInCc: true })],
    }),
    dealership('Inland Used Cars', { contacts: [], active: false }),
  ];
  const { status, body } = await run(given);
  expect(status).toBe(201);
  expect(body).toEqual({
    items: [
      { _id: expect.any(String), name: 'Harbour New Cars', active: true },
      { _id: expect.any(String), name: 'Inland Used Cars', active: false },
    ],
    total: 2,
  });
  const { items } = await list();
  expect(items).toMatchObject(given.map((one) => ({ active: true, ...one, owner: admin.id, version: 1 })));
  for (const [index, { _id }] of body.items.entries())
    expect(await newestAudit(server, _id)).toMatchObject({
      action: 'dealership.created',
      actor_id: admin.id,
      version: 1,
      before: null,
      after: { active: true, ...given[index] },
    });
});

test('an import of dealerships runs once for its Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'import-1' };
  const first = await run([dealership('Harbour Cars')], admin.token, headers);
  expect(await run([dealership('Harbour Cars')], admin.token, headers)).toMatchObject({
    status: 201,
    body: first.body,
  });
  expect((await list()).total).toBe(1);
});

test('an import of dealerships adds 2,000 dealerships with 4,000 contacts in one request', async () => {
  const many = Array.from({ length: 2000 }, (_, index) =>
    dealership(`Dealership ${index}`, {
      contacts: [contact(), contact({ name: 'Cam' })],
      address: 'A'.repeat(300),
    }),
  );
  expect(await run(many)).toMatchObject({ status: 201, body: { total: 2000 } });
  const counted = await server.db
    .selectFrom('contacts')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(counted.count)).toBe(4000);
});
