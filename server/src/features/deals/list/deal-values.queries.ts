import { isCustomKey, type CustomKey } from '@forecourt/contract/custom-field-types';
import type { DealFieldName, FieldType } from '@forecourt/contract/deal-fields';
import { sql, type RawBuilder } from 'kysely';
import { columnOf, storedFields } from '../deals.fields.ts';
import { customText, lastEmailedAt } from '../deals.queries.ts';

/** What rows are filtered and sorted by: the SQL of a value, and its type. Texts are never null. */
export type DealValue = { [type in ValueType]: { type: type; by: RawBuilder<string> } }[ValueType];
type ValueType = 'text' | 'numeric' | 'date' | 'timestamptz';

const stored = (column: string, type: string) => ({ type, by: sql.ref(`deals.${column}`) }) as DealValue;

const VALUES: { readonly [name in DealFieldName]?: DealValue } = {
  ...Object.fromEntries(
    storedFields.map((field) => [field, stored(columnOf(field).name, columnOf(field).type)]),
  ),
  grossProfit: { type: 'numeric', by: sql`(deals.sale_amount - deals.cost_amount)` },
  commission: stored('commission', 'numeric'),
  lastEmailedAt: { type: 'timestamptz', by: sql`${lastEmailedAt}` },
  createdAt: stored('created_at', 'timestamptz'),
  updatedAt: stored('updated_at', 'timestamptz'),
};

const CUSTOM_TYPES: { readonly [type in FieldType]?: ValueType } = {
  text: 'text',
  longText: 'text',
  link: 'text',
  number: 'numeric',
  currency: 'numeric',
  percent: 'numeric',
  date: 'date',
};

/** Returns the value of a field; undefined for the ids of options and people, a checkbox, and what other tables have. */
export function valueOf(
  name: DealFieldName | CustomKey,
  fieldType: FieldType | undefined,
): DealValue | undefined {
  if (!isCustomKey(name)) return VALUES[name];
  const type = fieldType && CUSTOM_TYPES[fieldType];
  if (type === undefined) return undefined;
  const text = customText(name);
  return { type, by: type === 'text' ? sql`coalesce(${text}, '')` : sql`${text}::${sql.raw(type)}` };
}
