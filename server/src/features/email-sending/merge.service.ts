import { MAX_MERGE_FILES_BYTES } from '@forecourt/contract/attachment-limits';
import type { EmailBatch, MergeMessage } from '@forecourt/contract/email-sending';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { formatMegabytes } from '../../platform/http/files.ts';
import { newId } from '../../platform/ids.ts';
import type { DealFile } from '../deals/attachments/deal-attachments.service.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { findEarlier, requireNoEarlier } from './earlier-messages.ts';
import { fitsOneMessage, messageLimit, sumOfSizes } from './email-attachments.service.ts';
import {
  requireSendable,
  type Composed,
  type MergeRequest,
  type MessageComposer,
} from './message-composer.ts';
import type { Outbox, Sending } from './outbox.ts';
import { addressesOf } from './recipients.ts';

/**
 * Sends one message per deal, or one per dealership about all its deals, after a review and in one step
 * (docs/product/email.md, Many deals at once). Review and sending share the composer.
 */
export function createMergeService(
  { composeMerge }: MessageComposer,
  outbox: Outbox,
  files: Pick<DealsService['attachments'], 'listFilesOf'>,
) {
  /** Returns the files of the deals of each message. The sender sees these deals and therefore their files. */
  async function filesOfRows(ctx: Context, messages: Composed[]): Promise<Map<Composed, DealFile[]>> {
    const ids = messages.flatMap(({ deals }) => deals.map(({ _id }) => _id));
    const byDeal = await files.listFilesOf(ctx, ids);
    return new Map(
      messages.map((message) => [message, message.deals.flatMap(({ _id }) => byDeal.get(_id) ?? [])]),
    );
  }

  return {
    /** Returns the messages in the order of the deals, each with its problems. Changes nothing. */
    async review(ctx: Context, request: MergeRequest): Promise<{ items: MergeMessage[]; total: number }> {
      const messages = await composeMerge(ctx, request);
      const earlier = await findEarlier(ctx, messages);
      const rowFiles = await filesOfRows(ctx, messages);
      const items = messages.map((message) => ({
        deals: message.deals.map(({ _id, customerName }) => ({
          _id,
          customerName,
          earlier: earlier.get(message)?.get(_id) ?? null,
        })),
        dealershipName: message.dealership?.name ?? '',
        templateName: message.source.content.name,
        to: addressesOf(message.to),
        cc: addressesOf(message.cc),
        subject: message.rendered.subject,
        problems: message.problems,
        emptyVariables: message.emptyVariables,
        files: rowFiles.get(message)!.map(({ name, size }) => ({ name, size })),
        filesProblem: filesProblem(message, rowFiles.get(message)!),
      }));
      return { items, total: items.length };
    },

    /**
     * Sends all messages or none; with `rowFiles` each with the files of its deals. Throws SEND_REFUSED with the
     * problems of the first message that has any, and ALREADY_SENT unless `again` is `true` or names the deals of the
     * earlier messages.
     */
    async send(
      ctx: Context,
      {
        again,
        sendAt,
        attachments,
        rowFiles: attachesFiles,
        ...request
      }: MergeRequest & Sending & { again?: boolean | string[] | undefined; rowFiles?: boolean | undefined },
    ): Promise<EmailBatch> {
      const batchId = newId();
      const total = await inTransaction(ctx, async (inner) => {
        const messages = await composeMerge(inner, request);
        const rowFiles = attachesFiles ? await filesOfRows(inner, messages) : undefined;
        for (const [message, ofRows] of rowFiles ?? []) {
          const problem = filesProblem(message, ofRows);
          if (problem !== null) message.problems.push(problem);
        }
        requireSendable(messages);
        requireTotal([...(rowFiles?.values() ?? [])].flat());
        if (again !== true) await requireNoEarlier(inner, messages, new Set(again || []));
        return (await outbox.enqueue(inner, messages, { sendAt, attachments, batchId, rowFiles })).length;
      });
      return { _id: batchId, total, counts: { queued: total } };
    },
  };
}

/** Returns why the files of the deals cannot be attached; null if they can. */
function filesProblem({ deals, maxFileBytes }: Composed, files: readonly DealFile[]): string | null {
  if (fitsOneMessage(files, maxFileBytes)) return null;
  const withFiles = new Set(files.map(({ deal_id }) => deal_id));
  const names = deals
    .filter(({ _id }) => withFiles.has(_id))
    .map(({ customerName = 'an unnamed row' }) => customerName);
  return `The files of ${names.join(', ')} are too large for an email: ${files.length} with ${megabytes(files)} MB. It may have at most ${messageLimit(maxFileBytes)}.`;
}

function requireTotal(files: readonly DealFile[]): void {
  if (sumOfSizes(files) <= MAX_MERGE_FILES_BYTES) return;
  throw invalidField(
    'rowFiles',
    `The files of these rows have ${megabytes(files)} MB: at most ${formatMegabytes(MAX_MERGE_FILES_BYTES)} can be sent at once. Tick fewer emails.`,
  );
}

const megabytes = (files: readonly DealFile[]): number =>
  Math.ceil((sumOfSizes(files) / 1024 ** 2) * 10) / 10;
