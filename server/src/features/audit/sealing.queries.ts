import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Any number that no other program uses: held by the instance that seals. */
export const SEALING_LOCK = 7_305_062;

/** False: another instance is at it. Let go of with the transaction. */
export async function lockSealing(db: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${SEALING_LOCK}) as locked`.execute(db);
  return rows[0]!.locked;
}

export type ChainEnd = { number: number; hash: Buffer; horizon: string };

const START: ChainEnd = { number: 0, hash: Buffer.alloc(32), horizon: '0' };

/**
 * Where the chain goes on. The horizon of another cluster, from which this database was restored, says nothing here:
 * then all entries are looked at once.
 */
export async function chainEnd(db: Tx): Promise<ChainEnd> {
  const { rows } = await sql<ChainEnd>`
    select number, hash, case when horizon > pg_snapshot_xmax(pg_current_snapshot()) then '0' else horizon::text end as horizon
    from audit_seals order by number desc limit 1`.execute(db);
  const head = await db.selectFrom('audit_head').select(['number', 'hash']).executeTakeFirst();
  const last = rows[0] ?? START;
  // A head that is missing, or says more than there are seals, must not be forgotten by going on without it: what
  // follows does not fit what is left.
  if (!head) return { ...last, hash: START.hash };
  return head.number < last.number ? last : { ...head, horizon: last.horizon };
}

export type Batch = { entries: number; digest: Buffer | null; horizon: string };

/**
 * Takes the oldest entries that are in no seal into this one: those of the transactions since the horizon, since
 * every older one had ended by then. One statement, so that entries and new horizon are of one moment.
 */
export async function sealEntries(db: Tx, number: number, horizon: string, most: number): Promise<Batch> {
  const { rows } = await sql<Batch>`
    with fresh as (
      select entry, xid, id from audit_entries as entry
      where xid >= ${horizon}::xid8
        and not exists (select from audit_sealed where entry_id = entry.id)
      order by xid, id limit ${most}
    ), sealed as (
      insert into audit_sealed (entry_id, seal, digest)
      select fresh.id, ${number}, audit_digest(fresh.entry, coalesce(
        (select values_digest from audit_blankings where entry_id = fresh.id),
        audit_values_digest((fresh.entry).salt, (fresh.entry).before, (fresh.entry).after)))
      from fresh returning entry_id, digest
    )
    select count(*)::int as entries,
      sha256(string_agg(digest, ''::bytea order by entry_id)) as digest,
      (case when count(*) < ${most} then pg_snapshot_xmin(pg_current_snapshot())
        else least(pg_snapshot_xmin(pg_current_snapshot()), (select max(xid) from fresh)) end)::text as horizon
    from sealed`.execute(db);
  return rows[0]!;
}

type Signed = { number: number; hash: Buffer; signature: string; key_id: string };

export async function insertSeal(db: Tx, seal: Signed & { entries: number; horizon: string }): Promise<void> {
  await db.insertInto('audit_seals').values(seal).execute();
}

export async function moveHead(db: Tx, head: Signed): Promise<void> {
  await db
    .insertInto('audit_head')
    .values(head)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(head))
    .execute();
}

/** Makes the whole verification see one moment, whatever is sealed meanwhile. */
export const inOneMoment = <R>(db: Db, work: (tx: Tx) => Promise<R>): Promise<R> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
