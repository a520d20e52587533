import type { TemplateUsage } from '@forecourt/contract/template-usage';
import type { Context } from '../../platform/http/context.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import { mailOfTemplate } from '../email-sending/template-mail.service.ts';
import type { EmailTemplatesService } from './email-templates.service.ts';

type Parts = { templates: EmailTemplatesService; dealerships: DealershipsService };

/** Where templates are used, as far as the viewer sees dealerships and emails (product.md section 6). */
export function createTemplateUsage({ templates, dealerships }: Parts) {
  return {
    /** Of all templates in sight, for a list of them. */
    async counts(ctx: Context) {
      const ids = (await templates.list(ctx)).items.map(({ _id }) => _id);
      const counts = new Map(ids.map((id) => [id, 0]));
      for (const { template_id } of await dealerships.usingTemplates(ctx, ids)) {
        counts.set(template_id, counts.get(template_id)! + 1);
      }
      return { items: [...counts].map(([_id, count]) => ({ _id, dealerships: count })), total: ids.length };
    },

    /**
     * Of one template by name. How many dealerships there are beyond those in sight is told to whoever may delete
     * it, as the refusal to delete it tells them anyway.
     */
    async of(ctx: Context, id: string): Promise<TemplateUsage> {
      const { name, abilities } = await templates.get(ctx, id);
      const seen = await dealerships.usingTemplates(ctx, [id]);
      const all = abilities.delete === true ? await templates.countUsing(ctx, { id, name }) : seen.length;
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
