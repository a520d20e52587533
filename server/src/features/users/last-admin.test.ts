import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { callServer } from '../../../test/process.ts';
import { seededRandom } from '../../../test/seeded-random.ts';

const RACES = process.env.LONG_TESTS ? 200 : 10;

const server = await testApp();
// Over real connections: each request of a race has its own.
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => server.close());

/** The only two administrators. */
async function twoAdmins(): Promise<[Person, Person]> {
  await server.db.updateTable('users').set({ role: 'user' }).execute();
  return [await server.person({ role: 'admin' }), await server.person({ role: 'admin' })];
}

const activeAdmins = async (): Promise<string[]> =>
  (
    await server.db
      .selectFrom('users')
      .where('role', '=', 'admin')
      .where('is_active', '=', true)
      .select('id')
      .execute()
  ).map(({ id }) => id);

const refused = { status: 409, body: { code: 'LAST_ADMIN' } };

describe('the last active administrator', () => {
  test.each([
    ['demoted', (id: string) => [`PUT /users/${id}`, { role: 'user' }]],
    ['deactivated', (id: string) => [`PUT /users/${id}`, { isActive: false }]],
    [
      'deactivated with a transfer',
      (id: string, newOwner: string) => [
        `POST /users/${id}/transfer`,
        { targetUserId: newOwner, deactivate: true },
      ],
    ],
  ] as const)('the last active administrator is not %s, and says why', async (_how, ask) => {
    const [ada, bea] = await twoAdmins();
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', bea.id).execute();
    const newOwner = await server.person();
    const [route, body] = ask(ada.id, newOwner.id) as [string, object];
    expect(await server.call(route, { token: ada.token, body })).toMatchObject({
      ...refused,
      body: { message: 'There must be at least one active administrator' },
    });
    expect(await activeAdmins()).toEqual([ada.id]);
    expect((await server.call('GET /users', { token: ada.token })).status).toBe(200);
  });

  test('the last active administrator may leave when another one exists, and may change everything else', async () => {
    const [ada, bea] = await twoAdmins();
    const demote = (by: Person) =>
      server.call(`PUT /users/${by.id}`, { token: by.token, body: { role: 'user' } });
    expect((await demote(bea)).status).toBe(200);
    expect(await demote(ada)).toMatchObject(refused);
    const rename = { token: ada.token, body: { name: 'Ada Only', role: 'admin', isActive: true } };
    expect((await server.call(`PUT /users/${ada.id}`, rename)).status).toBe(200);
  });
});

/** Concurrent actions of an administrator against the other one, or themselves. */
const moves = [
  (by: Person, other: Person) => callServer(url, `PUT /users/${other.id}`, by.token, { role: 'user' }),
  (by: Person, other: Person) => callServer(url, `PUT /users/${other.id}`, by.token, { isActive: false }),
  (by: Person) => callServer(url, `PUT /users/${by.id}`, by.token, { role: 'user' }),
  (by: Person) => callServer(url, `PUT /users/${by.id}`, by.token, { isActive: false }),
  (by: Person, other: Person) =>
    callServer(url, `POST /users/${other.id}/transfer`, by.token, { targetUserId: by.id, deactivate: true }),
  (by: Person, other: Person) =>
    callServer(url, `POST /users/${by.id}/transfer`, by.token, { targetUserId: other.id, deactivate: true }),
] as const;

/** Runs both concurrently. Returns how many administrators are left, and how many actions succeeded. */
async function race(first: (typeof moves)[number], second: (typeof moves)[number]) {
  const [ada, bea] = await twoAdmins();
  const replies = await Promise.all([first(ada, bea), second(bea, ada)]);
  const statuses = replies.map(({ status }) => status);
  return {
    left: (await activeAdmins()).length,
    done: statuses.filter((status) => status === 200).length,
    statuses,
  };
}

describe('two administrators concurrently', () => {
  test(
    `two administrators concurrently demote each other, ${RACES} times: one is left each time`,
    { timeout: 300_000 + RACES * 2000 },
    async () => {
      for (let round = 1; round <= RACES; round += 1) {
        expect(await race(moves[0], moves[0])).toMatchObject({ left: 1, done: 1 });
      }
    },
  );

  test(
    `two administrators concurrently do whatever would take one away, ${RACES} times: one is left each time`,
    { timeout: 300_000 + RACES * 2000 },
    async () => {
      const random = seededRandom('last administrator');
      const lot = () => moves[Math.floor(random() * moves.length)]!;
      for (let round = 1; round <= RACES; round += 1) expect((await race(lot(), lot())).left).toBe(1);
    },
  );

  test('both give up their own role: the later one gets LAST_ADMIN', async () => {
    const { left, statuses } = await race(moves[2], moves[2]);
    expect(left).toBe(1);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
  });
});
