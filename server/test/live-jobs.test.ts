import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { addImporter } from '../src/features/deals/import/deal-import.fixture.ts';
import { newId } from '../src/platform/ids.ts';
import { testApp, type Person, type TestApp } from './app.ts';
import { addDealership } from './builders.ts';
import { openLiveStream, readUntil } from './live-stream.ts';

const server = await testApp();
const url = await server.app.listen({ port: 0 });
const admin = await server.person({ role: 'admin' });
const clerk = await addImporter(server);
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

/** Opens a person's stream. `until` reads until it contains this text so many times, and returns all of it. */
async function follow(person: Person) {
  const { reader, stop } = await openLiveStream(url, person.token);
  let received = await readUntil(reader, (text) => text.includes('event: permissions'));
  return {
    stop,
    until: async (text: string, times = 1) =>
      (received = await readUntil(reader, (all) => all.split(text).length > times, received)),
  };
}

/** The events about jobs that started or ended, as opposed to the audit entries of their cancellation. */
const STATE = '"id":"0","entity":"job"';
const asClerk = (route: Parameters<TestApp['call']>[0], body: object) =>
  server.call(route, { token: clerk.token, body });
const addJob = async (fields: object = {}): Promise<string> => {
  const id = newId();
  await server.db
    .insertInto('jobs')
    .values({ id, kind: 'export', user_id: clerk.id, ...fields })
    .execute();
  return id;
};

describe('jobs that start or end', () => {
  test.each<[string, number, () => Promise<unknown>]>([
    ['an export', 2, () => asClerk('POST /exports', { kind: 'deals' })],
    ['an import', 2, () => asClerk('POST /deals/import', { rows: [{ dealershipId, customerName: 'One' }] })],
    ['a refused import', 2, () => asClerk('POST /deals/import', { rows: [{ dealershipId: newId() }] })],
    [
      'a cancelled job',
      1,
      async () => server.call(`POST /jobs/${await addJob()}/cancel`, { token: admin.token }),
    ],
    [
      'a job whose server died',
      1,
      async () => {
        await addJob({ heartbeat_at: sql`now() - interval '1 hour'` });
        await server.call('POST /jobs/recurring/interrupted-work/run', { token: admin.token });
      },
    ],
  ])(
    'jobs that start or end are published to administrators, and not to their user: %s',
    async (_what, times, act) => {
      const [admins, clerks] = [await follow(admin), await follow(clerk)];
      await act();
      await admins.until(STATE, times);
      // All earlier events have been sent before the event of this change.
      const { version } = (await server.call(`GET /permissions/user/${clerk.id}`, { token: admin.token }))
        .body;
      const body = { maxSessions: 3 + (version % 2) };
      await server.call(`PUT /permissions/user/${clerk.id}`, { token: admin.token, body });
      expect(await clerks.until('event: permissions', 2)).not.toContain('"entity":"job"');
      admins.stop();
      clerks.stop();
    },
  );
});
