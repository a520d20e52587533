import type { CallToMake, ChangedDeal } from '@forecourt/contract/dashboard';
import { dealColumns } from '@forecourt/contract/permission-defaults';
import type { Context, Viewer } from '../../platform/http/context.ts';
import * as queries from './deal-desk.queries.ts';
import { canOpen, canSee } from './deals.policy.ts';
import type { InScope } from './deals.queries.ts';

/** So many calls and changes are told; the rest is counted. */
const MOST_CALLS = 50;
const MOST_CHANGES = 20;

/** What waits on a person's desk: rows to call, and rows that others changed while they were away. */
export function createDealDesk({ inScope }: { inScope: (viewer: Viewer) => InScope }) {
  /** Calls are told of to whom all columns exist that say so. */
  const seesCalls = (viewer: Viewer): boolean =>
    canOpen(viewer) && (['status', 'followUpAt', 'owner'] as const).every((column) => canSee(viewer, column));
  const nameOf = (viewer: Viewer, row: { customer_name: string }): string =>
    canSee(viewer, 'customerName') ? row.customer_name : '';

  return {
    /** Rows of the viewer whose time has come, newest first. */
    async due({ db, viewer }: Context, most: number) {
      if (!seesCalls(viewer)) return [];
      const rows = await queries.rowsDue(db, inScope(viewer), viewer.userId, most);
      return rows.map((row) => ({
        _id: row.id,
        name: nameOf(viewer, row),
        month: row.month,
        at: row.follow_up_at!,
      }));
    },

    /** When the next row of the viewer is due. */
    nextDue: async ({ db, viewer }: Context): Promise<string | null> =>
      seesCalls(viewer) ? queries.nextDue(db, inScope(viewer), viewer.userId) : null,

    /** What rows are called, by id; those that the viewer does not see are absent. */
    async named({ db, viewer }: Context, ids: readonly string[]) {
      if (ids.length === 0 || !canOpen(viewer)) return new Map<string, { name: string; month: string }>();
      const rows = await queries.namedRows(db, inScope(viewer), ids);
      return new Map(rows.map((row) => [row.id, { name: nameOf(viewer, row), month: row.month }]));
    },

    /** Rows of the viewer that wait for a call, by their time. None where one of the columns that say so is hidden. */
    async toCall({ db, viewer }: Context): Promise<{ items: CallToMake[]; total: number }> {
      if (!seesCalls(viewer)) return { items: [], total: 0 };
      const rows = await queries.rowsToCall(db, inScope(viewer), viewer.userId, MOST_CALLS);
      return {
        items: rows.map((row) => ({
          _id: row.id,
          ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
          ...(canSee(viewer, 'customerNumber') && { customerNumber: row.customer_number }),
          ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
          month: row.month,
          followUpAt: row.follow_up_at,
        })),
        total: rows[0]?.total ?? 0,
      };
    },

    /** Rows that concern the viewer and that others changed since their last visit, with what they may know of it. */
    async changes({ db, viewer }: Context) {
      const since = await queries.lastVisit(db, viewer.userId, viewer.sessionId);
      if (since === null) return { items: [], total: 0, since };
      const known = new Set<string>([
        ...dealColumns.filter((column) => canSee(viewer, column)),
        'month',
        'sharedWith',
      ]);
      const rows = await queries.changesOfOthers(db, inScope(viewer), {
        userId: viewer.userId,
        since,
        limit: MOST_CHANGES,
      });
      const items = rows.map((row) => ({
        _id: row.id,
        ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
        month: row.month,
        byName: row.by_name,
        at: row.at,
        fields: row.fields.filter((field) => known.has(field)) as ChangedDeal['fields'],
      }));
      return { items, total: rows[0]?.total ?? 0, since };
    },
  };
}
