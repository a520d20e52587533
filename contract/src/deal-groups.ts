import type { CustomKey } from './custom-field-types.ts';
import { fieldValue, typeOf, type CustomTypes, type FieldType, type ViewColumnName } from './deal-fields.ts';
import type { Deal } from './deals.ts';

// Groups of deals (docs/product/data-entry.md, Groups). Plain values, which browsers import without the schemas.

/** The built-in fields by which rows can be grouped. Times are grouped by business day. */
export const groupFields = [
  'status',
  'dealershipId',
  'owner',
  'month',
  'deliveryDate',
  'createdAt',
  'followUpAt',
  'lastEmailedAt',
  'emailState',
] as const;
export type BuiltInGroupField = (typeof groupFields)[number];
export type GroupField = BuiltInGroupField | CustomKey;

/** The types of custom fields by which rows can be grouped. */
const groupTypes: ReadonlySet<FieldType | undefined> = new Set(['select', 'person', 'checkbox', 'date']);

/** Whether the type of a field permits groups. */
export const isGroupField = (field: string, customFields: CustomTypes): field is GroupField =>
  (groupFields as readonly string[]).includes(field) || groupTypes.has(typeOf(field, customFields));

/** Returns the column that a viewer must see to group by a field. */
export const columnOfGroup = (field: GroupField): ViewColumnName | CustomKey =>
  field === 'emailState' ? 'lastEmailedAt' : field;

/** The built-in fields whose groups are days. Their order is newest first. */
export const groupsByDay: ReadonlySet<GroupField> = new Set([
  'deliveryDate',
  'createdAt',
  'followUpAt',
  'lastEmailedAt',
]);

/** Returns the state of the newest message about a row; `changed` if the row was edited after it was sent. */
const mailStateOf = ({ emailStatus, isChangedSinceSent }: Partial<Deal>): string => {
  if (emailStatus === 'sent') return isChangedSinceSent ? 'changed' : 'sent';
  if (emailStatus === 'failed' || emailStatus === 'unconfirmed') return emailStatus;
  return emailStatus == null || emailStatus === 'cancelled' ? 'notSent' : 'queued';
};

/**
 * Returns a function that reads the value of a group from a row: the name of a status, the ids of other choices, `true`
 * for a ticked checkbox; null for an empty cell. Created once for 100,000 rows.
 * @param dayOf returns the business day of a time
 */
export function createGroupReader(
  field: GroupField,
  dayOf: (instant: string) => string,
): (deal: Partial<Deal>) => string | null {
  if (field === 'emailState') return mailStateOf;
  const isTime = field !== 'deliveryDate' && groupsByDay.has(field);
  return (deal) => {
    const value = fieldValue(deal, field) ?? null;
    if (value === null) return null;
    return isTime ? dayOf(String(value)) : String(value);
  };
}

/** Returns an amount in whole cents, so that sums are exact; 0 for an empty cell. */
export const centsOf = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);
