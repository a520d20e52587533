import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addDeal, addDealership, changePermissions, login } from '../../../test/builders.ts';
import { addAttachment, uploadFile } from '../../../test/uploads.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { callToEnd, digestOf, makeOne } from './backups.fixture.ts';
import { requireShapes } from './restored-shapes.ts';

/** A whole backup, as pg_dump would write it. */
const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
const as = (route: string, body: object) => server.call(route, { token: admin.token, body });
const field = await as('POST /custom-fields', { name: 'Trade-in', type: 'number' });
const replies = [
  field,
  await changePermissions(server, admin, clerk, { maxSessions: 2 }),
  await as('POST /deal-views', { name: 'Mine', filter: null, sort: null, columns: [] }),
  await as('PUT /settings/user/company/commission.newSales', { value: 2 }),
  await addAttachment(server, admin, 'words'),
  await as('POST /exports', { kind: 'users' }),
];
const dealership = await addDealership(server, admin);
const deal = await addDeal(server, admin, dealership, { custom: { [field.body.key]: 7 } });
replies.push(await uploadFile(server, admin, `/deals/${deal._id}/attachments`, 'words'));
const failed = replies.find(({ status }) => status !== 200 && status !== 201);
if (failed) throw new Error(JSON.stringify(failed.body));
const file = await readFile(join(server.dataDir, 'backups', await makeOne(server, admin)));
const script = gunzipSync(file).toString('utf8');
const dump: string = `${script.slice(script.indexOf('\n') + 1, script.lastIndexOf('-- forecourt end '))}-- PostgreSQL database dump complete\n`;
afterAll(() => server.close());

describe('the rows of a restored file are refused', () => {
  /** Parses the rows of the tables as they would be after these changes, which are rolled back. */
  const shapesAfter = (changes: string) =>
    withClient(server.connection, async (client) => {
      await client.query(`begin; ${changes}`);
      await requireShapes(client);
    });

  test('the rows of a restored file are refused only when they are not as this program writes them', async () => {
    await expect(shapesAfter('')).resolves.toBeUndefined();
  });

  test('the rows of a restored file are refused and changes of deals that cannot be wrong are not read', async () => {
    const rows = await withClient(server.connection, async (client) => {
      await client.query(`begin; alter table audit_entries disable trigger user;
        update audit_entries set before = null, after = '{"notes": "x", "owner": null}' where entity = 'deal'`);
      const read: unknown[] = [];
      const query = client.query.bind(client) as (text: string) => Promise<{ rows: { after?: unknown }[] }>;
      const noting = {
        query: async (text: string) => {
          const result = await query(text);
          read.push(...result.rows.filter((row) => 'after' in row));
          return result;
        },
      };
      await requireShapes(noting as never);
      return read;
    });
    expect(rows).toEqual([]);
  });

  test.each([
    [
      `permission_records set record = record || '{"maxSessions": 0}'`,
      'record.maxSessions: Must be from 1 to 100',
    ],
    [`permission_records set record = '[]'`, 'record: Must be an object'],
    [`permission_records set record = '{"editableStatuses": 5}'`, 'record.editableStatuses: Must be a list'],
    [`custom_fields set options = '[1]'`, 'options.0: Must be an object'],
    [`custom_fields set default_value = '"x"'`, 'default_value: Does not have the type of the field'],
    [`deals set custom = '{"custom1": "x"}'`, 'custom.custom1: Must be a number'],
    [`deals set custom = '{"custom1": {}}'`, 'custom.custom1: Must be a number'],
    [`deals set field_versions = '{"notes": "x"}'`, 'field_versions.notes: Must be a number'],
    [`deals set field_versions = '[]', custom = '{}'`, 'field_versions: Has the wrong type'],
    [`deals set month = '2026-13', custom = '{}'`, 'month: Must be a month such as 2026-11'],
    [`deal_views set arrangement = '{}'`, 'arrangement.filter: Filter is required'],
    [`deal_views set arrangement = arrangement || '{"sort": 5}'`, 'arrangement.sort: Must be an object'],
    [
      `email_templates set document = '{"blocks": [{"type": "script"}]}'`,
      'document.blocks.0.type: Must be one of',
    ],
    [`email_template_versions set variables = '5'`, 'variables: Must be a list'],
    [`exports set filter = '{"search": []}'`, 'filter.search: '],
    [`exports set kind = 'secrets'`, 'kind: Must be one of'],
    [`settings set value = '"x"'`, 'value: Must be a percentage'],
    [`settings set value = '101'`, 'value: Must be a percentage'],
    [`deal_attachments set type = E'text/html\\r\\nx: y'`, 'type: Must be a MIME type'],
    [`email_attachments set type = ''`, 'type: Must be a MIME type'],
    ...(
      [
        ['after', '{"sharedWith": 5}', 'after.sharedWith: Must be a list'],
        ['before', '{"custom1": "x"}', 'before.custom1: Must be a number'],
        ['before', '[]', 'before: Must be an object'],
        ['after', '5', 'after: Must be an object'],
        ['after', '{"owner": 5}', 'after.owner: '],
        ['after', '{"owner": ["30000000-0000-4000-8000-000000000000"]}', 'after.owner: '],
        ['before', '{"dealershipId": "30000000-0000-0000-0000-000000000000"}', 'before.dealershipId: '],
      ] as const
    ).map(([column, value, problem]) => [
      `audit_entries disable trigger user; update audit_entries set ${column} = '${value}' where entity = 'deal'`,
      problem,
    ]),
  ])('the rows of a restored file are refused as those of %s', async (change, problem) => {
    const [table] = change.split(' ');
    const changes = change.includes(';') ? `alter table ${change}` : `update ${change}`;
    await expect(shapesAfter(changes)).rejects.toThrow(
      new RegExp(`^A row of ${table} cannot be read \\(\\w+ [^)]+\\): ${problem.replaceAll('.', '\\.')}`),
    );
  });
});

/** Changes the rows of one table of the dump. */
function changed(table: string, change: (rows: string[]) => string[]): string {
  const block = new RegExp(`^(COPY forecourt\\."${table}" .*\\n)([^]*?)\\n(\\\\\\.\\n)`, 'm');
  const text = dump.replace(block, (_all, head: string, rows: string, end: string) =>
    [head, ...change(rows.split('\n')).map((row) => `${row}\n`), end].join(''),
  );
  expect(text).not.toBe(dump);
  return text;
}
const first =
  (change: (row: string) => string) =>
  ([row, ...others]: string[]) => [change(row!), ...others];

async function upload(text: string): Promise<string> {
  const reply = await uploadFile(server, admin, '/backups/upload', text, {
    filename: 'office.sql',
    field: 'backup',
  });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body.filename;
}

test('a restore with a permission record that locks its user out is refused, and the data stay', async () => {
  const name = await upload(
    changed('permission_records', (rows) =>
      rows.map((row) => row.replace(/"maxSessions": \d+/, '"maxSessions": 0')),
    ),
  );
  expect(
    await callToEnd(server, admin, `POST /backups/${name}/restore`, { confirmName: name }),
  ).toMatchObject({
    status: 400,
    body: { details: expect.stringMatching(/^A row of permission_records cannot be read .*maxSessions/) },
  });
  expect((await login(server, clerk.email)).status).toBe(200);
});

describe('a file whose rows PostgreSQL refuses gets a 400 that names the table', () => {
  test.each([
    [
      'a cell too few in its second row',
      () => changed('statuses', ([one, two, ...rest]) => [one!, two!.replace(/\t[^\t]*$/, ''), ...rest]),
      '(statuses, line 2)',
    ],
    [
      'a cell too many',
      () =>
        changed(
          'statuses',
          first((row) => `${row}\tx`),
        ),
      '(statuses, line 1)',
    ],
    [
      'no number',
      () =>
        changed(
          'deals',
          first((row) => row.replace(/\t2026-\d\d\t/, '\t\\N\t')),
        ),
      '(deals, line 1)',
    ],
    [
      'no id',
      () =>
        changed(
          'deals',
          first((row) => row.replace(/^[^\t]+/, 'x')),
        ),
      '(deals, line 1)',
    ],
    [
      'a name too long for an index',
      () =>
        changed(
          'statuses',
          first((row) =>
            row.replace(
              /\t[^\t]+/,
              `\t${Array.from({ length: 350 }, () => Math.random().toString(36)).join('')}`,
            ),
          ),
        ),
      '(statuses)',
    ],
    [
      'nested values',
      () =>
        changed(
          'deal_views',
          first((row) => row.replace(/\{.*\}/, '['.repeat(50_000) + ']'.repeat(50_000))),
        ),
      '(deal_views, line 1)',
    ],
    ['a row twice', () => changed('statuses', ([row, ...rest]) => [row!, row!, ...rest]), '(statuses)'],
    [
      'a version at the maximum',
      () => changed('users', (rows) => rows.map((row) => row.replace(/\t1\t/, '\t2147483647\t'))),
      '',
    ],
  ])(
    'a file whose rows PostgreSQL refuses gets a 400 that names the table with %s',
    async (_what, text, place) => {
      const name = await upload(text());
      const before = await digestOf(server.db);
      const reply = await callToEnd(server, admin, `POST /backups/${name}/restore`, { confirmName: name });
      expect(reply).toMatchObject({ status: 400, body: { code: 'BACKUP_UNREADABLE' } });
      expect(reply.body.details).toContain(`Its data do not fit together${place && ` ${place}`}`);
      expect(await digestOf(server.db)).toEqual(before);
    },
  );
});
