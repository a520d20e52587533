import type { ResponseBody } from '@forecourt/contract/api';
import { centsOf } from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
import { countingNames } from '../../../ui/figures.ts';
import type { DealOptions } from '../deal-fields.ts';

export type ViewFigures = Omit<ResponseBody<'GET /deals/summary'>, 'byStatus'>;

/**
 * Returns the figures of these rows as the server computes them, added up in whole cents. Undefined if commission
 * depends on a hidden column; without commission if no amount counts, since a setting decides whether it is 0.
 */
export function figuresOfRows(
  deals: readonly Deal[],
  { columns, statuses }: Pick<DealOptions, 'columns' | 'statuses'>,
): ViewFigures | undefined {
  const sees = (column: DealOptions['columns'][number]): boolean => columns.includes(column);
  const counting = new Set(countingNames(statuses));
  let [sale, profit, commission, withRate, withoutRate] = [0, 0, 0, 0, 0];
  for (const deal of deals) {
    sale += centsOf(deal.saleAmount);
    profit += centsOf(deal.grossProfit);
    if (!counting.has(deal.status ?? '')) continue;
    commission += centsOf(deal.commission);
    if (typeof deal.commission === 'number') withRate += 1;
    else if (typeof deal.saleAmount === 'number') withoutRate += 1;
  }
  if (sees('commission') && !(sees('status') && sees('saleAmount'))) return undefined;
  return {
    total: deals.length,
    ...(sees('saleAmount') && { saleAmount: sale / 100 }),
    ...(sees('grossProfit') && { grossProfit: profit / 100 }),
    ...(sees('commission') && { withoutRate }),
    ...(sees('commission') &&
      withRate + withoutRate > 0 && { commission: withRate === 0 ? null : commission / 100 }),
  };
}

/** Adds the commission of no amount, if these figures of the server have it. */
export function withCommission(
  figures: ViewFigures | undefined,
  loaded: ViewFigures | undefined,
): ViewFigures | undefined {
  if (figures?.withoutRate === undefined || figures.commission !== undefined) return figures;
  const isOfNone = loaded?.withoutRate === 0 && !loaded.commission;
  return isOfNone ? { ...figures, commission: loaded.commission } : undefined;
}
