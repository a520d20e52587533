import { isDeepStrictEqual } from 'node:util';
import type { RouteKey } from '@forecourt/contract/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '../../../test/app.ts';
import { expectations, type Expectation } from '../../../test/authorisation/expectations.ts';
import { makePersonas, type Persona } from '../../../test/authorisation/personas.ts';
import { createWorld, type World } from '../../../test/authorisation/world.ts';
import { PASSWORD } from '../../../test/people.ts';

let server: TestApp;
let admin: Persona;
let world: World;
beforeAll(async () => {
  server = await testApp();
  const personas = await makePersonas(server);
  admin = personas.find(({ name }) => name === 'administrator')!;
  world = await createWorld(server, personas);
}, 60_000);
afterAll(async () => {
  await world.close();
  await server.close();
});

/** What changes a table and nothing that anybody could look for in the log. */
const UNRECORDED = new Set<string>([
  // Counts the test of a mail server, so that there are not too many.
  'POST /email-settings/verify',
  'POST /email-settings/user/:id/verify',
  // The download has its entry, not the URL for it.
  'POST /exports/:id/download-ticket',
  'POST /backups/:name/download-ticket',
  // A secret that opens nothing until its first code confirms it.
  'POST /auth/two-step',
]);

const writes = (Object.entries(expectations) as [RouteKey, Expectation][]).filter(
  ([key]) => !key.startsWith('GET ') && !key.startsWith('POST /auth/logout') && !UNRECORDED.has(key),
);

const entriesOf = async (requestId: string): Promise<string[]> =>
  (
    await server.db.selectFrom('audit_entries').where('request_id', '=', requestId).select('action').execute()
  ).map(({ action }) => action);

test.each(writes)('%s leaves an entry if it changes anything', async (key, { params, body }) => {
  const records = await world.makeRecords();
  const before = await world.digest();
  const [method, path] = key.split(' ') as [string, string];
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params!(records)[name]!);
  const reply = await server.call(`${method} ${filled}`, {
    token: admin.token!,
    ...(body && { body: body(records) }),
  });
  // What is refused changes nothing but how a piece of work ended; the matrix of rights sees to that.
  if (reply.status >= 400 || isDeepStrictEqual(await world.digest(), before)) return;
  // What goes on in the background has its entry when it is done.
  const entries = () => entriesOf(String(reply.headers['x-request-id']));
  await expect.poll(entries, { timeout: 10_000 }).not.toEqual([]);
});

test('a sign-in, a refused one and a sign-out leave an entry each', async () => {
  const { email } = await server.person({ name: 'Sigrid Signs' });
  const login = (password: string) => server.call('POST /auth/login', { body: { email, password } });
  const entries = async (reply: { headers: Record<string, unknown> }) =>
    entriesOf(String(reply.headers['x-request-id']));
  expect(await entries(await login('a wrong password'))).toEqual(['session.refused']);
  const signedIn = await login(PASSWORD);
  expect(await entries(signedIn)).toEqual(['session.started']);
  const out = await server.call('POST /auth/logout', { token: signedIn.body.token });
  expect(await entries(out)).toEqual(['session.ended']);
});
