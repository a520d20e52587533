import { sumOfLines } from '@forecourt/contract/deal-amounts';
import { MAX_ITEM_QUANTITY } from '@forecourt/contract/deal-limits';
import type { DealItem, DealItemInput } from '@forecourt/contract/deals';
import type { CellValue, GridColumn } from '../../../grid/grid.ts';
import { formatMoney } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-items.ts';
import { itemsValue, linesOf, type DealLine, type DealOptions } from '../deal-fields.ts';

type Offered = DealOptions['items'][number];

/** `Tint, Dash cam ×2`. */
export const formatItems = (value: CellValue): string =>
  linesOf(value)
    .map(({ name, quantity }) => (quantity === 1 ? name : `${name} ×${quantity}`))
    .join(', ');

/** The same with prices: `Tint at $499.50, Dash cam ×2 at $250.00`. */
export const formatPricedItems = (items: readonly DealItem[]): string =>
  items
    .map(({ name, quantity, unitPrice }) =>
      texts.atPrice(quantity === 1 ? name : `${name} ×${quantity}`, formatMoney(unitPrice)),
    )
    .join(', ');

/** Converts items to a request body. The server knows their names. */
export const sentItems = (value: CellValue): DealItemInput[] =>
  linesOf(value).map(({ itemId, quantity, unitPrice }) => ({
    itemId,
    quantity,
    ...(unitPrice !== null && { unitPrice }),
  }));

/** Returns the sum of the lines; null if a price is unknown here. */
export function sumOf(lines: readonly Pick<DealLine, 'quantity' | 'unitPrice'>[]): number | null {
  const priced = lines.flatMap(({ quantity, unitPrice }) =>
    unitPrice === null ? [] : { quantity, unitPrice },
  );
  return priced.length === lines.length ? sumOfLines(priced) : null;
}

const TIMES = String.raw`\s*(?:[x×*]\s*(\d{1,5}))?\s*(?:[,;]\s*|$)`;
const ENDING = new RegExp(`^${TIMES}`, 'iu');
/** Matches every text but an empty one. */
const PART = new RegExp(`^(.+?)${TIMES}`, 'isu');

/** Parses formatted or typed items: names or unambiguous prefixes, with `x2` after those sold more than once. */
export function parseItems(
  text: string,
  offered: readonly Offered[],
): ReturnType<NonNullable<GridColumn<never>['parse']>> {
  const longestFirst = offered.toSorted((a, b) => b.name.length - a.name.length);
  const lines: DealLine[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const lower = rest.toLowerCase();
    const whole = longestFirst.find(
      ({ name }) => lower.startsWith(name.toLowerCase()) && ENDING.test(rest.slice(name.length)),
    );
    const ending = whole && ENDING.exec(rest.slice(whole.name.length));
    const part = PART.exec(rest)!;
    const name = part[1]!;
    const begun = offered.filter((item) => item.name.toLowerCase().startsWith(name.toLowerCase()));
    const item = whole ?? (begun.length === 1 ? begun[0] : undefined);
    if (!item)
      return { ok: false, message: begun.length === 0 ? texts.unknown(name) : texts.severalBegin(name) };
    const quantity = Number((ending ? ending[1] : part[2]) ?? 1);
    if (quantity < 1 || quantity > MAX_ITEM_QUANTITY) return { ok: false, message: texts.quantityError };
    lines.push({ itemId: item._id, name: item.name, quantity, unitPrice: null });
    rest = rest.slice(ending ? item.name.length + ending[0].length : part[0].length);
  }
  return { ok: true, value: itemsValue(lines) };
}
