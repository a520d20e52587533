import type { HistoryEntry, HistoryValue } from '@forecourt/contract/deals';
import { dealColumns } from '@forecourt/contract/permission-defaults';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { canSee, dealershipVisible, sharingAbilities, statusVisible } from '../deals.policy.ts';
import { listStatuses, type DealRow, type InScope } from '../deals.queries.ts';
import { listEntries, namesOf } from './deal-history.queries.ts';

type Field = HistoryEntry['changes'][number]['field'];
type Action = HistoryEntry['action'];
type Values = { [field in Field]?: unknown } & { reason?: string };
type Named = { userId: string; permissions: 'view' | 'write' }[];

type Parts = {
  load: (ctx: Context, id: string) => Promise<DealRow>;
  inScope: (viewer: Viewer) => InScope;
};

/** Actions that are returned without their changes. */
const WHOLE = new Set<Action>(['deleted', 'restored']);

/**
 * Returns a function that returns the history of a row: only columns visible to the viewer, with names
 * instead of ids (docs/product/data-entry.md, History of a row).
 */
export function createDealHistory({ load, inScope }: Parts) {
  return async (ctx: Context, id: string): Promise<HistoryEntry[]> => {
    const row = await load(ctx, id);
    const fields: Field[] = [...dealColumns.filter((column) => canSee(ctx.viewer, column)), 'month'];
    if (sharingAbilities(ctx.viewer, row).share === true) fields.push('sharedWith');
    const entries = (await listEntries(ctx.db, id)).map((entry) => ({
      ...entry,
      before: (entry.before ?? {}) as Values,
      after: (entry.after ?? {}) as Values,
    }));
    const format = await createValueFormatter(
      ctx,
      inScope(ctx.viewer),
      entries.flatMap(({ before, after }) => [before, after]),
    );

    return entries.flatMap((entry): HistoryEntry[] => {
      const { before, after } = entry;
      const action = entry.action.slice('deal.'.length) as Action;
      const changes = WHOLE.has(action)
        ? []
        : fields
            .filter((field) => Object.hasOwn(after, field))
            .map((field) => ({
              field,
              before: format(field, before[field]),
              after: format(field, after[field]),
            }))
            .filter(({ before, after }) => before !== null || after !== null);
      // Skips entries that changed only hidden columns.
      if (changes.length === 0 && ['updated', 'shared', 'transferred'].includes(action)) return [];
      return [
        {
          version: entry.version!,
          at: entry.created_at,
          action,
          byName: entry.actor_name,
          reason: after.reason ?? '',
          changes,
        },
      ];
    });
  };
}

/**
 * Returns a function that formats a stored value: with names instead of ids, and null for a dealership or a
 * status hidden from the viewer.
 */
async function createValueFormatter(ctx: Context, scope: InScope, all: readonly Values[]) {
  const people = new Set(
    all.flatMap(({ owner, sharedWith }) => [
      ...(typeof owner === 'string' ? [owner] : []),
      ...((sharedWith ?? []) as Named).map(({ userId }) => userId),
    ]),
  );
  const places = new Set(
    all.flatMap(({ dealershipId }) => (typeof dealershipId === 'string' ? [dealershipId] : [])),
  );
  const names = await namesOf(ctx.db, 'users', [...people]);
  const dealerships = await namesOf(
    ctx.db,
    'dealerships',
    [...places].filter((place) => dealershipVisible.matches(scope, { dealershipId: place })),
  );
  const hidden = new Set(
    scope.exceptStatuses.length === 0
      ? []
      : (await listStatuses(ctx.db))
          .filter(({ id }) => !statusVisible.matches(scope, { statusId: id }))
          .map(({ name }) => name),
  );

  return (field: Field, value: unknown): HistoryValue => {
    if (value === undefined || value === null || value === '') return null;
    const text = typeof value === 'string' ? value : '';
    if (field === 'dealershipId') return dealerships.get(text) ?? null;
    if (field === 'owner') return names.get(text) ?? null;
    if (field === 'status') return hidden.has(text) ? null : text;
    if (field === 'sharedWith')
      return (value as Named).map(({ userId, permissions }) => ({
        name: names.get(userId) ?? '',
        permissions,
      }));
    return value as HistoryValue;
  };
}
