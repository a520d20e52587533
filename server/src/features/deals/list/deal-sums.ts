import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { defineJob, IDLE } from '../../../platform/jobs/define-job.ts';

const EVERY_MS = 60_000;

const KEY = sql`month, dealership_id, status_id, owner_id`;
const SUMS = [
  'deals',
  'sale_amount',
  'gross_profit',
  'commission',
  'with_rate',
  'without_rate',
  'closed',
  'closing_seconds',
] as const;
const each = (part: (column: string) => string) => sql.raw(SUMS.map(part).join(', '));

/**
 * Adds the changes of sums to the stored sums. Figures add both, so that they are the same before and after.
 * Several instances may do so at once: each moves the changes that it deletes. Returns whether there were any.
 */
export async function foldDealSums(db: Db): Promise<boolean> {
  const { rows } = await sql<{ changed: number; empty: number }>`
    with changes as (delete from deal_sum_changes returning *),
    folded as (
      insert into deal_sums (${KEY}, ${each((name) => name)})
      select ${KEY}, ${each((name) => `sum(${name})`)} from changes group by ${KEY} order by ${KEY}
      on conflict (${KEY}) do update set ${each((name) => `${name} = deal_sums.${name} + excluded.${name}`)}
      returning deals
    )
    select count(*) as changed, count(*) filter (where deals = 0) as empty from folded`.execute(db);
  const { changed, empty } = rows[0]!;
  if (empty > 0)
    await sql`delete from deal_sums where (${each((name) => name)}) = (${each(() => '0')})`.execute(db);
  return changed > 0;
}

export const createSumsFolding = (db: Db) =>
  defineJob({
    name: 'deal-sums',
    schedule: { everyMs: EVERY_MS },
    run: async () => ((await foldDealSums(db)) ? undefined : IDLE),
  });
