import type { dealAttachmentRoutes } from '@forecourt/contract/deal-attachments';
import type { dealChangeRoutes } from '@forecourt/contract/deal-changes';
import type { dealCommentRoutes } from '@forecourt/contract/deal-comments';
import type { dealCreateRoutes } from '@forecourt/contract/deal-create';
import type { dealDeletedRoutes } from '@forecourt/contract/deal-deleted';
import type { dealImportRoutes } from '@forecourt/contract/deal-import';
import type { dealListRoutes } from '@forecourt/contract/deal-list';
import type { dealMergeRoutes } from '@forecourt/contract/deal-merge';
import type { dealRateRoutes } from '@forecourt/contract/deal-rates';
import type { dealRoutes } from '@forecourt/contract/deals';
import type { presenceRoutes } from '@forecourt/contract/presence';
import type { Context } from '../../platform/http/context.ts';
import { administrator, bulkEditor, dataEntryPage } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { DealsService } from './deals.service.ts';
import type { DealPresence } from './presence/deal-presence.service.ts';
import { listDeletedDeals } from './trash/deleted-deals.service.ts';

type DealRoutes = Routes<
  typeof dealRoutes &
    typeof dealListRoutes &
    typeof dealCreateRoutes &
    typeof dealChangeRoutes &
    typeof dealDeletedRoutes &
    typeof dealImportRoutes &
    typeof dealMergeRoutes &
    typeof dealRateRoutes &
    typeof dealAttachmentRoutes &
    typeof dealCommentRoutes &
    typeof presenceRoutes
>;

export function createDealRoutes(deals: DealsService, presence: DealPresence): DealRoutes {
  const getOne = (ctx: Context, [id]: readonly string[]) => deals.get(ctx, id!);
  const getComment = (ctx: Context, ids: readonly string[]) => deals.comments.reread(ctx, ids);
  return {
    'GET /deals': [dataEntryPage, (ctx, { query }) => deals.list(ctx, query)],
    'GET /deals/summary': [dataEntryPage, (ctx, { query }) => deals.summary(ctx, query)],
    'GET /deals/marks': [dataEntryPage, (ctx, { query }) => deals.marks(ctx, query.month)],
    'GET /deals/options': [dataEntryPage, (ctx) => deals.options(ctx)],
    'GET /deals/deleted': [administrator, (ctx, { query }) => listDeletedDeals(ctx, query)],
    'GET /deals/without-rate': [administrator, (ctx) => deals.rates.preview(ctx)],
    'POST /deals/without-rate': [administrator, (ctx, { body }) => deals.rates.apply(ctx, body)],
    'GET /deals/:id': [dataEntryPage, (ctx, { params }) => deals.get(ctx, params.id)],
    'POST /deals': [
      dataEntryPage,
      (ctx, { body }) => deals.creation.one(ctx, body),
      { attempt: (ctx, { body }, claim) => deals.creation.attemptOne(ctx, body, claim), reread: getOne },
    ],
    // Pasting rows requires the permissions of typing them, not bulkEdit.
    'POST /deals/bulk/create': [
      dataEntryPage,
      (ctx, { body }) => deals.creation.each(ctx, body.rows),
      { attempt: (ctx, { body }, claim) => deals.creation.attemptEach(ctx, body.rows, claim) },
    ],
    'PATCH /deals/:id': [
      dataEntryPage,
      (ctx, { params, body }) => deals.changes.update(ctx, params.id, body),
      {
        attempt: (ctx, { params, body }, claim) => deals.changes.attemptUpdate(ctx, params.id, body, claim),
        reread: getOne,
      },
    ],
    'GET /deals/:id/history': [
      dataEntryPage,
      async (ctx, { params }) => wholeList(await deals.history(ctx, params.id)),
    ],
    'DELETE /deals/:id': [dataEntryPage, (ctx, { params }) => deals.changes.remove(ctx, params.id)],
    'PUT /deals/:id/sharing': [
      dataEntryPage,
      (ctx, { params, body }) => deals.sharing.replace(ctx, params.id, body),
      { reread: getOne },
    ],
    'POST /deals/bulk/share': [
      dataEntryPage,
      (ctx, { body }) => deals.bulk.share(ctx, body),
      { reread: deals.bulk.read },
    ],
    // The service requires bulkEdit only for more than one row.
    'POST /deals/bulk/owner': [
      dataEntryPage,
      (ctx, { body }) => deals.bulk.setOwner(ctx, body),
      { reread: deals.bulk.read },
    ],
    'POST /deals/bulk/status': [
      bulkEditor,
      (ctx, { body }) => deals.bulk.setStatus(ctx, body),
      { reread: deals.bulk.read },
    ],
    'POST /deals/bulk/month': [
      bulkEditor,
      (ctx, { body }) => deals.bulk.setMonth(ctx, body),
      { reread: deals.bulk.read },
    ],
    // The service requires bulkEdit, except for rows that the caller has just added.
    'POST /deals/bulk/delete': [dataEntryPage, (ctx, { body }) => deals.bulk.remove(ctx, body.ids)],
    'POST /deals/bulk/restore': [
      dataEntryPage,
      (ctx, { body }) => deals.bulk.restore(ctx, body.ids),
      { reread: deals.bulk.read },
    ],
    // The service requires bulkEdit only for more than one row.
    'POST /deals/import': [dataEntryPage, (ctx, { body }, step) => deals.imports.run(ctx, body, step)],
    'POST /deals/import/preview': [dataEntryPage, (ctx, { body }) => deals.imports.preview(ctx, body)],
    'GET /deals/import/columns/:id': [
      dataEntryPage,
      (ctx, { params }) => deals.imports.columns(ctx, params.id),
    ],
    'POST /deals/import/duplicates': [bulkEditor, (ctx, { body }) => deals.imports.duplicates(ctx, body)],
    'GET /deals/:id/duplicates': [
      dataEntryPage,
      (ctx, { params }) => deals.imports.duplicatesOf(ctx, params.id),
    ],
    // The service requires bulkEdit only if more than one row is merged, because the others are deleted.
    'POST /deals/merge/preview': [dataEntryPage, (ctx, { body }) => deals.merge.preview(ctx, body)],
    'POST /deals/merge': [dataEntryPage, (ctx, { body }) => deals.merge.merge(ctx, body)],
    'GET /changes': [dataEntryPage, (ctx, { query }) => deals.changeSets.list(ctx, query)],
    'GET /changes/:id': [
      dataEntryPage,
      (ctx, { params, query }) => deals.changeSets.get(ctx, params.id, query),
    ],
    // The service requires bulkEdit only for more than one row.
    'POST /changes/:id/revert/preview': [
      dataEntryPage,
      (ctx, { params, body }) => deals.revert.preview(ctx, params.id, body),
    ],
    'POST /changes/:id/revert': [
      dataEntryPage,
      (ctx, { params, body }) => deals.revert.revert(ctx, params.id, body),
    ],
    'GET /deals/:id/attachments': [
      dataEntryPage,
      (ctx, { params }) => deals.attachments.list(ctx, params.id),
    ],
    'POST /deals/:id/attachments': [
      dataEntryPage,
      (ctx, { params, file }) => deals.attachments.add(ctx, params.id, file),
    ],
    'GET /deals/:id/attachments/:attachmentId': [
      dataEntryPage,
      (ctx, { params }) => deals.attachments.open(ctx, params.id, params.attachmentId),
    ],
    'DELETE /deals/:id/attachments/:attachmentId': [
      dataEntryPage,
      (ctx, { params }) => deals.attachments.remove(ctx, params.id, params.attachmentId),
    ],
    'GET /deals/:id/comments': [dataEntryPage, (ctx, { params }) => deals.comments.list(ctx, params.id)],
    'POST /deals/:id/comments': [
      dataEntryPage,
      (ctx, { params, body }) => deals.comments.create(ctx, params.id, body),
      { reread: getComment },
    ],
    'PATCH /deals/:id/comments/:commentId': [
      dataEntryPage,
      (ctx, { params, body }) => deals.comments.update(ctx, params.id, params.commentId, body),
      { reread: getComment },
    ],
    'DELETE /deals/:id/comments/:commentId': [
      dataEntryPage,
      (ctx, { params }) => deals.comments.remove(ctx, params.id, params.commentId),
    ],
    'PUT /deals/:id/comments/read': [
      dataEntryPage,
      (ctx, { params, body }) => deals.comments.markRead(ctx, params.id, body.commentId),
    ],
    'POST /events/presence': [dataEntryPage, (ctx, { body }) => presence.report(ctx, body)],
  };
}
