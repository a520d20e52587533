import { sql } from 'kysely';
import { vi } from 'vitest';
import { createSealing } from '../src/features/audit/sealing.service.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { TEST_KEY, type TestApp } from './app.ts';

/** Seals all entries written so far, like another instance; the app itself may do so concurrently. */
export async function sealAll({ db }: TestApp): Promise<void> {
  const sealing = createSealing({ db, secrets: createSecrets(TEST_KEY), log: createLog('silent') });
  const isDone = async () => {
    await sealing.sealAll();
    const { rows } = await sql<{ count: number }>`
      select count(*) from audit_entries as entry
      where not exists (select from audit_seal_entries where entry_id = entry.id)`.execute(db);
    return rows[0]!.count === 0;
  };
  await vi.waitUntil(isDone, { timeout: 120_000 });
}

/** The stored counts of sealed entries, and the same counts computed from the entries. They must be equal. */
export async function countsOf({ db }: TestApp) {
  const sealed = sql`audit_entries join audit_seal_entries on entry_id = id`;
  const { rows: kinds } = await sql`
    select thousand, quarter, entity, action, entries, by_people, first_id, last_id from audit_counts
    order by 1, 2, 3, 4`.execute(db);
  const { rows: people } = await sql`
    select actor_id, thousand, actions, first_id, last_id from audit_people order by 1, 2`.execute(db);
  const { rows: computedKinds } = await sql`
    select id / 1000 as thousand, date_bin('15 minutes', created_at, 'epoch') as quarter, entity, action,
      count(*)::integer as entries, count(actor_id)::integer as by_people, min(id) as first_id, max(id) as last_id
    from ${sealed} group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db);
  const { rows: computedPeople } = await sql`
    select actor_id, id / 1000 as thousand, count(*) filter (where entity <> 'session')::integer as actions,
      min(id) as first_id, max(id) as last_id
    from ${sealed} where actor_id is not null group by 1, 2 order by 1, 2`.execute(db);
  return { stored: { kinds, people }, computed: { kinds: computedKinds, people: computedPeople } };
}
