import { sql } from 'kysely';
import type { Db } from '../src/platform/db/database.ts';

/** Runs work while PostgreSQL refuses audit entries: what they record must not happen either. */
export async function withRefusedEntries(db: Db, work: () => Promise<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no entry'; end $$;
    create trigger refuse_entries before insert on audit_entries execute function refuse_entry()`.execute(db);
  try {
    await work();
  } finally {
    await sql`drop trigger refuse_entries on audit_entries`.execute(db);
  }
}
