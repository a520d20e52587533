import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';
import { PASSWORD } from '../../../test/people.ts';
import { sealAll } from '../../../test/sealed-entries.ts';
import { isOnline } from './activity.policy.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const kim = await server.person({ name: 'Kim Novak' });
afterAll(() => server.close());

const activity = async (query = '') =>
  (await server.call(`GET /user-activity${query}`, { token: admin.token })).body;
const sessions = async () => (await server.call('GET /user-activity/sessions', { token: admin.token })).body;

test('User Activity is for administrators, for 1 to 90 days', async () => {
  expect((await server.call('GET /user-activity')).status).toBe(401);
  expect((await server.call('GET /user-activity/sessions')).status).toBe(401);
  for (const days of ['0', '91', 'all'])
    expect((await server.call(`GET /user-activity?days=${days}`, { token: admin.token })).status).toBe(400);
  expect((await server.call('GET /user-activity', { token: kim.token })).status).toBe(403);
  expect((await server.call('GET /user-activity/sessions', { token: kim.token })).status).toBe(403);
});

test('User Activity returns online users with their address, without ended sessions', async () => {
  const { items, total } = await sessions();
  expect(total).toBe(items.length);
  const [own, kims] = [admin, kim].map(({ id }) =>
    items.find(({ userId }: { userId: string }) => userId === id),
  );
  expect(own).toMatchObject({ name: 'Ada Admin', current: true, online: true, ip: '127.0.0.1' });
  expect(kims).toMatchObject({ name: 'Kim Novak', email: kim.email, current: false });
  const ended = await server.call(`DELETE /users/${kim.id}/sessions/${kims._id}`, { token: admin.token });
  expect(ended.status).toBe(204);
  expect((await sessions()).items.map(({ userId }: { userId: string }) => userId)).not.toContain(kim.id);
  expect((await server.call('GET /auth/me', { token: kim.token })).status).toBe(401);
});

test('User Activity counts sign-ins and rejected ones by day, including days without any', async () => {
  const before = await activity('?days=7');
  expect(before.signIns).toHaveLength(7);
  await server.call('POST /auth/login', { body: { email: kim.email, password: PASSWORD } });
  await server.call('POST /auth/login', { body: { email: kim.email, password: 'a wrong password' } });
  const { signIns, refused } = await activity('?days=7');
  const [was, is] = [before.signIns.at(-1), signIns.at(-1)];
  expect([is.signedIn - was.signedIn, is.refused - was.refused]).toEqual([1, 1]);
  expect(refused[0]).toMatchObject({ email: kim.email, ip: '127.0.0.1' });
  const dates = signIns.map(({ date }: { date: string }) => date);
  expect(dates).toEqual([...new Set<string>(dates)].sort());
});

test('User Activity returns activity by the company’s hours, and the most active users', async () => {
  await addDealership(server, admin);
  // The actions of this test itself count too, when it runs on a Friday evening in Sydney.
  const before = (await activity('?days=30')).hours[4].slice(22);
  // A Friday, 23:30 in Sydney, is 12:30 in UTC.
  await sql`insert into audit_entries (created_at, actor_id, actor_name, ip, request_id, action, entity)
    select day + time '12:30' at time zone 'UTC', ${kim.id}, 'Kim Novak', '', '', 'deal.updated', 'deal'
    from (select (date_trunc('week', now() - interval '7 days') + interval '4 days')::date as day) as friday,
      generate_series(1, 50)`.execute(server.db);
  const { hours, mostActive } = await activity('?days=30');
  const sum = (rows: number[][]) => rows.flat().reduce((all, one) => all + one, 0);
  expect(hours[4].slice(22).map((count: number, hour: number) => count - before[hour])).toContain(50);
  expect(sum(hours)).toBeGreaterThan(50);
  expect(mostActive[0]).toMatchObject({ userId: kim.id, name: 'Kim Novak', actions: 50 });
  expect(mostActive[1]).toMatchObject({ name: 'Ada Admin' });
  expect(sum((await activity('?days=1')).hours)).toBeLessThan(50);
  await sealAll(server);
  expect((await activity('?days=30')).mostActive[0]).toEqual(mostActive[0]);
});

test('a user is online for five minutes after the last use', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  expect(isOnline('2026-11-20T11:55:01.000Z', now)).toBe(true);
  expect(isOnline('2026-11-20T11:55:00.000Z', now)).toBe(false);
});
