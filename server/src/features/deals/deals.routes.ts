import type { dealAttachmentRoutes } from '@forecourt/contract/deal-attachments';
import type { dealCommentRoutes } from '@forecourt/contract/deal-comments';
import type { dealCreateRoutes } from '@forecourt/contract/deal-create';
import type { dealDeletedRoutes } from '@forecourt/contract/deal-deleted';
import type { dealImportRoutes } from '@forecourt/contract/deal-import';
import type { dealListRoutes } from '@forecourt/contract/deal-list';
import type { dealRateRoutes } from '@forecourt/contract/deal-rates';
import type { dealRoutes } from '@forecourt/contract/deals';
import type { presenceRoutes } from '@forecourt/contract/presence';
import { type Context, wholeList } from '../../platform/http/context.ts';
import { administrator, bulkEditor, dataEntryPage } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DealsService } from './deals.service.ts';
import type { DealPresence } from './presence/deal-presence.service.ts';
import { listDeletedDeals } from './trash/deleted-deals.service.ts';

type DealRoutes = Routes<
  typeof dealRoutes &
    typeof dealListRoutes &
    typeof dealCreateRoutes &
    typeof dealDeletedRoutes &
    typeof dealImportRoutes &
    typeof dealRateRoutes &
    typeof dealAttachmentRoutes &
    typeof dealCommentRoutes &
    typeof presenceRoutes
>;

export function createDealRoutes(deals: DealsService, presence: DealPresence): DealRoutes {
  const getOne = (ctx: Context, [id]: readonly string[]) => deals.get(ctx, id!);
  const getMany = async (ctx: Context, ids: readonly string[]) => wholeList(await deals.bulk.read(ctx, ids));
  const getComment = (ctx: Context, ids: readonly string[]) => deals.comments.reread(ctx, ids);
  return {
    'GET /deals': { allow: dataEntryPage, handle: (ctx, { query }) => deals.list(ctx, query) },
    'GET /deals/summary': { allow: dataEntryPage, handle: (ctx, { query }) => deals.summary(ctx, query) },
    'GET /deals/marks': {
      allow: dataEntryPage,
      handle: async (ctx, { query }) => wholeList(await deals.marks(ctx, query.month)),
    },
    'GET /deals/options': { allow: dataEntryPage, handle: (ctx) => deals.options(ctx) },
    'GET /deals/deleted': {
      allow: administrator,
      handle: (ctx, { query }) => listDeletedDeals(ctx, query),
    },
    'GET /deals/without-rate': { allow: administrator, handle: (ctx) => deals.rates.preview(ctx) },
    'POST /deals/without-rate': {
      allow: administrator,
      handle: (ctx, { body }) => deals.rates.apply(ctx, body),
    },
    'GET /deals/:id': { allow: dataEntryPage, handle: (ctx, { params }) => deals.get(ctx, params.id) },
    'POST /deals': {
      allow: dataEntryPage,
      records: { attempt: (ctx, { body }, claim) => deals.attemptCreate(ctx, body, claim), reread: getOne },
      handle: (ctx, { body }) => deals.create(ctx, body),
    },
    // Pasting rows requires the same permissions as typing them, not bulkEdit.
    'POST /deals/bulk/create': {
      allow: dataEntryPage,
      handle: async (ctx, { body }) => wholeList(await deals.createEach(ctx, body.rows)),
    },
    'PATCH /deals/:id': {
      allow: dataEntryPage,
      records: {
        attempt: (ctx, { params, body }, claim) => deals.attemptUpdate(ctx, params.id, body, claim),
        reread: getOne,
      },
      handle: (ctx, { params, body }) => deals.update(ctx, params.id, body),
    },
    'GET /deals/:id/history': {
      allow: dataEntryPage,
      handle: async (ctx, { params }) => wholeList(await deals.history(ctx, params.id)),
    },
    'DELETE /deals/:id': { allow: dataEntryPage, handle: (ctx, { params }) => deals.remove(ctx, params.id) },
    'PUT /deals/:id/sharing': {
      allow: dataEntryPage,
      records: { reread: getOne },
      handle: (ctx, { params, body }) => deals.sharing.replace(ctx, params.id, body),
    },
    'POST /deals/bulk/share': {
      allow: dataEntryPage,
      records: { reread: getMany },
      handle: async (ctx, { body: { ids, versions, ...sharing } }) =>
        wholeList(await deals.bulk.share(ctx, ids, sharing, versions)),
    },
    // The service requires bulkEdit only for more than one row.
    'POST /deals/bulk/owner': {
      allow: dataEntryPage,
      records: { reread: getMany },
      handle: async (ctx, { body: { ids, versions, ...transfer } }) =>
        wholeList(await deals.bulk.setOwner(ctx, ids, transfer, versions)),
    },
    'POST /deals/bulk/status': {
      allow: bulkEditor,
      records: { reread: getMany },
      handle: async (ctx, { body: { ids, status, versions } }) =>
        wholeList(await deals.bulk.setStatus(ctx, ids, status, versions)),
    },
    'POST /deals/bulk/month': {
      allow: bulkEditor,
      records: { reread: getMany },
      handle: async (ctx, { body: { ids, month, versions } }) =>
        wholeList(await deals.bulk.setMonth(ctx, ids, month, versions)),
    },
    // The service requires bulkEdit, except for rows that the caller has just added.
    'POST /deals/bulk/delete': {
      allow: dataEntryPage,
      handle: (ctx, { body }) => deals.bulk.remove(ctx, body.ids),
    },
    'POST /deals/bulk/restore': {
      allow: dataEntryPage,
      records: { reread: getMany },
      handle: async (ctx, { body }) => wholeList(await deals.bulk.restore(ctx, body.ids)),
    },
    'POST /deals/import': {
      allow: bulkEditor,
      handle: async (ctx, { body }, step) => wholeList(await deals.imports.add(ctx, body.rows, step)),
    },
    'POST /deals/import/duplicates': {
      allow: bulkEditor,
      handle: async (ctx, { body }) => wholeList(await deals.imports.duplicates(ctx, body)),
    },
    'GET /deals/:id/duplicates': {
      allow: dataEntryPage,
      handle: async (ctx, { params }) => wholeList(await deals.imports.duplicatesOf(ctx, params.id)),
    },
    'GET /deals/:id/attachments': {
      allow: dataEntryPage,
      handle: (ctx, { params }) => deals.attachments.list(ctx, params.id),
    },
    'POST /deals/:id/attachments': {
      allow: dataEntryPage,
      handle: (ctx, { params, file }) => deals.attachments.add(ctx, params.id, file),
    },
    'GET /deals/:id/attachments/:attachmentId': {
      allow: dataEntryPage,
      handle: (ctx, { params }) => deals.attachments.open(ctx, params.id, params.attachmentId),
    },
    'DELETE /deals/:id/attachments/:attachmentId': {
      allow: dataEntryPage,
      handle: (ctx, { params }) => deals.attachments.remove(ctx, params.id, params.attachmentId),
    },
    'GET /deals/:id/comments': {
      allow: dataEntryPage,
      handle: (ctx, { params }) => deals.comments.list(ctx, params.id),
    },
    'POST /deals/:id/comments': {
      allow: dataEntryPage,
      records: { reread: getComment },
      handle: (ctx, { params, body }) => deals.comments.create(ctx, params.id, body),
    },
    'PATCH /deals/:id/comments/:commentId': {
      allow: dataEntryPage,
      records: { reread: getComment },
      handle: (ctx, { params, body }) => deals.comments.update(ctx, params.id, params.commentId, body),
    },
    'DELETE /deals/:id/comments/:commentId': {
      allow: dataEntryPage,
      handle: (ctx, { params }) => deals.comments.remove(ctx, params.id, params.commentId),
    },
    'PUT /deals/:id/comments/read': {
      allow: dataEntryPage,
      handle: (ctx, { params, body }) => deals.comments.markRead(ctx, params.id, body.commentId),
    },
    'POST /events/presence': {
      allow: dataEntryPage,
      handle: (ctx, { body }) => presence.report(ctx, body),
    },
  };
}
