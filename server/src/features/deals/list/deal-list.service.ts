import type { ResponseBody } from '@forecourt/contract/api';
import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { DealListQuery } from '@forecourt/contract/deal-list';
import type { Deal } from '@forecourt/contract/deals';
import { Id } from '@forecourt/contract/route';
import { z } from 'zod';
import type { Tx } from '../../../platform/db/database.ts';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { invalidField } from '../../../platform/http/errors.ts';
import { JsonText } from '../../../platform/http/routes.ts';
import { commentTexts } from '../comments/deal-comments.queries.ts';
import { createSerialiser, fieldsFor, hiddenIn, present } from '../deals.fields.ts';
import { visibleColumnsOf } from '../deals.policy.ts';
import { coversAllMonths, withSharedIds, type InScope, type RequestedFilter } from '../deals.queries.ts';
import { MAX_FILTER_MS, readWithinLimit, type FilterFor, type ReadPermit } from './deal-filter.service.ts';
import {
  countMatching,
  listDeals,
  readRows,
  readsEveryRow,
  sortsTooMany,
  type ExportFilter,
} from './deal-list.queries.ts';
import type { Place, SortBy } from './deal-sort.queries.ts';

type Parts = {
  withPermit: ReadPermit;
  inScope: (viewer: Viewer) => InScope;
  filterFor: FilterFor;
};

type ListParts = Parts & {
  /** Maximum rows of all months that are sorted without an index. */
  maxSorted?: number;
  /** Timeout of a filter on columns in all months, in milliseconds. */
  maxMs?: number;
};

/** The end of a page: sort, direction, sort value and id of its last row, and its number. */
const Cursor = z.tuple([z.string(), z.boolean(), z.string().nullable(), Id, z.int().min(1)]);

const cursorText = (cursor: z.infer<typeof Cursor>): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** Returns place and page number of a cursor. Throws a 400 if it has another sort or direction. */
function readCursor(text: string, sort: string, descending: boolean): { after: Place; page: number } {
  try {
    const [by, way, value, id, page] = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    if (by === sort && way === descending) return { after: { value, id }, page: page + 1 };
  } catch {
    // Not a cursor of this API, so the 400 below is thrown.
  }
  throw invalidCursor();
}

const invalidCursor = () =>
  invalidField('cursor', 'Must be the nextCursor of a response to the same request');

/** PostgreSQL fails to cast the value only if the cursor was made up. */
const refuseCursor = (error: Error & { code?: string }): never => {
  throw error.code?.startsWith('22') ? invalidCursor() : error;
};

/** Returns the sort of a visible column. */
const sortOf = ({ customColumns }: Viewer, sort: DealListQuery['sort']): SortBy =>
  isCustomKey(sort) ? customColumns.find(({ key }) => key === sort)! : sort;

/** The list of rows (docs/product/data-entry.md, How rows load). */
export function createDealList({
  withPermit,
  inScope,
  filterFor,
  maxSorted,
  maxMs = MAX_FILTER_MS,
}: ListParts) {
  return async (ctx: Context, query: DealListQuery) => {
    const { db, viewer } = ctx;
    const {
      sort: sortName,
      firstStatus,
      order,
      page: number = 1,
      cursor,
      limit,
      fields: named,
      shape,
      ...filter
    } = query;
    if (hiddenIn(viewer, { [sortName]: order }) !== undefined)
      throw invalidField('sort', `You may not sort by ${sortName}`);
    const sort = sortOf(viewer, sortName);
    const fields = fieldsFor(viewer, named);
    const descending = (order ?? (sort === 'createdAt' ? 'desc' : 'asc')) === 'desc';
    const sortedBy = firstStatus === undefined ? sortName : `${sortName} from ${firstStatus}`;
    const { after, page } =
      cursor === undefined ? { after: undefined, page: number } : readCursor(cursor, sortedBy, descending);
    const offset = after ? 0 : (page - 1) * limit;
    const listPage = { sort, firstStatus, descending, limit, offset, after };
    const scope = inScope(viewer);
    const narrowed = filterFor(viewer, filter);
    const read = () =>
      readWithinLimit(db, { scope, filter: narrowed, maxMs }, async (db) => {
        const seen = await withSharedIds(db, scope, narrowed);
        if (await sortsTooMany(db, seen, narrowed, sort, maxSorted))
          throw invalidField(
            'sort',
            'More than 50,000 rows of all months match. Sort by createdAt or month, or choose a month or filter.',
          );
        return listDeals(db, seen, narrowed, listPage);
      });
    const reading = readsEveryRow(scope, narrowed, sort)
      ? withPermit(ctx, coversAllMonths(scope, narrowed), read)
      : read();
    const { rows, lastValue, total, isCapped } = await (after ? reading.catch(refuseCursor) : reading);
    const last = rows.at(-1);
    const serialise = createSerialiser(viewer, fields, shape);
    const texts = rows.map((row) => serialise({ row })).join();
    const rest = JSON.stringify({
      total,
      totalIsCapped: isCapped,
      page,
      limit,
      totalPages: Math.ceil(total / limit),
      nextCursor:
        last && rows.length === limit ? cursorText([sortedBy, descending, lastValue, last.id, page]) : null,
    });
    const listed =
      shape === 'items'
        ? `"items":[${texts}]`
        : `"items":[],"columns":${JSON.stringify(fields)},"rows":[${texts}]`;
    return new JsonText<ResponseBody<'GET /deals'>>(`{${listed},${rest.slice(1)}`);
  };
}

/** Rows per statement. */
const BATCH_SIZE = 2000;

export type ExportedDeal = Deal & {
  countsForCommission: boolean;
  /** The comments as one text; empty if there are none. */
  comments: string;
};

type RequestedExport = RequestedFilter & Pick<ExportFilter, 'ids'>;

/** Exports the visible fields of rows (docs/product/exports-and-reports.md, Exports). */
export function createDealExport({ inScope, filterFor }: Omit<Parts, 'withPermit'>) {
  const narrowed = (viewer: Viewer, { ids, ...filter }: RequestedExport): ExportFilter => ({
    ...filterFor(viewer, filter),
    ids,
  });

  return {
    columnsOf: visibleColumnsOf,

    /** Throws a 400 for a filter by a hidden column. */
    count: ({ db, viewer }: Pick<Context, 'db' | 'viewer'>, filter: RequestedExport): Promise<number> =>
      countMatching(db, inScope(viewer), narrowed(viewer, filter)),

    /** Yields all rows, newest first. In a transaction with one snapshot no row is repeated or missing. */
    async *batches(db: Tx, viewer: Viewer, filter: RequestedExport): AsyncGenerator<ExportedDeal[]> {
      const scope = inScope(viewer);
      const rowFilter = narrowed(viewer, filter);
      let after: string | undefined;
      for (;;) {
        const rows = await readRows(db, scope, rowFilter, { after, limit: BATCH_SIZE });
        if (rows.length > 0) {
          const comments = await commentTexts(
            db,
            rows.map(({ id }) => id),
            scope.timeZone,
          );
          yield rows.map((row) => ({
            ...present(viewer, row),
            countsForCommission: Boolean(row.counts),
            comments: comments.get(row.id) ?? '',
          }));
        }
        if (rows.length < BATCH_SIZE) return;
        after = rows.at(-1)!.id;
      }
    },
  };
}
