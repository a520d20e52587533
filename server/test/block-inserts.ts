import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../src/platform/db/database.ts';

/**
 * While `meanwhile` runs, every transaction that inserts a row of this customer waits, without a lock timeout.
 * `untilBlocked` resolves when one waits.
 */
export async function blockInserts<R>(
  db: Db,
  customerName: string,
  meanwhile: (untilBlocked: () => Promise<void>) => Promise<R>,
): Promise<R> {
  const name = `hold_${customerName.toLowerCase()}`;
  const key = sql`hashtext(${sql.lit(name)})`;
  await sql`
    create or replace function ${sql.id(name)}() returns trigger language plpgsql as $$
    begin
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_xact_lock_shared(${key});
      return null;
    end $$`.execute(db);
  await sql`
    create or replace trigger ${sql.id(name)} after insert on deals for each row
      when (new.customer_name = ${sql.lit(customerName)}) execute function ${sql.id(name)}()`.execute(db);
  return db.connection().execute(async (one) => {
    await sql`select pg_advisory_lock(${key})`.execute(one);
    const waiting = async (): Promise<number> => {
      const { rows } = await sql`
        select from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted
          and objid = ((${key})::bigint & 4294967295)::oid`.execute(one);
      return rows.length;
    };
    try {
      return await meanwhile(async () => {
        await expect.poll(waiting).toBe(1);
      });
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(one);
    }
  });
}
