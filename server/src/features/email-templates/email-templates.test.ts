import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { blockWrites, countWaiting } from '../../../test/block-inserts.ts';
import { ABSENT_ID, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const manager = await server.person({
  name: 'Mia Manager',
  permissions: { features: { manageTemplates: true } },
});
const editor = await server.person({
  name: 'Ed Editor',
  permissions: { features: { manageTemplates: true }, emailTemplateConfiguration: { editTemplates: true } },
});
const viewer = await server.person({
  name: 'Vi Viewer',
  permissions: { emailTemplateConfiguration: { viewTemplates: true } },
});
const clerk = await server.person({ name: 'Cleo Clerk' });
afterAll(() => server.close());

const variable = (key: string, changes: object = {}) => ({
  key,
  label: key,
  category: 'other',
  defaultValue: '',
  description: '',
  linkedData: null,
  required: false,
  ...changes,
});
const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const button = (href: string, content: object[] = [{ type: 'text', text: 'Look' }]) => ({
  type: 'button',
  href,
  content,
});
/** A table whose rows have this many cells. */
const table = (cells: number[], content: object[] = []) => ({
  type: 'table',
  hasHeader: false,
  rows: cells.map((length) => ({ cells: Array.from({ length }, () => ({ content })) })),
});
let count = 0;
const template = (changes: object = {}) => ({
  name: `Daily ${(count += 1)}`,
  subject: 'About {{deal}}',
  status: 'active',
  document: { blocks: [paragraph('Dear {{name}}')] },
  variables: [variable('deal'), variable('name')],
  ...changes,
});
const post = (body: object, token: string | undefined = manager.token) =>
  server.call('POST /email-templates', { token, body });
const put = (id: string, body: object, token: string | undefined = manager.token) =>
  server.call(`PUT /email-templates/${id}`, { token, body });
const get = (path: string, token: string | undefined = manager.token) =>
  server.call(`GET /email-templates${path}`, { token });

describe('adding a template', () => {
  test('adding a template creates a draft without a message; an active template requires one', async () => {
    const { document: _, ...bare } = template({ status: 'draft' });
    const reply = await post(bare);
    expect(reply).toMatchObject({ status: 201, body: { status: 'draft', document: { blocks: [] } } });
    expect((await get(`/${reply.body._id}`)).body).toEqual(reply.body);
    const { document: _active, ...active } = template();
    expect(await post(active)).toMatchObject({
      status: 400,
      body: { errors: { document: 'An active template needs a message' } },
    });
  });

  test('a variable may be empty unless it is required', async () => {
    const { required: _, ...six } = variable('deal');
    const body = template({ variables: [six, variable('name')] });
    const reply = await post(body);
    expect(reply).toMatchObject({ status: 201, body: { variables: [{ ...six, required: false }, {}] } });
  });

  test.each([
    [{ name: ' ' }, { name: 'Template name is required' }],
    [{ subject: '' }, { subject: 'Subject is required' }],
    [{ subject: 'a\r\nBcc: x@y.example' }, { subject: 'Must be one line of plain text' }],
    [{ document: { blocks: [{ type: 'script' }] } }, { 'document.blocks.0.type': expect.any(String) }],
    [{ document: { blocks: [paragraph('x')], html: '<b>' } }, { 'document.html': 'Unknown field' }],
    [
      { variables: [variable('a'), variable('a')], subject: 'x' },
      { 'variables.1.key': 'a is declared twice' },
    ],
    [{ variables: [variable('__proto__')] }, { 'variables.0.key': expect.any(String) }],
    [{ variables: [variable('name')] }, { subject: '{{deal}} is not a declared variable' }],
    [{ variables: [variable('deal')] }, { document: '{{name}} is not a declared variable' }],
    [
      {
        variables: [variable('deal')],
        document: {
          blocks: [
            {
              type: 'bulletList',
              items: [
                {
                  content: [
                    { type: 'variable', key: 'a' },
                    { type: 'variable', key: 'b' },
                  ],
                },
              ],
            },
          ],
        },
      },
      { document: '{{a}}, {{b}} are not declared variables' },
    ],
    [
      { document: { blocks: [{ type: 'conditional', key: 'rego', blocks: [paragraph('{{plate}}')] }] } },
      { document: '{{rego}}, {{plate}} are not declared variables' },
    ],
    [
      { variables: [variable('deal'), variable('name')], subject: '{{deal}} of {{name' },
      { subject: '{{name is not complete: a variable is written as {{key}}' },
    ],
    [
      {
        variables: [variable('deal'), variable('name', { defaultValue: 'see {{deal}}' })],
        document: {
          blocks: [
            paragraph('{{name}} {{ deal }}'),
            {
              type: 'conditional',
              key: 'deal',
              blocks: [
                {
                  type: 'button',
                  href: 'https://x.example/{{name}}',
                  content: [{ type: 'text', text: 'Open' }],
                },
              ],
            },
          ],
        },
      },
      {
        document: '{{ deal }} is not complete: a variable is written as {{key}}',
        variables: '{{deal}} is not replaced in a default value',
      },
    ],
    [
      {
        variables: [variable('deal'), variable('name')],
        document: {
          blocks: [
            {
              type: 'paragraph',
              content: [
                { type: 'text', text: 'a', marks: [{ type: 'link', href: 'https://x.example/{{name}}' }] },
              ],
            },
          ],
        },
      },
      { document: '{{name}} is not replaced in a link or in the description of an image' },
    ],
    [
      { document: { blocks: [{ type: 'conditional', key: 'a b', blocks: [] }] } },
      { 'document.blocks.0.key': expect.stringContaining('A key starts with a letter') },
    ],
    [
      {
        document: {
          blocks: [
            { type: 'conditional', key: 'a', blocks: [{ type: 'conditional', key: 'a', blocks: [] }] },
          ],
        },
      },
      { 'document.blocks.0.blocks.0.type': expect.any(String) },
    ],
    [
      { document: { blocks: [button('javascript:alert(1)')] } },
      { 'document.blocks.0.href': expect.any(String) },
    ],
    [
      { document: { blocks: [button('data:text/html,x')] } },
      { 'document.blocks.0.href': expect.any(String) },
    ],
    [
      { document: { blocks: [button('https://x.example', [{ type: 'text', text: 'x', marks: [] }])] } },
      { 'document.blocks.0.content.0.marks': 'Unknown field' },
    ],
    [
      { document: { blocks: [{ ...button('https://x.example'), onclick: 'x' }] } },
      { 'document.blocks.0.onclick': 'Unknown field' },
    ],
    [{ document: { blocks: [button('https://x.example', [])] } }, { document: 'A button has no text' }],
    [
      { document: { blocks: [{ type: 'conditional', key: 'name', blocks: [button('tel:1', [])] }] } },
      { document: 'A button has no text' },
    ],
    [
      { document: { blocks: [table([1, 2])] } },
      { 'document.blocks.0.rows': 'All rows must have the same number of cells' },
    ],
    [
      { document: { blocks: [table([9])] } },
      { 'document.blocks.0.rows.0.cells': 'A table has at most 8 columns' },
    ],
    [
      { document: { blocks: [table(Array.from({ length: 101 }, () => 1))] } },
      { 'document.blocks.0.rows': 'A table has at most 100 rows' },
    ],
    [
      { document: { blocks: [table([1], [{ type: 'variable', key: 'price' }])] } },
      { document: '{{price}} is not a declared variable' },
    ],
    [
      { document: { blocks: Array.from({ length: 14 }, () => paragraph('x'.repeat(20_000))) } },
      { document: 'Must be at most 256 KB' },
    ],
    [{ owner: 'me' }, { owner: 'Unknown field' }],
  ])('adding a template rejects %j', async (changes, errors) => {
    expect(await post(template(changes))).toMatchObject({ status: 400, body: { errors } });
  });

  test('names of templates are unique ignoring case', async () => {
    await post(template({ name: 'Ärger' }));
    expect(await post(template({ name: 'äRGER' }))).toMatchObject({
      status: 400,
      body: { errors: { name: 'There is already a template with this name' } },
    });
  });

  test('a draft may reference unknown variables; the template is its first version and is audited', async () => {
    const { status, body } = await post(template({ status: 'draft', variables: [] }));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: body._id,
      status: 'draft',
      version: 1,
      abilities: { edit: true, delete: true },
    });
    expect((await get(`/${body._id}/versions`)).body).toMatchObject({
      total: 1,
      items: [{ version: 1, createdBy: 'Mia Manager', name: body.name }],
    });
    expect(await newestAudit(server, body._id)).toMatchObject({
      action: 'email-template.created',
      actor_id: manager.id,
      version: 1,
      after: { name: body.name },
    });
  });
});

describe('hostile documents', () => {
  const nested = (depth: number) => {
    const head = '{"type":"conditional","key":"a","blocks":[';
    return `${head.repeat(depth)}${']}'.repeat(depth)}`;
  };
  const raw = (blocks: string) =>
    `{"name":"Deep","subject":"x","variables":[],"document":{"blocks":[${blocks}]}}`;

  test.each<[string, string, string]>([
    ['256 KB of nesting', nested(5950), 'document.blocks.0.blocks.0.type'],
    ['256 KB of lists in each other', `${'['.repeat(131_000)}${']'.repeat(131_000)}`, 'document.blocks.0'],
    [
      '256 KB of blocks that are none',
      Array.from({ length: 13_000 }, () => '{"type":"script"}').join(),
      'document.blocks',
    ],
    ['a block of another product', '{"type":"iframe","src":"https://x.example"}', 'document.blocks.0.type'],
    ['a block of HTML', '{"type":"paragraph","content":[],"html":"<b>"}', 'document.blocks.0.html'],
  ])(
    'adding a template with a hostile document rejects at once, with the field named: %s',
    async (_what, blocks, field) => {
      // With quadratic time this would take minutes: longer than the limit of a test.
      const reply = await server.app.inject({
        method: 'POST',
        url: '/api/email-templates',
        headers: { authorization: `Bearer ${manager.token}`, 'content-type': 'application/json' },
        payload: raw(blocks),
      });
      expect(reply.statusCode).toBe(400);
      expect(Object.keys(reply.json().errors)).toContain(field);
    },
  );
});

describe('viewing templates', () => {
  test('viewing templates lists all for administrators and with the view permission, own ones for others', async () => {
    const { body: own } = await post(template());
    const ids = async (token: string) =>
      (await get('', token)).body.items.map((item: { id: string }) => item.id);
    expect(await ids(admin.token)).toContain(own.id);
    expect(await ids(viewer.token)).toContain(own.id);
    expect(await ids(editor.token)).toContain(own.id);
    expect(await ids(manager.token)).toContain(own.id);
    expect(await ids(clerk.token)).toEqual([]);
    expect((await get('', viewer.token)).body.items[0]).not.toHaveProperty('document');
  });

  test('viewing templates returns 404 for an invisible one', async () => {
    const { body: own } = await post(template());
    for (const path of [`/${own.id}`, `/${own.id}/versions`]) {
      expect((await get(path, clerk.token)).status).toBe(404);
      expect((await get(path, viewer.token)).status).toBe(200);
    }
    expect((await get(`/${ABSENT_ID}`)).status).toBe(404);
    expect((await get('/7')).status).toBe(404);
  });
});

describe('changing a template', () => {
  test('changing a template is for its owner, editors and administrators', async () => {
    const { body: own } = await post(template());
    expect((await put(own.id, template(), editor.token)).status).toBe(200);
    expect((await put(own.id, template(), admin.token)).status).toBe(200);
    expect((await put(own.id, template(), viewer.token)).status).toBe(403);
    const { body: edited } = await post(template(), editor.token);
    const both = await server.person({
      permissions: {
        features: { manageTemplates: true },
        emailTemplateConfiguration: { viewTemplates: true },
      },
    });
    expect(await put(edited.id, template(), both.token)).toMatchObject({
      status: 403,
      body: { details: 'NO_TEMPLATE_EDIT' },
    });
    expect((await put(edited.id, template())).status).toBe(404);
  });

  test('the response of GET can be sent back and changes nothing', async () => {
    const { body: own } = await post(template());
    const { body } = await put(own.id, (await get(`/${own.id}`)).body);
    expect(body).toEqual(own);
    expect((await get(`/${own.id}/versions`)).body.total).toBe(1);
  });

  test('every save is a version; an outdated version returns 409 with the current record', async () => {
    const { body: own } = await post(template());
    const { body: second } = await put(own.id, template({ name: own.name, subject: 'New', version: 1 }));
    expect(second).toMatchObject({ version: 2, subject: 'New' });
    expect(await put(own.id, template({ version: 1 }))).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { version: 2, subject: 'New' } },
    });
    const { body: versions } = await get(`/${own.id}/versions`);
    expect(versions.items.map((item: { version: number }) => item.version)).toEqual([2, 1]);
    expect(await newestAudit(server, own.id)).toMatchObject({
      action: 'email-template.updated',
      before: { subject: 'About {{deal}}' },
      after: { subject: 'New' },
    });
  });

  test('an unknown variable stops activation with its name', async () => {
    const { body: draft } = await post(template({ status: 'draft', variables: [] }));
    expect(await put(draft.id, template({ name: draft.name, variables: [] }))).toMatchObject({
      status: 400,
      body: {
        errors: {
          subject: '{{deal}} is not a declared variable',
          document: '{{name}} is not a declared variable',
        },
      },
    });
  });

  test('a new name is written to all contacts that name the template, ignoring case', async () => {
    const { body: own } = await post(template({ name: 'Before' }));
    const contact = (templateName: string, email: string) => ({
      name: 'Sam',
      email,
      templateName,
      includeInTo: true,
      includeInCc: false,
      active: true,
    });
    const contacts = [contact('BEFORE', 'a@d.example'), contact('Else', 'b@d.example')];
    const id = await addDealership(server, admin, { name: 'Renamed', contacts });
    await put(own.id, template({ name: 'After' }));
    const { body: dealership } = await server.call(`GET /dealerships/${id}`, { token: admin.token });
    expect(dealership.contacts.map((item: { templateName: string }) => item.templateName)).toEqual([
      'After',
      'Else',
    ]);
    expect(dealership.version).toBe(2);
    expect(await newestAudit(server, id)).toMatchObject({ action: 'dealership.updated', version: 2 });
  });

  test('contacts with the name before the template existed follow it from then on', async () => {
    const contact = { name: 'Sam', includeInTo: true, includeInCc: false, active: true };
    const contacts = [
      { ...contact, email: 'a@d.example', templateName: 'made later' },
      { ...contact, email: 'b@d.example', templateName: 'RENAMED TO' },
    ];
    const id = await addDealership(server, admin, { name: 'Early', contacts });
    const { body: made } = await post(template({ name: 'Made Later' }));
    const { body: other } = await post(template({ name: 'Other' }));
    await put(other.id, template({ name: 'Renamed to' }));
    const { body } = await server.call(`GET /dealerships/${id}`, { token: admin.token });
    expect(body).toMatchObject({
      contacts: [{ templateName: 'Made Later' }, { templateName: 'Renamed to' }],
      version: 1,
    });
    const refused = await server.call(`DELETE /email-templates/${made.id}`, { token: admin.token });
    expect(refused.body.code).toBe('IN_USE');
  });

  test('contacts that are saved while the template is added follow it as well', async () => {
    const contact = { name: 'Sam', includeInTo: true, includeInCc: false, active: true };
    const contacts = [{ ...contact, email: 'a@d.example', templateName: 'At once' }];
    const event = sql`insert on contacts for each row`;
    const { saving, adding } = await blockWrites(server.db, 'hold_contacts', event, async (untilBlocked) => {
      const first = addDealership(server, admin, { name: 'Quick', contacts });
      await untilBlocked();
      const second = post(template({ name: 'At once' }));
      const untilBoth = async (): Promise<void> => {
        await expect.poll(() => countWaiting(server.db)).toBe(2);
      };
      await Promise.race([second, untilBoth()]);
      return { saving: first, adding: second };
    });
    const id = await saving;
    await put((await adding).body.id, template({ name: 'Followed' }));
    const { body } = await server.call(`GET /dealerships/${id}`, { token: admin.token });
    expect(body.contacts).toMatchObject([{ templateName: 'Followed' }]);
  });

  test('changing a template of two concurrent requests with one name, one is rejected', async () => {
    const replies = await Promise.all([
      post(template({ name: 'Race' })),
      post(template({ name: 'RACE' }), editor.token),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 400]));
  });
});

describe('deleting a template', () => {
  const remove = (id: string, token = manager.token) =>
    server.call(`DELETE /email-templates/${id}`, { token });

  test('deleting a template rejects one in use with the number of uses', async () => {
    const id = await addTemplate(server, admin, { name: 'In use' });
    await addDealership(server, admin, { name: 'One', defaultEmailTemplateId: id });
    const contacts = [
      {
        name: 'Sam',
        email: 'a@d.example',
        templateName: 'IN USE',
        includeInTo: true,
        includeInCc: false,
        active: true,
      },
    ];
    await addDealership(server, admin, { name: 'Two', contacts });
    expect(await remove(id, admin.token)).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', message: 'In use is used by 2 dealerships and cannot be deleted.' },
    });
  });

  test('deleting a template deletes any other with its versions', async () => {
    const { body: own } = await post(template());
    expect((await remove(own.id, viewer.token)).status).toBe(403);
    expect((await remove(own.id)).status).toBe(204);
    expect((await get(`/${own.id}`)).status).toBe(404);
    expect(await newestAudit(server, own.id)).toMatchObject({
      action: 'email-template.deleted',
      before: { name: own.name },
      after: null,
    });
  });
});
