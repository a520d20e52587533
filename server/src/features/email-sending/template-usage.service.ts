import type { TemplateUsage } from '@forecourt/contract/template-usage';
import type { Context } from '../../platform/http/context.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { onlySender } from './email-sending.policy.ts';
import { countSent, countWaiting } from './email-sending.queries.ts';

/** The limit of the count: the list behind it has pages. */
const MAX_COUNT = 10_000;

type Parts = { templates: EmailTemplatesService; dealerships: DealershipsService };

/** Returns the emails sent and queued with a template: the viewer's own, for administrators all. */
async function countMail({ db, viewer }: Context, templateId: string) {
  const filter = { templateId, senderId: onlySender(viewer) };
  const { sent, lastSentAt } = await countSent(db, filter, MAX_COUNT + 1);
  const { waiting, waitingMerges } = await countWaiting(db, filter);
  return {
    sent: Math.min(sent, MAX_COUNT),
    sentIsCapped: sent > MAX_COUNT,
    lastSentAt,
    waiting,
    waitingMerges,
  };
}

/** The usage of templates, limited to dealerships and emails visible to the viewer (docs/product/email.md, Templates). */
export function createTemplateUsage({ templates, dealerships }: Parts) {
  return {
    async counts(ctx: Context) {
      const ids = (await templates.list(ctx)).items.map(({ _id }) => _id);
      const counts = new Map(ids.map((id) => [id, 0]));
      for (const { template_id } of await dealerships.usingTemplates(ctx, ids)) {
        counts.set(template_id, counts.get(template_id)! + 1);
      }
      return { items: [...counts].map(([_id, count]) => ({ _id, dealerships: count })), total: ids.length };
    },

    /**
     * Returns the usage of one template by name. Viewers who may delete it also get the number of hidden dealerships,
     * which the refused deletion would reveal anyway.
     */
    async of(ctx: Context, id: string): Promise<TemplateUsage> {
      const { abilities } = await templates.get(ctx, id);
      const seen = await dealerships.usingTemplates(ctx, [id]);
      const all = abilities.delete === true ? await templates.countUsing(ctx, id) : seen.length;
      return {
        dealerships: seen.map((use) => ({
          _id: use.id,
          name: use.name,
          active: use.active,
          isDefault: use.is_default,
          contacts: use.contacts,
        })),
        others: all - seen.length,
        ...(await countMail(ctx, id)),
      };
    },
  };
}

export type TemplateUsageService = ReturnType<typeof createTemplateUsage>;
