import type { DealComment, WrittenComment } from '@forecourt/contract/deal-comments';
import type { Deal } from '@forecourt/contract/deals';
import { audit } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../../platform/http/context.ts';
import { AppError, requireFound } from '../../../platform/http/errors.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { wholeList } from '../../../platform/http/whole-list.ts';
import { newId } from '../../../platform/ids.ts';
import { markRecordRead, notifyOfNewest, publishNotified, type Notified } from '../../../platform/notify.ts';
import { fieldsOf, requireActive } from '../../../platform/sharing/active-people.ts';
import type { Records } from '../../../platform/sharing/records.ts';
import { readViewers } from '../../../platform/viewers.ts';
import { commentAbilities } from '../deals.policy.ts';
import type { DealRow } from '../deals.queries.ts';
import * as queries from './deal-comments.queries.ts';
import type { MentionMail } from './mention-mail.ts';

type Parts = {
  records: Pick<Records<DealRow, Deal>, 'loadOne' | 'locked'>;
  findVisible: (db: Db | Tx, ids: string[]) => (viewer: Viewer) => Promise<Set<string>>;
  mentionMail: Pick<MentionMail, 'enqueue'>;
};

type CommentInput = { body: string; mentions: string[] };

const KINDS = ['comment', 'commentMention'] as const;

/** Comments, for all who see the row, whose version does not change (docs/product/data-entry.md, Comments). */
export function createDealComments({ records, findVisible, mentionMail }: Parts) {
  /** Returns the active ones of these users, with whether they see the row. */
  async function findReaders(ctx: Context, dealId: string, userIds: readonly string[]) {
    const sees = findVisible(ctx.db, [dealId]);
    const readers: { viewer: Viewer; seesRow: boolean }[] = [];
    for (const viewer of await readViewers(ctx.db, userIds))
      readers.push({ viewer, seesRow: (await sees(viewer)).has(dealId) });
    return readers;
  }

  /** Returns a comment for its author, with the mentioned users who cannot see the row. */
  async function written(ctx: Context, row: DealRow, comment: queries.CommentRow): Promise<WrittenComment> {
    const others = comment.mentions.filter(({ _id }) => _id !== ctx.viewer.userId);
    const readers = await findReaders(
      ctx,
      row.id,
      others.map(({ _id }) => _id),
    );
    return {
      ...present(ctx.viewer, comment),
      withoutAccess: readers
        .filter(({ seesRow }) => !seesRow)
        .map(({ viewer }) => ({ _id: viewer.userId, name: viewer.name })),
    };
  }

  /** Notifies the users who see the row: about the newest comment only, until they have read it. */
  async function notifyReaders(
    ctx: TxContext,
    kind: (typeof KINDS)[number],
    dealId: string,
    userIds: readonly string[],
  ): Promise<Notified> {
    const readers = (await findReaders(ctx, dealId, userIds)).filter(({ seesRow }) => seesRow);
    const readerIds = readers.map(({ viewer }) => viewer.userId);
    return notifyOfNewest(ctx.db, kind, ctx.viewer.userId, dealId, readerIds);
  }

  /** Notifies mentioned users, also by mail. */
  async function notifyMentioned(
    ctx: TxContext,
    dealId: string,
    commentId: string,
    userIds: readonly string[],
  ): Promise<void> {
    const notified = await notifyReaders(ctx, 'commentMention', dealId, userIds);
    await mentionMail.enqueue(ctx.db, commentId, notified);
  }

  /** Returns a locked row and one of its comments. Throws NOT_FOUND unless the viewer sees the row. */
  async function lockedComment(ctx: TxContext, dealId: string, commentId: string) {
    const row = (await records.locked(ctx, [dealId]))[0]!;
    const comment = await queries.findComment(ctx.db, commentId);
    if (comment?.deal_id !== dealId) throw new AppError('NOT_FOUND');
    return { row, comment };
  }

  const record = (ctx: TxContext, action: 'added' | 'edited' | 'removed', dealId: string, values: object) =>
    audit(ctx, `deal-comments.${action}`, dealId, { ...values });

  return {
    async list(ctx: Context, dealId: string): Promise<{ items: DealComment[]; total: number }> {
      await records.loadOne(ctx, dealId);
      return wholeList((await queries.listComments(ctx.db, dealId)).map((row) => present(ctx.viewer, row)));
    },

    /** Returns the comment for a repeated request. */
    async reread(ctx: Context, [id]: readonly string[]): Promise<WrittenComment> {
      const comment = requireFound(await queries.findComment(ctx.db, id!));
      return written(ctx, await records.loadOne(ctx, comment.deal_id), comment);
    },

    create: (ctx: Context, dealId: string, { body, mentions }: CommentInput): Promise<WrittenComment> =>
      inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [dealId]))[0]!;
        await requireActive(inner.db, fieldsOf(mentions, mentionField));
        const former = await queries.listAuthors(inner.db, dealId);
        const id = newId();
        await queries.insertComment(inner.db, { id, deal_id: dealId, author_id: ctx.viewer.userId, body });
        await queries.setMentions(inner.db, id, mentions);
        await record(inner, 'added', dealId, { after: { commentId: id, body, mentions } });
        await notifyMentioned(inner, dealId, id, mentions);
        const others = new Set([row.owner_id, ...former]).difference(new Set(mentions));
        await notifyReaders(inner, 'comment', dealId, [...others]);
        return written(inner, row, (await queries.findComment(inner.db, id))!);
      }),

    /** Throws CONFLICT with the current comment if `version` is outdated. */
    update: (
      ctx: Context,
      dealId: string,
      commentId: string,
      { body, mentions, version }: CommentInput & { version: number },
    ): Promise<WrittenComment> =>
      inTransaction(ctx, async (inner) => {
        const { row, comment } = await lockedComment(inner, dealId, commentId);
        requireAbility(commentAbilities(ctx.viewer, comment).edit);
        if (version !== comment.version)
          throw new AppError('CONFLICT', { current: present(ctx.viewer, comment) });
        const before = comment.mentions.map(({ _id }) => _id);
        const added = mentions.filter((id) => !before.includes(id));
        // A user who has been deactivated may stay mentioned.
        const isAdded = (id: string): boolean => added.includes(id);
        await requireActive(inner.db, fieldsOf(mentions, mentionField, isAdded));
        if (body === comment.body && added.length === 0 && before.length === mentions.length)
          return written(inner, row, comment);
        await queries.updateComment(inner.db, commentId, body);
        await queries.setMentions(inner.db, commentId, mentions);
        await record(inner, 'edited', dealId, {
          before: { commentId, body: comment.body, mentions: before },
          after: { commentId, body, mentions },
        });
        await notifyMentioned(inner, dealId, commentId, added);
        return written(inner, row, (await queries.findComment(inner.db, commentId))!);
      }),

    async remove(ctx: Context, dealId: string, commentId: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const { comment } = await lockedComment(inner, dealId, commentId);
        requireAbility(commentAbilities(ctx.viewer, comment).delete);
        await queries.deleteComment(inner.db, commentId);
        await record(inner, 'removed', dealId, {
          before: { commentId, body: comment.body, mentions: comment.mentions.map(({ _id }) => _id) },
        });
      });
    },

    /** Also marks notifications about comments as read, if the page has received the newest comment. */
    async markRead(ctx: Context, dealId: string, commentId: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const { userId } = ctx.viewer;
        await records.locked(inner, [dealId]);
        const isNew = await queries.markRead(inner.db, userId, dealId, commentId);
        const hadUnread =
          !(await queries.hasLater(inner.db, userId, dealId, commentId)) &&
          (await markRecordRead(inner.db, userId, dealId, KINDS));
        if (isNew || hadUnread) await publishNotified(inner.db, userId);
      });
    },
  };
}

/** The field of the request with a mentioned user. */
const mentionField = (index: number): string => `mentions.${index}`;

const present = (viewer: Viewer, row: queries.CommentRow): DealComment => ({
  _id: row.id,
  body: row.body,
  author: row.author_id,
  authorName: row.author_name,
  mentions: row.mentions,
  createdAt: row.created_at,
  editedAt: row.edited_at,
  version: row.version,
  abilities: commentAbilities(viewer, row),
});
