import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Reply, type TestApp } from '../../../test/app.ts';
import { createClock } from '../../platform/clock.ts';
import { openEventBus, type EventBus } from '../../platform/live/event-bus.ts';
import { createLog } from '../../platform/log.ts';
import { createSessions } from '../../platform/sessions.ts';
import type { DemoParts } from './demo-caller.ts';
import { createDemoColleague, MOVES_PER_CHANGE } from './demo-colleague.ts';
import { DEAL_COUNT, demoDeals, repeatable } from './demo-deals.ts';
import { createDemoRecords } from './demo-records.ts';
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

  test('a new demo is filled with users, dealerships, items, templates, 5,000 deals over 18 months', async () => {
    expect(accounts).toHaveLength(6);
    expect(await get('/users')).toMatchObject({ total: 6 });
    expect(await get('/dealerships')).toMatchObject({ total: 12 });
    expect(await get('/item-configurations')).toMatchObject({ total: 8 });
    const { items: templates } = await get('/email-templates');
    expect(templates).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'active' })));
    expect(await get('/deals/summary')).toMatchObject({ total: DEAL_COUNT });
    const months = await server.db.selectFrom('deals').select('month').distinct().execute();
    expect(months.length).toBeGreaterThanOrEqual(18);
  });

  test('a new demo has plausible figures: sales, commission, conversion, days to close, calls to make', async () => {
    const { lastMonth, trend } = await get('/dashboard');
    expect(trend.every(({ deals }: { deals: number }) => deals > 50)).toBe(true);
    expect(lastMonth.conversion).toBeGreaterThan(40);
    expect(lastMonth.conversion).toBeLessThan(85);
    expect(lastMonth.commission).toBeGreaterThan(0);
    expect(lastMonth.daysToClose).toBeGreaterThan(1);
  });

  test('a new demo has emails in every state but sending, each with a row that shows it', async () => {
    for (const status of ['cancelled', 'failed', 'queued', 'retrying', 'sent'])
      expect((await get(`/email/logs?status=${status}`)).total, status).toBeGreaterThan(0);
    const corrected = await server.db
      .selectFrom('email_deals')
      .innerJoin('deals', 'deals.id', 'email_deals.deal_id')
      .whereRef('deals.version', '>', 'email_deals.deal_version')
      .select('deals.id')
      .execute();
    expect(corrected.length).toBeGreaterThan(0);
  });

  test('a new demo has a history: rows added and changed by several people in office hours, and sign-ins of each day', async () => {
    const { items, total } = await get('/audit-logs?limit=100');
    expect(total).toBeGreaterThanOrEqual(1000);
    expect(new Set(items.map(({ actorName }: { actorName: string }) => actorName)).size).toBeGreaterThan(3);
    const activity = await get('/user-activity');
    for (const part of ['signIns', 'mostActive', 'refused'] as const)
      expect(activity[part].length, part).toBeGreaterThan(3);
    const atNight = activity.hours.flatMap((day: number[]) => day.slice(0, 7));
    expect(new Set(atNight)).toEqual(new Set([0]));
    expect(await get('/audit-logs/verify')).toMatchObject({ problems: [] });
  });

  test('a new demo has saved views of colleagues, and notifications of failed emails', async () => {
    expect(await get('/deal-views')).toMatchObject({ total: 2 });
    const failed = await server.db.selectFrom('notifications').select('kind').execute();
    expect(new Set(failed.map(({ kind }) => kind))).toEqual(new Set(['emailFailed']));
  });

  test('a new demo has statistics, which its rows would otherwise get only later', async () => {
    const { rows } = await sql`
      select distinct tablename as name from pg_stats
      where schemaname = 'forecourt'
      and tablename in ('users', 'deals', 'dealerships', 'items') order by 1`.execute(server.db);
    expect(rows).toEqual(['dealerships', 'deals', 'items', 'users'].map((name) => ({ name })));
  });

  test('a new demo allows every user to sign in, each with a separate password', async () => {
    expect(new Set(accounts.map(({ password }) => password)).size).toBe(6);
    expect(await signIn(accounts[3]!)).toMatchObject({ status: 200 });
  });

  test('a new demo is filled once: a second start returns no passwords', async () => {
    expect(await fillDemo(server.db, clock)).toEqual([]);
    expect(await get('/deals/summary')).toMatchObject({ total: DEAL_COUNT });
  });

  describe('with the records that people create', () => {
    let eventBus: EventBus;
    let parts: DemoParts;
    beforeAll(async () => {
      eventBus = openEventBus(server.connection, createLog('silent'));
      parts = {
        app: server.app,
        db: server.db,
        clock,
        sessions: createSessions(server.db, eventBus, createLog('silent')),
      };
      await createDemoRecords(parts);
    });
    afterAll(() => eventBus.close());

    test('a new demo has custom fields, comments, a file, shared rows, change sets of several kinds, exports', async () => {
      expect(await get('/custom-fields')).toMatchObject({ total: 2 });
      const { items: changes } = await get('/changes');
      const kinds = changes.map(({ kind }: { kind: string }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['edit', 'paste', 'bulk']));
      const { items: marks } = await get(`/deals/marks?month=${clock.businessMonth()}`);
      expect(marks).toContainEqual(expect.objectContaining({ comments: 2, files: 1 }));
      const shared = await server.db.selectFrom('shares').where('entity', '=', 'deal').selectAll().execute();
      expect(shared).toHaveLength(4);
      const valued = await server.db.selectFrom('deals').where('custom', '<>', '{}').select('id').execute();
      expect(valued).toHaveLength(8);
      expect(await get('/exports')).toMatchObject({ total: 2 });
    });

    test('a new demo notifies the first administrator and the lead of mentions and shared rows', async () => {
      const notified = await server.db
        .selectFrom('notifications')
        .innerJoin('users', 'users.id', 'user_id')
        .select(['users.name', 'kind'])
        .where('kind', 'in', ['commentMention', 'shared'])
        .execute();
      expect(new Set(notified.map(({ name, kind }) => `${name}: ${kind}`))).toEqual(
        new Set(
          ['Ada Marsh', 'Lena Fraser'].flatMap((name) => [`${name}: commentMention`, `${name}: shared`]),
        ),
      );
    });

    test('a new demo runs a colleague through the API: a person who is not signed in, and only while somebody is', async () => {
      const step = createDemoColleague(parts);
      const changeRows = async () => {
        const last = await server.db
          .selectFrom('audit_entries')
          .select((eb) => eb.fn.max('id').as('id'))
          .executeTakeFirstOrThrow();
        for (let move = 0; move < MOVES_PER_CHANGE * 5; move += 1) await step();
        const entries = await server.db
          .selectFrom('audit_entries')
          .where('action', '=', 'deal.updated')
          .where('id', '>', last.id)
          .select('actor_name')
          .execute();
        return entries.map(({ actor_name: name }) => name);
      };
      const setLastUse = (time: Date) =>
        server.db.updateTable('sessions').set({ last_used_at: time }).execute();
      await setLastUse(new Date(0));
      expect(await changeRows()).toEqual([]);
      await setLastUse(new Date());
      expect(await changeRows()).toEqual(Array.from({ length: 5 }, () => 'Lena Fraser'));
      await setLastUse(new Date(0));
      await signIn(accounts[2]!);
      expect(await changeRows()).toEqual(Array.from({ length: 5 }, () => 'Kim Tran'));
    });
  });
});

test.each(['2026-12-01T00:05', '2027-01-01T09:00', '2027-05-02T12:00', '2028-02-29T23:59'])(
  'a demo has rows of the current month at %s too',
  (time) => {
    const now = new Date(`${time}+10:00`);
    const brisbane = createClock('Australia/Brisbane', () => now);
    const deals = demoDeals(repeatable(20), brisbane);
    const current = deals.filter(({ month }) => month === time.slice(0, 7));
    expect(current.length).toBeGreaterThan(200);
    expect(current.some(({ status }) => status === 'To Call')).toBe(true);
    expect(deals.every(({ createdAt, month }) => createdAt < now && month <= time.slice(0, 7))).toBe(true);
  },
);

test('a demo rejects a database with users without changes', async () => {
  const server = await testApp();
  const ada = await server.person({ role: 'admin' });
  await expect(fillDemo(server.db, clock)).rejects.toThrow(/DEMO=1 fills an empty database/);
  expect((await server.call('GET /dealerships', { token: ada.token })).body.total).toBe(0);
  await server.close();
});
