import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Reply, type TestApp } from '../../../test/app.ts';
import { createClock } from '../../platform/clock.ts';
import { DEAL_COUNT } from './demo-deals.ts';
import { fillDemo, type DemoAccount } from './demo.service.ts';

const clock = createClock('Australia/Sydney');

describe('an empty database', () => {
  let server: TestApp;
  let accounts: DemoAccount[];
  let token: string;
  beforeAll(async () => {
    server = await testApp();
    accounts = await fillDemo(server.db, clock);
    token = (await signIn(accounts[0]!)).body.token;
  });
  afterAll(() => server.close());

  const signIn = ({ email, password }: DemoAccount): Promise<Reply> =>
    server.call('POST /auth/login', { body: { email, password } });
  const get = async (path: string) => (await server.call(`GET ${path}`, { token })).body;

  test('becomes a company: people, dealerships, items, templates, 5,000 deals over 18 months', async () => {
    expect(accounts).toHaveLength(6);
    expect(await get('/users')).toMatchObject({ total: 6 });
    expect(await get('/dealerships')).toMatchObject({ total: 12 });
    expect(await get('/item-configurations')).toMatchObject({ total: 8 });
    const { items: templates } = await get('/email-templates');
    expect(templates).toMatchObject([{ status: 'active' }, { status: 'active' }]);
    expect(await get('/deals/summary')).toMatchObject({ total: DEAL_COUNT });
    const months = await server.db.selectFrom('deals').select('month').distinct().execute();
    expect(months.length).toBeGreaterThanOrEqual(18);
  });

  test('has figures that make sense: sales, commission, conversion, days to close, people to call', async () => {
    const { lastMonth, trend } = await get('/dashboard');
    expect(trend.every(({ deals }: { deals: number }) => deals > 50)).toBe(true);
    expect(lastMonth.conversion).toBeGreaterThan(40);
    expect(lastMonth.conversion).toBeLessThan(85);
    expect(lastMonth.commission).toBeGreaterThan(0);
    expect(lastMonth.daysToClose).toBeGreaterThan(1);
  });

  test('everybody can sign in, each with a password of their own', async () => {
    expect(new Set(accounts.map(({ password }) => password)).size).toBe(6);
    expect(await signIn(accounts[3]!)).toMatchObject({ status: 200 });
  });

  test('is filled once: a second start finds it there and knows no passwords', async () => {
    expect(await fillDemo(server.db, clock)).toEqual([]);
    expect(await get('/deals/summary')).toMatchObject({ total: DEAL_COUNT });
  });
});

test('a database with anybody in it is refused and left as it was', async () => {
  const server = await testApp();
  const ada = await server.person({ role: 'admin' });
  await expect(fillDemo(server.db, clock)).rejects.toThrow(/DEMO=1 fills an empty database/);
  expect((await server.call('GET /dealerships', { token: ada.token })).body.total).toBe(0);
  await server.close();
});
