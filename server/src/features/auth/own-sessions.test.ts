import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { newestAudit } from '../../../test/builders.ts';
import { PASSWORD } from '../../../test/people.ts';

const server = await testApp();
afterAll(() => server.close());

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Opens another session of a user, in Firefox. */
async function signInAgain({ email }: Person): Promise<string> {
  const body = { email, password: PASSWORD };
  const reply = await server.call('POST /auth/login', { body, headers: { 'user-agent': FIREFOX } });
  return reply.body.token;
}
const list = async (token: string) => (await server.call('GET /auth/sessions', { token })).body;
const end = (token: string | undefined, id: string) => server.call(`DELETE /auth/sessions/${id}`, { token });
const me = (token: string) => server.call('GET /auth/me', { token });

test('the own sessions are listed with device and address, the current one first, without ended and idle ones', async () => {
  const kim = await server.person({ permissions: { sessionTimeout: 30 } });
  const [idle, ended, elsewhere] = [await signInAgain(kim), await signInAgain(kim), await signInAgain(kim)];
  const idOf = async (token: string) => (await list(token)).items[0]._id;
  await end(kim.token, await idOf(ended));
  await server.db
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - 31 * 60_000) })
    .where('id', '=', await idOf(idle))
    .execute();
  const { items, total } = await list(kim.token);
  expect(total).toBe(2);
  expect(items[0]).toMatchObject({ device: 'Unknown device', current: true });
  expect(items[1]).toEqual({
    _id: await idOf(elsewhere),
    device: 'Firefox on Windows',
    ip: '127.0.0.1',
    createdAt: expect.any(String),
    lastUsedAt: expect.any(String),
    expiresAt: expect.any(String),
    current: false,
  });
});

test('an ended one is rejected at once with the reason, and audited', async () => {
  const kim = await server.person();
  const elsewhere = await signInAgain(kim);
  const other = (await list(kim.token)).items.find(({ current }: { current: boolean }) => !current);
  expect((await end(kim.token, other._id)).status).toBe(204);
  expect(await me(elsewhere)).toMatchObject({
    status: 401,
    body: { code: 'NOT_SIGNED_IN', details: 'You ended this session from another device.' },
  });
  expect((await me(kim.token)).status).toBe(200);
  expect(await newestAudit(server, other._id)).toMatchObject({ action: 'session.ended', actor_id: kim.id });
});

test('the current one can be ended too, which signs out', async () => {
  const kim = await server.person();
  expect((await end(kim.token, (await list(kim.token)).items[0]._id)).status).toBe(204);
  const { status, body } = await me(kim.token);
  expect([status, body.details]).toEqual([401, undefined]);
});

test('neither lists nor ends a session before a forced password change', async () => {
  const kim = await server.person({ mustChangePassword: true });
  const replies = [
    await server.call('GET /auth/sessions', { token: kim.token }),
    await end(kim.token, kim.id),
  ];
  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 403, body: { code: 'PASSWORD_CHANGE_REQUIRED' } });
  }
});
