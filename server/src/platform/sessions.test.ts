import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { testApp } from '../../test/app.ts';
import { PASSWORD } from '../../test/people.ts';
import { openEventBus } from './live/event-bus.ts';
import { createLog } from './log.ts';
import { createSessions } from './sessions.ts';

const server = await testApp();
afterAll(() => server.close());

const sessionsOf = (userId: string) =>
  server.db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute();

describe('a session ended while messages could not be received', () => {
  test('a session ended while messages could not be received is not used from the cache afterwards, whether read before or meanwhile', async () => {
    const eventBus = openEventBus(server.connection, createLog('silent'));
    try {
      const sessions = createSessions(server.db, eventBus, createLog('silent'));
      await expect.poll(() => eventBus.isListening()).toBe(true);
      const [before, meanwhile] = [await server.person(), await server.person()];
      await sessions.read(before.token, { background: false });

      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'forecourt messages'`.execute(server.db);
      await expect.poll(() => eventBus.isListening()).toBe(false);
      await sessions.read(meanwhile.token, { background: false });
      await server.db
        .updateTable('sessions')
        .set({ ended_at: sql`now()` })
        .where('user_id', 'in', [before.id, meanwhile.id])
        .execute();
      await expect.poll(() => eventBus.isListening()).toBe(true);

      await expect(sessions.read(before.token, { background: false })).rejects.toMatchObject({
        code: 'NOT_SIGNED_IN',
      });
      await expect(sessions.read(meanwhile.token, { background: false })).rejects.toMatchObject({
        code: 'NOT_SIGNED_IN',
      });
    } finally {
      await eventBus.close();
    }
  });
});

test('a change of custom fields drops cached viewers, which contain the visible ones', async () => {
  const eventBus = openEventBus(server.connection, createLog('silent'));
  try {
    const sessions = createSessions(server.db, eventBus, createLog('silent'));
    await expect.poll(() => eventBus.isListening()).toBe(true);
    const kim = await server.person({ name: 'Kim' });
    const nameNow = async () => (await sessions.read(kim.token, { background: true })).name;
    expect(await nameNow()).toBe('Kim');
    await server.db.updateTable('users').set({ name: 'Kim Novak' }).where('id', '=', kim.id).execute();
    eventBus.emit('custom-fields');
    expect(await nameNow()).toBe('Kim Novak');
  } finally {
    await eventBus.close();
  }
});

describe('use of a session', () => {
  const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const lastUsed = async (userId: string, at: string) =>
    void (await server.db
      .updateTable('sessions')
      .set({ last_used_at: at })
      .where('user_id', '=', userId)
      .execute());
  const isCounted = async (userId: string, since: string) =>
    (await sessionsOf(userId))[0]!.last_used_at !== since;

  test.each([
    { timeout: 1, seconds: 20, counts: true },
    { timeout: 1, seconds: 5, counts: false },
    { timeout: 60, seconds: 20, counts: false },
    { timeout: 60, seconds: 61, counts: true },
  ])(
    'use of a session with timeout $timeout min, last recorded $seconds s ago, is recorded: $counts',
    async ({ timeout, seconds, counts }) => {
      const kim = await server.person({ permissions: { sessionTimeout: timeout } });
      const at = secondsAgo(seconds);
      await lastUsed(kim.id, at);
      await server.call('GET /auth/me', { token: kim.token });
      expect(await isCounted(kim.id, at)).toBe(counts);
    },
  );

  test('use of a session is recorded also right after a background request, which does not count', async () => {
    const kim = await server.person({ permissions: { sessionTimeout: 1 } });
    const at = secondsAgo(30);
    await lastUsed(kim.id, at);
    await server.call('GET /auth/me', { token: kim.token, headers: { 'x-background': '1' } });
    expect(await isCounted(kim.id, at)).toBe(false);
    await server.call('GET /auth/me', { token: kim.token });
    expect(await isCounted(kim.id, at)).toBe(true);
  });
});

test('the server batches concurrent session reads, and returns each its own result', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => server.person()));
  const ended = await server.person();
  await server.db
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, end_reason: 'ended by an administrator' })
    .where('user_id', '=', ended.id)
    .execute();
  const eventBus = openEventBus(server.connection, createLog('silent'));
  try {
    const sessions = createSessions(server.db, eventBus, createLog('silent'));
    const tokens = [...people, ended, ...people].map(({ token }) => token);
    const read = (token: string) => sessions.read(token, { background: true });
    const answers = await Promise.allSettled([...tokens, 'nobody has this one'].map(read));
    const expected = people.map(({ id }) => ({ status: 'fulfilled', value: { userId: id } }));
    const refused = { status: 'rejected', reason: { code: 'NOT_SIGNED_IN' } };
    expect(answers).toMatchObject([...expected, refused, ...expected, refused]);
  } finally {
    await eventBus.close();
  }
});

test('the server deletes sessions of any user that expired more than 30 days ago at a sign-in', async () => {
  const [kim, gone, recent] = [await server.person(), await server.person(), await server.person()];
  const expired = (userId: string, days: number) =>
    server.db
      .updateTable('sessions')
      .set({ expires_at: sql`now() - make_interval(days => ${days})` })
      .where('user_id', '=', userId)
      .execute();
  await expired(gone.id, 31);
  await expired(recent.id, 29);
  await server.call('POST /auth/login', { body: { email: kim.email, password: PASSWORD } });
  expect(await sessionsOf(gone.id)).toHaveLength(0);
  expect(await sessionsOf(recent.id)).toHaveLength(1);
  expect(await sessionsOf(kim.id)).toHaveLength(2);
});

test('the invalid fields of a permission record are logged when a session is read, and not those that are unknown', async () => {
  const eventBus = openEventBus(server.connection, createLog('silent'));
  try {
    const log = createLog('silent');
    const logged = vi.spyOn(log, 'error');
    const sessions = createSessions(server.db, eventBus, log);
    const kim = await server.person({ permissions: { maxSessions: 0, newer: true } as object });
    await sessions.read(kim.token, { background: false });
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      { userId: kim.id, fields: ['maxSessions'] },
      'permission record unreadable',
    );
  } finally {
    await eventBus.close();
  }
});
