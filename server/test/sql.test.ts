import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSealing } from '../src/features/audit/sealing.service.ts';
import { claim, finish } from '../src/features/email-sending/delivery.queries.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { TEST_KEY, testApp, type Person, type TestApp } from './app.ts';
import { addDeal, addDealership, emailValues } from './builders.ts';
import { PASSWORD } from './people.ts';
import { formatSql } from './sql-text.ts';

const month = '2026-03';
const silent = createLog('silent');

let server: TestApp;
let admin: Person;
let clerk: Person;
let dealershipId: string;
let deal: { _id: string; version: number };
/** The texts of the statements of a step, while it runs. */
let recorded: string[] = [];

beforeAll(async () => {
  // eslint-disable-next-line typescript/unbound-method -- called with the client
  const run = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function record(
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [statement] = args as [string | { text?: string }];
    recorded.push(typeof statement === 'string' ? statement : (statement.text ?? ''));
    return run.apply(this, args);
  } as never);
  server = await testApp();
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  clerk = await server.person({ name: 'Cleo Clerk', permissions: { dataEntry: { canAddRows: true } } });
  dealershipId = await addDealership(server, admin, { name: 'Harbour New Cars' });
  deal = await addDeal(server, clerk, dealershipId, { month });
  const due = { next_attempt_at: new Date(Date.now() - 60_000).toISOString() };
  await server.db
    .insertInto('emails')
    .values(emailValues(admin.id, dealershipId, due))
    .execute();
});
afterAll(async () => {
  await server.close();
  vi.restoreAllMocks();
});

async function call(route: string, body?: object, by: Person = clerk): Promise<void> {
  const reply = await server.call(route, { token: by.token, body });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
}

const filter = encodeURIComponent(
  JSON.stringify({
    match: 'all',
    conditions: [
      { field: 'customerName', operator: 'contains', value: 'ann' },
      { field: 'saleAmount', operator: 'moreThan', value: 1000 },
      { field: 'followUpAt', operator: 'isNotEmpty' },
      { field: 'emailState', operator: 'isAnyOf', value: ['failed'] },
    ],
  }),
);
const newRow = () => ({ customerName: 'Ann Example', dealershipId });

async function endDelivery(): Promise<void> {
  const emails = await server.db.selectFrom('emails').select(['id', 'lease_token']).execute();
  const outcome = { status: 'sent', answer: '250 OK' } as const;
  const ended = emails.map((email) => ({ email, outcome, pauseSeconds: 0, isUnknown: false }));
  await server.db.transaction().execute((tx) => finish(tx, ended));
}

/** The statements that run most often, and the longest ones: the file, how it begins, and what runs it. */
const statements: [string, string, () => Promise<unknown>][] = [
  [
    'session',
    'select "users"',
    () => server.person().then((person) => call('GET /auth/me', undefined, person)),
  ],
  ['deals-of-a-month', 'select json_agg(page', () => call(`GET /deals?month=${month}`)],
  ['deals-by-search', 'select string_agg(page.id', () => call('GET /deals?search=ann')],
  ['deals-by-id', 'select json_agg(page', () => call('GET /deals?search=ann')],
  ['deals-by-filter', 'select json_agg(page', () => call(`GET /deals?month=${month}&filter=${filter}`)],
  ['deal', 'select "deals".*', () => call(`GET /deals/${deal._id}`)],
  ['change-of-a-deal', 'with "input"', () => call(`PATCH /deals/${deal._id}`, { version: 1, notes: 'Rang' })],
  [
    'change-of-deals',
    'with "input"',
    () => call('POST /deals/bulk/status', { ids: [deal._id], status: 'Called' }, admin),
  ],
  ['new-deal', 'with "input"', () => call('POST /deals', newRow())],
  ['sums-by-status', 'select "part"', () => call(`GET /deals/summary?month=${month}`)],
  ['sums-by-filter', 'select "part"', () => call(`GET /deals/summary?month=${month}&filter=${filter}`)],
  [
    'report-by-item',
    'select "part"."item_id"',
    () => call('GET /reports?by=item&from=2026-01&to=2026-03', undefined, admin),
  ],
  ['month-checks', 'select', () => call(`GET /months/${month}`, undefined, admin)],
  ['change-sets', 'select change_sets', () => call('GET /changes')],
  ['live-events', 'select "id", "xid"', () => call('POST /deals', newRow())],
  ['email-log', 'select "emails"', () => call('GET /email/logs')],
  ['mail-lease', 'update "emails"', () => claim(server.db, { senderId: admin.id }, 20, 30)],
  ['mail-outcomes', 'update "emails"', endDelivery],
  ['audit-log', 'select "id", "created_at"', () => call('GET /audit-logs', undefined, admin)],
  ['audit-filter', 'with places', () => call('GET /audit-logs?entity=deal', undefined, admin)],
  [
    'audit-seal',
    'with fresh',
    () => createSealing({ db: server.db, secrets: createSecrets(TEST_KEY), log: silent }).sealAll(),
  ],
  ['dealerships', 'select *', () => call('GET /dealerships', undefined, admin)],
  ['sign-in', 'with "removed"', () => call('POST /auth/login', { email: clerk.email, password: PASSWORD })],
];

// `npm run schema` rewrites the files.
test.each(statements)('the text of the statement %s is the one in server/sql', async (name, begin, run) => {
  recorded = [];
  await run();
  const found = () => recorded.map((text) => text.trim()).filter((text) => text.startsWith(begin));
  await expect.poll(() => found().length).toBeGreaterThan(0);
  const longest = found().reduce((one, other) => (other.length > one.length ? other : one));
  await expect(formatSql(longest)).toMatchFileSnapshot(`../sql/${name}.sql`);
});

test('server/sql has no other file', () => {
  const files = statements.map(([name]) => `${name}.sql`);
  expect(readdirSync(join(import.meta.dirname, '../sql')).toSorted()).toEqual([...files, 'plans'].toSorted());
});

test('formatSql writes one clause a line, and splits long ones', () => {
  expect(
    formatSql('select a,b from t where c=\'x  (y\' and f(d) is distinct from $1 order by "a b" limit 2'),
  ).toBe('select a, b\nfrom t\nwhere c= \'x  (y\' and f(d) is distinct from $1\norder by "a b"\nlimit 2\n');
});
