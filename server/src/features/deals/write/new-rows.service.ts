import type { CustomValues } from '@forecourt/contract/custom-field-types';
import { dealColumns } from '@forecourt/contract/deal-fields';
import { computedFields, NewDeal, type DealItem } from '@forecourt/contract/deals';
import { validate, type Issue } from '@forecourt/contract/validate';
import type { z } from 'zod';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import type { AppError } from '../../../platform/http/errors.ts';
import { HIDDEN_COLUMN, itemsSum } from '../deals.fields.ts';
import {
  canSee,
  dealershipVisible,
  hiddenRowError,
  monthVisible,
  ownedBy,
  statusVisible,
  visible,
} from '../deals.policy.ts';
import { findStatus, listOffered, listStatuses, type InScope } from '../deals.queries.ts';
import type { DealParts } from './change-deals.service.ts';
import { customValuesReader, withoutEmpty } from './custom-values.service.ts';
import { CHOOSE, OTHER_MONTH, resolveItems } from './deal-values.service.ts';

/** A validated new row, without id and commission. */
export type ReadRow = Omit<z.output<typeof NewDeal>, 'items' | 'status' | 'month' | 'custom'> & {
  custom: CustomValues;
  items: DealItem[];
  status: string;
  statusId: string;
  month: string;
};
type Read = { row: ReadRow } | { issues: Issue[] } | { refusal: AppError };

const computed: ReadonlySet<string> = new Set(computedFields);

/** Returns the row without the fields that the server computes. */
export const withoutComputed = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !computed.has(field)));

type Parts = Pick<DealParts, 'dealerships' | 'customFields' | 'clock'> & {
  inScope: (viewer: Viewer) => InScope;
};

/**
 * Returns a function that validates a row by the rules of POST /deals and the values that the viewer may choose now. It
 * returns the row, its issues by field, or the error for a row that the viewer would not see.
 */
export async function newRowReader(
  { dealerships, customFields, clock, inScope }: Parts,
  ctx: Context,
): Promise<(row: object) => Read> {
  const { viewer } = ctx;
  const scope = inScope(viewer);
  const offeredStatuses = (await listStatuses(ctx.db)).filter(
    ({ id, active }) => active && statusVisible.matches(scope, { statusId: id }),
  );
  const statuses = new Map(offeredStatuses.map((status) => [status.name.toLowerCase(), status]));
  const offered = await dealerships.options(ctx);
  const dealershipIds = new Set(
    offered.map(({ _id }) => _id).filter((id) => dealershipVisible.matches(scope, { dealershipId: id })),
  );
  const items = new Map((await listOffered(ctx.db)).map((item) => [item.id, { ...item, active: true }]));
  const defaultStatus = (await findStatus(ctx.db, undefined))!;
  const hidden = dealColumns.filter((column) => !canSee(viewer, column));
  const [currentMonth, createdOn] = [clock.businessMonth(), clock.businessDate()];
  const readCustom = await customValuesReader(ctx, customFields);
  const { shape } = NewDeal;
  const schema = NewDeal.extend({
    status: shape.status.refine(
      (name) => name === undefined || statuses.has(name.toLowerCase()),
      CHOOSE.status,
    ),
    dealershipId: shape.dealershipId.refine((id) => dealershipIds.has(id), CHOOSE.dealershipId),
    month: shape.month.refine(
      (month) => month === undefined || monthVisible.matches(scope, { month }),
      OTHER_MONTH,
    ),
    items: shape.items.transform((lines, { issues }) => {
      const { sold, issues: wrong } = resolveItems(items, lines ?? [], []);
      for (const { path, message } of wrong) issues.push({ code: 'custom', path, message, input: lines });
      return sold;
    }),
  });
  return (input) => {
    const unseen = hidden.filter((column) => Object.hasOwn(input, column));
    const { data, issues: wrong = [] } = validate(schema, withoutComputed(input));
    const custom = readCustom(data?.custom);
    const issues = [
      ...unseen.map((column) => ({ path: [column], message: HIDDEN_COLUMN })),
      ...wrong,
      ...(data ? custom.issues : []),
    ];
    if (!data || issues.length > 0) return { issues };
    const status = statuses.get(data.status?.toLowerCase() ?? '') ?? defaultStatus;
    const row = {
      ...data,
      custom: withoutEmpty(custom.values),
      status: status.name,
      statusId: status.id,
      month: data.month ?? currentMonth,
      // The default is the sum of the items.
      saleAmount: data.saleAmount ?? itemsSum(data.items),
    };
    return visible.matches(scope, { ...row, ...ownedBy(viewer), id: '', createdOn })
      ? { row }
      : { refusal: hiddenRowError() };
  };
}
