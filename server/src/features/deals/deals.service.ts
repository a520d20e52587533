import type { Deal } from '@forecourt/contract/deals';
import type { Figures } from '@forecourt/contract/figures';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Context, Viewer, TxContext } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { createRecords } from '../../platform/sharing/records.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import type { VisibleFields } from '../custom-fields/custom-fields.service.ts';
import { countFiles } from './attachments/deal-attachments.queries.ts';
import { createDealAttachments, type FileLimits } from './attachments/deal-attachments.service.ts';
import { createBackupRows } from './backup-rows/backup-rows.service.ts';
import { createChangeSets } from './changes/change-sets.service.ts';
import { createDealRevert } from './changes/revert.service.ts';
import { createDealChecks } from './checks/deal-checks.service.ts';
import { listClosingRows, sumClosingRows } from './closing/closing-rows.queries.ts';
import { countComments } from './comments/deal-comments.queries.ts';
import { createDealComments } from './comments/deal-comments.service.ts';
import type { MentionMail } from './comments/mention-mail.ts';
import { listDealOptions } from './deal-options.service.ts';
import { createDealVisibility } from './deal-visibility.service.ts';
import { present } from './deals.fields.ts';
import {
  canOpen,
  canSee,
  visibleCustomFields,
  monthVisible,
  offersItems,
  scopeOf,
  sharingAbilities,
} from './deals.policy.ts';
import * as queries from './deals.queries.ts';
import { createFollowUps } from './follow-ups/follow-ups.service.ts';
import { createDealHistory } from './history/deal-history.service.ts';
import { createDealImport } from './import/deal-import.service.ts';
import { createDealFigures } from './list/deal-figures.service.ts';
import { createFilterFor, createReadPermit } from './list/deal-filter.service.ts';
import { createDealExport, createDealList } from './list/deal-list.service.ts';
import { listSurvivors } from './merge/deal-merge.queries.ts';
import { createDealMerge } from './merge/deal-merge.service.ts';
import { replaceStatus } from './write/change-deals.queries.ts';
import { createDealChanges, type DealParts } from './write/change-deals.service.ts';
import { createDealCreation } from './write/create-deals.service.ts';
import { createDealBulk } from './write/deal-bulk.service.ts';
import { createDealRates, createOwnerSetter } from './write/deal-rates.service.ts';
import { createDealValues } from './write/deal-values.service.ts';

/** Number of rows whose status one statement replaces, well within the statement timeout. */
const REPLACED_AT_ONCE = 10_000;

const MERGED = 'This row was merged into another one.';

type NamedStatus = { id: string; name: string };

export type NamedDeal = { month: string; customerName?: string };

const counts = (rows: { id: string; count: number }[]): Map<string, number> =>
  new Map(rows.map(({ id, count }) => [id, count]));

/** Returns the sums of figures that the viewer may see. */
const sumsOf = ({ saleAmount, grossProfit, commission, withoutRate }: Figures) => ({
  ...(saleAmount !== undefined && { saleAmount }),
  ...(grossProfit !== undefined && { grossProfit }),
  ...(commission !== undefined && { commission, withoutRate }),
});

export function createDealsService(
  parts: DealParts & {
    mentionMail: Pick<MentionMail, 'enqueue'>;
    files: FileStore;
    config: FileLimits;
  },
) {
  const { clock } = parts;
  const inScope = (viewer: Viewer): queries.InScope => ({
    ...scopeOf(viewer, clock.businessMonth()),
    timeZone: clock.timeZone,
  });

  const setOwner = createOwnerSetter(parts.settings);
  const findDeals = (ctx: Context, ids: string[]) => queries.findDeals(ctx.db, inScope(ctx.viewer), ids);
  /** Names the row into which a single row was merged, if the viewer sees it. */
  async function missing(ctx: Context, ids: string[]): Promise<AppError> {
    const survivors = ids.length === 1 ? await listSurvivors(ctx.db, ids) : [];
    const [survivor] = survivors.length > 0 ? await findDeals(ctx, survivors) : [];
    if (!survivor) return new AppError('NOT_FOUND');
    return new AppError('NOT_FOUND', { message: MERGED, details: { mergedInto: survivor.id } });
  }
  const records = createRecords({ entity: 'deal', find: findDeals, missing, present, setOwner });
  const load = records.loadOne;
  const sharing = createSharing('deal', records, sharingAbilities);
  const values = createDealValues({ ...parts, inScope });
  const changes = createDealChanges({ ...parts, values, records, sharing, inScope });

  const visibility = createDealVisibility(clock, inScope);
  const creation = createDealCreation({ ...parts, records, inScope });
  const withPermit = createReadPermit();
  const filterFor = createFilterFor(clock, inScope);
  const figures = createDealFigures({ withPermit, inScope, filterFor });

  return {
    ...visibility,
    figures,
    followUps: createFollowUps({ customFields: parts.customFields, inScope }),
    canOpenMonth: (viewer: Viewer, month: string): boolean =>
      monthVisible.matches(inScope(viewer), { month }),
    sharing,
    checks: createDealChecks({ withPermit, inScope, filterFor }),
    closing: {
      rows: (db: Tx, month: string) => listClosingRows(db, month, clock.timeZone),
      /** Returns what all rows of a month earn and sell now. */
      sums: sumClosingRows,
    },
    attachments: createDealAttachments(records, parts.config, parts.files),
    comments: createDealComments({
      records,
      findVisible: visibility.findVisible,
      mentionMail: parts.mentionMail,
    }),
    bulk: createDealBulk({ records, changes, sharing, inScope }),
    changeSets: createChangeSets({ ...parts, inScope }),
    revert: createDealRevert({ ...parts, changes, sharing, inScope }),
    backupRows: createBackupRows({ ...parts, changes, sharing, inScope, filterFor }),
    history: createDealHistory({ load, customFields: parts.customFields, inScope }),
    list: createDealList({ withPermit, inScope, filterFor }),
    merge: createDealMerge({ ...parts, records, values, changes, sharing, inScope }),
    imports: createDealImport({ ...parts, creation, values, load, inScope, withPermit }),
    creation,
    changes,
    exports: createDealExport({ inScope, filterFor }),
    rates: createDealRates(parts.settings),
    setOwner,
    /** Locks and returns the rows of a person, without those of closed months. */
    lockOpenRowsOf: queries.lockOpenRowsOf,
    sees: canSee,

    async summary(ctx: Context, filter: queries.RequestedFilter) {
      const { rows, total } = await figures.byStatus(ctx, filter);
      const { onlyMonth } = inScope(ctx.viewer);
      return {
        ...(onlyMonth !== null && { onlyMonth }),
        total: total.deals,
        byStatus: rows,
        ...sumsOf(total),
      };
    },

    async marks({ db, viewer }: Context, month: string | undefined) {
      const scope = inScope(viewer);
      const none = { comments: 0, unread: 0, files: 0 };
      const marks = new Map<string, typeof none>();
      for (const { dealId, ...counted } of [
        ...(await countComments(db, scope, viewer.userId, month)),
        ...(await countFiles(db, scope, month)),
      ])
        marks.set(dealId, { ...none, ...marks.get(dealId), ...counted });
      return wholeList(Array.from(marks, ([dealId, counted]) => ({ dealId, ...counted })));
    },

    options: (ctx: Context) => listDealOptions({ ...parts, inScope }, ctx),

    offersItems,

    /** Counts visible rows by status id; empty if the status column is hidden. */
    async countByStatus(ctx: Context): Promise<Map<string, number>> {
      if (!canOpen(ctx.viewer) || !canSee(ctx.viewer, 'status')) return new Map();
      return counts(await figures.countByStatus(ctx));
    },

    countByItem: async (ctx: Context): Promise<Map<string, number>> =>
      canOpen(ctx.viewer) ? counts(await figures.countByItem(ctx)) : new Map(),

    /** Counts the rows with a status, including deleted and hidden rows. */
    countWithStatus: ({ db }: TxContext, statusId: string): Promise<number> =>
      queries.countWithStatus(db, statusId),

    /** Replaces a status in all rows, including deleted ones. The caller checks permissions. */
    async replaceStatus(ctx: TxContext, from: NamedStatus, to: NamedStatus): Promise<void> {
      let after: string | undefined;
      do after = await replaceStatus(ctx.db, ctx, from, to, { after, limit: REPLACED_AT_ONCE });
      while (after !== undefined);
    },

    get: async (ctx: Context, id: string): Promise<Deal> => present(ctx.viewer, await load(ctx, id)),

    /** Returns the visible custom fields, and the users to which their values refer. */
    async customFields(db: Db | Tx, viewer: Viewer): Promise<VisibleFields> {
      const fields = visibleCustomFields(viewer, await parts.customFields.definitions(db));
      const people = fields.some(({ type }) => type === 'person') ? await queries.listOwners(db) : [];
      return { fields, people: new Map(people.map(({ id, name }) => [id, name])) };
    },

    /** Returns these rows in order, without hidden columns. Throws NOT_FOUND unless the sender sees all of them. */
    async forMail(ctx: Context, ids: string[]): Promise<Deal[]> {
      const rows = new Map((await records.load(ctx, ids)).map((row) => [row.id, row]));
      return ids.map((id) => present(ctx.viewer, rows.get(id)!));
    },

    /** Returns the visible rows by id, with the customer name unless that column is hidden. */
    namesOf: async (
      { db, viewer }: Pick<Context, 'db' | 'viewer'>,
      ids: string[],
    ): Promise<Map<string, NamedDeal>> => {
      if (!canOpen(viewer) || ids.length === 0) return new Map();
      const rows = await queries.findNames(db, inScope(viewer), ids);
      const isNamed = canSee(viewer, 'customerName');
      return new Map(
        rows.map(({ id, month, customer_name: customerName }) => [
          id,
          { month, ...(isNamed && { customerName }) },
        ]),
      );
    },
  };
}

export type DealsService = ReturnType<typeof createDealsService>;
