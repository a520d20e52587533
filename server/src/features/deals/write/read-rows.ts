import { computedFields, NewDeal, type DealItem, type DealItemInput } from '@forecourt/contract/deals';
import { Money } from '@forecourt/contract/money';
import { dealColumns, type DealColumn } from '@forecourt/contract/permission-defaults';
import { validate, type Issue } from '@forecourt/contract/validate';
import type { z } from 'zod';
import { itemsSum } from '../deals.fields.ts';
import { monthVisible, type DealScope } from '../deals.policy.ts';

const computed: ReadonlySet<string> = new Set(computedFields);

/** The values that new rows may have. */
export type Choices = {
  /** Statuses by name in lower case. */
  statuses: ReadonlyMap<string, { id: string; name: string }>;
  /** The status of rows without one. */
  defaultStatus: { id: string; name: string };
  dealershipIds: ReadonlySet<string>;
  items: ReadonlyMap<string, KnownItem>;
  scope: DealScope;
  /** The month of rows without one. */
  currentMonth: string;
  columns: readonly DealColumn[];
};

/** A validated new row, without id and commission. */
export type ReadRow = Omit<z.output<typeof NewDeal>, 'items' | 'status' | 'month'> & {
  items: DealItem[];
  status: string;
  statusId: string;
  month: string;
};

/** Returns the row without the fields that the server computes. */
export const withoutComputed = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([field]) => !computed.has(field)));

/**
 * Returns a function that validates a row by the rules of POST /deals; all rows have the same choices. It
 * returns the row, or all issues by field.
 */
export function rowReader(choices: Choices): (given: object) => { row: ReadRow } | { issues: Issue[] } {
  const { statuses, defaultStatus, dealershipIds, items, scope, currentMonth } = choices;
  const { shape } = NewDeal;
  const hidden = dealColumns.filter((column) => !choices.columns.includes(column));
  const schema = NewDeal.extend({
    status: shape.status.refine(
      (name) => name === undefined || statuses.has(name.toLowerCase()),
      'Choose one of the statuses',
    ),
    dealershipId: shape.dealershipId.refine((id) => dealershipIds.has(id), 'Choose one of the dealerships'),
    month: shape.month.refine(
      (month) => month === undefined || monthVisible.matches(scope, { month }),
      'You may only use the current month',
    ),
    items: shape.items.transform((lines, { issues }) => {
      const { sold, issues: wrong } = resolveItems(items, lines ?? [], []);
      for (const { path, message } of wrong) issues.push({ code: 'custom', path, message, input: lines });
      return sold;
    }),
  });
  return (given) => {
    const unseen = hidden.filter((column) => Object.hasOwn(given, column));
    const { data, issues: wrong = [] } = validate(schema, withoutComputed(given));
    const issues = [
      ...unseen.map((column) => ({ path: [column], message: 'You may not see this column' })),
      ...wrong,
    ];
    if (!data || issues.length > 0) return { issues };
    const { id, name } = statuses.get(data.status?.toLowerCase() ?? '') ?? defaultStatus;
    return {
      row: {
        ...data,
        status: name,
        statusId: id,
        month: data.month ?? currentMonth,
        // Defaults to the sum of the items.
        saleAmount: data.saleAmount ?? itemsSum(data.items),
      },
    };
  };
}

/** An item of Item Configuration. */
export type KnownItem = { name: string; price: number | null; active: boolean };

/**
 * Returns the items to store in a row: existing ones keep their name and price, new ones get the current name
 * and price. Also returns the issues, with paths within the list.
 */
export function resolveItems(
  items: ReadonlyMap<string, KnownItem>,
  input: readonly DealItemInput[],
  known: readonly DealItem[],
): { sold: DealItem[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const sold = input.flatMap(({ itemId, name, quantity, unitPrice }, index): DealItem[] => {
    const kept = known.find((line) => line.itemId === itemId && (name === undefined || line.name === name));
    const item = items.get(itemId);
    if (!item || (!kept && !item.active)) {
      issues.push({ path: [index, 'itemId'], message: 'Choose one of the items' });
      return [];
    }
    const own = kept?.name ?? item.name;
    if (name !== undefined && name !== own)
      issues.push({ path: [index, 'name'], message: `This item is called ${own}` });
    return [{ itemId, name: own, quantity, unitPrice: unitPrice ?? kept?.unitPrice ?? item.price ?? 0 }];
  });
  if (!Money.nullable().safeParse(itemsSum(sold)).success)
    issues.push({ path: [], message: 'Together these items cost more than a deal can hold' });
  return { sold, issues };
}
