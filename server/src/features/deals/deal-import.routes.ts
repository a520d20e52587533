import type { dealImportRoutes } from '@forecourt/contract/deal-import';
import { bulkEditor } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DealsService } from './deals.service.ts';

export const createDealImportRoutes = ({ imports }: DealsService): Routes<typeof dealImportRoutes> => ({
  'POST /deals/import': {
    allow: bulkEditor,
    handle: async (ctx, { body }, step) => {
      const items = await imports.add(ctx, body.rows, step);
      return { items, total: items.length };
    },
  },
  'POST /deals/import/duplicates': {
    allow: bulkEditor,
    handle: async (ctx, { body }) => {
      const items = await imports.duplicates(ctx, body);
      return { items, total: items.length };
    },
  },
});
