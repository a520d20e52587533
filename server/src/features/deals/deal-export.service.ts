import type { Deal } from '@forecourt/contract/deals';
import type { Tx } from '../../platform/db/database.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { countRows, readRows, type ExportFilter } from './deal-export.queries.ts';
import { present } from './deals.fields.ts';
import { columnsSeenBy } from './deals.policy.ts';
import type { DealFilter, InScope } from './deals.queries.ts';

const BATCH = 2000;

type Parts = {
  inScope: (viewer: Viewer) => InScope;
  filterFor: (viewer: Viewer, filter: DealFilter) => DealFilter;
};

/** Rows for a file, with exactly what their reader may see (product.md section 8). */
export function createDealExport({ inScope, filterFor }: Parts) {
  const narrowed = (viewer: Viewer, { ids, ...filter }: ExportFilter): ExportFilter => ({
    ...filterFor(viewer, filter),
    ids,
  });

  return {
    columnsOf: columnsSeenBy,

    /** How many rows there are. Throws a 400 about a filter by a column that does not exist for the viewer. */
    count: ({ db, viewer }: Pick<Context, 'db' | 'viewer'>, filter: ExportFilter): Promise<number> =>
      countRows(db, inScope(viewer), narrowed(viewer, filter)),

    /** All of them, newest first. In a transaction that sees one moment no row comes twice and none is left out. */
    async *batches(db: Tx, viewer: Viewer, filter: ExportFilter): AsyncGenerator<Deal[]> {
      const scope = inScope(viewer);
      const wanted = narrowed(viewer, filter);
      let after: string | undefined;
      for (;;) {
        const rows = await readRows(db, scope, wanted, { after, limit: BATCH });
        if (rows.length > 0) yield rows.map((row) => present(viewer, row));
        if (rows.length < BATCH) return;
        after = rows.at(-1)!.id;
      }
    },
  };
}
