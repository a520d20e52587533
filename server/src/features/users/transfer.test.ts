import { kindsWith } from '@forecourt/contract/record-kinds';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership, newestAudit } from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';

const MANY = 10_000;

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const newOwner = await server.person({ name: 'Hal Heir' });
afterAll(() => server.close());

const call = (route: string, body?: unknown) =>
  server.call(route, { token: admin.token, ...(body !== undefined && { body }) });
const transfer = (from: Person, changes: object = {}) =>
  call(`POST /users/${from.id}/transfer`, { targetUserId: newOwner.id, reason: 'Left', ...changes });
const belongings = async (person: { id: string }) => (await call(`GET /users/${person.id}/belongings`)).body;

const KINDS = [...kindsWith('owned').map(({ owned }) => owned), 'deals', 'dealViews'];
const NOTHING = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
/** What `leaverWithThings` owns. */
const ONE_OF_EACH = { ...NOTHING, dealerships: 1, emailTemplates: 1, items: 1, deals: 1, dealViews: 1 };

/** Creates a user who owns one record of each kind, through the API. */
async function leaverWithThings() {
  const leaver = await server.person({ role: 'admin', name: 'Lea Leaver' });
  const dealershipId = await addDealership(server, leaver);
  const templateId: string = (await call(`GET /dealerships/${dealershipId}`)).body.defaultEmailTemplateId;
  const { _id: dealId } = await addDeal(server, leaver, dealershipId);
  const item = { token: leaver.token, body: { name: `Tint ${newId()}` } };
  expect((await server.call('POST /item-configurations', item)).status).toBe(201);
  const view = { name: 'Calls', shared: true, filter: null, sort: null };
  for (const changes of [{}, { name: 'Own', shared: false }]) {
    const body = { ...view, columns: [], ...changes };
    expect((await server.call('POST /deal-views', { token: leaver.token, body })).status).toBe(201);
  }
  return { leaver, templateId, dealershipId, dealId: dealId as string };
}

const sharesOf = (recordId: string) =>
  server.db.selectFrom('shares').where('record_id', '=', recordId).select(['user_id', 'level']).execute();

const share = (entity: string, recordId: string, person: Person) =>
  server.db
    .insertInto('shares')
    .values({ entity, record_id: recordId, user_id: person.id, level: 'view', shared_by: admin.id })
    .execute();

describe('a transfer', () => {
  test.each([
    [{ targetUserId: 'somebody' }, { targetUserId: expect.any(String) }],
    [{ targetUserId: newId() }, { targetUserId: 'Choose an active person' }],
    [{ keepSharing: 'yes' }, { keepSharing: expect.any(String) }],
    [{ reason: 'x'.repeat(401) }, { reason: 'Must be at most 400 characters' }],
    [{ ids: [] }, { ids: 'Unknown field' }],
  ])('a transfer of all records of a user rejects %j', async (changes, errors) => {
    const { leaver } = await leaverWithThings();
    expect(await transfer(leaver, changes)).toMatchObject({ status: 400, body: { errors } });
    expect(await belongings(leaver)).toEqual(ONE_OF_EACH);
  });

  test('a transfer of all records of a user to oneself or to an inactive user is rejected without changes', async () => {
    const { leaver } = await leaverWithThings();
    const left = await server.person();
    await call(`PUT /users/${left.id}`, { isActive: false });
    for (const targetUserId of [leaver.id, left.id]) {
      expect(await transfer(leaver, { targetUserId, deactivate: true })).toMatchObject({
        status: 400,
        body: { errors: { targetUserId: expect.any(String) } },
      });
    }
    expect(await belongings(leaver)).toEqual(ONE_OF_EACH);
    expect((await call(`GET /users/${leaver.id}`)).body.isActive).toBe(true);
  });

  test('a transfer of all records of a user moves everything to the other user, who sees it, and returns the counts', async () => {
    const { leaver, templateId, dealershipId, dealId } = await leaverWithThings();
    const before = await belongings(newOwner);
    expect(await belongings(leaver)).toEqual(ONE_OF_EACH);
    expect(await transfer(leaver)).toMatchObject({ status: 200, body: ONE_OF_EACH });
    expect(await belongings(leaver)).toEqual(NOTHING);
    const sums = Object.entries(ONE_OF_EACH).map(([kind, count]) => [kind, before[kind] + count]);
    expect(await belongings(newOwner)).toEqual(Object.fromEntries(sums));
    const deal = await server.call(`GET /deals/${dealId}`, { token: newOwner.token });
    expect(deal.body).toMatchObject({ owner: newOwner.id, createdBy: leaver.id, version: 2 });
    const template = await server.call(`GET /email-templates/${templateId}`, { token: newOwner.token });
    expect(template.status).toBe(200);

    for (const [recordId, kind] of [
      [dealershipId, 'dealership'],
      [templateId, 'email-template'],
      [dealId, 'deal'],
    ] as const) {
      expect(await newestAudit(server, recordId)).toMatchObject({
        action: `${kind}.transferred`,
        actor_id: admin.id,
        before: { owner: leaver.id },
        after: { owner: newOwner.id, reason: 'Left' },
      });
    }
    expect(await newestAudit(server, leaver.id)).toMatchObject({
      action: 'user.transferred',
      after: { ...ONE_OF_EACH, targetUserId: newOwner.id, reason: 'Left', keepSharing: false },
    });
  });

  test('a transfer of all records of a user leaves the former owner an edit share or none; the new owner has no share', async () => {
    for (const keepSharing of [true, false]) {
      const { leaver, dealId } = await leaverWithThings();
      const colleague = await server.person();
      await share('deal', dealId, newOwner);
      await share('deal', dealId, colleague);
      await transfer(leaver, { keepSharing });
      const shares = await sharesOf(dealId);
      expect(shares).toHaveLength(keepSharing ? 2 : 1);
      expect(shares).toContainEqual({ user_id: colleague.id, level: 'view' });
      if (keepSharing) expect(shares).toContainEqual({ user_id: leaver.id, level: 'edit' });
    }
  });

  test('a transfer of all records of a user leaves deleted rows and records of others unchanged', async () => {
    const { leaver, dealershipId, dealId } = await leaverWithThings();
    const other = await addDeal(server, admin, dealershipId);
    await call(`DELETE /deals/${dealId}`);
    expect((await transfer(leaver)).body.deals).toBe(0);
    expect((await call(`GET /deals/${other._id}`)).body.owner).toBe(admin.id);
  });

  test('a transfer of all records of a user can deactivate in the same step: the sessions end', async () => {
    const { leaver } = await leaverWithThings();
    expect((await transfer(leaver, { deactivate: true })).status).toBe(200);
    expect((await call(`GET /users/${leaver.id}`)).body).toMatchObject({ isActive: false, sessions: 0 });
    expect((await server.call('GET /auth/me', { token: leaver.token })).status).toBe(401);
  });

  test('a transfer of all records of a user sent twice with one key runs once', async () => {
    const { leaver } = await leaverWithThings();
    const request = {
      token: admin.token,
      headers: { 'idempotency-key': newId() },
      body: { targetUserId: newOwner.id },
    };
    const first = await server.call(`POST /users/${leaver.id}/transfer`, request);
    const second = await server.call(`POST /users/${leaver.id}/transfer`, request);
    expect(second.body).toEqual(first.body);
  });

  test(`a transfer of all records of a user moves ${MANY} deals in one request`, async () => {
    const { leaver, dealId } = await leaverWithThings();
    const {
      commission: _c,
      search_text: _s,
      ...columns
    } = await server.db.selectFrom('deals').where('id', '=', dealId).selectAll().executeTakeFirstOrThrow();
    for (let made = 0; made < MANY - 1; made += 1000) {
      const count = Math.min(1000, MANY - 1 - made);
      const rows = Array.from({ length: count }, (_, index) => ({
        ...columns,
        id: newId(),
        customer_name: `Customer ${made + index}`,
        field_versions: '{}',
        custom: '{}',
      }));
      await server.db.insertInto('deals').values(rows).execute();
    }
    const reply = await transfer(leaver, { keepSharing: true });
    expect(reply.body.deals).toBe(MANY);
  });
});
