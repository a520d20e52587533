import type { CallToMake, ChangedDeal } from '@forecourt/contract/dashboard';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import { canOpen, canSee, visibleColumnsOf, visibleCustomFields } from '../deals.policy.ts';
import type { InScope } from '../deals.queries.ts';
import * as queries from './follow-ups.queries.ts';

/** Maximum returned calls, and counted ones. */
const MAX_CALLS = 50;
const MAX_COUNTED_CALLS = 1000;
/** Maximum returned changes; `total` counts all of them. */
const MAX_CHANGES = 20;
/** Somebody with more rows gets the changes among the newest audit entries, so that not each row is read. */
const MAX_OWN_ROWS = 5000;
const MAX_ENTRIES = 20_000;

type Parts = {
  customFields: Pick<CustomFieldsService, 'definitions'>;
  inScope: (viewer: Viewer) => InScope;
  /** Maximum rows of a person that are read one by one, and maximum audit entries that are read instead. */
  maxOwnRows?: number;
  maxEntries?: number;
};

/** Follow-ups of the viewer: rows to call, and rows that others changed since the last visit. */
export function createFollowUps({
  customFields,
  inScope,
  maxOwnRows = MAX_OWN_ROWS,
  maxEntries = MAX_ENTRIES,
}: Parts) {
  /** Calls require Data Entry and all columns on which their selection depends. */
  const seesCalls = (viewer: Viewer): boolean =>
    canOpen(viewer) && (['status', 'followUpAt', 'owner'] as const).every((column) => canSee(viewer, column));

  return {
    /** Returns the viewer's rows whose follow-up time has passed, latest first. */
    async due({ db, viewer }: Context, limit: number) {
      if (!seesCalls(viewer)) return [];
      const rows = await queries.rowsDue(db, inScope(viewer), viewer.userId, limit);
      return rows.map((row) => ({
        _id: row.id,
        name: canSee(viewer, 'customerName') ? row.customer_name : '',
        month: row.month,
        at: row.follow_up_at!,
      }));
    },

    /** Returns the next follow-up time of the viewer's rows; null if there is none. */
    nextDue: async ({ db, viewer }: Context): Promise<string | null> =>
      seesCalls(viewer) ? queries.nextDue(db, inScope(viewer), viewer.userId) : null,

    /**
     * Returns the viewer's rows to call, by follow-up time; none if one of the required columns is hidden.
     */
    async toCall({
      db,
      viewer,
    }: Context): Promise<{ items: CallToMake[]; total: number; totalIsCapped: boolean }> {
      if (!seesCalls(viewer)) return { items: [], total: 0, totalIsCapped: false };
      const limits = { limit: MAX_CALLS, most: MAX_COUNTED_CALLS + 1 };
      const rows = await queries.rowsToCall(db, inScope(viewer), viewer.userId, limits);
      const total = rows[0]?.total ?? 0;
      return {
        items: rows.map((row) => ({
          _id: row.id,
          ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
          ...(canSee(viewer, 'customerNumber') && { customerNumber: row.customer_number }),
          ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
          month: row.month,
          followUpAt: row.follow_up_at,
        })),
        total: Math.min(total, MAX_COUNTED_CALLS),
        totalIsCapped: total > MAX_COUNTED_CALLS,
      };
    },

    /**
     * Returns the rows that the viewer owns or has a share of and of which others changed visible fields since the last
     * visit, with those fields. For somebody with very many rows, `since` is later if there are very many changes.
     */
    async changes({ db, viewer }: Context) {
      const visit = await queries.lastVisit(db, viewer.userId, viewer.sessionId);
      if (visit === null) return { items: [], total: 0, since: visit };
      const isLarge = await queries.hasMoreRows(db, viewer.userId, maxOwnRows);
      const oldest = isLarge ? await queries.findRecentEntry(db, maxEntries) : undefined;
      const since = oldest && oldest.at > visit ? oldest.at : visit;
      const visibleFields: readonly string[] = [...visibleColumnsOf(viewer), 'month', 'sharedWith'];
      const custom = visibleCustomFields(viewer, await customFields.definitions(db));
      const rows = await queries.changesOfOthers(db, inScope(viewer), {
        userId: viewer.userId,
        since,
        fields: [...visibleFields, ...custom.map(({ key }) => key)],
        limit: MAX_CHANGES,
        afterEntry: isLarge ? (oldest?.id ?? 0) : undefined,
      });
      const items = rows.map((row) => ({
        _id: row.id,
        ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
        month: row.month,
        byName: row.by_name,
        at: row.at,
        fields: row.fields.filter((field) => visibleFields.includes(field)) as ChangedDeal['fields'],
        customFields: custom.filter(({ key }) => row.fields.includes(key)).map(({ name }) => name),
      }));
      return { items, total: rows[0]?.total ?? 0, since };
    },
  };
}
