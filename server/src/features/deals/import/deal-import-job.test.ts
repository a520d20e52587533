import type { Job } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type Reply } from '../../../../test/app.ts';
import { blockInserts, blockWrites } from '../../../../test/block-inserts.ts';
import { addDealership } from '../../../../test/builders.ts';
import { addImporter } from './deal-import.fixture.ts';

// A blocked import responds with 202 after 200 ms instead of ten seconds.
const server = await testApp({}, { responseMs: 200 });
const admin = await server.person({ role: 'admin' });
const dealershipId = await addDealership(server, admin, { name: 'Harbour New Cars' });
afterAll(() => server.close());

/** Returns `count` rows, with these customer names at these indexes. */
const rowsOf = (count: number, customers: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => ({
    dealershipId,
    customerName: customers[index] ?? `Ann ${index}`,
  }));
const run = (rows: object[], by: Person, key?: string) =>
  server.call('POST /deals/import', {
    token: by.token,
    body: { rows },
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const jobOf = async (id: string, by: Person): Promise<Job> =>
  (await server.call(`GET /jobs/${id}`, { token: by.token })).body;
const countDeals = async (by: Person): Promise<number> =>
  (await server.db.selectFrom('deals').select('id').where('created_by', '=', by.id).execute()).length;

/** Returns the outcome, after waiting for the job if the response was 202. */
async function ended({ status, body }: Reply, by: Person): Promise<Reply['body']> {
  if (status !== 202) return body;
  await expect.poll(async () => (await jobOf(body.jobId, by)).status).not.toBe('running');
  return jobOf(body.jobId, by);
}

test('a long import returns its job, which has the number of written rows and the result', async () => {
  const person = await addImporter(server);
  const rows = rowsOf(4100, { 2500: 'Second', 4050: 'Third' });
  const progress = (job: Job) => [job.status, job.done, job.total, job.percent];
  const jobId = await blockInserts(server.db, 'Third', async (untilThird) => {
    const id = await blockInserts(server.db, 'Second', async (untilSecond) => {
      const { status, body } = await run(rows, person, 'of-one-page');
      expect([status, body]).toEqual([202, { jobId: expect.any(String) }]);
      await untilSecond();
      await expect
        .poll(async () => progress(await jobOf(body.jobId, person)))
        .toEqual(['running', 2000, 4100, 48]);
      return body.jobId;
    });
    await untilThird();
    await expect.poll(async () => progress(await jobOf(id, person))).toEqual(['running', 4000, 4100, 97]);
    expect(await countDeals(person), 'what others see of it').toBe(0);
    return id;
  });
  await expect.poll(async () => (await jobOf(jobId, person)).status).toBe('succeeded');
  const job = await jobOf(jobId, person);
  expect(job).toMatchObject({
    kind: 'import',
    key: 'of-one-page',
    percent: 100,
    done: 4100,
    code: null,
    errors: null,
  });
  const { items, total } = job.result as { items: { _id: string }[]; total: number };
  expect([items.length, total, await countDeals(person)]).toEqual([4100, 4100, 4100]);
  const last = await server.call(`GET /deals/${items[4099]!._id}`, { token: person.token });
  expect(last.body.customerName).toBe('Ann 4099');
  expect((await server.call(`GET /jobs/${jobId}`, { token: (await addImporter(server)).token })).status).toBe(
    404,
  );
});

test('the import of a user who is deactivated meanwhile adds nothing', async () => {
  const person = await addImporter(server);
  const jobId = await blockInserts(server.db, 'Withheld', async (untilBlocked) => {
    const { body } = await run(rowsOf(3, { 1: 'Withheld' }), person);
    await untilBlocked();
    const { status } = await server.call(`PUT /users/${person.id}`, {
      token: admin.token,
      body: { isActive: false },
    });
    expect(status).toBe(200);
    return body.jobId;
  });
  await expect.poll(async () => (await jobOf(jobId, admin)).status).toBe('cancelled');
  expect((await jobOf(jobId, admin)).message).toMatch(/^Cancelled by .*\. Nothing was imported\.$/);
  expect(await countDeals(person)).toBe(0);
});

test('a refused import has no job whose deletion takes long', async () => {
  const person = await addImporter(server);
  const event = sql`delete on jobs for each row`;
  const [refused] = await blockWrites(server.db, 'hold_deletion', event, async (untilBlocked) => {
    const running = run([{ dealershipId: person.id, customerName: 'Ann' }], person);
    await Promise.race([running, untilBlocked()]);
    // Responds with 202, as the other one would have by then.
    await blockInserts(server.db, 'Held', () => run(rowsOf(1, { 0: 'Held' }), person));
    return [running];
  });
  expect(await ended(await refused!, person)).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('the third import of a user waits for one of the others, and that of a colleague does not', async () => {
  const [person, colleague] = [await addImporter(server), await addImporter(server)];
  const replies = await blockInserts(server.db, 'Held', async (untilBlocked) => {
    const imports = [run(rowsOf(1, { 0: 'Held' }), person), run(rowsOf(1, { 0: 'Held' }), person)];
    await untilBlocked(2);
    imports.push(run(rowsOf(1), person));
    const running = await Promise.all(imports);
    const theirs = await ended(await run(rowsOf(2), colleague), colleague);
    expect((theirs.result ?? theirs).total).toBe(2);
    for (const { body } of running) expect((await jobOf(body.jobId, person)).status).toBe('running');
    return running;
  });
  for (const reply of replies) expect(await ended(reply, person)).toMatchObject({ status: 'succeeded' });
  expect(await countDeals(person)).toBe(3);
});

describe('a repeat with the same Idempotency-Key', () => {
  test('a repeat with the same Idempotency-Key gets the same job while it runs, its response afterwards, and adds nothing', async () => {
    const person = await addImporter(server);
    const rows = rowsOf(3, { 1: 'Held' });
    const first = await blockInserts(server.db, 'Held', async (untilBlocked) => {
      const running = run(rows, person, 'again');
      await untilBlocked();
      const together = await Promise.all([run(rows, person, 'again'), run(rows, person, 'again')]);
      const reply = await running;
      for (const { status, body } of [reply, ...together])
        expect([status, body]).toEqual([202, { jobId: reply.body.jobId }]);
      expect(await run(rowsOf(1), person, 'again')).toMatchObject({
        status: 409,
        body: { code: 'KEY_REUSED' },
      });
      return reply;
    });
    const { result } = await ended(first, person);
    expect(result.total).toBe(3);
    const repeat = await ended(await run(rows, person, 'again'), person);
    expect(repeat.result ?? repeat).toEqual(result);
    expect(await run(rowsOf(1), person, 'again')).toMatchObject({
      status: 409,
      body: { code: 'KEY_REUSED' },
    });
    expect(await countDeals(person)).toBe(3);
  });

  test('a repeat with the same Idempotency-Key runs the import if the first call was refused meanwhile', async () => {
    const person = await addImporter(server);
    const gone = await addDealership(server, admin, { name: 'Closing Cars' });
    const rows = [...rowsOf(2000, { 0: 'Held' }), { dealershipId: gone, customerName: 'Late Liz' }];
    const refused = await blockInserts(server.db, 'Held', async (untilBlocked) => {
      const running = run(rows, person, 'refused');
      await untilBlocked();
      await server.db.deleteFrom('dealerships').where('id', '=', gone).execute();
      return running;
    });
    expect(await ended(refused, person)).toMatchObject({
      status: 'failed',
      code: 'INVALID_REQUEST',
      message: 'dealershipId: Choose one of the dealerships',
      errors: { dealershipId: 'Choose one of the dealerships' },
      result: null,
    });
    expect(await countDeals(person)).toBe(0);
    await ended(await run(rowsOf(2), person, 'refused'), person);
    expect(await countDeals(person)).toBe(2);
  });
});

test('the import of a dead server cannot commit any more', async () => {
  const person = await addImporter(server);
  const reply = await blockInserts(server.db, 'Held', async (untilBlocked) => {
    const running = run(rowsOf(2, { 0: 'Held' }), person, 'given-up');
    await untilBlocked();
    const { body } = await running;
    await server.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', body.jobId).execute();
    return body;
  });
  // The repeat waits until the running import notices the failed job and releases the key.
  const again = await ended(await run(rowsOf(2), person, 'given-up'), person);
  expect(again.result ?? again).toMatchObject({ total: 2 });
  expect([await countDeals(person), (await jobOf(reply.jobId, person)).status]).toEqual([2, 'failed']);
});
