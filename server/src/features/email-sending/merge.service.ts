import type { EmailBatch, MergeMessage, MergePer } from '@forecourt/contract/email-sending';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { newId } from '../../platform/ids.ts';
import { requireSendable, type Composed, type Composing } from './composing.ts';
import { findEarlier, requireFirst } from './earlier.ts';
import type { Outbox, Sending } from './outbox.ts';

type MergeRequest = { ids: string[]; per: MergePer; templateId?: string | undefined };

/**
 * One message about each of several deals, or one about all those of a dealership, reviewed first and then sent in one
 * step (product.md section 6). What is reviewed is put together like what is sent.
 */
export function createMergeService({ composeMerge }: Composing, outbox: Outbox) {
  const composeAll = (ctx: Context, { ids, per, templateId }: MergeRequest): Promise<Composed[]> =>
    composeMerge(ctx, { ids: [...new Set(ids)], per, template: { id: templateId } });

  return {
    /** The messages in the order of the deals, with what is in the way of each. Nothing is written. */
    async review(ctx: Context, request: MergeRequest): Promise<{ items: MergeMessage[]; total: number }> {
      const messages = await composeAll(ctx, request);
      const earlier = await findEarlier(ctx.db, messages);
      const items = messages.map((message) => ({
        deals: message.deals.map(({ _id, customerName }) => ({
          _id,
          customerName,
          earlier: earlier.get(message)?.get(_id) ?? null,
        })),
        dealershipName: message.dealership?.name ?? '',
        templateName: message.source.content.name,
        to: message.to.map(({ email }) => email),
        cc: message.cc.map(({ email }) => email),
        subject: message.rendered.subject,
        problems: message.problems,
      }));
      return { items, total: items.length };
    },

    /**
     * Sends these messages: all of them or none. Throws SEND_REFUSED that names the first with something in the way,
     * and ALREADY_SENT unless `again` is said.
     */
    async send(
      ctx: Context,
      { again, sendAt, attachments, ...request }: MergeRequest & Sending & { again?: boolean | undefined },
    ): Promise<EmailBatch> {
      const batchId = newId();
      const total = await inTransaction(ctx, async (inner) => {
        const messages = await composeAll(inner, request);
        requireSendable(messages);
        if (!again) await requireFirst(inner.db, messages);
        return (await outbox.enqueue(inner, messages, { sendAt, attachments, batchId })).length;
      });
      return { _id: batchId, total, counts: { queued: total } };
    },
  };
}
