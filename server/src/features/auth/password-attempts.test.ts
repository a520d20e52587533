import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { accountWaits, addressWaits } from './auth.policy.ts';
import { recordFailure } from './auth.queries.ts';

const server = await testApp();
afterAll(() => server.close());

const tryFrom = (ip: string, subject: string) =>
  recordFailure(server.db, { subject, ip }, { account: accountWaits, address: addressWaits });
const fail = (subject: string, times: number) =>
  server.db
    .insertInto('sign_in_failures')
    .values(Array.from({ length: times }, () => ({ subject })))
    .execute();

test('throttles an address for a minute after 300 failures of any account, and no other address', async () => {
  await fail('address:192.0.2.1', 299);
  expect((await tryFrom('192.0.2.1', 'first@example.com')).failureIds).toHaveLength(2);
  const refused = await tryFrom('192.0.2.1', 'second@example.com');
  expect(refused.failureIds).toBeNull();
  expect(refused.wait).toBeGreaterThan(50);
  expect(refused.wait).toBeLessThanOrEqual(60);
  expect((await tryFrom('192.0.2.2', 'second@example.com')).failureIds).toHaveLength(2);
});

test('the sign-in does not throttle two concurrent sign-ins', async () => {
  // The other one started later and finished first.
  const at = sql<string>`now() + interval '1 second'`;
  const subjects = ['account:two@example.com', 'address:192.0.2.4'];
  await server.db
    .insertInto('sign_in_failures')
    .values(subjects.map((subject) => ({ subject, created_at: at })))
    .execute();
  expect((await tryFrom('192.0.2.4', 'two@example.com')).failureIds).toHaveLength(2);
});

test('throttles an account for 15 minutes at most, by any spelling of its address', async () => {
  await fail('account:kim@example.com', 200);
  const { wait, failureIds } = await tryFrom('192.0.2.3', 'KIM@example.com');
  expect(failureIds).toBeNull();
  expect(wait).toBeGreaterThan(890);
  expect(wait).toBeLessThanOrEqual(900);
});
