import type { ResponseBody } from '@forecourt/contract/api';
import type { AuditLogEntry } from '@forecourt/contract/audit';
import { audit, SYSTEM } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { canRedact } from './audit.policy.ts';
import * as queries from './audit.queries.ts';
import { createVerification } from './verification.service.ts';

/** Matches are counted up to this limit. */
const TOTAL_CAP = 1000;
/** Number of thousands searched by the first statement: a common match is found in few. */
const FIRST_THOUSANDS = 5;
/** Each further statement searches as many as take about this time, on any machine and for any text, or this minimum. */
const STATEMENT_MS = 50;
const MIN_THOUSANDS = 20;
/** A page is returned incomplete after this time, so that none takes over 500 ms; the next page continues from there. */
const PAGE_MS = 150;
/** Number of entries that an export reads at once. */
const BATCH = 1000;

type Page = queries.EntryFilter & { cursor?: string | undefined; limit: number };

/** The audit log for administrators (docs/product/audit.md, Audit log). */
export function createAuditService(secrets: Secrets) {
  const verify = createVerification(secrets);

  /** Returns the newest matching entries below a number. Searches until `limit` or the time limit is reached. */
  async function search(
    db: Db | Tx,
    filter: queries.EntryFilter,
    { below: start, limit, maxMs = Infinity }: { below: number; limit: number; maxMs?: number },
  ) {
    const begun = performance.now();
    let now = begun;
    const ids: number[] = [];
    let below = start;
    let thousands = FIRST_THOUSANDS;
    do {
      const found = await queries.findIds(db, filter, { below, thousands, limit: limit - ids.length });
      ids.push(...found.ids);
      below = found.below;
      const took = performance.now() - now;
      thousands = Math.max(MIN_THOUSANDS, Math.floor(thousands * Math.min(4, STATEMENT_MS / took)));
      now += took;
    } while (below > 1 && ids.length < limit && now - begun < maxMs);
    return { ids, reached: below };
  }

  return {
    verify: (ctx: Context, after: number) => verify(ctx.db as Db, after),

    /** Returns entries, newest first. Rare text in a long log takes several pages. */
    async list(
      { db }: Context,
      { cursor, limit, ...filter }: Page,
    ): Promise<ResponseBody<'GET /audit-logs'>> {
      const start = cursor === undefined ? await queries.nextNumber(db) : Number(cursor);
      const { ids, reached } = await search(db, filter, {
        below: start,
        limit: TOTAL_CAP + 1,
        maxMs: PAGE_MS,
      });
      const rows = await queries.readEntries(db, ids.slice(0, limit));
      const names = await queries.namesOf(db, idsIn(rows));
      const isPageFull = ids.length > limit;
      const isIncomplete = !isPageFull && reached > 1;
      const nextCursor = isPageFull ? rows.at(-1)!.id : isIncomplete ? reached : null;
      return {
        items: rows.map((row) => present(row, names)),
        total: Math.min(ids.length, TOTAL_CAP),
        totalIsCapped: ids.length > TOTAL_CAP || reached > 1,
        nextCursor: nextCursor === null ? null : String(nextCursor),
        searchedTo: isIncomplete ? await queries.timeFrom(db, reached) : null,
        names: Object.fromEntries(names),
      };
    },

    /** Yields every matching entry, newest first, presented as in the list. */
    async *batches(db: Tx, filter: queries.EntryFilter): AsyncGenerator<AuditLogEntry[]> {
      let below = await queries.nextNumber(db);
      while (below > 1) {
        const { ids, reached } = await search(db, filter, { below, limit: BATCH });
        const rows = await queries.readEntries(db, ids);
        const names = await queries.namesOf(
          db,
          rows.flatMap(({ record_id }) => record_id ?? []),
        );
        if (rows.length > 0) yield rows.map((row) => present(row, names));
        below = ids.length === BATCH ? ids.at(-1)! : reached;
      }
    },

    /**
     * Redacts the values of all entries about a deleted record. The redaction is audited, and the redacted values can
     * still be verified by their digest. Throws IN_USE while the record exists.
     */
    redact: (ctx: Context, { recordId, reason }: { recordId: string; reason: string }) =>
      inTransaction(ctx, async (inner) => {
        const newest = requireFound(await queries.newestActionOf(inner.db, recordId));
        const ability = canRedact(newest.action);
        if (ability !== true) {
          throw new AppError('IN_USE', {
            message: 'This record is still there. Values are removed of deleted records only.',
            details: ability,
          });
        }
        await audit(inner, 'audit.blanked', recordId, { after: { reason } });
        const order = await queries.newestActionOf(inner.db, recordId);
        return { redacted: await queries.redactEntries(inner.db, recordId, order!.id) };
      }),

    /** Redacts records that the program purged, in the transaction of the purge and with the program as the actor. */
    redactPurged: async (tx: Tx, recordIds: readonly string[], reason: string): Promise<void> => {
      for (const recordId of recordIds) {
        await audit({ ...SYSTEM, db: tx }, 'audit.blanked', recordId, { after: { reason } });
        const order = await queries.newestActionOf(tx, recordId);
        await queries.redactEntries(tx, recordId, order!.id);
      }
    },
  };
}

export type AuditService = ReturnType<typeof createAuditService>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Returns every id in these entries and in their values. */
const idsIn = (rows: readonly queries.EntryRow[]): string[] => [
  ...new Set(JSON.stringify(rows.map((row) => [row.record_id, row.before, row.after])).match(UUID)),
];

const present = (row: queries.EntryRow, names: ReadonlyMap<string, string>): AuditLogEntry => ({
  _id: String(row.id),
  at: row.created_at,
  actorId: row.actor_id,
  actorName: row.actor_name,
  ip: row.ip,
  action: row.action,
  entity: row.entity,
  recordId: row.record_id,
  recordName: names.get(row.record_id ?? '') ?? null,
  before: row.before as AuditLogEntry['before'],
  after: row.after as AuditLogEntry['after'],
  redacted: row.order_id !== null,
  requestId: row.request_id,
});
