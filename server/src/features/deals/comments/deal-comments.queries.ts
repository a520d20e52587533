import { MAX_LISTED_COMMENTS, MAX_MARKED_ROWS } from '@forecourt/contract/deal-limits';
import { sql, type SqlBool } from 'kysely';
import { countRows, valuesOf, type Db, type Tx } from '../../../platform/db/database.ts';
import { matching, type InScope } from '../deals.queries.ts';

const comments = (db: Db | Tx) =>
  db
    .selectFrom('deal_comments')
    .innerJoin('users', 'users.id', 'deal_comments.author_id')
    .selectAll('deal_comments')
    .select('users.name as author_name')
    .select(
      sql<{ _id: string; name: string }[]>`(
        select coalesce(json_agg(json_build_object('_id', person.id, 'name', person.name) order by person.name, person.id), '[]')
        from deal_comment_mentions join users as person on person.id = deal_comment_mentions.user_id
        where deal_comment_mentions.comment_id = deal_comments.id)`.as('mentions'),
    );

export type CommentRow = Awaited<ReturnType<typeof listComments>>[number];

/** Returns the newest comments of a row, oldest first. */
export const listComments = async (db: Db | Tx, dealId: string) =>
  (
    await comments(db)
      .where('deal_comments.deal_id', '=', dealId)
      .orderBy('deal_comments.id', 'desc')
      .limit(MAX_LISTED_COMMENTS)
      .execute()
  ).toReversed();

export const findComment = (db: Db | Tx, id: string): Promise<CommentRow | undefined> =>
  comments(db).where('deal_comments.id', '=', id).executeTakeFirst();

/** Returns a comment with its author if it mentions this user and the user gets mail about mentions. */
export const findMailedMention = (db: Db, id: string, userId: string) =>
  db
    .selectFrom('deal_comments')
    .innerJoin('users as author', 'author.id', 'deal_comments.author_id')
    .innerJoin('deal_comment_mentions', 'deal_comment_mentions.comment_id', 'deal_comments.id')
    .innerJoin('users as reader', 'reader.id', 'deal_comment_mentions.user_id')
    .where('deal_comments.id', '=', id)
    .where('reader.id', '=', userId)
    .where('reader.mention_mail', '=', true)
    .select(['deal_comments.deal_id', 'deal_comments.body', 'author.name as author_name'])
    .executeTakeFirst();

type NewComment = { id: string; deal_id: string; author_id: string; body: string };

export async function insertComment(db: Tx, comment: NewComment): Promise<void> {
  await db.insertInto('deal_comments').values(comment).execute();
}

export async function updateComment(db: Tx, id: string, body: string): Promise<void> {
  await db
    .updateTable('deal_comments')
    .set({ body, edited_at: sql`now()`, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function deleteComment(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('deal_comments').where('id', '=', id).execute();
}

export async function setMentions(db: Tx, commentId: string, userIds: readonly string[]): Promise<void> {
  await db.deleteFrom('deal_comment_mentions').where('comment_id', '=', commentId).execute();
  if (userIds.length === 0) return;
  await db
    .insertInto('deal_comment_mentions')
    .values(userIds.map((user_id) => ({ comment_id: commentId, user_id })))
    .execute();
}

export const listAuthors = (db: Tx, dealId: string): Promise<string[]> =>
  db
    .selectFrom('deal_comments')
    .where('deal_id', '=', dealId)
    .select('author_id')
    .distinct()
    .$call(valuesOf('author_id'));

/** Marks comments up to this one as read, never as unread. Returns whether anything changed. */
export async function markRead(db: Tx, userId: string, dealId: string, commentId: string): Promise<boolean> {
  // Must be an existing comment, because another id could mark later comments as read.
  const { numAffectedRows } = await sql`
    insert into deal_comment_reads (user_id, deal_id, read_up_to)
    select ${userId}, deal_id, id from deal_comments where deal_id = ${dealId} and id <= ${commentId}
    order by id desc limit 1
    on conflict (user_id, deal_id) do update set read_up_to = excluded.read_up_to
    where deal_comment_reads.read_up_to < excluded.read_up_to`.execute(db);
  return Number(numAffectedRows) > 0;
}

/** Whether others have written comments on a row after this one. */
export const hasLater = async (db: Tx, userId: string, dealId: string, commentId: string): Promise<boolean> =>
  (await db
    .selectFrom('deal_comments')
    .where('deal_id', '=', dealId)
    .where('id', '>', commentId)
    .where('author_id', '<>', userId)
    .$call(countRows)) > 0;

/**
 * Returns the rows in scope that have comments, most recently commented first, with the number of comments and of other
 * users' unread ones. Comments older than the user's account count as read.
 */
export async function countComments(
  db: Db | Tx,
  scope: InScope,
  userId: string,
  month: string | undefined,
): Promise<{ dealId: string; comments: number; unread: number }[]> {
  return db
    .selectFrom('deal_comments')
    .innerJoin('deals', 'deals.id', 'deal_comments.deal_id')
    .innerJoin('users as reader', (join) => join.on('reader.id', '=', userId))
    .leftJoin('deal_comment_reads', (join) =>
      join
        .onRef('deal_comment_reads.deal_id', '=', 'deal_comments.deal_id')
        .on('deal_comment_reads.user_id', '=', userId),
    )
    .where((eb) => matching(eb as never, scope, { month }))
    .groupBy('deal_comments.deal_id')
    .orderBy(sql`max(deal_comments.created_at)`, 'desc')
    .orderBy('deal_comments.deal_id')
    .limit(MAX_MARKED_ROWS)
    .select([
      'deal_comments.deal_id as dealId',
      sql<number>`count(*)::integer`.as('comments'),
      sql<number>`(count(*) filter (where deal_comments.author_id <> reader.id
        and deal_comments.created_at >= reader.created_at
        and (deal_comment_reads.read_up_to is null or deal_comments.id > deal_comment_reads.read_up_to)))::integer`.as(
        'unread',
      ),
    ])
    .execute();
}

/** Returns the comments of these rows as one text each, oldest first: `Name, 20/11/2026 15:04: text`. */
export async function commentTexts(
  db: Tx,
  dealIds: readonly string[],
  timeZone: string,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('deal_comments')
    .innerJoin('users', 'users.id', 'deal_comments.author_id')
    .where(sql<SqlBool>`deal_comments.deal_id = any(${dealIds}::uuid[])`)
    .groupBy('deal_comments.deal_id')
    .select([
      'deal_comments.deal_id',
      sql<string>`string_agg(users.name || ', '
        || to_char(deal_comments.created_at at time zone ${timeZone}, 'DD/MM/YYYY HH24:MI') || ': '
        || deal_comments.body, E'\n' order by deal_comments.id)`.as('text'),
    ])
    .execute();
  return new Map(rows.map(({ deal_id, text }) => [deal_id, text]));
}
