import { MAX_HISTORY_ENTRIES } from '@forecourt/contract/deal-limits';
import type { TimelineEntry } from '@forecourt/contract/deal-timeline';
import type { DealershipTimelineEntry } from '@forecourt/contract/dealership-timeline';
import type {
  EmailBatch,
  EmailLogEntry,
  EmailLogMessage,
  EmailStatus,
} from '@forecourt/contract/email-sending';
import { auditMany } from '../../platform/audit.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import type { DealsService, NamedDeal } from '../deals/deals.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { MAIL_QUEUE } from './delivery.ts';
import type { EmailAttachments } from './email-attachments.service.ts';
import { canPreview, canSeeMessage, canRelease, onlySender } from './email-sending.policy.ts';
import * as queries from './email-sending.queries.ts';
import { withEmbeddedImages } from './message-images.ts';

type LogQuery = Omit<queries.LogFilter, 'senderId'> & {
  page: number;
  limit: number;
  userId?: string | undefined;
};

type Parts = {
  images: EmailTemplatesService['images'];
  attachments: EmailAttachments;
  jobs: Jobs;
  deals: DealsService;
  dealerships: DealershipsService;
};

/** Queued and sent messages: history, contents, cancellation and retries (docs/product/email.md, Email History). */
export function createEmailLog({ images, attachments, jobs, deals, dealerships }: Parts) {
  async function presentAll(ctx: Context, rows: queries.EmailRow[]): Promise<EmailLogEntry[]> {
    const seen = await deals.namesOf(ctx, [...new Set(rows.flatMap((row) => row.deal_ids))]);
    return rows.map((row) => present(row, seen));
  }

  const presentOne = async (ctx: Context, row: queries.EmailRow): Promise<EmailLogEntry> =>
    (await presentAll(ctx, [row]))[0]!;

  /** Returns the entry. Throws NOT_FOUND unless the viewer may see it in the history. */
  async function load({ db, viewer }: Pick<Context, 'db' | 'viewer'>, id: string): Promise<queries.EmailRow> {
    const row = await queries.findEmail(db, id);
    if (!row || !canSeeMessage(viewer, row.sender_id)) throw new AppError('NOT_FOUND');
    return row;
  }

  /** Throws unless the viewer may read the contents and attachments of a message. */
  async function requireReader(ctx: Context, id: string): Promise<void> {
    await load(ctx, id);
    if (!canPreview(ctx.viewer)) throw new AppError('INSUFFICIENT_PERMISSIONS');
  }

  async function batch({ db, viewer }: Pick<Context, 'db' | 'viewer'>, id: string): Promise<EmailBatch> {
    const rows = await queries.countBatch(db, id, onlySender(viewer));
    if (rows.length === 0) throw new AppError('NOT_FOUND');
    return {
      _id: id,
      total: rows.reduce((total, { count }) => total + count, 0),
      counts: Object.fromEntries(rows.map(({ status, count }) => [status, count])),
    };
  }

  async function cancelEmails(ctx: TxContext, which: queries.Which): Promise<number> {
    return auditStatus(ctx, await queries.cancelEmails(ctx.db, which));
  }

  /** Makes waiting or failed messages due. Returns their number. */
  async function retryEmails(ctx: TxContext, which: queries.Which): Promise<number> {
    const rows = await queries.retryEmails(ctx.db, which, canRelease(ctx.viewer));
    for (const senderId of new Set(rows.map((row) => row.sender_id))) {
      await jobs.enqueue(ctx.db, MAIL_QUEUE, { senderId });
    }
    return auditStatus(ctx, rows);
  }

  /** Cancels or retries one message. If nothing changes, throws CONFLICT with the entry and this message. */
  const changeOne = (
    ctx: Context,
    id: string,
    change: typeof cancelEmails,
    refusal: (current: EmailLogEntry) => string,
  ): Promise<EmailLogEntry> =>
    inTransaction(ctx, async (inner) => {
      await load(inner, id);
      const changed = await change(inner, { id });
      const current = await presentOne(inner, await load(inner, id));
      if (changed === 0) throw new AppError('CONFLICT', { message: refusal(current), current });
      return current;
    });

  const changeBatch = (ctx: Context, batchId: string, change: typeof cancelEmails): Promise<EmailBatch> =>
    inTransaction(ctx, async (inner) => {
      await batch(inner, batchId);
      await change(inner, { batchId, senderId: onlySender(ctx.viewer) });
      return batch(inner, batchId);
    });

  return {
    async visibleIds({ db, viewer }: Pick<Context, 'db' | 'viewer'>, ids: string[]): Promise<Set<string>> {
      const only = onlySender(viewer);
      return new Set(only === undefined ? ids : await queries.ownIds(db, ids, only));
    },

    /** Returns the deals whose mail state changes with these messages. */
    dealsOf: queries.dealsOf,

    /** Returns sent and waiting messages, newest first. Only administrators see messages of other users. */
    async list(ctx: Context, { page, limit, userId, ...filter }: LogQuery) {
      const only = onlySender(ctx.viewer);
      if (only !== undefined && userId !== undefined && userId !== only) {
        throw new AppError('INSUFFICIENT_PERMISSIONS');
      }
      const which = { ...filter, senderId: only ?? userId };
      const rows = await queries.listEmails(ctx.db, which, page, limit);
      const total = await queries.countEmails(ctx.db, which);
      return { items: await presentAll(ctx, rows), total, page, limit, totalPages: Math.ceil(total / limit) };
    },

    /**
     * Returns the history of a row and the emails about it that the viewer's Email History contains. Of other senders'
     * messages it contains only the last delivery, as the mail column shows it; without that column no emails. Throws
     * NOT_FOUND unless the viewer sees the row.
     */
    async timelineOfDeal(ctx: Context, dealId: string): Promise<TimelineEntry[]> {
      const history = await deals.history(ctx, dealId);
      const entries = history.map((change): TimelineEntry => ({ kind: 'change', at: change.at, change }));
      const { lastEmailedAt } = await deals.get(ctx, dealId);
      if (lastEmailedAt !== undefined) {
        const which = { dealId, senderId: onlySender(ctx.viewer) };
        const emails = await presentAll(ctx, await queries.listEmails(ctx.db, which, 1, MAX_HISTORY_ENTRIES));
        for (const email of emails) entries.push({ kind: 'email', at: email.createdAt, email });
        if (lastEmailedAt !== null && !emails.some(({ sentAt }) => sentAt === lastEmailedAt))
          entries.push({ kind: 'email', at: lastEmailedAt, email: null });
      }
      return newestFirst(entries);
    },

    /**
     * Returns the changes of a dealership and the emails to its contacts that the viewer's Email History contains. A
     * message about a hidden row is omitted, because its subject may name the row. Throws NOT_FOUND unless the viewer
     * sees the dealership.
     */
    async timelineOfDealership(ctx: Context, dealershipId: string): Promise<DealershipTimelineEntry[]> {
      const history = await dealerships.history(ctx, dealershipId);
      const which = { dealershipId, senderId: onlySender(ctx.viewer) };
      const rows = await queries.listEmails(ctx.db, which, 1, MAX_HISTORY_ENTRIES);
      const emails = await presentAll(ctx, rows);
      return newestFirst([
        ...history.map((change) => ({ kind: 'change' as const, at: change.at, change })),
        ...emails
          .filter(({ deals }, index) => deals.length > 0 && deals.length === rows[index]!.deal_ids.length)
          .map((email) => ({ kind: 'email' as const, at: email.createdAt, email })),
      ]);
    },

    present: presentOne,

    entry: async (ctx: Context, id: string): Promise<EmailLogEntry> => presentOne(ctx, await load(ctx, id)),

    /** Returns the exact contents of a message, for viewers who may read it. */
    async get(ctx: Context, id: string): Promise<EmailLogMessage> {
      await requireReader(ctx, id);
      const message = (await queries.findMessage(ctx.db, id))!;
      const html = await withEmbeddedImages(message.html, (ids) => images.shownFiles(ctx.db, ids));
      const files = message.attachment_count > 0 ? await attachments.listOf(ctx.db, id) : [];
      return { ...(await presentOne(ctx, message)), html, text: message.body_text, attachments: files };
    },

    /** Opens a file of a message, for viewers who may read it. */
    async openAttachment(ctx: Context, id: string, attachmentId: string): Promise<Download> {
      await requireReader(ctx, id);
      return attachments.open(ctx.db, id, attachmentId);
    },

    cancel: (ctx: Context, id: string) =>
      changeOne(ctx, id, cancelEmails, ({ status }) =>
        status === 'sending'
          ? 'This email is being sent at this moment'
          : 'This email can no longer be called back',
      ),
    retry: (ctx: Context, id: string) =>
      changeOne(ctx, id, retryEmails, ({ status, holdReason }) => {
        if (holdReason) return 'This email waits until an administrator releases it';
        return status === 'sending'
          ? 'This email is being sent at this moment'
          : 'Only an email that waits or has failed can be tried now';
      }),

    /** Returns the state of the messages of a merge. Only administrators see merges of other users. */
    batch,
    cancelBatch: (ctx: Context, id: string) => changeBatch(ctx, id, cancelEmails),
    retryBatch: (ctx: Context, id: string) => changeBatch(ctx, id, retryEmails),
  };
}

/** @param seen the deals that the viewer may see, with their customers if visible */
const present = (row: queries.EmailRow, seen: ReadonlyMap<string, NamedDeal>): EmailLogEntry => ({
  _id: row.id,
  templateId: row.template_id,
  templateName: row.template_name,
  templateVersion: row.template_version,
  deals: row.deal_ids.flatMap((id) => {
    const deal = seen.get(id);
    if (!deal) return [];
    const { customerName } = deal;
    return [{ _id: id, ...(customerName !== undefined && { customerName }) }];
  }),
  dealershipId: row.dealership_id,
  dealershipName: row.dealership_name,
  senderId: row.sender_id,
  senderName: row.sender_name,
  from: row.from_address,
  to: row.to_addresses,
  cc: row.cc_addresses,
  subject: row.subject,
  status: row.status as EmailStatus,
  answer: row.answer,
  holdReason: row.hold_reason as EmailLogEntry['holdReason'],
  attempts: row.attempts,
  createdAt: row.created_at,
  sentAt: row.sent_at,
  nextAttemptAt: row.next_attempt_at,
  cancellableUntil: row.status === 'queued' && row.is_cancellable ? row.cancellable_until : null,
  messageId: row.message_id,
  batchId: row.batch_id,
  attachmentCount: row.attachment_count,
});

const newestFirst = <T extends { at: string }>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MAX_HISTORY_ENTRIES);

type Changed = { id: string; version: number; status: string; was: string }[];

async function auditStatus(ctx: TxContext, rows: Changed): Promise<number> {
  await auditMany(
    ctx,
    'email.updated',
    rows.map(({ id, version, status, was }) => ({
      recordId: id,
      version,
      before: { status: was },
      after: { status },
    })),
  );
  return rows.length;
}
