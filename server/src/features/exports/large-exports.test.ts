import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';

const BATCH = 10_000;
const MB = 1024 * 1024;

/** `npm run test:long`: a million rows, the most in one sheet. */
describe.skipIf(!process.env.LONG_TESTS)('a million rows', () => {
  let server: TestApp;
  let admin: Person;
  beforeAll(async () => {
    server = await testApp();
    admin = await server.person({ role: 'admin' });
    const dealershipId = await addDealership(server, admin);
    // Indexes used by searches and not by exports: without them the table fills in a fraction of the time.
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes
      where tablename = 'deals' and indexdef like '%USING gin%'`.execute(server.db);
    for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(server.db);
    const add = (month: string, from: number) =>
      sql`insert into deals (id, status_id, dealership_id, customer_name, customer_number, customer_email, vehicle,
          notes, sale_amount, cost_amount, month, owner_id, created_by, updated_by)
        select gen_random_uuid(), (select id from statuses limit 1), ${dealershipId}, 'Customer ' || n,
          '(0400) 123 456', 'customer' || n || '@example.com', 'Toyota Corolla', 'Rang, will call back ' || n,
          n % 10000, n % 5000, ${month}, ${admin.id}, ${admin.id}, ${admin.id}
        from generate_series(${from}::int, ${from + BATCH - 1}::int) as n`.execute(server.db);
    for (let n = 0; n < 100_000; n += BATCH) await add('2025-01', n);
    for (let n = 0; n < 1_000_000; n += BATCH) await add('2025-02', n);
  }, 900_000);
  afterAll(() => server.close());

  /** Exports a month and returns the increase of this process's memory, and the file. */
  async function measure(month: string, format: string) {
    const begun = await server.call('POST /exports', {
      token: admin.token,
      body: { kind: 'deals', month, format },
    });
    const started = performance.now();
    let peak = 0;
    let state = begun.body;
    while (state.state === 'running') {
      peak = Math.max(peak, process.memoryUsage().rss / MB);
      state = (await server.call(`GET /exports/${state._id}`, { token: admin.token })).body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const seconds = (performance.now() - started) / 1000;
    process.stdout.write(
      `${format}: ${state.rows} rows, ${(state.size / MB).toFixed(0)} MB, ${seconds.toFixed(0)} s, peak ${peak.toFixed(0)} MB\n`,
    );
    return { ...state, peak };
  }

  test.each(['csv', 'xlsx'])(
    'a million rows need no more memory than a hundred thousand, as %s',
    { timeout: 900_000 },
    async (format) => {
      // The first file also loads code and allocates permanent buffers.
      await measure('2025-01', format);
      const small = await measure('2025-01', format);
      const large = await measure('2025-02', format);
      expect([small.state, small.rows]).toEqual(['ready', 100_000]);
      expect([large.state, large.rows]).toEqual(['ready', 1_000_000]);
      expect(large.peak).toBeLessThan(small.peak + 100);
    },
  );
});
