import {
  isCustomKey,
  type CustomKey,
  type CustomValue,
  type CustomValues,
} from '@forecourt/contract/custom-field-types';
import { grossProfitOf, sumOfLines } from '@forecourt/contract/deal-amounts';
import {
  dealColumns,
  fieldOf,
  typedFields,
  type DealColumn,
  type FieldType,
  type TypedField,
  type TypedType,
} from '@forecourt/contract/deal-fields';
import type { Deal, DealItem, DealPatch } from '@forecourt/contract/deals';
import type { Tables } from '../../platform/db/schema.generated.ts';
import type { Viewer } from '../../platform/http/context.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { presentAccess } from '../../platform/sharing/access.ts';
import {
  canDelete,
  canEdit,
  canEmail,
  canSee,
  visibleColumnsOf,
  visibleCustomColumnsOf,
  sharingAbilities,
  type DealAccess,
} from './deals.policy.ts';
import type { DealRow, ListedRow } from './deals.queries.ts';

/** Validated values of custom fields; null clears a value. */
export type CustomChanges = { [key in CustomKey]?: CustomValue | null };

/** The fields that a write sets: typed and derived values. */
export type DealValues = Omit<
  DealPatch,
  'version' | 'items' | 'custom' | 'owner' | 'sharedWith' | 'grossProfit' | 'commissionRate' | 'commission'
> & {
  custom?: CustomChanges | undefined;
  items?: DealItem[] | undefined;
  commissionRate?: number | null;
  commission?: number | null;
};

type Column = Exclude<
  keyof Tables['deals'],
  'id' | 'version' | 'field_versions' | 'commission' | 'search_text'
>;
export type DealColumns = Partial<Record<Exclude<Column, 'custom'>, string | number | null>> & {
  custom?: CustomValues;
};

type SqlType = 'text' | 'date' | 'numeric' | 'timestamptz' | 'uuid' | 'jsonb';
/**
 * The column of `deals` that stores a field. `isPlain`: a change writes the typed value and affects no other
 * field.
 */
type Stored = { name: Column & keyof ListedRow; type: SqlType; isPlain?: true };

/** A field whose value does not depend on the viewer. */
type SharedField = {
  /** Viewers who see this column see the field; without a column everybody does. */
  column?: DealColumn;
  /** Absent for `status` and `items`, which are stored as a reference and in a separate table. */
  stored?: Stored;
  isRecorded?: true;
  /** `custom` contains the visible custom fields. */
  of: (row: ListedRow, custom: readonly CustomKey[]) => unknown;
};
/** A field whose value depends on the viewer, and on who has access to the row. */
type ViewerField = {
  column?: undefined;
  stored?: undefined;
  isRecorded?: undefined;
  of?: undefined;
  for: (viewer: Viewer, row: DealAccess) => unknown;
};
type Field = SharedField | ViewerField;

/** Converts `saleAmount` to `sale_amount`. */
type ColumnName<F extends string> = F extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${ColumnName<Rest>}`
  : F;

const stored = <F extends DealColumn>(column: F, type: SqlType) => {
  const name = column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as ColumnName<F>;
  return {
    column,
    stored: { name, type },
    isRecorded: true as const,
    of: (row: ListedRow) => row[name as keyof ListedRow],
  };
};

/** The SQL types of values, by type of field; undefined for ids, and for what other tables have. */
export const SQL_TYPES = {
  text: 'text',
  longText: 'text',
  phone: 'text',
  email: 'text',
  link: 'text',
  number: 'numeric',
  currency: 'numeric',
  percent: 'numeric',
  date: 'date',
  time: 'timestamptz',
} as const satisfies { readonly [type in FieldType]?: SqlType };

/** Fields whose change affects other fields: the commission, or whether a follow-up is due. */
const AFFECTING = ['saleAmount', 'followUpAt'] as const;
type PlainTyped = Exclude<TypedField, (typeof AFFECTING)[number]>;
const plainFields = Object.fromEntries(
  typedFields
    .filter((name): name is PlainTyped => !(AFFECTING as readonly string[]).includes(name))
    .map((name) => {
      const field = stored(name, SQL_TYPES[fieldOf(name).type as TypedType]);
      return [name, { ...field, stored: { ...field.stored, isPlain: true } }];
    }),
) as unknown as {
  [F in PlainTyped]: {
    column: F;
    stored: { name: ColumnName<F>; type: SqlType; isPlain: true };
    isRecorded: true;
    of: (row: ListedRow) => unknown;
  };
};
const read = (column: DealColumn, of: (row: ListedRow) => unknown) => ({
  column,
  isRecorded: true as const,
  of,
});

/** Returns the non-empty values of these custom fields. */
const valuesOf = ({ custom }: ListedRow, keys: readonly CustomKey[]): CustomValues => {
  const stored = custom as CustomValues;
  const values: CustomValues = {};
  for (const key of keys) {
    const value = stored[key];
    if (value !== undefined) values[key] = value;
  }
  return values;
};

/** All fields of a response, for select, insert, update, export and audit log. */
const FIELDS = {
  _id: { of: (row) => row.id },
  status: read('status', (row) => row.status),
  dealershipId: stored('dealershipId', 'uuid'),
  dealershipName: read('dealershipId', (row) => row.dealership_name),
  ...plainFields,
  saleAmount: stored('saleAmount', 'numeric'),
  items: read('items', (row) => row.items),
  grossProfit: read('grossProfit', (row) => grossProfitOf(row.sale_amount, row.cost_amount)),
  commissionRate: stored('commissionRate', 'numeric'),
  commission: read('commission', (row) => row.commission),
  followUpAt: stored('followUpAt', 'timestamptz'),
  owner: read('owner', (row) => row.owner_id),
  ownerName: read('owner', (row) => row.owner_name),
  createdBy: read('owner', (row) => row.created_by),
  lastEmailedAt: read('lastEmailedAt', (row) => row.last_emailed_at),
  emailStatus: read('lastEmailedAt', (row) => row.email_status),
  isChangedSinceSent: read('lastEmailedAt', (row) => row.is_changed_since_sent ?? false),
  custom: { stored: { name: 'custom', type: 'jsonb' }, of: (row, custom) => valuesOf(row, custom) },
  month: { stored: { name: 'month', type: 'text' }, isRecorded: true, of: (row) => row.month },
  createdAt: { of: (row) => row.created_at },
  updatedAt: { of: (row) => row.updated_at },
  updatedByName: { of: (row) => row.updated_by_name },
  version: { of: (row) => row.version },
  // Last, so that the texts of all other fields can be cached.
  sharedWith: { for: (viewer, row) => presentAccess(viewer, 'deal', row).sharedWith },
  abilities: {
    for: (viewer, row) => ({
      edit: canEdit(viewer, row),
      delete: canDelete(viewer, row),
      email: canEmail(viewer),
      ...sharingAbilities(viewer, row),
    }),
  },
} as const satisfies Record<keyof Deal, Field>;

type Fields = typeof FIELDS;
type FieldWith<P> = { [field in keyof Fields]: Fields[field] extends P ? field : never }[keyof Fields];
export type StoredField = FieldWith<{ stored: Stored }>;
export type PlainField = FieldWith<{ stored: { isPlain: true } }>;

const FIELD: Record<keyof Deal, Field> = FIELDS;

/** The fields that are stored in a column of their own. */
export const storedFields = (Object.keys(FIELDS) as (keyof Deal)[]).filter(
  (field): field is StoredField => FIELD[field].stored !== undefined,
);
export const columnOf = (field: StoredField): Stored => FIELDS[field].stored;

/** The columns of `deals` in responses. */
export const STORED = [
  'id',
  'status_id',
  ...storedFields.map((field) => columnOf(field).name as Fields[StoredField]['stored']['name']),
  'commission',
  'owner_id',
  'created_by',
  'created_at',
  'updated_at',
  'updated_by',
  'version',
] as const satisfies readonly (keyof ListedRow)[];
export const isPlain = (field: string): field is PlainField =>
  Object.hasOwn(FIELDS, field) && FIELD[field as keyof Deal].stored?.isPlain === true;

export function columnsOf(input: DealValues): DealColumns {
  const columns: DealColumns = {};
  for (const field of storedFields) {
    const value = input[field];
    if (value !== undefined) Object.assign(columns, { [columnOf(field).name]: value });
  }
  return columns;
}

const fieldNames = Object.keys(FIELDS) as (keyof Deal)[];
/** The fields that every response has. */
const IDENTITY: ReadonlySet<keyof Deal> = new Set(['_id', 'version'] as const);

/** Returns the visible fields, or the requested ones. Throws a 400 about `fields` for the first hidden one. */
export function fieldsFor(viewer: Viewer, requestedFields?: readonly (keyof Deal)[]): (keyof Deal)[] {
  const seen = new Set<DealColumn | undefined>([undefined, ...visibleColumnsOf(viewer)]);
  const hasCustom = visibleCustomColumnsOf(viewer).length > 0;
  const exists = (field: keyof Deal): boolean =>
    field === 'custom' ? hasCustom : seen.has(FIELD[field].column);
  if (!requestedFields) return fieldNames.filter(exists);
  const hidden = requestedFields.find((field) => !exists(field));
  if (hidden !== undefined) throw invalidField('fields', `You may not see ${hidden}`);
  return fieldNames.filter((field) => requestedFields.includes(field) || IDENTITY.has(field));
}

/** Returns a function that reads a field of a row; created once for many rows. */
function createReader(viewer: Viewer): (row: ListedRow, field: keyof Deal) => unknown {
  const custom = visibleCustomColumnsOf(viewer);
  return (row, field) => {
    const one = FIELD[field];
    return one.of ? one.of(row, custom) : one.for(viewer, row);
  };
}

function withFields(
  readField: ReturnType<typeof createReader>,
  row: ListedRow,
  fields: readonly (keyof Deal)[],
): Deal {
  const deal: Record<string, unknown> = {};
  for (const field of fields) deal[field] = readField(row, field);
  return deal as Deal;
}

/** A row as an object, or as an array of values. */
type Shape = 'items' | 'rows';

/**
 * Returns a function that serialises rows with these fields. `textOf` may cache the part that all viewers who see these
 * fields share; the rest is serialised once for all rows with the same people.
 */
export function createSerialiser<R extends { row: ListedRow }>(
  viewer: Viewer,
  fields: readonly (keyof Deal)[],
  shape: Shape,
  textOf: (entry: R, form: string, serialise: (row: ListedRow) => string) => string = (entry, _form, make) =>
    make(entry.row),
): (entry: R) => string {
  const shared = fields.filter((field) => FIELD[field].of);
  const own = fields.filter((field) => !FIELD[field].of);
  const custom = shared.includes('custom') ? visibleCustomColumnsOf(viewer).join() : '';
  const form = `${shape} ${shared.join()} ${custom}`;
  const readField = createReader(viewer);
  // Removes the brackets.
  const serialise = (row: ListedRow, some: readonly (keyof Deal)[]): string =>
    JSON.stringify(
      shape === 'items' ? withFields(readField, row, some) : some.map((field) => readField(row, field)),
    ).slice(1, -1);
  const serialiseShared = (row: ListedRow) => serialise(row, shared);
  const [open, close] = shape === 'items' ? ['{', '}'] : ['[', ']'];
  const endOf = (row: ListedRow): string => (own.length === 0 ? close : `,${serialise(row, own)}${close}`);
  const unsharedEnds = new Map<string, Map<string, string>>();

  return (entry) => {
    const { row } = entry;
    const start = open + textOf(entry, form, serialiseShared);
    if (row.shares.length > 0) return start + endOf(row);
    const byCreator = unsharedEnds.getOrInsertComputed(row.owner_id, () => new Map());
    return start + byCreator.getOrInsertComputed(row.created_by, () => endOf(row));
  };
}

/** Returns the row without columns hidden from this viewer. */
export const present = (viewer: Viewer, row: ListedRow): Deal =>
  withFields(createReader(viewer), row, fieldsFor(viewer));

const recordedFields = fieldNames.filter((field) => FIELD[field].isRecorded);

/** Returns the whole row for the audit log, including columns hidden from the user who changes it. */
export const recorded = (row: DealRow): Recorded => ({
  ...Object.fromEntries(recordedFields.map((field) => [field, FIELD[field].of!(row, [])])),
  ...(row.custom as CustomValues),
});

/** A row in the audit log, with the values of custom fields at the top level. */
export type Recorded = Partial<Omit<Deal, 'custom'>> & CustomValues;

/** Returns these fields; null for a custom field without a value. */
export const pick = (row: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.map((field) => {
      const value = (row as Record<string, unknown>)[field];
      return [field, value === undefined && isCustomKey(field) ? null : value];
    }),
  );

/** Moves the values of custom fields to the top level. */
export const flat = ({ custom, ...values }: { custom?: object | undefined }): Record<string, unknown> => ({
  ...values,
  ...custom,
});

/** Moves the values of custom fields from the top level to `custom`, which is absent if there are none. */
export function splitCustom(values: object): Record<string, unknown> & { custom?: CustomChanges } {
  const { custom, others = [] } = Object.groupBy(Object.entries(values), ([field]) =>
    isCustomKey(field) ? 'custom' : 'others',
  );
  return { ...Object.fromEntries(others), ...(custom && { custom: Object.fromEntries(custom) }) };
}

/** Returns the first column of the input that is hidden from this viewer. */
export const hiddenIn = (viewer: Viewer, input: object): string | undefined =>
  dealColumns.find((column) => Object.hasOwn(input, column) && !canSee(viewer, column)) ??
  Object.keys(input).find((name) => isCustomKey(name) && !canSee(viewer, name));

export const HIDDEN_COLUMN = 'You may not see this column';

/** Throws a 400 for the first column of the input that is hidden from this viewer. */
export function refuseHidden(viewer: Viewer, input: object): void {
  const hidden = hiddenIn(viewer, input);
  if (hidden !== undefined) throw invalidField(hidden, HIDDEN_COLUMN);
}

/** Throws a 400 about a field of the request unless the viewer sees this column. */
export function requireColumn(viewer: Viewer, column: DealColumn | CustomKey, field: string): void {
  if (!canSee(viewer, column)) throw invalidField(field, HIDDEN_COLUMN);
}

/** Returns the sum of the items; null if there are none. */
export const itemsSum = (items: readonly DealItem[]): number | null =>
  items.length === 0 ? null : sumOfLines(items);
