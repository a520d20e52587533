import type { Answer } from '@forecourt/contract/api';
import { RESTORABLE_DAYS } from '@forecourt/contract/deal-limits';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { Context } from '../../../platform/http/context.ts';
import type { Log } from '../../../platform/log.ts';
import * as queries from './deleted-deals.queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Interval at which each instance looks for rows to delete permanently. */
const LOOK_MS = 60 * 60 * 1000;
/** Rows per transaction. */
const AT_ONCE = 200;

type Page = { search?: string | undefined; page: number; limit: number };

/** Returns deleted rows for administrators (docs/product/data-entry.md, Deleted rows). */
export async function listDeletedDeals(
  { db }: Context,
  { page, limit, search }: Page,
): Promise<Answer<'GET /deals/deleted'>> {
  const deleted = { search, days: RESTORABLE_DAYS };
  const rows = await queries.listDeleted(db, deleted, { limit, offset: (page - 1) * limit });
  const total = await queries.countDeleted(db, deleted);
  return {
    items: rows.map((row) => ({
      _id: row.id,
      customerName: row.customer_name,
      customerNumber: row.customer_number,
      dealNumber: row.deal_number,
      dealershipName: row.dealership_name,
      month: row.month,
      ownerName: row.owner_name,
      deletedAt: row.deleted_at,
      deletedByName: row.deleter_name,
      restorableUntil: new Date(Date.parse(row.deleted_at) + RESTORABLE_DAYS * DAY_MS).toISOString(),
    })),
    total,
    page,
    limit,
    totalPages: Math.ceil(total / limit),
  };
}

type PurgeParts = {
  db: Db;
  log: Log;
  /** Redacts the audit entries of these records and keeps their digest. */
  blank: (tx: Tx, recordIds: readonly string[], reason: string) => Promise<void>;
};

/**
 * Permanently deletes rows that were deleted 30 days ago, and redacts their audit entries, whose existence
 * and time remain provable. Several instances may do so at once.
 */
export function createDealPurge({ db, log, blank }: PurgeParts) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  const purgeSome = (): Promise<number> =>
    db.transaction().execute(async (tx) => {
      const ids = await queries.lockExpired(tx, RESTORABLE_DAYS, AT_ONCE);
      if (ids.length === 0) return 0;
      await queries.purgeDeals(tx, ids);
      await blank(tx, ids, `Deleted ${RESTORABLE_DAYS} days ago`);
      return ids.length;
    });

  /** Permanently deletes all rows that are due. */
  async function purge(): Promise<void> {
    for (let count = AT_ONCE; count === AT_ONCE && !stopping.signal.aborted;) {
      count = await purgeSome();
      if (count > 0) log.info({ rows: count }, 'deleted rows removed for good');
    }
  }

  const look = (): void => {
    underWay = purge()
      .catch((error: Error) => log.warn({ reason: error.message }, 'deleted rows are not removed yet'))
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(look, LOOK_MS);
      });
  };

  return {
    purge,
    start: look,
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await underWay;
    },
  };
}
