import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type Reply } from '../../../../test/app.ts';
import { addDeal, addDealership, changePermissions, newestAudit } from '../../../../test/builders.ts';

// A write in one statement and a write with separate checks have the same response, row and audit entry.

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const permissions = { dataEntry: { canAddRows: true } };
const owner = await server.person({ name: 'Olga Owner', permissions });
const sharer = await server.person({ name: 'Sam Share', permissions });
const stranger = await server.person({ name: 'Stan Stranger', permissions });
const dealershipId = await addDealership(server, admin, { name: 'Harbour New Cars' });
afterAll(() => server.close());

const unlike = new Set(['_id', 'createdAt', 'updatedAt']);
const alike = ({ status, body }: Reply) => ({
  status,
  body: Object.fromEntries(Object.entries(body).filter(([field]) => !unlike.has(field))),
});

async function recordedOf(id: string) {
  const { action, actor_id, version, before, after } = (await newestAudit(server, id))!;
  return { action, actor_id, version, before, after };
}

test.each([
  { customerName: 'Bo' },
  { notes: 'Rang back\nagain' },
  { notes: '' },
  { customerNumber: '(0412) 345 678', customerEmail: 'bo@example.com' },
  { vehicle: 'Kia', dealNumber: 'D-1' },
  { deliveryDate: '2026-12-01' },
  { costAmount: 12.5 },
  { costAmount: 0 },
  { costAmount: null, deliveryDate: null },
  { status: 'Called' },
  { status: 'cALLED', notes: 'Rang back' },
])('a change of %j is written by one statement and by single checks alike', async (changes) => {
  const start = { notes: 'Old', costAmount: 3.25, deliveryDate: '2026-11-01', saleAmount: 10 };
  const [one, other] = [
    await addDeal(server, owner, dealershipId, start),
    await addDeal(server, owner, dealershipId, start),
  ];
  const patch = (id: string, body: object) =>
    server.call(`PATCH /deals/${id}`, { token: owner.token, body: { version: 1, ...body } });
  const fast = await patch(one._id, changes);
  // A sale amount requires separate checks; this is the current one of the row.
  const withChecks = await patch(other._id, { ...changes, saleAmount: start.saleAmount });
  expect(alike(fast)).toEqual(alike(withChecks));
  const status = 'status' in changes ? 'Called' : 'Entered';
  expect(fast).toMatchObject({ status: 200, body: { version: 2, ...changes, status } });
  expect(await recordedOf(one._id)).toEqual(await recordedOf(other._id));
});

test.each([
  {},
  { saleAmount: 1200.5, costAmount: 200.25 },
  { saleAmount: null, notes: '', status: 'called' },
  { deliveryDate: '2026-12-01', followUpAt: '2026-12-01T09:00:00.000Z', vehicle: 'Kia', dealNumber: 'D-2' },
])('a new row with %j is written by one statement and by single checks alike', async (values) => {
  const post = (body: object) =>
    server.call('POST /deals', {
      token: owner.token,
      body: { dealershipId, customerName: 'Ann', ...body },
    });
  const fast = await post(values);
  // Items require separate checks.
  const withChecks = await post({ ...values, items: [] });
  expect(fast.status).toBe(201);
  expect(alike(fast)).toEqual(alike(withChecks));
  const after = (await recordedOf(fast.body._id)).after as object;
  // Without items the sale amount is null.
  expect({ items: [], saleAmount: null, ...after }).toEqual((await recordedOf(withChecks.body._id)).after);
});

test('a status that does not exist, is inactive or is hidden cannot be chosen', async () => {
  await server.call('POST /status-configurations', {
    token: admin.token,
    body: { name: 'Retired', color: '#2f6fb2', active: false },
  });
  const clerk = await server.person({ permissions: { dataEntry: { canAddRows: true } } });
  const body = { dataEntry: { columnVisibility: { restrictedStatuses: ['No deal'] } } };
  await changePermissions(server, admin, clerk, body);
  const { _id: id } = await addDeal(server, clerk, dealershipId);
  const choose = (status: string) =>
    server.call(`PATCH /deals/${id}`, { token: clerk.token, body: { version: 1, status } });
  for (const status of ['Nearly', 'Retired', 'No deal']) {
    const refusal = { status: 400, body: { errors: { status: 'Choose one of the statuses' } } };
    expect(await choose(status)).toMatchObject(refusal);
  }
  expect(await choose('Called')).toMatchObject({ status: 200, body: { status: 'Called', version: 2 } });
});

test('a status is recorded by its stored name, whatever the case of the input', async () => {
  const row = { dealershipId, customerName: 'Ann', status: 'cALLED' };
  const reply = await server.call('POST /deals', { token: owner.token, body: row });
  expect((await recordedOf(reply.body._id)).after).toMatchObject({ status: 'Called' });
  await server.call(`PATCH /deals/${reply.body._id}`, {
    token: owner.token,
    body: { version: 1, status: 'no DEAL' },
  });
  expect(await recordedOf(reply.body._id)).toMatchObject({
    before: { status: 'Called' },
    after: { status: 'No deal' },
  });
});

test('a change of a row is allowed for the owner, users with a write share and administrators, also in one statement', async () => {
  const deal = await addDeal(server, owner, dealershipId);
  const share = (permissions: string) =>
    server.call(`PUT /deals/${deal._id}/sharing`, {
      token: admin.token,
      body: { sharedWith: [{ userId: sharer.id, permissions }] },
    });
  const patch = async (person: Person, notes: string) => {
    const { version } = (await server.call(`GET /deals/${deal._id}`, { token: admin.token })).body;
    const body = { version, notes };
    return (await server.call(`PATCH /deals/${deal._id}`, { token: person.token, body })).status;
  };
  expect(await patch(stranger, 'a')).toBe(403);
  await share('read');
  expect(await patch(sharer, 'b')).toBe(403);
  await share('write');
  expect(await patch(sharer, 'c')).toBe(200);
  expect(await patch(owner, 'd')).toBe(200);
  expect(await patch(admin, 'e')).toBe(200);
});

test('ten changes of one cell at once: one is stored, the others are conflicts', async () => {
  const deal = await addDeal(server, owner, dealershipId);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      server.call(`PATCH /deals/${deal._id}`, {
        token: owner.token,
        body: { version: 1, notes: `Try ${index}` },
      }),
    ),
  );
  const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
});

test('five changes of five cells at once: all are stored', async () => {
  const deal = await addDeal(server, owner, dealershipId);
  const values = { customerName: 'Bo', notes: 'N', vehicle: 'Kia', dealNumber: 'D', costAmount: 1 };
  const replies = await Promise.all(
    Object.entries(values).map(([field, value]) =>
      server.call(`PATCH /deals/${deal._id}`, { token: owner.token, body: { version: 1, [field]: value } }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const { body } = await server.call(`GET /deals/${deal._id}`, { token: owner.token });
  expect(body).toMatchObject({ ...values, version: 6 });
});

test('a row of an earlier month moves for users with that setting only', async () => {
  const month = '2026-01';
  const [mine, theirs] = [
    await addDeal(server, admin, dealershipId, { month }),
    await addDeal(server, admin, dealershipId, { month }),
  ];
  const patch = (id: string, notes: string) =>
    server.call(`PATCH /deals/${id}`, { token: admin.token, body: { version: 1, notes } });
  expect((await patch(theirs._id, 'Stays')).body.month).toBe(month);
  const setting = `/settings/user/${admin.id}/dataEntry.moveEditedToCurrentMonth`;
  await server.call(`PUT ${setting}`, { token: admin.token, body: { value: true } });
  expect((await patch(mine._id, 'Moves')).body.month).not.toBe(month);
  await server.call(`DELETE ${setting}`, { token: admin.token });
});

test('forty changes of forty rows at once by four people: each is stored or refused independently', async () => {
  const deals = await Promise.all(Array.from({ length: 40 }, () => addDeal(server, owner, dealershipId)));
  const people = [admin, owner, sharer, stranger];
  const replies = await Promise.all(
    deals.map(({ _id }, index) =>
      server.call(`PATCH /deals/${_id}`, {
        token: people[index % 4]!.token,
        body: { version: index % 8 === 0 ? 9 : 1, notes: `Note ${index}` },
      }),
    ),
  );
  for (const [index, { status, body }] of replies.entries()) {
    if (index % 8 === 0) expect(body.errors).toEqual({ version: 'This version does not exist yet' });
    else if (index % 4 > 1) expect(status).toBe(403);
    else expect(body).toMatchObject({ _id: deals[index]!._id, notes: `Note ${index}`, version: 2 });
  }
  const entry = await recordedOf(deals[5]!._id);
  expect(entry).toMatchObject({ actor_id: owner.id, version: 2, after: { notes: 'Note 5' } });
});

test('twenty new rows at once: each has its own writer, status and rate', async () => {
  const plain = await addDealership(server, admin, { name: 'Plain Motors' });
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      server.call('POST /deals', {
        token: [owner, sharer][index % 2]!.token,
        body: {
          dealershipId: index % 5 === 0 ? plain : dealershipId,
          customerName: `New ${index}`,
          status: index % 4 === 0 ? 'Nearly' : 'Called',
        },
      }),
    ),
  );
  for (const [index, { status, body }] of replies.entries()) {
    if (index % 4 === 0) expect(body.errors).toEqual({ status: 'Choose one of the statuses' });
    else {
      expect(status).toBe(201);
      expect(body).toMatchObject({
        customerName: `New ${index}`,
        status: 'Called',
        owner: [owner, sharer][index % 2]!.id,
        dealershipName: index % 5 === 0 ? 'Plain Motors' : 'Harbour New Cars',
      });
    }
  }
});

test('a locked row delays no change of another row', async () => {
  const [held, ...others] = await Promise.all(
    Array.from({ length: 6 }, () => addDeal(server, owner, dealershipId)),
  );
  const patch = (deal: { _id: string }) =>
    server.call(`PATCH /deals/${deal._id}`, { token: owner.token, body: { version: 1, notes: 'Mine' } });
  let waiting: Promise<Reply> | undefined;
  await server.db.transaction().execute(async (tx) => {
    await tx.selectFrom('deals').where('id', '=', held!._id).select('id').forUpdate().execute();
    // The first two updates are sent at once; the later ones, including the locked row, share a batch.
    const [first, second, ...rest] = others;
    const replies = [patch(first!), patch(second!)];
    waiting = patch(held!);
    replies.push(...rest.map(patch));
    for (const { status } of await Promise.all(replies)) expect(status).toBe(200);
  });
  expect(await waiting).toMatchObject({ status: 200, body: { notes: 'Mine', version: 2 } });
});

describe('a change with an Idempotency-Key', () => {
  const patch = (id: string, key: string, body: object, { token } = owner) =>
    server.call(`PATCH /deals/${id}`, { token, body, headers: { 'idempotency-key': key } });
  const changeOf = (notes: string) => ({ version: 1, notes });
  const storedFor = (key: string) =>
    server.db.selectFrom('idempotency_keys').select('response').where('key', '=', key).execute();

  test('a change with an Idempotency-Key is written once, in one statement with its key', async () => {
    const { _id: id } = await addDeal(server, owner, dealershipId);
    const first = await patch(id, 'cell', changeOf('Mine'));
    expect(first).toMatchObject({ status: 200, body: { notes: 'Mine', version: 2 } });
    expect(await storedFor('cell')).toMatchObject([{ response: { recordIds: [id] } }]);
    expect(await patch(id, 'cell', changeOf('Mine'))).toMatchObject({ status: 200, body: first.body });
  });

  test('a change with an Idempotency-Key is written once for ten requests at the same moment', async () => {
    const { _id: id } = await addDeal(server, owner, dealershipId);
    const replies = await Promise.all(Array.from({ length: 10 }, () => patch(id, 'ten', changeOf('Mine'))));
    expect(replies.map(({ status, body }) => [status, body.version])).toEqual(
      Array.from({ length: 10 }, () => [200, 2]),
    );
  });

  test('a change with an Idempotency-Key gives a repetition the row as it is then', async () => {
    const { _id: id } = await addDeal(server, owner, dealershipId);
    await patch(id, 'then', changeOf('Mine'));
    await patch(id, 'later', { version: 2, notes: 'Theirs' }, admin);
    const again = await patch(id, 'then', changeOf('Mine'));
    expect(again).toMatchObject({ status: 200, body: { notes: 'Theirs', version: 3 } });
    await server.call(`DELETE /deals/${id}`, { token: admin.token });
    expect((await patch(id, 'then', changeOf('Mine'))).status).toBe(404);
  });

  test('a change with an Idempotency-Key stores no key when it is refused', async () => {
    const { _id: id } = await addDeal(server, owner, dealershipId);
    expect((await patch(id, 'refused', changeOf('Mine'), stranger)).status).toBe(403);
    expect((await patch(id, 'newer', { version: 9, notes: 'Mine' })).status).toBe(400);
    expect(await storedFor('refused')).toEqual([]);
    expect(await storedFor('newer')).toEqual([]);
  });

  test('a change with an Idempotency-Key of two rows with one key is written once, also at the same moment', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await addDeal(server, owner, dealershipId))._id),
    );
    // The first updates are sent at once; the later ones share a statement.
    const replies = await Promise.all(
      ids.map((id, index) => patch(id, index < 3 ? `apart-${index}` : 'shared', changeOf('Mine'))),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses.slice(3).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from deals
      where id = any(${ids}::uuid[]) and version = 2`.execute(server.db);
    expect(rows).toEqual([{ count: 4 }]);
  });
});

test('the idempotency keys of changes are removed after a day', async () => {
  const { _id: id } = await addDeal(server, owner, dealershipId);
  const aged = async (key: string, version: number, hours: number) => {
    const headers = { 'idempotency-key': key };
    await server.call(`PATCH /deals/${id}`, { token: owner.token, headers, body: { version, notes: key } });
    await server.db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
      .where('key', '=', key)
      .execute();
  };
  await aged('kept-for-23-hours', 1, 23);
  await aged('removed-after-25-hours', 2, 25);
  await server.call('POST /jobs/recurring/request-keys/run', { token: admin.token });
  const agedKeys = () =>
    server.db.selectFrom('idempotency_keys').select('key').where('key', 'like', '%-hours').execute();
  await expect.poll(agedKeys).toEqual([{ key: 'kept-for-23-hours' }]);
});
