import type { ResponseBody } from '@forecourt/contract/api';
import { RESTORABLE_DAYS } from '@forecourt/contract/deal-limits';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { defineJob } from '../../../platform/define-job.ts';
import type { Context } from '../../../platform/http/context.ts';
import type { Log } from '../../../platform/log.ts';
import * as queries from './deleted-deals.queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Number of rows per transaction. */
const BATCH_SIZE = 200;

type Page = { search?: string | undefined; page: number; limit: number };

/** Returns deleted rows for administrators (docs/product/data-entry.md, Deleted rows). */
export async function listDeletedDeals(
  { db }: Context,
  { page, limit, search }: Page,
): Promise<ResponseBody<'GET /deals/deleted'>> {
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
  /** Redacts the audit entries of these records; their digests stay. */
  redact: (tx: Tx, recordIds: readonly string[], reason: string) => Promise<void>;
};

/**
 * Purges rows 30 days after their deletion and redacts their audit entries, which remain verifiable. Several instances
 * may run this concurrently.
 */
export function createDealPurge({ db, log, redact }: PurgeParts) {
  const purgeBatch = (): Promise<number> =>
    db.transaction().execute(async (tx) => {
      const ids = await queries.lockExpired(tx, RESTORABLE_DAYS, BATCH_SIZE);
      if (ids.length === 0) return 0;
      await queries.purgeDeals(tx, ids);
      await redact(tx, ids, `Deleted ${RESTORABLE_DAYS} days ago`);
      return ids.length;
    });

  async function purge(signal?: AbortSignal): Promise<void> {
    for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
      if (signal?.aborted) return;
      count = await purgeBatch();
      if (count > 0) log.info({ rows: count }, 'deleted rows removed for good');
    }
  }

  return {
    purge,
    job: defineJob({
      name: 'deleted-rows',
      // Not at the full hour, when the backup is created.
      schedule: { cron: '30 * * * *' },
      run: purge,
    }),
  };
}
