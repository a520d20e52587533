import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

export type Seal = {
  number: number;
  sealed_at: string;
  entries: number;
  hash: Buffer;
  signature: string;
  key_id: string;
  /** The digest of the sealed entries that still exist; null if none does. */
  digest: Buffer | null;
  /** Number of sealed entries that still exist. */
  entry_count: number;
};

/** Returns seals after a number. Together they have about `limit` entries. */
export async function readSeals(db: Tx, after: number, limit: number): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    with selected_seals as (
      select * from (
        select *, sum(entries) over (order by number) - entries as before from audit_seals
        where number > ${after} order by number limit 2000
      ) as numbered where before < ${limit}
    )
    select number, sealed_at, entries, hash, signature, key_id, contents.digest, contents.entry_count
    from selected_seals cross join lateral (
      select sha256(string_agg(digest, ''::bytea order by entry_id)) as digest, count(*)::int as entry_count
      from audit_seal_entries where seal = selected_seals.number
    ) as contents
    order by number`.execute(db);
  return rows;
}

type Finding = { kind: 'changed' | 'missing' | 'redacted'; entry_id: number; seal: number };

/** Returns entries of these seals that are missing, modified, or redacted without an audited redaction. */
export async function findBroken(db: Tx, first: number, last: number, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select kind, entry_id, seal from (
      select sealed.entry_id, sealed.seal, case
        when entry.id is null then 'missing'
        when redaction.entry_id is not null and (entry.before is not null or entry.after is not null) then 'changed'
        when redaction.entry_id is not null and not exists (
          select from audit_entries as redaction_order
          where redaction_order.id = redaction.order_id and redaction_order.action = 'audit.blanked'
            and redaction_order.record_id = entry.record_id
        ) then 'redacted'
        when audit_digest(entry, coalesce(redaction.values_digest,
          audit_values_digest(entry.salt, entry.before, entry.after))) <> sealed.digest then 'changed'
      end as kind
      from audit_seal_entries as sealed
      left join audit_entries as entry on entry.id = sealed.entry_id
      left join audit_redactions as redaction on redaction.entry_id = sealed.entry_id
      where sealed.seal between ${first} and ${last}
    ) as findings where kind is not null order by entry_id limit ${limit}`.execute(db);
  return rows;
}

/** Returns unsealed entries. The program did not write `inserted` ones: their transactions precede the last seal. */
export async function findUnsealed(db: Tx, limit: number): Promise<{ inserted: number[]; unsealed: number }> {
  const { rows } = await sql<{ id: number; isLate: boolean }>`
    with last as (
      select case when horizon > pg_snapshot_xmax(pg_current_snapshot()) then '0'::xid8 else horizon end as horizon
      from audit_seals order by number desc limit 1
    )
    select entry.id, coalesce(entry.xid < (select horizon from last), false) as "isLate"
    from audit_entries as entry
    where not exists (select from audit_seal_entries where entry_id = entry.id)
    order by 2 desc, 1 limit ${limit}`.execute(db);
  return {
    inserted: rows.filter(({ isLate }) => isLate).map(({ id }) => id),
    unsealed: rows.filter(({ isLate }) => !isLate).length,
  };
}

export const readHead = (db: Tx) => db.selectFrom('audit_head').selectAll().executeTakeFirst();

export const readSeal = (db: Tx, number: number) =>
  db
    .selectFrom('audit_seals')
    .where('number', '=', number)
    .select(['number', 'hash', 'sealed_at'])
    .executeTakeFirst();
