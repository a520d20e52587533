import { MAX_MARKED_ROWS } from '@forecourt/contract/deal-limits';
import { sql, type Insertable, type SqlBool } from 'kysely';
import { countRows, type Db, type Tx } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/schema.generated.ts';
import { matching, type InScope } from '../deals.queries.ts';

/** Maximum number of users listed because of their files' size. */
const MAX_USERS = 20;

const attachments = (db: Db | Tx, dealId: string) =>
  db
    .selectFrom('deal_attachments')
    .innerJoin('users', 'users.id', 'deal_attachments.created_by')
    .where('deal_attachments.deal_id', '=', dealId)
    .selectAll('deal_attachments')
    .select('users.name as created_by_name');

export type AttachmentRow = Awaited<ReturnType<typeof listAttachments>>[number];

export const listAttachments = (db: Db | Tx, dealId: string) =>
  attachments(db, dealId).orderBy('deal_attachments.id').execute();

export const listFilesOf = (db: Db | Tx, dealIds: readonly string[]) =>
  db
    .selectFrom('deal_attachments')
    .where(sql<SqlBool>`deal_id = any(${dealIds}::uuid[])`)
    .orderBy('id')
    .select(['id', 'deal_id', 'name', 'size'])
    .execute();

export const findAttachment = (db: Db | Tx, dealId: string, id: string) =>
  attachments(db, dealId).where('deal_attachments.id', '=', id).executeTakeFirst();

export const countAttachments = (db: Tx, dealId: string): Promise<number> =>
  db.selectFrom('deal_attachments').where('deal_id', '=', dealId).$call(countRows);

/** Returns the rows in scope that have files with their number, the row with the newest file first. */
export const countFiles = (
  db: Db | Tx,
  scope: InScope,
  month: string | undefined,
): Promise<{ dealId: string; files: number }[]> =>
  db
    .selectFrom('deal_attachments')
    .innerJoin('deals', 'deals.id', 'deal_attachments.deal_id')
    .where((eb) => matching(eb as never, scope, { month }))
    .groupBy('deal_attachments.deal_id')
    .orderBy(sql`max(deal_attachments.created_at)`, 'desc')
    .orderBy('deal_attachments.deal_id')
    .limit(MAX_MARKED_ROWS)
    .select(['deal_attachments.deal_id as dealId', sql<number>`count(*)::integer`.as('files')])
    .execute();

/** Returns the bytes of all files, and of the files of a user. */
export const usedSpace = (db: Db | Tx, userId: string): Promise<{ all: number; own: number }> =>
  db
    .selectFrom('deal_attachments')
    .select(sql<number>`coalesce(sum(size), 0)::float8`.as('all'))
    .select(sql<number>`coalesce(sum(size) filter (where created_by = ${userId}), 0)::float8`.as('own'))
    .executeTakeFirstOrThrow();

/** Returns the users whose files have at least this many bytes, largest first. */
export const usersOfSpace = (db: Db | Tx, atLeast: number): Promise<{ name: string; used: number }[]> =>
  db
    .selectFrom('deal_attachments')
    .innerJoin('users', 'users.id', 'deal_attachments.created_by')
    .groupBy('users.id')
    .having(sql<SqlBool>`sum(size) >= ${atLeast}::float8`)
    .select(['users.name', sql<number>`sum(size)::float8`.as('used')])
    .orderBy('used', 'desc')
    .orderBy('users.id')
    .limit(MAX_USERS)
    .execute();

export async function insertAttachment(db: Tx, file: Insertable<Tables['deal_attachments']>): Promise<void> {
  await db.insertInto('deal_attachments').values(file).execute();
}

export async function deleteAttachment(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('deal_attachments').where('id', '=', id).execute();
}

/** Returns a part of a file that an earlier release stored and that was not moved yet. */
export async function readChunk(db: Db | Tx, id: string, position: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('deal_attachment_chunks')
    .where('attachment_id', '=', id)
    .where('position', '=', position)
    .select('content')
    .executeTakeFirst();
  return row?.content;
}
