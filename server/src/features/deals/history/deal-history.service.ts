import { readableCustomValue, type CustomValue } from '@forecourt/contract/custom-field-types';
import { dealColumns } from '@forecourt/contract/deal-fields';
import type { HistoryEntry, HistoryValue } from '@forecourt/contract/deals';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { isAdmin } from '../../../platform/http/policy.ts';
import { namesOf } from '../../../platform/records.queries.ts';
import type { AccessFields } from '../../../platform/sharing/access.ts';
import type {
  CustomFieldDefinition,
  CustomFieldsService,
} from '../../custom-fields/custom-fields.service.ts';
import { canSee, dealershipVisible, seesChangeSet, sharingAbilities } from '../deals.policy.ts';
import type { DealRow, InScope } from '../deals.queries.ts';
import { listMergedRows } from '../merge/deal-merge.queries.ts';
import { customersOf, everyNameOf, listEntries, type StoredEntry } from './deal-history.queries.ts';

type Change = HistoryEntry['changes'][number];
type Field = Change['field'];
export type Action = HistoryEntry['action'];
export type Values = { [field in Field]?: unknown } & { reason?: string };
type CommentValues = { commentId: string; body: string };
type Named = { userId: string; permissions: 'view' | 'write' }[];

type Parts = {
  customFields: Pick<CustomFieldsService, 'definitionsInHistory'>;
  load: (ctx: Context, id: string) => Promise<DealRow>;
  inScope: (viewer: Viewer) => InScope;
};

/** Returns the name and the type of a custom field; undefined for other fields. */
function definitionOf(custom: readonly CustomFieldDefinition[], field: Field) {
  const definition = custom.find(({ key }) => key === field);
  return definition && { custom: { name: definition.name, type: definition.type } };
}

/** Actions that are listed without their changes. */
export const WHOLE = new Set<Action>(['deleted', 'restored']);

/**
 * Returns a function that presents the changes between the values of audit entries about a row: visible columns, with
 * names instead of ids. Those that show nothing before and after are left out, unless `withEmpty` is true.
 * @param all the values of all entries that will be presented
 */
export async function createChangePresenter(
  ctx: Context,
  scope: InScope,
  custom: readonly CustomFieldDefinition[],
  all: readonly Values[],
): Promise<(row: AccessFields, before: Values, after: Values, withEmpty?: boolean) => Change[]> {
  const format = await createValueFormatter(ctx, scope, custom, all);
  const seen: Field[] = [
    ...dealColumns.filter((column) => canSee(ctx.viewer, column)),
    ...custom.map(({ key }) => key),
    'month',
    'mergedRows',
  ];
  return (row, before, after, withEmpty = false) => {
    const fields: Field[] = sharingAbilities(ctx.viewer, row).share === true ? [...seen, 'sharedWith'] : seen;
    return fields
      .filter((field) => Object.hasOwn(after, field))
      .map((field) => ({
        field,
        ...definitionOf(custom, field),
        before: format(field, before[field]),
        after: format(field, after[field]),
      }))
      .filter((change) => withEmpty || change.before !== null || change.after !== null);
  };
}

/**
 * Returns a function that returns the history of a row and of visible rows merged into it: visible columns, with names instead of ids
 * (docs/product/data-entry.md, History of a row).
 */
export function createDealHistory({ load, customFields, inScope }: Parts) {
  return async (ctx: Context, id: string): Promise<HistoryEntry[]> => {
    const row = await load(ctx, id);
    const custom = await customFields.definitionsInHistory(ctx.db, ctx.viewer);
    const merged = await listMergedRows(ctx.db, inScope(ctx.viewer), id);
    const entries = (await listEntries(ctx.db, [id, ...merged])).map((entry) => ({
      ...entry,
      before: (entry.before ?? {}) as Values,
      after: (entry.after ?? {}) as Values,
    }));
    const all = entries.flatMap(({ before, after }) => [before, after]);
    const changesOf = await createChangePresenter(ctx, inScope(ctx.viewer), custom, all);

    const presentComment = createCommentPresenter(entries);
    return entries.flatMap((entry): HistoryEntry[] => {
      const { before, after } = entry;
      if (entry.action.endsWith('.moved')) return [];
      if (entry.entity === 'deal-comments') return [presentComment(entry)];
      if (entry.entity === 'deal-attachments') return [presentAttachment(entry)];
      const action = entry.action.slice('deal.'.length) as Action;
      // Whether the viewer may share this row says nothing about a row that was merged into it.
      const seesShares = entry.record_id === id || isAdmin(ctx.viewer);
      const changes = WHOLE.has(action)
        ? []
        : changesOf(row, before, after).filter(({ field }) => seesShares || field !== 'sharedWith');
      // Skips entries whose changed columns are all hidden.
      if (changes.length === 0 && ['updated', 'shared', 'transferred'].includes(action)) return [];
      return [
        {
          _id: String(entry.id),
          dealId: entry.record_id!,
          version: entry.version!,
          at: entry.created_at,
          action,
          changeSetId: seesChangeSet(ctx.viewer, entry.actor_id) ? entry.change_set_id : null,
          byName: entry.actor_name,
          reason: after.reason ?? '',
          changes,
        },
      ];
    });
  };
}

type PresentedEntry = Pick<StoredEntry, 'id' | 'record_id' | 'action' | 'created_at' | 'actor_name'> & {
  before: object;
  after: object;
};

/** Presents an entry about a comment or a file, which has neither a version nor a reason. */
const presentBeside = (
  { id, record_id, created_at, actor_name }: PresentedEntry,
  action: Action,
  changes: HistoryEntry['changes'],
): HistoryEntry => ({
  _id: String(id),
  dealId: record_id!,
  version: null,
  at: created_at,
  action,
  changeSetId: null,
  byName: actor_name,
  reason: '',
  changes,
});

const COMMENT_ACTIONS: Record<string, Action> = {
  added: 'commentAdded',
  edited: 'commentEdited',
  removed: 'commentRemoved',
};

/** Returns a function that presents an entry about a comment, without the text of a deleted one. */
function createCommentPresenter(entries: readonly PresentedEntry[]): (entry: PresentedEntry) => HistoryEntry {
  const removed = new Set<string | undefined>(
    entries
      .filter(({ action }) => action === 'deal-comments.removed')
      .map(({ before }) => (before as CommentValues).commentId),
  );
  return (entry) => {
    const before: Partial<CommentValues> = entry.before;
    const after: Partial<CommentValues> = entry.after;
    const isGone = removed.has(after.commentId ?? before.commentId);
    return presentBeside(
      entry,
      COMMENT_ACTIONS[entry.action.slice('deal-comments.'.length)]!,
      isGone ? [] : [{ field: 'comment', before: before.body ?? null, after: after.body ?? null }],
    );
  };
}

function presentAttachment(entry: PresentedEntry): HistoryEntry {
  const nameIn = (values: { name?: string }) => values.name ?? null;
  const action = entry.action === 'deal-attachments.added' ? 'attachmentAdded' : 'attachmentRemoved';
  return presentBeside(entry, action, [
    { field: 'attachment', before: nameIn(entry.before), after: nameIn(entry.after) },
  ]);
}

/** Returns a function that formats a stored value with names; null for a hidden dealership or status. */
async function createValueFormatter(
  ctx: Context,
  scope: InScope,
  custom: readonly CustomFieldDefinition[],
  all: readonly Values[],
) {
  const people = new Set(
    all.flatMap(({ owner, sharedWith }) => [
      ...(typeof owner === 'string' ? [owner] : []),
      ...((sharedWith ?? []) as Named).map(({ userId }) => userId),
    ]),
  );
  for (const { key } of custom.filter(({ type }) => type === 'person'))
    for (const values of all) if (typeof values[key] === 'string') people.add(values[key]);
  const places = new Set(
    all.flatMap(({ dealershipId }) => (typeof dealershipId === 'string' ? [dealershipId] : [])),
  );
  const names = await namesOf(ctx.db, 'users', [...people]);
  const dealerships = await namesOf(
    ctx.db,
    'dealerships',
    [...places].filter((place) => dealershipVisible.matches(scope, { dealershipId: place })),
  );
  const hidden = await everyNameOf(ctx.db, scope.exceptStatuses);
  const merged = canSee(ctx.viewer, 'customerName')
    ? await customersOf(
        ctx.db,
        scope,
        all.flatMap(({ mergedRows }) => (mergedRows ?? []) as string[]),
      )
    : new Map<string, string>();

  return (field: Field, value: unknown): HistoryValue => {
    if (value === undefined || value === null || value === '') return null;
    const text = typeof value === 'string' ? value : '';
    const definition = custom.find(({ key }) => key === field);
    if (definition) {
      const readable = readableCustomValue(definition, value as CustomValue, (id) => names.get(id));
      return readable === '' ? null : readable;
    }
    if (field === 'dealershipId') return dealerships.get(text) ?? null;
    if (field === 'owner') return names.get(text) ?? null;
    if (field === 'mergedRows')
      return (value as string[]).flatMap((id) => merged.get(id) ?? []).join(', ') || null;
    if (field === 'status') return hidden.has(text) ? null : text;
    if (field === 'sharedWith')
      return (value as Named).map(({ userId, permissions }) => ({
        name: names.get(userId) ?? '',
        permissions,
      }));
    return value as HistoryValue;
  };
}
