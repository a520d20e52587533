import type { Notices } from '../../../platform/live/notices.ts';
import type { ListedRow } from '../deals.queries.ts';

/** The columns of `deals` in responses. */
export const STORED = [
  'id',
  'status_id',
  'dealership_id',
  'customer_name',
  'customer_number',
  'customer_email',
  'deal_number',
  'vehicle',
  'delivery_date',
  'sale_amount',
  'cost_amount',
  'commission_rate',
  'commission',
  'notes',
  'follow_up_at',
  'owner_id',
  'created_by',
  'month',
  'created_at',
  'updated_at',
  'updated_by',
  'version',
] as const satisfies readonly (keyof ListedRow)[];

/** Those columns, and the id of the transaction that wrote them: another stamp means that the row was changed. */
export type StoredRow = Pick<ListedRow, (typeof STORED)[number]> & { stamp: string };

/** About 12,000 rows: the months that people have open. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_SEARCHES = 1000;

const sizeOf = (row: StoredRow): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? 24 + 2 * value.length : 8),
    100,
  );

/**
 * Caches columns of `deals` that requests read with the transaction that wrote them (`stamp`, PostgreSQL's `xmin`):
 * every change of a row sets it, so an entry with the current stamp is the current row and nothing has to be
 * invalidated. A new server, for example after a failover, may count transactions from an earlier number: entries are
 * not used while the listening connection is down, and deleted when it reconnects.
 */
export function createRowCache(notices: Pick<Notices, 'on' | 'areHeard'>, maxBytes = MAX_BYTES) {
  // Two generations: rows that are used again move to the newer one before the older one is deleted.
  let newer = new Map<string, StoredRow>();
  let older = new Map<string, StoredRow>();
  let bytes = 0;
  const searches = new Map<string, string>();

  notices.on('resumed', () => {
    newer.clear();
    older.clear();
    searches.clear();
  });

  function put(row: StoredRow): void {
    bytes += sizeOf(row);
    if (bytes > maxBytes / 2) {
      older = newer;
      newer = new Map();
      bytes = sizeOf(row);
    }
    newer.set(row.id, row);
  }

  return {
    put,

    /** Returns the row with this id as this transaction wrote it; undefined if it is not cached. */
    get(id: string, stamp: string): StoredRow | undefined {
      if (!notices.areHeard()) return undefined;
      const row = newer.get(id);
      if (row) return row.stamp === stamp ? row : undefined;
      const earlier = older.get(id);
      if (earlier?.stamp !== stamp) return undefined;
      put(earlier);
      return earlier;
    },

    /** Stores that a search finds more rows than are counted, in this snapshot of the database. */
    putExceeded(search: string, snapshot: string): void {
      if (searches.size >= MAX_SEARCHES) searches.clear();
      searches.set(search, snapshot);
    },

    /** Returns the snapshot in which a search found more rows than are counted. */
    exceededIn: (search: string): string | undefined =>
      notices.areHeard() ? searches.get(search) : undefined,
  };
}

export type RowCache = ReturnType<typeof createRowCache>;
