import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addTemplate, newestAudit } from '../../../test/builders.ts';

let server: TestApp;
let admin: Person;
let manager: Person;
let viewer: Person;
let clerk: Person;
beforeAll(async () => {
  server = await testApp();
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  manager = await server.person({
    name: 'Mia Manager',
    permissions: { features: { manageTemplates: true } },
  });
  viewer = await server.person({ permissions: { emailTemplateConfiguration: { viewTemplates: true } } });
  clerk = await server.person();
});
afterAll(() => server.close());

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const content = (words: string, changes: object = {}) => ({
  subject: `About ${words}`,
  status: 'active',
  document: { blocks: [paragraph(`Dear ${words}`)] },
  variables: [],
  ...changes,
});

/** A template of the manager with a second version, which the administrator wrote. */
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

describe('reading a version', () => {
  test('needs a session, and the right to see the template', async () => {
    const { id } = await twoVersions();
    expect((await server.call(`GET /email-templates/${id}/versions/1`)).status).toBe(401);
    expect((await read(id, 1, clerk.token)).status).toBe(404);
    expect((await read(id, 1, viewer.token)).status).toBe(200);
  });

  test.each(['0', '3', '-1', 'newest', '1e0', '99999999999'])('%s is not there', async (number) => {
    const { id } = await twoVersions();
    expect((await read(id, number)).status).toBe(404);
  });

  test('answers what was saved then, by whom and when', async () => {
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
  test('is for those who may change the template', async () => {
    const { id } = await twoVersions();
    expect((await server.call(`POST /email-templates/${id}/versions/1/restore`, { body: {} })).status).toBe(
      401,
    );
    expect((await restore(id, 1, { version: 'x' })).status).toBe(400);
    expect((await restore(id, 1, { subject: 'x' })).status).toBe(400);
    expect((await restore(id, 1, {}, viewer.token)).status).toBe(403);
    expect((await restore(id, 7)).status).toBe(404);
  });

  test('is refused when somebody has saved a newer one', async () => {
    const { id } = await twoVersions();
    expect(await restore(id, 1, { version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { version: 2, subject: 'About Bob' } },
    });
  });

  test('makes it the newest version; the name stays, and all versions are kept', async () => {
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

  test('what is like that already stays, and nothing is audited', async () => {
    const { id } = await twoVersions();
    expect((await restore(id, 2)).body).toMatchObject({ version: 2 });
    expect(await newestAudit(server, id)).toMatchObject({ action: 'email-template.updated' });
  });

  test('an active template takes no version that names an undeclared variable', async () => {
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
