import { isDeepStrictEqual } from 'node:util';
import type { RouteKey } from '@forecourt/contract/api';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { expectations, type Expectation } from '../../../test/authorisation/expectations.ts';
import { makePersonas } from '../../../test/authorisation/personas.ts';
import { createWorld } from '../../../test/authorisation/world.ts';
import { PASSWORD } from '../../../test/people.ts';
import { withRefusedEntries } from '../../../test/refused-entries.ts';

const server = await testApp();
const personas = await makePersonas(server);
const admin = personas.find(({ name }) => name === 'administrator')!;
const world = await createWorld(server, personas);
afterAll(async () => {
  await world.close();
  await server.close();
});

/** Routes that write only to tables without relevance for the log. */
const UNRECORDED = new Set<string>([
  // Counts tests of a mail server for the rate limit.
  'POST /email-settings/verify',
  'POST /email-settings/user/:id/verify',
  // The download is audited, not its URL.
  'POST /exports/:id/download-ticket',
  'POST /backups/:name/download-ticket',
  // What can be read on the screen is downloaded without an entry.
  'POST /statements/:id/download-ticket',
  // How far a user has read.
  'PUT /deals/:id/comments/read',
  // A secret without effect until its first code confirms it.
  'POST /auth/two-step',
]);

const writes = (Object.entries(expectations) as [RouteKey, Expectation][]).filter(
  ([key]) => !key.startsWith('GET ') && !key.startsWith('POST /auth/logout') && !UNRECORDED.has(key),
);

const entriesOf = async (requestId: string): Promise<string[]> =>
  (
    await server.db.selectFrom('audit_entries').where('request_id', '=', requestId).select('action').execute()
  ).map(({ action }) => action);

test.each(writes)(
  '%s writes an entry if it changes anything, and changes nothing without it',
  async (key, { params, body }) => {
    const records = await world.makeRecords();
    const before = await world.digest();
    const [method, path] = key.split(' ') as [string, string];
    const filled = path.replace(/:(\w+)/g, (_, name: string) => params!(records)[name]!);
    const call = () =>
      server.call(`${method} ${filled}`, { token: admin.token!, ...(body && { body: body(records) }) });
    await withRefusedEntries(server.db, call);
    expect(await world.digest(), 'without its entry').toEqual(before);
    const reply = await call();
    // A rejected request changes only the state of a job; the authorisation matrix covers that.
    if (reply.status >= 400 || isDeepStrictEqual(await world.digest(), before)) return;
    // Background work is audited when it is done.
    const entries = () => entriesOf(String(reply.headers['x-request-id']));
    await expect.poll(entries).not.toEqual([]);
  },
);

test('a sign-in, a rejected one and a sign-out write an entry each', async () => {
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
