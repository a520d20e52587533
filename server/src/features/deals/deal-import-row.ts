import { computedFields, NewDeal, type DealItem } from '@forecourt/contract/deals';
import { dealColumns, type DealColumn } from '@forecourt/contract/permission-defaults';
import type { z } from 'zod';
import type { Issue } from '../../platform/http/errors.ts';
import { soldFrom, type KnownItem } from './deal-change.service.ts';
import { itemsSum } from './deals.fields.ts';

const computed: ReadonlySet<string> = new Set(computedFields);

/** What the writer of new rows may choose from. */
export type Choices = {
  /** Statuses by their names in lower case. */
  statuses: ReadonlyMap<string, { id: string; name: string }>;
  /** What rows get that name none. */
  defaultStatus: { id: string; name: string };
  dealershipIds: ReadonlySet<string>;
  items: ReadonlyMap<string, KnownItem>;
  /** The only month that they may use; null: every month. */
  onlyMonth: string | null;
  /** What rows get that name none. */
  currentMonth: string;
  columns: readonly DealColumn[];
};

/** A new row before it has an id and its money. */
export type ReadRow = Omit<z.output<typeof NewDeal>, 'items' | 'status' | 'month'> & {
  items: DealItem[];
  status: string;
  statusId: string;
  month: string;
};

const withoutComputed = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([field]) => !computed.has(field)));

/** Reads rows as POST /deals would, each against the same choices. Answers a row, or all that is wrong with it by field. */
export function rowReader(choices: Choices): (given: object) => { row: ReadRow } | { issues: Issue[] } {
  const { statuses, defaultStatus, dealershipIds, items, onlyMonth, currentMonth } = choices;
  const { shape } = NewDeal;
  const hidden = dealColumns.filter((column) => !choices.columns.includes(column));
  const schema = NewDeal.extend({
    status: shape.status.refine(
      (name) => name === undefined || statuses.has(name.toLowerCase()),
      'Choose one of the statuses',
    ),
    dealershipId: shape.dealershipId.refine((id) => dealershipIds.has(id), 'Choose one of the dealerships'),
    month: shape.month.refine(
      (month) => month === undefined || onlyMonth === null || month === onlyMonth,
      'You may only use the current month',
    ),
    items: shape.items.transform((lines, { issues }) => {
      const { sold, issues: wrong } = soldFrom(items, lines ?? [], []);
      for (const { path, message } of wrong) issues.push({ code: 'custom', path, message, input: lines });
      return sold;
    }),
  });
  return (given) => {
    const unseen = hidden.filter((column) => Object.hasOwn(given, column));
    const { data, error } = schema.safeParse(withoutComputed(given));
    const issues = [
      ...unseen.map((column) => ({ path: [column], message: 'You may not see this column' })),
      ...(error?.issues ?? []),
    ];
    if (!data || issues.length > 0) return { issues };
    const { id, name } = statuses.get(data.status?.toLowerCase() ?? '') ?? defaultStatus;
    return {
      row: {
        ...data,
        status: name,
        statusId: id,
        month: data.month ?? currentMonth,
        // Without one that was typed, the sum of the items.
        saleAmount: data.saleAmount ?? itemsSum(data.items),
      },
    };
  };
}
