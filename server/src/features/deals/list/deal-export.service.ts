import type { Deal } from '@forecourt/contract/deals';
import type { Tx } from '../../../platform/db/database.ts';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { present } from '../deals.fields.ts';
import { columnsSeenBy } from '../deals.policy.ts';
import type { DealFilter, InScope } from '../deals.queries.ts';
import { countRows, readRows, type ExportFilter } from './deal-export.queries.ts';

const BATCH = 2000;

/** A row of an export file. */
export type ExportedDeal = Deal & { countsForCommission: boolean };

type Parts = {
  inScope: (viewer: Viewer) => InScope;
  filterFor: (viewer: Viewer, filter: DealFilter) => DealFilter;
};

/** Exports rows with only what the viewer may see (docs/product/exports-and-reports.md, Exports). */
export function createDealExport({ inScope, filterFor }: Parts) {
  const narrowed = (viewer: Viewer, { ids, ...filter }: ExportFilter): ExportFilter => ({
    ...filterFor(viewer, filter),
    ids,
  });

  return {
    columnsOf: columnsSeenBy,

    /** Returns the number of rows. Throws a 400 for a filter by a column hidden from the viewer. */
    count: ({ db, viewer }: Pick<Context, 'db' | 'viewer'>, filter: ExportFilter): Promise<number> =>
      countRows(db, inScope(viewer), narrowed(viewer, filter)),

    /** Yields all rows, newest first. In a transaction with one snapshot no row is repeated or missing. */
    async *batches(db: Tx, viewer: Viewer, filter: ExportFilter): AsyncGenerator<ExportedDeal[]> {
      const scope = inScope(viewer);
      const wanted = narrowed(viewer, filter);
      let after: string | undefined;
      for (;;) {
        const rows = await readRows(db, scope, wanted, { after, limit: BATCH });
        if (rows.length > 0)
          yield rows.map((row) => ({ ...present(viewer, row), countsForCommission: Boolean(row.counts) }));
        if (rows.length < BATCH) return;
        after = rows.at(-1)!.id;
      }
    },
  };
}
