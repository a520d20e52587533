import type { CustomFieldType, CustomKey, CustomValue } from './custom-field-types.ts';
import { MAX_EMAIL_LENGTH } from './email-address.ts';

// The fields of a deal. Plain values, which browsers import without the schemas. Each entry decides schemas, filter,
// sort, export, import, variables, permissions and labels. `deals.fields.ts` of the server defines where a field is
// stored, `deals.columns.tsx` of the browser its column.

/** The types of custom and built-in fields. A `record` is a status, dealership or user, and never empty. */
export type FieldType = CustomFieldType | 'phone' | 'email' | 'time' | 'month' | 'record' | 'items';

type BuiltInField = {
  type: FieldType;
  /** The heading of its column, and its name in places without another one in `titles`. */
  label: string;
  titles?: { readonly [place in TitlePlace]?: string };
  /** Maximum characters of a text. */
  max?: number;
  /** The error message for an empty text; without one the text may be empty. */
  required?: string;
  /** Set by the server only. */
  computed?: true;
  /** The fields on which the value depends; default: the field itself. */
  from?: readonly string[];
  /** Other headings of the field in imported files, separated by commas. A field without any is not imported. */
  aliases?: string;
};
type TitlePlace = 'filter' | 'export' | 'variable';

/** The rate is set when one of these fields is set. */
const PRICED_BY = ['commissionRate', 'dealershipId', 'owner', 'saleAmount'] as const;

/** The fields that can be hidden from a user. */
export const dealFields = {
  status: { type: 'record', label: 'Status', aliases: 'Deal status' },
  dealershipId: {
    type: 'record',
    label: 'Dealership',
    aliases: 'Dealership name, Dealer, Dealer name, Branch, Yard',
  },
  customerName: {
    type: 'text',
    label: 'Customer',
    titles: { variable: 'Customer name' },
    max: 120,
    required: 'Customer name is required',
    aliases: 'Customer name, Name, Full name, Client, Client name, Buyer, Buyer name, Purchaser',
  },
  customerNumber: {
    type: 'phone',
    label: 'Phone',
    titles: { variable: 'Customer number' },
    aliases:
      'Phone number, Mobile, Mobile number, Mobile phone, Telephone, Contact number, Customer number, Customer phone, Tel',
  },
  customerEmail: {
    type: 'email',
    label: 'Customer email',
    titles: { export: 'Email' },
    max: MAX_EMAIL_LENGTH,
    aliases: 'Email, Email address',
  },
  dealNumber: {
    type: 'text',
    label: 'Deal number',
    max: 40,
    aliases: 'Deal no, Deal, Deal ID, Order number, Order no, Contract number, Contract no',
  },
  vehicle: {
    type: 'text',
    label: 'Vehicle',
    max: 120,
    aliases: 'Car, Vehicle description, Make and model, Make model, Model',
  },
  deliveryDate: {
    type: 'date',
    label: 'Delivery',
    titles: { filter: 'Delivery date', export: 'Delivery date', variable: 'Delivery date' },
    aliases: 'Delivery date, Date of delivery, Delivered, Handover, Handover date',
  },
  items: { type: 'items', label: 'Items', aliases: 'Item, Products, Product, Sold' },
  saleAmount: {
    type: 'currency',
    label: 'Sale',
    titles: { filter: 'Sale amount', variable: 'Sale amount' },
    aliases: 'Sale amount, Sale price, Amount, Price, Total',
  },
  costAmount: {
    type: 'currency',
    label: 'Cost',
    titles: { filter: 'Cost amount' },
    aliases: 'Cost amount, Cost price',
  },
  grossProfit: {
    type: 'currency',
    label: 'Gross profit',
    computed: true,
    from: ['saleAmount', 'costAmount'],
  },
  commissionRate: {
    type: 'percent',
    label: 'Rate',
    titles: { filter: 'Commission rate', export: 'Commission rate', variable: 'Commission rate' },
    computed: true,
    from: PRICED_BY,
  },
  commission: { type: 'currency', label: 'Commission', computed: true, from: PRICED_BY },
  notes: {
    type: 'longText',
    label: 'Notes',
    max: 5000,
    aliases: 'Note, Comments, Comment, Remarks',
  },
  followUpAt: {
    type: 'time',
    label: 'Follow up',
    titles: { filter: 'Follow-up', export: 'Follow-up' },
    aliases: 'Follow up at, Follow up date, Call back, Call back at',
  },
  owner: { type: 'record', label: 'Owner' },
  lastEmailedAt: { type: 'time', label: 'Last emailed', computed: true, from: [] },
} as const satisfies Record<string, BuiltInField>;

/** The fields that every user of Data Entry sees, in addition to id and version. */
export const identityFields = {
  month: { type: 'month', label: 'Month', aliases: 'Deal month, Business month, Period' },
  createdAt: {
    type: 'time',
    label: 'Created',
    titles: { variable: 'Date added' },
    computed: true,
    from: [],
  },
  updatedAt: { type: 'time', label: 'Changed', titles: { filter: 'Last changed' }, computed: true, from: [] },
} as const satisfies Record<string, BuiltInField>;

type Fields = typeof dealFields & typeof identityFields;
export type DealColumn = keyof typeof dealFields;
export type DealFieldName = keyof Fields;

const allFields: Readonly<Record<DealFieldName, BuiltInField>> = { ...dealFields, ...identityFields };
export const dealColumns = Object.keys(dealFields) as DealColumn[];
/** Whether a field can be hidden from a user. */
export const isColumn = (name: string): name is DealColumn => Object.hasOwn(dealFields, name);
export const dealFieldNames = Object.keys(allFields) as DealFieldName[];

/** Identifying fields that can also be columns: never hidden and not editable there. */
export const identityColumns = ['month', 'createdAt'] as const;

/** Every column that an arrangement of Data Entry can name. */
export const viewColumns = [...dealColumns, ...identityColumns] as const;
export type ViewColumnName = (typeof viewColumns)[number];

export const fieldOf = (name: DealFieldName): BuiltInField => allFields[name];

/** The names of the fields of these types. */
export type FieldOfType<T extends FieldType> = {
  [name in DealFieldName]: Fields[name]['type'] extends T ? name : never;
}[DealFieldName];
type ComputedField = {
  [name in DealFieldName]: Fields[name] extends { computed: true } ? name : never;
}[DealFieldName];

/** The fields that users edit. */
export type EditedField = Exclude<DealColumn, ComputedField>;
export const editedFields = dealColumns.filter((name): name is EditedField => !fieldOf(name).computed);

/** The types whose value is stored as typed. */
const typedTypes = ['text', 'longText', 'phone', 'email', 'currency', 'date', 'time'] as const;
export type TypedType = (typeof typedTypes)[number];
/** The fields of such types that users type. */
export type TypedField = Exclude<FieldOfType<TypedType>, ComputedField>;
export const typedFields = dealFieldNames.filter((name): name is TypedField => {
  const { type, computed } = fieldOf(name);
  return (typedTypes as readonly FieldType[]).includes(type) && computed !== true;
});
/** A record with one value per field, by the type of the field. */
export type ByType<N extends DealFieldName, T extends Record<Fields[N]['type'], unknown>> = {
  [name in N]: T[Fields[name]['type']];
};

/** Returns the names of all fields for one place; default: the headings of their columns. */
export const titlesIn = (place?: TitlePlace): Record<DealFieldName, string> =>
  Object.fromEntries(
    Object.entries(allFields).map(([name, { label, titles }]) => [name, (place && titles?.[place]) ?? label]),
  ) as Record<DealFieldName, string>;

/** Maximum characters of each text of a row. */
export const dealTextLimits = Object.fromEntries(
  Object.entries(allFields).flatMap(([name, { max }]) => (max === undefined ? [] : [[name, max]])),
) as Record<FieldOfType<'text' | 'longText' | 'email'>, number>;

/** The custom fields that the viewer may see. */
export type CustomTypes = readonly { readonly key: CustomKey; readonly type: CustomFieldType }[];

/** Returns the type of a field; undefined for other names and for custom fields that the viewer may not see. */
export const typeOf = (name: string, customFields: CustomTypes): FieldType | undefined =>
  Object.hasOwn(allFields, name)
    ? fieldOf(name as DealFieldName).type
    : customFields.find(({ key }) => key === name)?.type;

/** Returns the value of a built-in or custom field of a row. No built-in field has the name of a custom one. */
export function fieldValue(
  row: { readonly custom?: object | undefined },
  field: string,
): CustomValue | null | undefined {
  const values = row as Record<string, CustomValue | null | undefined>;
  const custom = row.custom as typeof values | undefined;
  const value = values[field];
  return value === undefined ? custom?.[field] : value;
}
