import { caselessKey } from '@forecourt/contract/characters';
import { isCustomKey, type CustomKey } from '@forecourt/contract/custom-field-types';
import { fieldOf, fieldValue, type DealFieldName } from '@forecourt/contract/deal-fields';
import type { ImportBody, MatchBy } from '@forecourt/contract/deal-import';
import { MAX_MATCHES } from '@forecourt/contract/deal-limits';
import { computedFields, NewDeal } from '@forecourt/contract/deals';
import { comparedTypes, type ImportKind } from '@forecourt/contract/import-modes';
import { validate, type Issue } from '@forecourt/contract/validate';
import type { Tx } from '../../../platform/db/database.ts';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { AppError, invalidField } from '../../../platform/http/errors.ts';
import { readRows, startEach } from '../../../platform/http/many-rows.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { lockRecords } from '../../../platform/sharing/shares.queries.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import { columnOf, requireColumn } from '../deals.fields.ts';
import { canAdd, canChangeMany, canEdit } from '../deals.policy.ts';
import { findDeals, type DealRow, type InScope } from '../deals.queries.ts';
import { changersOf } from '../write/change-deals.queries.ts';
import type { DealCreation } from '../write/create-deals.service.ts';
import {
  versionsOf,
  type createDealValues,
  type FieldsPatch,
  type PlannedChange,
} from '../write/deal-values.service.ts';
import type { ReadRow } from '../write/new-rows.service.ts';
import { findNewestByKey } from './deal-import.queries.ts';

export type PlanParts = {
  creation: Pick<DealCreation, 'reader' | 'add'>;
  values: Pick<ReturnType<typeof createDealValues>, 'plannerOfMany'>;
  customFields: Pick<CustomFieldsService, 'definitions' | 'definitionsInHistory'>;
  inScope: (viewer: Viewer) => InScope;
};
type Found = Awaited<ReturnType<typeof findNewestByKey>>[number];

/** What an import does with a row of the request. */
export type PlannedRow = {
  kind: ImportKind;
  /** The existing row that matches. */
  row?: DealRow;
  change?: PlannedChange;
  added?: ReadRow;
  /** The rows that match, unless `row` is the only one. */
  candidates?: readonly Found[];
  reason?: string;
  /** The row of the request for the same row, because of which this one is refused. */
  earlierRow?: number;
};
/** The existing row that a row of the request changes, or the key of the one that it adds. */
type Target = Pick<PlannedRow, 'kind' | 'reason' | 'earlierRow'> & { id?: string; key?: string };
type Result = PlannedRow | { issues: Issue[] };
type Patch = { patch: FieldsPatch };

/** Number of rows that are read or planned together. */
const PART = 200;

const TWICE = 'Another line is for the same row. Leave one of them out.';
const REASONS = {
  unmatched: 'No row that you may see matches it.',
  matched: 'A row matches it now. Import it again to update that row.',
  ambiguous: 'Several rows match it equally well.',
  changed: 'The row no longer matches it, or you no longer see the row.',
  edit: 'Only its owner, its creator, an administrator or a person with an edit share may change this row.',
};

/**
 * Returns what an import does with each row of its request, in order. In a transaction it locks the rows that it
 * changes, and throws a 400 if two rows of the request are for one row. Throws the 403 for rows that the viewer may not
 * add, or a 400 that names the invalid cells.
 */
export async function planImport(
  parts: PlanParts,
  ctx: Context,
  { rows: inputs, defaults = {}, mode, matchBy, emptyClears, decisions }: ImportBody,
): Promise<PlannedRow[]> {
  const { viewer } = ctx;
  const isAdding =
    mode !== 'update' || decisions.some(({ deal }) => deal === 'new' || deal === 'newIfUnmatched');
  if (isAdding) requireAbility(canAdd(viewer));
  if (inputs.length > 1 && !canChangeMany(viewer)) requireAbility('NO_BULK_EDIT');
  const decided = new Map(decisions.map((decision) => [decision.row, decision]));
  const strange = decisions.findIndex((one) => one.row >= inputs.length || decided.get(one.row) !== one);
  if (strange >= 0) throw invalidField(`decisions.${strange}.row`, 'Must be another row of this import');

  const isLeft = (index: number): boolean => decided.get(index)?.deal === 'none';
  const patches = mode === 'add' ? [] : await readPatches(ctx, inputs, emptyClears, isLeft);
  const keys = mode === 'add' ? [] : keysOf(viewer, matchBy, patches);
  const found = await findMatches(parts, ctx, matchBy!, keys);

  const separate = inputs.map((_, index): Target => {
    const deal = decided.get(index)?.deal;
    const candidates = found[index] ?? [];
    if (deal === 'none' || deal === 'new') return { kind: deal };
    if (deal === 'newIfUnmatched')
      return candidates.length > 0 ? { kind: 'refused', reason: REASONS.matched } : { kind: 'new' };
    if (deal !== undefined)
      return candidates.some(({ id }) => id === deal)
        ? { kind: 'changed', id: deal }
        : { kind: 'refused', reason: REASONS.changed };
    if (candidates.length === 1) return { kind: 'changed', id: candidates[0]!.id };
    if (candidates.length > 1) return { kind: 'ambiguous', reason: REASONS.ambiguous };
    if (mode === 'update') return { kind: 'unmatched', reason: REASONS.unmatched };
    return { kind: 'new', ...(keys[index] && { key: keys[index] }) };
  });
  const targets = refuseTwice(separate);
  const ids = targets.flatMap(({ id }) => id ?? []);
  // Read after all are locked: what others have saved before is seen, and they wait for the rest.
  if (ctx.db.isTransaction) {
    await requireOnce(ctx, matchBy!, targets);
    await lockRecords(ctx.db as Tx, 'deal', ids);
  }

  const readNew = await parts.creation.reader(ctx);
  const planChange = parts.values.plannerOfMany(ctx);
  const planRow = async (row: DealRow | undefined, index: number): Promise<Result> => {
    if (!row || keyOf(matchBy!, storedValues(row)) !== keys[index])
      return { kind: 'refused', reason: REASONS.changed };
    if (canEdit(viewer, row) !== true) return { kind: 'refused', row, reason: REASONS.edit };
    try {
      const patch = withoutKey(matchBy!, patches[index]!);
      const { conflicts, change } = await planChange(row, patch, decided.get(index)?.version);
      if (conflicts)
        return { kind: 'refused', row, reason: await describeConflict(parts, ctx, row, conflicts) };
      return change ? { kind: 'changed', row, change } : { kind: 'same', row };
    } catch (error) {
      return { issues: issuesOf(error) };
    }
  };
  const planNew = (index: number): Result => {
    const input = inputs[index]!;
    const values = mode === 'add' ? input : withEmptyValues(input, 'left');
    const read = readNew({ ...defaults, ...values });
    if ('refusal' in read) throw read.refusal;
    return 'issues' in read ? read : { kind: 'new', added: read.row };
  };

  const results: Result[] = [];
  const starts = Array.from({ length: Math.ceil(inputs.length / PART) }, (_, part) => part * PART);
  for (const start of starts) {
    const part = targets.slice(start, start + PART);
    const partIds = part.flatMap(({ id }) => id ?? []);
    const rows = partIds.length > 0 ? await findDeals(ctx.db, parts.inScope(viewer), partIds) : [];
    const byId = new Map(rows.map((row) => [row.id, row]));
    const planned = await startEach(ctx, part, async ({ id, kind, ...rest }, place): Promise<Result> => {
      if (id !== undefined) return planRow(byId.get(id), start + place);
      return kind === 'new' ? planNew(start + place) : { kind, ...rest };
    });
    for (const [place, result] of planned.entries()) {
      const candidates = found[start + place] ?? [];
      const isOfRow = candidates.length === 1 && 'row' in result;
      results.push(isOfRow ? result : { ...result, candidates });
    }
  }
  return readRows<Result, PlannedRow>(ctx, 'rows', results, (result) => result);
}

/** Returns the typed values of each row. Throws a 400 that names the invalid cells, except those of rows left out. */
const readPatches = (
  ctx: Context,
  inputs: readonly object[],
  emptyClears: boolean,
  isLeft: (index: number) => boolean,
): Promise<Patch[]> =>
  readRows<object, Patch>(ctx, 'rows', inputs, (input, index) => {
    const { data, issues } = validate(EveryField, withEmptyValues(input, emptyClears ? 'cleared' : 'left'));
    if (data) return { patch: data as FieldsPatch };
    return isLeft(index) ? { patch: {} } : { issues };
  });

const EveryField = NewDeal.partial();
const computed: ReadonlySet<string> = new Set(computedFields);
/** Fields that always have a value: an empty cell leaves theirs. */
const NEVER_EMPTY: ReadonlySet<string> = new Set(['status', 'dealershipId', 'month']);
const EMPTY_TEXTS: ReadonlySet<string> = new Set(['text', 'longText', 'phone', 'email']);

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the row without computed fields, and with its empty values left out, or in the form that clears them. */
function withEmptyValues(input: object, empty: 'left' | 'cleared'): object {
  const read = (values: object): object =>
    Object.fromEntries(
      Object.entries(values).flatMap(([field, value]: [string, unknown]) => {
        if (computed.has(field)) return [];
        if (field === 'custom' && typeof value === 'object' && value !== null) return [[field, read(value)]];
        if (!isEmpty(value)) return [[field, value]];
        if (empty === 'left' || NEVER_EMPTY.has(field)) return [];
        return [[field, emptyValueOf(field)]];
      }),
    );
  return read(input);
}

function emptyValueOf(field: string): unknown {
  if (field === 'items') return [];
  if (isCustomKey(field)) return null;
  return EMPTY_TEXTS.has(fieldOf(field as DealFieldName)?.type) ? '' : null;
}

/** The fields that are compared. */
type KeyField = keyof typeof NewDeal.shape & DealFieldName;
const fieldsOf = (matchBy: MatchBy): readonly (KeyField | CustomKey)[] => {
  if (matchBy === 'dealNumber') return ['dealNumber'];
  return matchBy === 'phoneAndName' ? ['customerNumber', 'customerName'] : [matchBy.column];
};

type ValueOf = (field: KeyField | CustomKey) => string | number | undefined;
const typedValues =
  ({ patch }: Patch): ValueOf =>
  (field) =>
    fieldValue(patch, field) as ReturnType<ValueOf>;
const storedValues =
  (row: DealRow): ValueOf =>
  (field) =>
    isCustomKey(field)
      ? (row.custom as Record<string, string | number | undefined>)[field]
      : (row[columnOf(field as 'dealNumber').name] as string);

/** Returns the typed values without those by which the row was found, whose spelling stays. */
function withoutKey(matchBy: MatchBy, { patch }: Patch): FieldsPatch {
  const isOther = ([field]: [string, unknown]): boolean =>
    !(fieldsOf(matchBy) as readonly string[]).includes(field);
  const without = <V extends object>(values: V): V =>
    Object.fromEntries(Object.entries(values).filter(isOther)) as V;
  return { ...without(patch), ...(patch.custom && { custom: without(patch.custom) }) };
}

/** Returns the values by which a row is found, in lower case, as one text; empty if it lacks one. */
function keyOf(matchBy: MatchBy, valueOf: ValueOf): string {
  const values = fieldsOf(matchBy).map((field) => caselessKey(String(valueOf(field) ?? '')));
  return values.includes('') ? '' : values.join('\n');
}

/** Returns the key of each row. Throws a 400 about `matchBy` if no row can have one. */
function keysOf(viewer: Viewer, matchBy: MatchBy | undefined, patches: readonly Patch[]): string[] {
  if (matchBy === undefined) throw invalidField('matchBy', 'Choose how lines find their rows');
  for (const field of fieldsOf(matchBy)) {
    requireColumn(viewer, field as CustomKey, 'matchBy');
    const type = viewer.customColumns.find(({ key }) => key === field)?.type;
    if (type !== undefined && !comparedTypes.includes(type))
      throw invalidField('matchBy', 'Rows cannot be found by a field of this type');
  }
  const keys = patches.map((patch) => keyOf(matchBy, typedValues(patch)));
  if (keys.every((key) => key === ''))
    throw invalidField('matchBy', 'No line has a value in the column by which lines find their rows');
  return keys;
}

/** Returns the targets, of which each for the row of an earlier one is refused. */
function refuseTwice(targets: readonly Target[]): Target[] {
  const rows = new Map<string, number>();
  return targets.map((target, index) => {
    const written = target.id ?? target.key;
    if (written === undefined) return target;
    const earlierRow = rows.get(written);
    if (earlierRow !== undefined) return { kind: 'refused', reason: TWICE, earlierRow };
    rows.set(written, index);
    return target;
  });
}

/** Throws a 400 that names each row of the request for the row of an earlier one. */
async function requireOnce(ctx: Context, matchBy: MatchBy, targets: readonly Target[]): Promise<void> {
  await readRows<Target, object>(ctx, 'rows', targets, ({ earlierRow }) => {
    if (earlierRow === undefined) return {};
    const [field] = fieldsOf(matchBy);
    return { issues: [{ path: isCustomKey(field!) ? ['custom', field] : [field!], message: TWICE }] };
  });
}

/** Returns the rows that match each key, newest first. */
async function findMatches(
  { inScope }: PlanParts,
  { db, viewer }: Context,
  matchBy: MatchBy,
  keys: readonly string[],
): Promise<(readonly Found[])[]> {
  const uniqueKeys = [...new Set(keys)].filter((key) => key !== '').map((key) => key.split('\n'));
  if (uniqueKeys.length === 0) return [];
  const rows = await findNewestByKey(db, inScope(viewer), matchBy, uniqueKeys, MAX_MATCHES);
  const byKey = Map.groupBy(rows, ({ key }) => key.join('\n'));
  return keys.map((key) => byKey.get(key) ?? []);
}

/** Returns the invalid fields of a refused change. Throws other errors. */
function issuesOf(error: unknown): Issue[] {
  const errors = error instanceof AppError ? error.details.errors : undefined;
  if (!errors) throw error;
  return Object.entries(errors).map(([path, message]) => ({ path: path.split('.'), message }));
}

/** Returns who changed which fields since the version that the viewer saw. */
async function describeConflict(
  { customFields }: PlanParts,
  { db }: Context,
  row: DealRow,
  fields: readonly string[],
): Promise<string> {
  const custom = await customFields.definitions(db);
  const changers = await changersOf(db, row.id, versionsOf(row), fields);
  const labels = fields.map(
    (field) => custom.find(({ key }) => key === field)?.name ?? fieldOf(field as DealFieldName).label,
  );
  const by = [...new Set(changers.map(({ byName }) => byName))].join(', ') || 'Somebody';
  return `${by} changed ${labels.join(', ')} of this row since.`;
}
