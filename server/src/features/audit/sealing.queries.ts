import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** Key of the advisory lock of the sealing instance; arbitrary. */
export const SEALING_LOCK = 7_305_062;

/**
 * Locks sealing until the transaction ends; `isLocked` is false if another instance seals. `visible` is the database's
 * snapshot: if it is unchanged, nothing was written.
 */
export async function lockSealing(db: Tx): Promise<{ isLocked: boolean; visible: string }> {
  const { rows } = await sql<{ isLocked: boolean; visible: string }>`
    select pg_try_advisory_xact_lock(${SEALING_LOCK}) as "isLocked",
      pg_current_snapshot()::text as visible`.execute(db);
  return rows[0]!;
}

export type ChainEnd = { number: number; hash: Buffer; horizon: string };

const START: ChainEnd = { number: 0, hash: Buffer.alloc(32), horizon: '0' };

/**
 * Returns the last seal and its horizon. The horizon of another cluster, after a restore, has no meaning here: all
 * entries are then read once.
 */
export async function chainEnd(db: Tx): Promise<ChainEnd> {
  const { rows } = await sql<ChainEnd>`
    select number, hash, case when horizon > pg_snapshot_xmax(pg_current_snapshot()) then '0' else horizon::text end as horizon
    from audit_seals order by number desc limit 1`.execute(db);
  const head = await db.selectFrom('audit_head').select(['number', 'hash']).executeTakeFirst();
  const last = rows[0] ?? START;
  // A head that is missing or ahead of the seals is evidence of tampering. The next seal must not match, otherwise the
  // evidence would be lost.
  if (!head) return { ...last, hash: START.hash };
  return head.number < last.number ? last : { ...head, horizon: last.horizon };
}

export type Batch = { entries: number; digest: Buffer | null; horizon: string };

/**
 * Adds the oldest unsealed entries to this seal: entries of transactions since the horizon, because all older ones had
 * ended. One statement, so that entries and the new horizon are consistent. A trigger counts them.
 */
export async function sealEntries(db: Tx, number: number, horizon: string, limit: number): Promise<Batch> {
  const { rows } = await sql<Batch>`
    with fresh as (
      select entry, xid, id from audit_entries as entry
      where xid >= ${horizon}::xid8
        and not exists (select from audit_seal_entries where entry_id = entry.id)
      order by xid, id limit ${limit}
    ), sealed as (
      insert into audit_seal_entries (entry_id, seal, digest)
      select fresh.id, ${number}, audit_digest(fresh.entry, coalesce(
        (select values_digest from audit_redactions where entry_id = fresh.id),
        audit_values_digest((fresh.entry).salt, (fresh.entry).before, (fresh.entry).after)))
      from fresh returning entry_id, digest
    )
    select count(*)::int as entries,
      sha256(string_agg(digest, ''::bytea order by entry_id)) as digest,
      (case when count(*) < ${limit} then pg_snapshot_xmin(pg_current_snapshot())
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
    .onConflict((conflict) => conflict.column('singleton').doUpdateSet(head))
    .execute();
}

type Signature = { number: number; signature: string };

export const readSigned = (db: Tx, keyId: string, after: number, limit: number) =>
  db
    .selectFrom('audit_seals')
    .where('key_id', '=', keyId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .select(['number', 'hash', 'signature'])
    .execute();

/** Replaces signatures after a rotation of the key. Locks the table and disables the trigger that forbids it. */
export async function replaceSignatures(db: Tx, keyId: string, seals: readonly Signature[]): Promise<void> {
  await sql`alter table audit_seals disable trigger forbid_audit_change`.execute(db);
  await sql`update audit_seals set signature = renewed.signature, key_id = ${keyId}
    from unnest(${seals.map(({ number }) => number)}::bigint[], ${seals.map(({ signature }) => signature)}::text[])
      as renewed (number, signature)
    where audit_seals.number = renewed.number`.execute(db);
  await sql`alter table audit_seals enable trigger forbid_audit_change`.execute(db);
}
