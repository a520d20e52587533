import type { EmailBatch, MergeMessage, MergePer } from '@forecourt/contract/email-sending';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { newId } from '../../platform/ids.ts';
import { requireSendable, type Composed, type Composing } from './composing.ts';
import { findEarlier, requireFirst } from './earlier-messages.ts';
import type { Outbox, Sending } from './outbox.ts';

type MergeRequest = { ids: string[]; per: MergePer; templateId?: string | undefined };

/**
 * Sends one message about each of several deals, or one about all deals of a dealership, after a review and in one step
 * (docs/product/email.md, Many deals at once). Review and sending compose messages alike.
 */
export function createMergeService({ composeMerge }: Composing, outbox: Outbox) {
  const composeAll = (ctx: Context, { ids, per, templateId }: MergeRequest): Promise<Composed[]> =>
    composeMerge(ctx, { ids: [...new Set(ids)], per, template: { id: templateId } });

  return {
    /** Returns the messages in the order of the deals, with the problems of each. Writes nothing. */
    async review(ctx: Context, request: MergeRequest): Promise<{ items: MergeMessage[]; total: number }> {
      const messages = await composeAll(ctx, request);
      const earlier = await findEarlier(ctx, messages);
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
        emptyVariables: message.emptyVariables,
      }));
      return { items, total: items.length };
    },

    /**
     * Sends these messages, all or none. Throws SEND_REFUSED that names the first one with a problem, and ALREADY_SENT
     * unless `again` is set.
     */
    async send(
      ctx: Context,
      { again, sendAt, attachments, ...request }: MergeRequest & Sending & { again?: boolean | undefined },
    ): Promise<EmailBatch> {
      const batchId = newId();
      const total = await inTransaction(ctx, async (inner) => {
        const messages = await composeAll(inner, request);
        requireSendable(messages);
        if (!again) await requireFirst(inner, messages);
        return (await outbox.enqueue(inner, messages, { sendAt, attachments, batchId })).length;
      });
      return { _id: batchId, total, counts: { queued: total } };
    },
  };
}
