import type { Deal } from './deals.ts';
import type { ViewColumnName } from './permission-defaults.ts';

// Groups of deals (docs/product/data-entry.md, Groups). Plain values, which browsers import without the schemas.

/** What rows can be grouped by. Times are grouped by business day. */
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
export type GroupField = (typeof groupFields)[number];

/** Maximum groups of one response. */
export const MAX_GROUPS = 1000;

/** Returns the column that a viewer must see to group by a field. */
export const columnOfGroup = (field: GroupField): ViewColumnName =>
  field === 'emailState' ? 'lastEmailedAt' : field;

/** The days whose groups are ordered newest first. */
export const groupsByDay: ReadonlySet<GroupField> = new Set([
  'deliveryDate',
  'createdAt',
  'followUpAt',
  'lastEmailedAt',
]);

/** Returns the state of the newest message about a row; `changed` when it was sent and the row was edited since. */
const mailStateOf = ({ emailStatus, isChangedSinceSent }: Partial<Deal>): string => {
  if (emailStatus === 'sent') return isChangedSinceSent ? 'changed' : 'sent';
  if (emailStatus === 'failed') return 'failed';
  return emailStatus == null || emailStatus === 'cancelled' ? 'notSent' : 'queued';
};

/**
 * Returns the value by which a row is grouped, as the server groups it, except that a status is its name; null: the cell
 * is empty.
 * @param dayOf returns the business day of a time
 */
export function groupValueOf(
  field: GroupField,
  deal: Partial<Deal>,
  dayOf: (instant: string) => string,
): string | null {
  if (field === 'emailState') return mailStateOf(deal);
  const value = deal[field] ?? null;
  return value === null || field === 'deliveryDate' || !groupsByDay.has(field) ? value : dayOf(value);
}

/** Returns an amount in whole cents, so that sums are exact; 0 for an empty cell. */
export const centsOf = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);
