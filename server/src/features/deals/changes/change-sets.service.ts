import { isDeepStrictEqual } from 'node:util';
import type { ResponseBody } from '@forecourt/contract/api';
import type { ChangeDetail, ChangedRow, ChangeSet } from '@forecourt/contract/deal-changes';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { defineJob, IDLE } from '../../../platform/define-job.ts';
import { formatMonth } from '../../../platform/formats.ts';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { AppError, invalidField } from '../../../platform/http/errors.ts';
import { isAdmin } from '../../../platform/http/policy.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import { requireColumn } from '../deals.fields.ts';
import { canRevert, canSee, visibleColumnsOf, visibleCustomFields } from '../deals.policy.ts';
import type { InScope } from '../deals.queries.ts';
import { createChangePresenter, WHOLE, type Action, type Values } from '../history/deal-history.service.ts';
import * as queries from './change-sets.queries.ts';

type Parts = {
  customFields: Pick<CustomFieldsService, 'definitions' | 'definitionsInHistory'>;
  clock: Pick<Clock, 'now'>;
  inScope: (viewer: Viewer) => InScope;
};

type Listed = queries.ChangeSetFilter & { cursor?: string | undefined; limit: number };

/** Number of rows named in the description of a set. */
const MAX_DETAILS = 3;

const COUNT_EVERY_MS = 60_000;
/** Number of change sets counted by one statement; each may have 10,000 entries. */
const COUNTED_AT_ONCE = 50;
/** Every transaction has ended after this time. */
const QUIET_MINUTES = 2;

/** Stores the counts of change sets, so that lists need not read all entries. */
export const createChangeSetCounting = (db: Db) =>
  defineJob({
    name: 'change-sets',
    schedule: { everyMs: COUNT_EVERY_MS },
    async run(signal) {
      let counted = 0;
      for (let count = COUNTED_AT_ONCE; count === COUNTED_AT_ONCE && !signal.aborted;) {
        count = await queries.storeCounts(db, { limit: COUNTED_AT_ONCE, minutes: QUIET_MINUTES });
        counted += count;
      }
      return counted > 0 ? undefined : IDLE;
    },
  });

/** Changes that users made together (docs/product/data-entry.md, Changes). */
export function createChangeSets({ customFields, clock, inScope }: Parts) {
  const readerOf = (viewer: Viewer) => ({
    scope: inScope(viewer),
    userId: viewer.userId,
    isAdmin: isAdmin(viewer),
  });

  /** Returns descriptions of the sets, with visible names and fields of their first rows. */
  async function presentAll(
    { db, viewer }: Context,
    sets: readonly queries.ShownSet[],
  ): Promise<ChangeSet[]> {
    const entries = await queries.listFirstEntries(
      db,
      sets.map(({ latest }) => latest.id),
    );
    const rows = [...new Set(entries.map(({ record_id }) => record_id))];
    const names = await queries.listNames(db, rows, readerOf(viewer));
    const fieldsOf = await createFieldReader(db, viewer);
    const bySet = Map.groupBy(entries, ({ set_id }) => set_id);
    return sets.map((set) => {
      const ofSet = Map.groupBy(bySet.get(set.latest.id) ?? [], ({ record_id }) => record_id);
      const details = [...ofSet]
        .filter(([id]) => names.has(id))
        .slice(0, MAX_DETAILS)
        .map(([id, ofRow]) => ({
          ...(canSee(viewer, 'customerName') && { customerName: names.get(id)! }),
          isNew: ofRow.some(({ action }) => action === 'deal.created'),
          ...fieldsOf(new Set(ofRow.flatMap(({ fields }) => fields))),
        }));
      const { created_at, kind } = set.set;
      const revert = canRevert(viewer, { created_at, kind, rows: set.latest.rows }, clock.now());
      return present(set, details, { revert });
    });
  }

  /** Returns a function that omits fields hidden from the viewer. */
  async function createFieldReader(db: Context['db'], viewer: Viewer) {
    const visibleFields = [...visibleColumnsOf(viewer), 'month', 'sharedWith'] as const;
    const custom = visibleCustomFields(viewer, await customFields.definitions(db));
    return (fields: ReadonlySet<string>) => ({
      fields: visibleFields.filter((field) => fields.has(field)),
      customFields: custom.filter(({ key }) => fields.has(key)).map(({ name }) => name),
    });
  }

  return {
    /** Returns the viewer's change sets, newest first; administrators get all users'. */
    async list(
      ctx: Context,
      { cursor, limit, by, ...filter }: Listed,
    ): Promise<ResponseBody<'GET /changes'>> {
      const { db, viewer } = ctx;
      const isOwn = by === undefined || by === viewer.userId;
      if (!isAdmin(viewer) && !isOwn)
        throw invalidField('by', 'Only administrators see the changes of others');
      if (filter.dealershipId !== undefined) requireColumn(viewer, 'dealershipId', 'dealershipId');
      const chosen = { ...filter, by: isAdmin(viewer) ? by : viewer.userId };
      const page = { cursor, limit: limit + 1 };
      const foundSets = await queries.listChangeSets(db, inScope(viewer), chosen, page);
      const sets = foundSets.slice(0, limit);
      return {
        items: await presentAll(ctx, sets),
        nextCursor: foundSets.length > limit ? sets.at(-1)!.set.id : null,
      };
    },

    /** Returns a change set with a page of its visible rows. Throws NOT_FOUND. */
    async get(
      ctx: Context,
      id: string,
      { page, limit, alone }: { page: number; limit: number; alone?: 'true' | undefined },
    ): Promise<ResponseBody<'GET /changes/:id'>> {
      const { db, viewer } = ctx;
      const set = await queries.findChangeSet(
        db,
        id,
        isAdmin(viewer) ? undefined : viewer.userId,
        alone !== undefined,
      );
      if (!set) throw new AppError('NOT_FOUND');
      const { latest } = set;
      const reader = readerOf(viewer);
      const total = await queries.countVisibleRows(db, latest.id, reader);
      const ids = await queries.listRowIds(db, latest.id, reader, { limit, offset: (page - 1) * limit });
      const rows = new Map((await queries.findRows(db, ids)).map((row) => [row.id, row]));
      const entries = await queries.listEntries(db, latest.id, ids);
      const changes = [...Map.groupBy(entries, ({ record_id }) => record_id!)].map(([dealId, ofRow]) => ({
        dealId,
        ...combined(ofRow),
      }));
      const custom = await customFields.definitionsInHistory(db, viewer);
      const all = changes.flatMap(({ before, after }) => [before, after]);
      const changesOf = await createChangePresenter(ctx, reader.scope, custom, all);
      const items = changes.flatMap(({ dealId, actions, before, after }): ChangedRow[] => {
        const row = rows.get(dealId);
        if (!row) return [];
        return [
          {
            _id: dealId,
            ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
            ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
            month: row.month,
            isDeleted: row.deleted_at !== null,
            actions,
            changes: changesOf(row, before, after),
          },
        ];
      });
      return {
        changeSet: (await presentAll(ctx, [set]))[0]!,
        hidden: latest.rows - total,
        items,
        total,
        page,
        limit,
        totalPages: Math.ceil(total / limit),
      };
    },
  };
}

/** Combines the entries of a row, oldest first, to the values before the first and after the last. */
export function combined(entries: readonly Pick<queries.Entry, 'action' | 'before' | 'after'>[]) {
  const before: Values = {};
  const after: Values = {};
  const actions = new Set<Action>();
  for (const entry of entries) {
    const action = entry.action.slice('deal.'.length) as Action;
    actions.add(action);
    if (WHOLE.has(action)) continue;
    const was = (entry.before ?? {}) as Values;
    const is = (entry.after ?? {}) as Values;
    for (const field of Object.keys(is) as (keyof Values)[])
      if (!Object.hasOwn(after, field)) Object.assign(before, { [field]: was[field] });
    Object.assign(after, is);
  }
  // The value was changed back.
  for (const field of Object.keys(after) as (keyof Values)[])
    if (isDeepStrictEqual(before[field] ?? null, after[field] ?? null)) delete after[field];
  return { before, after, actions: [...actions] };
}

/** Returns a description of the change. */
function titleOf(set: queries.ChangeSetRow, name: string | undefined): string {
  const { kind, rows, added, changed, deleted, restored, first_month, last_month } = set;
  const what = name ?? (rows === 1 ? '1 row' : `${rows.toLocaleString('en-AU')} rows`);
  const into = first_month !== null && first_month === last_month ? ` into ${formatMonth(first_month)}` : '';
  if (kind === 'undo') return `Undid changes of ${what}`;
  if (kind === 'revert') return `Took back changes of ${what}`;
  if (kind === 'backup') return `Copied ${what} from a backup`;
  if (kind === 'merge') return `Merged ${what}`;
  if (kind === 'import') return `Imported ${what}${into}`;
  if (kind === 'updateByImport' && added < rows)
    return `Updated ${what} by import${added > 0 ? `, ${added.toLocaleString('en-AU')} of them added${into}` : ''}`;
  if (kind === 'updateByImport') return `Imported ${what}${into}`;
  if (kind === 'paste') return added === 0 ? `Pasted over ${what}` : `Pasted ${what}${into}`;
  if (kind === 'fill') return `Filled ${what}`;
  const verbs = { Added: added, Deleted: deleted, Restored: restored, Changed: changed };
  const [verb = 'Changed'] = Object.entries(verbs).find(([, count]) => count === rows) ?? [];
  return `${verb} ${what}`;
}

const present = (
  { set, latest, state }: queries.ShownSet,
  details: ChangeDetail[],
  abilities: ChangeSet['abilities'],
): ChangeSet => ({
  _id: set.id,
  kind: set.kind,
  title: titleOf({ ...latest, kind: set.kind }, latest.rows === 1 ? details[0]?.customerName : undefined),
  details,
  state,
  by: set.created_by,
  byName: set.created_by_name,
  at: set.created_at,
  lastAt: latest.last_at,
  rows: latest.rows,
  added: latest.added,
  changed: latest.changed,
  deleted: latest.deleted,
  restored: latest.restored,
  abilities,
});
