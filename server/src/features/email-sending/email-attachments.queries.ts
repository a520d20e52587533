import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';

export async function insertFile(db: Tx, file: Insertable<Tables['email_attachments']>): Promise<void> {
  await db.insertInto('email_attachments').values(file).execute();
}

const SIZE = sql<number>`coalesce(
  (select size from files where files.digest = email_attachments.digest), length(email_attachments.content))`;

const COLUMNS = [
  'email_attachments.id as _id',
  'email_attachments.name',
  'email_attachments.type',
  SIZE.as('size'),
] as const;

export const countUnused = (db: Tx, userId: string): Promise<{ count: number; bytes: number }> =>
  db
    .selectFrom('email_attachments')
    .where('created_by', '=', userId)
    .where('is_used', '=', false)
    .select([
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`coalesce(sum(${SIZE}), 0)::integer`.as('bytes'),
    ])
    .executeTakeFirstOrThrow();

/** Deletes files older than a day that belong to no message. */
export async function deleteUnused(db: Tx): Promise<void> {
  await db
    .deleteFrom('email_attachments')
    .where('is_used', '=', false)
    .where('created_at', '<', sql<string>`now() - interval '1 day'`)
    .execute();
}

export const findOwn = (db: Tx, id: string, userId: string) =>
  db
    .selectFrom('email_attachments')
    .where('id', '=', id)
    .where('created_by', '=', userId)
    .forUpdate()
    .select([...COLUMNS, 'is_used'])
    .executeTakeFirst();

export async function deleteFile(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('email_attachments').where('id', '=', id).execute();
}

/** Marks a user's files as used, so that the clean-up does not delete them. Returns the files that exist. */
export const markUsed = (db: Tx, ids: string[], userId: string) =>
  db
    .updateTable('email_attachments')
    .set({ is_used: true })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('created_by', '=', userId)
    .returning(COLUMNS)
    .execute();

/** Copies files of deals to files of a user. Files that no longer exist are skipped. Returns the copies. */
export const copyDealFiles = async (
  db: Tx,
  copies: readonly { id: string; sourceId: string; type: string }[],
  userId: string,
) => {
  await sql`
    insert into email_attachments (id, name, type, digest, content, created_by, is_used)
    select copy.id, source.name, copy.type, source.digest, (
      select string_agg(content, ''::bytea order by position)
      from deal_attachment_chunks where attachment_id = source.id and source.digest is null
    ), ${userId}, true
    from unnest(
      ${copies.map(({ id }) => id)}::uuid[],
      ${copies.map(({ sourceId }) => sourceId)}::uuid[],
      ${copies.map(({ type }) => type)}::text[]
    ) as copy (id, source_id, type)
    join deal_attachments as source on source.id = copy.source_id`.execute(db);
  return db
    .selectFrom('email_attachments')
    .where(sql<boolean>`id = any(${copies.map(({ id }) => id)}::uuid[])`)
    .select(COLUMNS)
    .execute();
};

export async function insertUses(
  db: Tx,
  uses: readonly { email_id: string; attachment_id: string; position: number }[],
): Promise<void> {
  await sql`
    insert into email_attachment_uses (email_id, attachment_id, position)
    select * from unnest(
      ${uses.map(({ email_id }) => email_id)}::uuid[],
      ${uses.map(({ attachment_id }) => attachment_id)}::uuid[],
      ${uses.map(({ position }) => position)}::integer[]
    )`.execute(db);
}

const usesOf = (db: Db | Tx, emailId: string) =>
  db
    .selectFrom('email_attachment_uses')
    .innerJoin('email_attachments', 'email_attachments.id', 'email_attachment_uses.attachment_id')
    .where('email_attachment_uses.email_id', '=', emailId)
    .orderBy('email_attachment_uses.position');

export const listFiles = (db: Db | Tx, emailId: string) => usesOf(db, emailId).select(COLUMNS).execute();

/** Returns one file of a message, and where its content is. */
export const findFile = (db: Db | Tx, emailId: string, id: string) =>
  usesOf(db, emailId)
    .where('email_attachments.id', '=', id)
    .select([...COLUMNS, 'email_attachments.digest', 'email_attachments.content'])
    .executeTakeFirst();

export const findContent = (db: Db | Tx, id: string) =>
  db
    .selectFrom('email_attachments')
    .where('id', '=', id)
    .select(['digest', 'content'])
    .executeTakeFirstOrThrow();
