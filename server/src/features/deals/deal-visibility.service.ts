import { MAX_EVENT_ROWS } from '@forecourt/contract/deal-limits';
import type { Deal } from '@forecourt/contract/deals';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/http/context.ts';
import type { HiddenChange, SentRecord, VisibleRecords } from '../../platform/live/event-filter.ts';
import { levelFor } from '../../platform/sharing/levels.ts';
import { createSerialiser, fieldsFor } from './deals.fields.ts';
import { belongs, canOpen, canSee, visible, type ScopedDeal } from './deals.policy.ts';
import * as queries from './deals.queries.ts';
import type { DealParts } from './write/change-deals.service.ts';

type SerialisedRow = { row: queries.EventRow; texts: Map<string, string> };
type EventRow = queries.EventRow & SentRecord;

/** Returns a function that creates one serialiser for each viewer. Viewers with equal fields share the texts of a row. */
function createSerialisers(): (viewer: Viewer) => (entry: SerialisedRow) => string {
  const serialisers = new WeakMap<Viewer, (entry: SerialisedRow) => string>();
  const sharedText = (
    { row, texts }: SerialisedRow,
    form: string,
    make: (row: queries.ListedRow) => string,
  ) => texts.getOrInsertComputed(form, () => make(row));
  return (viewer) =>
    serialisers.getOrInsertComputed(viewer, () =>
      createSerialiser(viewer, fieldsFor(viewer), 'items', sharedText),
    );
}

type FindVisible = (viewer: Viewer) => Promise<Set<string>>;

/** Decides which rows a viewer sees, or no longer sees, for live events. */
export function createDealVisibility(
  clock: DealParts['clock'],
  inScope: (viewer: Viewer) => queries.InScope,
) {
  /**
   * Returns a function that returns those of the rows that a viewer sees; none without Data Entry. `read` returns no
   * deleted rows. All viewers share one read.
   */
  function createVisible<R extends ScopedDeal>(read: () => Promise<R[]>): (viewer: Viewer) => Promise<R[]> {
    let reading: Promise<R[]> | undefined;
    return async (viewer) => {
      if (!canOpen(viewer)) return [];
      reading ??= read().catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      const scope = inScope(viewer);
      return (await reading).filter((row) => visible.matches(scope, row));
    };
  }

  /** Returns a function that returns the visible ids of these rows for a viewer. */
  function findVisible(db: Db | Tx, ids: string[]): FindVisible {
    const visibleRows = createVisible(() => queries.findScopedUndeleted(db, ids, clock.timeZone));
    return async (viewer) => new Set((await visibleRows(viewer)).map(({ id }) => id));
  }

  /** Like `findVisible`, with the rows for events; ids alone if there are too many. */
  function findVisibleRows(db: Db, ids: string[]): (viewer: Viewer) => Promise<VisibleRecords> {
    if (ids.length > MAX_EVENT_ROWS) return findVisible(db, ids);
    const serialiserFor = createSerialisers();
    const visibleRows = createVisible(async () =>
      (await queries.findForEvents(db, ids, clock.timeZone)).map((row): EventRow => {
        const entry = { row, texts: new Map<string, string>() };
        return {
          ...row,
          isPersonal: (viewer) => belongs.matches(viewer, row),
          textFor: (viewer) => serialiserFor(viewer)(entry),
        };
      }),
    );
    return async (viewer) => new Map((await visibleRows(viewer)).map((row) => [row.id, row]));
  }

  return {
    findVisible,
    findVisibleRows,

    /** Returns a function that returns the rows for events about their mail state. */
    findVisibleMail(db: Db, ids: string[]): (viewer: Viewer) => Promise<VisibleRecords> {
      const seen = findVisibleRows(db, ids);
      return async (viewer) => (canSee(viewer, 'lastEmailedAt') ? seen(viewer) : new Set());
    },

    /** Returns the changes by which rows became invisible to the viewer. The rows are invisible now. */
    async findLostVisibility(db: Db, viewer: Viewer, changes: HiddenChange[]): Promise<HiddenChange[]> {
      if (!canOpen(viewer)) return [];
      const ids = [...new Set(changes.map(({ recordId }) => recordId))];
      const rows = new Map((await queries.findScoped(db, ids, clock.timeZone)).map((row) => [row.id, row]));
      const statusIds = new Map((await queries.listStatuses(db)).map(({ id, name }) => [name, id]));
      const scope = inScope(viewer);
      // Undoes the changes from the newest to the oldest: `before` contains only changed fields.
      return changes.toReversed().filter(({ recordId, past: { before } }) => {
        const after = rows.get(recordId);
        if (!after) return false;
        const was = before as Partial<Deal> & { statusId?: string };
        const row = {
          ...after,
          month: was.month ?? after.month,
          dealershipId: was.dealershipId ?? after.dealershipId,
          statusId: was.statusId ?? statusIds.get(was.status ?? '') ?? after.statusId,
          owner_id: was.owner ?? after.owner_id,
          shares:
            was.sharedWith?.map((share) => ({ ...share, level: levelFor('deal', share.permissions) })) ??
            after.shares,
        };
        rows.set(recordId, row);
        return visible.matches(scope, row);
      });
    },
  };
}
