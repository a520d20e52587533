import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { newestAudit } from '../../../test/builders.ts';

const MANAGER = { permissions: { features: { manageItems: true } } };

const server = await testApp();
const owner = await server.person({ name: 'Ola Owner', ...MANAGER });
const manager = await server.person({ name: 'Mia Manager', ...MANAGER });
const clerk = await server.person({ name: 'Cleo Clerk' });
afterAll(() => server.close());

let count = 0;
const call = (route: string, by: Person, body?: object) => server.call(route, { token: by.token, body });
async function add(): Promise<string> {
  const { body } = await call('POST /item-configurations', owner, { name: `Tint ${(count += 1)}`, cost: 5 });
  return body._id;
}
const entry = (person: Pick<Person, 'id'>, permissions = 'read') => ({ userId: person.id, permissions });
const get = (id: string, by: Person) => call(`GET /item-configurations/${id}`, by);
const put = (id: string, body: object, by: Person) => call(`PUT /item-configurations/${id}`, by, body);
const share = (id: string, sharedWith: unknown, by = owner) =>
  call(`PUT /item-configurations/${id}/sharing`, by, { sharedWith });
const shares = (id: string) =>
  server.db.selectFrom('shares').where('record_id', '=', id).select(['user_id', 'level']).execute();

describe('sharing an item', () => {
  test('sharing an item requires a session, and supports read and write only', async () => {
    const id = await add();
    expect((await server.call(`PUT /item-configurations/${id}/sharing`, { body: {} })).status).toBe(401);
    expect((await share(id, [entry(manager, 'admin')])).status).toBe(400);
    expect(await shares(id)).toEqual([]);
  });

  test('sharing an item increments the version, and is audited', async () => {
    const id = await add();
    expect((await share(id, [entry(manager)])).body).toMatchObject({
      version: 2,
      sharedWith: [entry(manager)],
    });
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'item.shared',
      version: 2,
      before: { sharedWith: [] },
      after: { sharedWith: [entry(manager)] },
    });
  });
});

test('a share shows the item with its cost; the write level allows changes only, also without the feature', async () => {
  const id = await add();
  await share(id, [entry(manager), entry(clerk, 'write')]);
  const { body: read } = await get(id, manager);
  const [noEdit, rest] = [
    'NO_ITEM_EDIT',
    { delete: 'NO_ITEM_DELETE', share: 'NOT_ITEM_OWNER', transfer: 'NOT_ITEM_OWNER' },
  ];
  expect(read).toMatchObject({ cost: 5, sharedWith: [entry(manager)] });
  expect(read.abilities).toEqual({ edit: noEdit, ...rest });
  expect((await put(id, { ...read, price: 1 }, manager)).status).toBe(403);
  const { body: clerks } = await get(id, clerk);
  expect(clerks.abilities).toEqual({ edit: true, ...rest });
  expect((await put(id, clerks, clerk)).status).toBe(200);

  await share(id, [entry(manager, 'write')]);
  const { body: write } = await get(id, manager);
  expect(write.abilities).toEqual({ edit: true, ...rest });
  expect((await put(id, write, manager)).body).toEqual(write);
  expect(await put(id, { ...write, sharedWith: [] }, manager)).toMatchObject({
    status: 403,
    body: { errors: { sharedWith: expect.any(String) } },
  });
  expect((await put(id, { ...write, price: 1 }, manager)).body.price).toBe(1);
  expect((await call(`DELETE /item-configurations/${id}`, manager)).status).toBe(403);
  expect((await get(id, clerk)).status).toBe(404);
});
