import { isCustomKey, type CustomKey } from '@forecourt/contract/custom-field-types';
import type { DealFieldName, FieldType } from '@forecourt/contract/deal-fields';
import { sql, type RawBuilder } from 'kysely';
import { columnOf, SQL_TYPES, storedFields } from '../deals.fields.ts';
import { customText, lastEmailedAt } from '../deals.queries.ts';

/** The SQL of a value for filter and sort, and its type. Texts are never null. */
export type DealValue = { [type in ValueType]: { type: type; by: RawBuilder<string> } }[ValueType];
type ValueType = (typeof SQL_TYPES)[keyof typeof SQL_TYPES];

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

/** Returns the value of a field; undefined for the ids of options and people, a checkbox, and what other tables have. */
export function valueOf(
  name: DealFieldName | CustomKey,
  fieldType: FieldType | undefined,
): DealValue | undefined {
  if (!isCustomKey(name)) return VALUES[name];
  if (fieldType === undefined || !(fieldType in SQL_TYPES)) return undefined;
  const type = SQL_TYPES[fieldType as keyof typeof SQL_TYPES];
  const text = customText(name);
  return { type, by: type === 'text' ? sql`coalesce(${text}, '')` : sql`${text}::${sql.raw(type)}` };
}
