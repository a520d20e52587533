import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addTemplate, newestAudit } from '../../../test/builders.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const manager = await server.person({
  name: 'Mia Manager',
  permissions: { features: { manageTemplates: true } },
});
const viewer = await server.person({ permissions: { emailTemplateConfiguration: { viewTemplates: true } } });
afterAll(() => server.close());

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const content = (name: string, changes: object = {}) => ({
  subject: `About ${name}`,
  status: 'active',
  document: { blocks: [paragraph(`Dear ${name}`)] },
  variables: [],
  ...changes,
});

/** Creates a template of the manager with a second version by the administrator. */
async function twoVersions(): Promise<{ id: string; name: string }> {
  const id = await addTemplate(server, manager, content('Ann'));
  const { body } = await server.call(`GET /email-templates/${id}`, { token: manager.token });
  await server.call(`PUT /email-templates/${id}`, {
    token: admin.token,
    body: { name: body.name, ...content('Bob') },
  });
  return { id, name: body.name };
}

const read = (id: string, number: number | string, token: string | undefined = manager.token) =>
  server.call(`GET /email-templates/${id}/versions/${number}`, { token });
const restore = (id: string, number: number, body: object = {}, token: string | undefined = manager.token) =>
  server.call(`POST /email-templates/${id}/versions/${number}/restore`, { token, body });

describe('the versions of a template', () => {
  test('the versions of a template are in every response with a single template, newest first, and ignored in requests', async () => {
    const { id, name } = await twoVersions();
    const list = (await server.call(`GET /email-templates/${id}/versions`, { token: manager.token })).body;
    const versions = list.items.map(({ id: versionId, version, createdAt }: Record<string, unknown>) => ({
      id: versionId,
      version,
      createdAt,
    }));
    const one = (await server.call(`GET /email-templates/${id}`, { token: manager.token })).body;
    expect(one.versions).toEqual(versions);
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    const put = await server.call(`PUT /email-templates/${id}`, {
      token: admin.token,
      body: { name, ...content('Cid'), versions: [] },
    });
    expect(put.body.versions).toHaveLength(3);
    expect(put.body.versions.slice(1)).toEqual(versions);
    const restored = await restore(id, 1);
    expect(restored.body.versions.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
  });
});

describe('reading a version', () => {
  test.each(['0', '3', '-1', 'newest', '1e0', '99999999999'])(
    'reading a version returns 404 for %s',
    async (number) => {
      const { id } = await twoVersions();
      expect((await read(id, number)).status).toBe(404);
    },
  );

  test('reading a version returns the saved content, its author and time', async () => {
    const { id } = await twoVersions();
    expect((await read(id, 1)).body).toMatchObject({
      version: 1,
      createdBy: 'Mia Manager',
      createdAt: expect.any(String),
      restoredFrom: null,
      subject: 'About Ann',
      document: { blocks: [paragraph('Dear Ann')] },
      variables: [],
    });
    expect((await read(id, 2)).body).toMatchObject({ createdBy: 'Ada Admin', subject: 'About Bob' });
  });
});

describe('restoring a version', () => {
  test('restoring a version is for users who may change the template', async () => {
    const { id } = await twoVersions();
    expect((await server.call(`POST /email-templates/${id}/versions/1/restore`, { body: {} })).status).toBe(
      401,
    );
    expect((await restore(id, 1, { version: 'x' })).status).toBe(400);
    expect((await restore(id, 1, { subject: 'x' })).status).toBe(400);
    expect((await restore(id, 1, {}, viewer.token)).status).toBe(403);
    expect((await restore(id, 7)).status).toBe(404);
  });

  test('restoring a version is rejected when a newer one was saved', async () => {
    const { id } = await twoVersions();
    expect(await restore(id, 1, { version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { version: 2, subject: 'About Bob' } },
    });
  });

  test('restoring a version creates a new version; the name and all versions are preserved', async () => {
    const { id } = await twoVersions();
    const renamed = { name: `Renamed ${id}`, ...content('Cid') };
    await server.call(`PUT /email-templates/${id}`, { token: manager.token, body: renamed });
    expect(await restore(id, 1, { version: 3 })).toMatchObject({
      status: 200,
      body: {
        version: 4,
        name: renamed.name,
        status: 'active',
        subject: 'About Ann',
        document: { blocks: [paragraph('Dear Ann')] },
      },
    });
    const { body } = await server.call(`GET /email-templates/${id}/versions`, { token: manager.token });
    expect(
      body.items.map(({ version, restoredFrom }: Record<string, unknown>) => [version, restoredFrom]),
    ).toEqual([
      [4, 1],
      [3, null],
      [2, null],
      [1, null],
    ]);
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'email-template.restored',
      actor_id: manager.id,
      version: 4,
      before: { subject: 'About Cid' },
      after: { subject: 'About Ann', restoredFrom: 1 },
    });
  });

  test('restoring a version changes and audits nothing when the content is equal', async () => {
    const { id } = await twoVersions();
    expect((await restore(id, 2)).body).toMatchObject({ version: 2 });
    expect(await newestAudit(server, id)).toMatchObject({ action: 'email-template.updated' });
  });

  test('restoring a version rejects a version with an undeclared variable for an active template', async () => {
    const draft = content('x', { status: 'draft', document: { blocks: [paragraph('Dear {{nobody}}')] } });
    const id = await addTemplate(server, manager, draft);
    const { body } = await server.call(`GET /email-templates/${id}`, { token: manager.token });
    await server.call(`PUT /email-templates/${id}`, {
      token: manager.token,
      body: { name: body.name, ...content('Ann') },
    });
    expect(await restore(id, 1)).toMatchObject({
      status: 400,
      body: { errors: { document: '{{nobody}} is not a declared variable' } },
    });
  });
});
