import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, addTemplate, newestAudit } from '../../../test/builders.ts';

const MANAGER = { permissions: { features: { manageTemplates: true } } };

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const owner = await server.person({ name: 'Ola Owner', ...MANAGER });
const manager = await server.person({ name: 'Mia Manager', ...MANAGER });
const clerk = await server.person({ name: 'Cleo Clerk' });
afterAll(() => server.close());

const entry = (person: Pick<Person, 'id'>, permissions = 'read') => ({ userId: person.id, permissions });
const get = (id: string, by: Person) => server.call(`GET /email-templates/${id}`, { token: by.token });
const share = (id: string, sharedWith: unknown, by = owner) =>
  server.call(`PUT /email-templates/${id}/sharing`, { token: by.token, body: { sharedWith } });
const put = (id: string, body: object, by: Person) =>
  server.call(`PUT /email-templates/${id}`, { token: by.token, body });
const shares = (id: string) =>
  server.db.selectFrom('shares').where('record_id', '=', id).select(['user_id', 'level']).execute();

describe('sharing a template', () => {
  test('sharing a template supports read and write, but not Full Access', async () => {
    const id = await addTemplate(server, owner);
    expect((await share(id, [entry(manager, 'admin')])).status).toBe(400);
    expect(await shares(id)).toEqual([]);
  });

  test('sharing a template shows the owner all entries without addresses, others their own', async () => {
    const id = await addTemplate(server, owner);
    const { body } = await share(id, [entry(manager), entry(clerk, 'write')]);
    expect(body.sharedWith.map((item: { user: object }) => item.user)).toEqual([
      { _id: clerk.id, name: 'Cleo Clerk' },
      { _id: manager.id, name: 'Mia Manager' },
    ]);
    expect((await get(id, manager)).body.sharedWith).toMatchObject([entry(manager)]);
    expect((await get(id, admin)).body.sharedWith[0].user.email).toBe(clerk.email);
  });

  test('sharing a template is a change without a saved version', async () => {
    const id = await addTemplate(server, owner);
    expect((await share(id, [entry(manager)])).body.version).toBe(2);
    const versions = await server.call(`GET /email-templates/${id}/versions`, { token: owner.token });
    expect(versions.body.total).toBe(1);
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'email-template.shared',
      version: 2,
      before: { sharedWith: [] },
      after: { sharedWith: [entry(manager)] },
    });
  });
});

describe('a share of a template', () => {
  const abilities = (edit: true | string) => ({
    edit,
    delete: 'NO_TEMPLATE_DELETE',
    share: 'NOT_TEMPLATE_OWNER',
    transfer: 'NOT_TEMPLATE_OWNER',
  });

  test('a share of a template allows viewing; changes at the write level, also without the feature manageTemplates', async () => {
    const id = await addTemplate(server, owner);
    expect((await get(id, manager)).status).toBe(404);
    await share(id, [entry(manager), entry(clerk, 'write')]);
    const { body: read } = await get(id, manager);
    expect(read.abilities).toEqual(abilities('NO_TEMPLATE_EDIT'));
    expect((await put(id, { ...read, subject: 'Theirs' }, manager)).status).toBe(403);
    const { body: clerks } = await get(id, clerk);
    expect(clerks.abilities).toEqual(abilities(true));
    expect((await put(id, clerks, clerk)).status).toBe(200);

    await share(id, [entry(manager, 'write')]);
    const { body: write } = await get(id, manager);
    expect(write.abilities).toEqual(abilities(true));
    expect((await put(id, write, manager)).body).toEqual(write);
    expect(await put(id, { ...write, sharedWith: [] }, manager)).toMatchObject({
      status: 403,
      body: { errors: { sharedWith: expect.any(String) } },
    });
    expect((await put(id, { ...write, subject: 'Ours' }, manager)).body).toMatchObject({ subject: 'Ours' });
    expect((await server.call(`DELETE /email-templates/${id}`, { token: manager.token })).status).toBe(403);
    expect((await get(id, clerk)).status).toBe(404);
  });

  test('a share of a template can be created with a new template', async () => {
    const id = await addTemplate(server, owner, { sharedWith: [entry(manager)] });
    expect((await get(id, manager)).body).toMatchObject({
      version: 1,
      owner: owner.id,
      ownerName: 'Ola Owner',
    });
  });
});

describe('templates in bulk', () => {
  const bulk = (templateIds: string[], by = owner) =>
    server.call('POST /email-templates/bulk-share', {
      token: by.token,
      body: { templateIds, sharedWith: [entry(clerk)] },
    });

  test('templates in bulk are shared all or none: another user’s template rejects the request', async () => {
    const [own, foreign, seen] = [
      await addTemplate(server, owner),
      await addTemplate(server, manager),
      await addTemplate(server, manager),
    ];
    await share(seen, [entry(owner, 'write')], manager);
    expect((await bulk([own, foreign])).status).toBe(404);
    expect((await bulk([own, seen])).status).toBe(403);
    expect((await bulk([own, ABSENT_ID])).status).toBe(404);
    expect(await shares(own)).toEqual([]);
    const { body } = await bulk([own]);
    expect(body.templates).toMatchObject([{ _id: own, version: 2, sharedWith: [entry(clerk)] }]);
    expect(body.templates[0]).not.toHaveProperty('document');
  });

  test('templates in bulk are transferred by their owner, who may keep an edit share', async () => {
    const [left, kept] = [await addTemplate(server, owner), await addTemplate(server, owner)];
    const transfer = (resourceIds: string[], more: object = {}, by = owner) =>
      server.call('POST /email-templates/transfer-ownership', {
        token: by.token,
        body: { resourceIds, targetUserId: manager.id, ...more },
      });
    expect((await transfer([left], {}, manager)).status).toBe(404);
    // The former owner cannot see it any more.
    expect(await transfer([left])).toMatchObject({ status: 200, body: { items: [], total: 0 } });
    expect((await get(left, owner)).status).toBe(404);
    expect((await transfer([kept], { keepSharing: true })).body.items).toMatchObject([
      { _id: kept, owner: manager.id, sharedWith: [entry(owner, 'write')], abilities: { edit: true } },
    ]);
    expect((await get(kept, manager)).body.abilities).toMatchObject({ share: true, delete: true });
  });
});
