import { sql, type RawBuilder } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../src/platform/db/database.ts';

/** Counts the transactions that wait for any lock. */
export const countWaiting = async (db: Db): Promise<number> =>
  (
    await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  ).rows.length;

/** @param untilBlocked resolves when so many transactions wait */
type Meanwhile<R> = (untilBlocked: (count?: number) => Promise<void>) => Promise<R>;

/** While `meanwhile` runs, every transaction that inserts a row of this customer waits, without a lock timeout. */
export const blockInserts = <R>(db: Db, customerName: string, meanwhile: Meanwhile<R>): Promise<R> =>
  blockWrites(
    db,
    `hold_${customerName.toLowerCase()}`,
    sql`insert on deals for each row when (new.customer_name = ${sql.lit(customerName)})`,
    meanwhile,
  );

/** The same for another event of a trigger, such as `update on backups for each row`. */
export async function blockWrites<R>(
  db: Db,
  name: string,
  event: RawBuilder<unknown>,
  meanwhile: Meanwhile<R>,
): Promise<R> {
  const key = sql`hashtext(${sql.lit(name)})`;
  await sql`
    create or replace function ${sql.id(name)}() returns trigger language plpgsql as $$
    begin
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_xact_lock_shared(${key});
      return null;
    end $$`.execute(db);
  await sql`
    create or replace trigger ${sql.id(name)} after ${event} execute function ${sql.id(name)}()`.execute(db);
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
      return await meanwhile(async (count = 1) => {
        await expect.poll(waiting).toBe(count);
      });
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(one);
    }
  });
}
