import type { Answer } from '@forecourt/contract/api';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Context } from '../../platform/http/context.ts';
import type { Log } from '../../platform/log.ts';
import * as queries from './deal-deleted.queries.ts';
import { RESTORABLE_DAYS } from './deals.policy.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How often each instance looks for rows whose days are over. */
const LOOK_MS = 60 * 60 * 1000;
/** Rows that leave in one transaction. */
const AT_ONCE = 200;

type Page = { search?: string | undefined; page: number; limit: number };

/** Deleted rows as administrators find them (product.md section 4). */
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
  /** Removes what the audit log says of these records, and leaves its digest. */
  blank: (tx: Tx, recordIds: readonly string[], reason: string) => Promise<void>;
};

/**
 * Removes rows for good that were deleted 30 days ago, and with them what the audit log tells of the people in them;
 * that it was told, and when, stays provable. Any number of instances may do it at once.
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

  /** Removes what is due now. */
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
