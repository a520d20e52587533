import { sql } from 'kysely';
import { vi } from 'vitest';
import { TEST_KEY, type TestApp } from '../../../test/app.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createSealing } from './sealing.service.ts';

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
