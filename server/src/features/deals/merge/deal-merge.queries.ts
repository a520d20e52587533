import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { whereVisibleById, type InScope } from '../deals.queries.ts';

/** The records that belong to a row and move with a merge, with the columns of their id and of the row. */
const PARTS = {
  comment: ['deal_comments', 'id', 'deal_id'],
  attachment: ['deal_attachments', 'id', 'deal_id'],
  email: ['email_deals', 'email_id', 'deal_id'],
  notification: ['notifications', 'id', 'record_id'],
} as const;
type PartKind = keyof typeof PARTS;
const kinds = Object.keys(PARTS) as PartKind[];

export type MovedParts = Record<PartKind, number>;

/** Records that stay with the merged row: other notifications, and emails and notifications that the survivor has too. */
const staysWith = (kind: PartKind, survivorId: string): RawBuilder<unknown> => {
  if (kind === 'email')
    return sql`exists (select from email_deals as own where own.deal_id = ${survivorId} and own.email_id = part.email_id)`;
  if (kind === 'notification')
    return sql`(part.kind not in ('comment', 'commentMention') or part.read_at is not null or exists (
      select from notifications as own
      where own.user_id = part.user_id and own.kind = part.kind and own.record_id = ${survivorId} and own.read_at is null))`;
  return sql`false`;
};

/**
 * Stores that a row was merged, and moves what belongs to it. Returns the number of moved records by kind.
 * @param version the version of the survivor, from which on its emails count as changed
 */
export async function moveParts(
  db: Tx,
  dealId: string,
  { id: survivorId, version }: { id: string; version: number },
): Promise<MovedParts> {
  await db.insertInto('deal_merges').values({ deal_id: dealId, survivor_id: survivorId }).execute();
  const moved = {} as MovedParts;
  for (const kind of kinds) {
    const [table, id, owner] = PARTS[kind];
    const isEmail = kind === 'email';
    const { numAffectedRows } = await sql`
      with moved as (
        update ${sql.table(table)} as part set ${sql.ref(owner)} = ${survivorId}
          ${isEmail ? sql`, deal_version = case when part.deal_version is not null then ${version}::integer end` : sql``}
        from (select ${sql.ref(id)} as part_id ${isEmail ? sql`, deal_version` : sql`, null::integer as deal_version`}
          from ${sql.table(table)} where ${sql.ref(owner)} = ${dealId}) as before
        where part.${sql.ref(id)} = before.part_id and part.${sql.ref(owner)} = ${dealId}
          and not ${staysWith(kind, survivorId)}
        returning before.part_id, before.deal_version
      )
      insert into deal_merge_parts (deal_id, kind, part_id, deal_version)
      select ${dealId}, ${kind}, part_id, deal_version from moved`.execute(db);
    moved[kind] = Number(numAffectedRows ?? 0);
  }
  return moved;
}

/**
 * Removes the entries of a merged row, and moves what belonged to it back from the rows into which it was merged.
 * Returns the number of moved records by kind.
 */
export async function returnParts(
  db: Tx,
  dealId: string,
  survivorIds: readonly string[],
): Promise<MovedParts> {
  const moved = {} as MovedParts;
  for (const kind of kinds) {
    const [table, id, owner] = PARTS[kind];
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} as part set ${sql.ref(owner)} = ${dealId}
        ${kind === 'email' ? sql`, deal_version = moved.deal_version` : sql``}
      from deal_merge_parts as moved
      where moved.deal_id = ${dealId} and moved.kind = ${kind} and part.${sql.ref(id)} = moved.part_id
        and part.${sql.ref(owner)} = any(${survivorIds}::uuid[]) and not ${staysWith(kind, dealId)}`.execute(
      db,
    );
    moved[kind] = Number(numAffectedRows ?? 0);
  }
  // What has left the survivors does not go back with one of them.
  await sql`
    delete from deal_merge_parts as stale using deal_merge_parts as own
    where own.deal_id = ${dealId} and stale.deal_id = any(${survivorIds}::uuid[])
      and stale.kind = own.kind and stale.part_id = own.part_id`.execute(db);
  await db.deleteFrom('deal_merges').where('deal_id', '=', dealId).execute();
  return moved;
}

/**
 * Sets how far each reader of one of these rows has read the comments of the survivor, before they move there: as far
 * as possible without hiding an unread comment.
 */
export async function joinReadMarks(db: Tx, survivorId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into deal_comment_reads (user_id, deal_id, read_up_to)
    select reader.id, ${survivorId}, coalesce((
      select max(comment.id::text collate "C")::uuid from deal_comments as comment
      where comment.deal_id = any(${ids}::uuid[]) and (unread.first is null or comment.id < unread.first)
    ), '00000000-0000-0000-0000-000000000000')
    from users as reader cross join lateral (
      select min(comment.id::text collate "C")::uuid as first
      from deal_comments as comment left join deal_comment_reads as mark
        on mark.deal_id = comment.deal_id and mark.user_id = reader.id
      where comment.deal_id = any(${ids}::uuid[]) and comment.author_id <> reader.id
        and comment.created_at >= reader.created_at and (mark.read_up_to is null or comment.id > mark.read_up_to)
    ) as unread
    where reader.id in (select user_id from deal_comment_reads where deal_id = any(${ids}::uuid[]))
      and exists (select from deal_comments where deal_id = any(${ids}::uuid[]))
    on conflict (user_id, deal_id) do update set read_up_to = excluded.read_up_to`.execute(db);
}

/** Returns the rows into which these were merged: their survivors, the survivors of those, and so on. */
export async function listSurvivors(db: Db | Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive survivors as (
      select survivor_id as id from deal_merges where deal_id = any(${ids}::uuid[])
      union
      select survivor_id from deal_merges join survivors on deal_merges.deal_id = survivors.id
    )
    select id from survivors`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the rows that were merged into this one, directly or not, and that are in scope. */
export async function listMergedRows(db: Db | Tx, scope: InScope, survivorId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive merged as (
      select deal_id as id from deal_merges where survivor_id = ${survivorId}
      union
      select deal_id from deal_merges join merged on deal_merges.survivor_id = merged.id
    )
    select deals.id from merged join deals on deals.id = merged.id where ${whereVisibleById(scope)}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Returns the survivors of those of these rows that were merged, by the id of the row. */
export async function findSurvivors(db: Db | Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ deal_id: string; survivor_id: string }>`
    select deal_id, survivor_id from deal_merges where deal_id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ deal_id, survivor_id }) => [deal_id, survivor_id]));
}

export type Merge = { rowId: string; survivorId: string };

/** Returns the merges that these change sets have made or taken back. */
export async function listMerges(db: Db | Tx, setIds: readonly string[]): Promise<Merge[]> {
  const { rows } = await sql<Merge>`
    select record_id as "rowId", coalesce(before ->> 'mergedInto', after ->> 'mergedInto') as "survivorId"
    from audit_entries
    where change_set_id = any(${setIds}::uuid[]) and (
      (action = 'deal.deleted' and after ? 'mergedInto') or (action = 'deal.restored' and before ? 'mergedInto'))
    order by id`.execute(db);
  return rows;
}

/** Returns the newest of these rows that is not deleted, with its version. */
export const findRemaining = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('deals')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .select(['id', 'version'])
    .executeTakeFirst();

/** Counts the comments, files and emails of these rows. */
export async function countParts(
  db: Db | Tx,
  ids: readonly string[],
): Promise<{ comments: number; attachments: number; emails: number }> {
  const count = (kind: PartKind) => {
    const [table, id] = PARTS[kind];
    return sql`(select count(distinct ${sql.ref(id)}) from ${sql.table(table)} where deal_id = any(${ids}::uuid[]))`;
  };
  const { rows } = await sql<{ comments: number; attachments: number; emails: number }>`
    select ${count('comment')} as comments, ${count('attachment')} as attachments, ${count('email')} as emails`.execute(
    db,
  );
  return rows[0]!;
}
