import type { TemplateUsage } from '@forecourt/contract/template-usage';
import type { Context } from '../../platform/http/context.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import { mailOfTemplate } from '../email-sending/template-mail.service.ts';
import type { EmailTemplatesService } from './email-templates.service.ts';

type Parts = { templates: EmailTemplatesService; dealerships: DealershipsService };

/** Use of templates by dealerships and emails that the viewer may see (docs/product/email.md, Templates). */
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
        ...(await mailOfTemplate(ctx, id)),
      };
    },
  };
}

export type TemplateUsageService = ReturnType<typeof createTemplateUsage>;
