import { sumOfLines } from '@forecourt/contract/deal-amounts';
import { MAX_DEAL_ITEMS, MAX_ITEM_QUANTITY } from '@forecourt/contract/deal-limits';
import type { DealItem, DealItemInput } from '@forecourt/contract/deals';
import type { CellValue, GridColumn, TextPart } from '../../../grid/grid.ts';
import { formatMoney } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-items.ts';
import { itemsValue, linesOf, type DealLine, type DealOptions } from '../deal-fields.ts';
import { lastName, listedNames } from '../listed-names.ts';

type Offered = DealOptions['items'][number];

/** Formats `Tint, Dash cam ×2`. */
export const formatItems = (value: CellValue): string =>
  linesOf(value)
    .map(({ name, quantity }) => (quantity === 1 ? name : `${name} ×${quantity}`))
    .join(', ');

/** Formats `Tint at $499.50, Dash cam ×2 at $250.00`. */
export const formatPricedItems = (items: readonly DealItem[]): string =>
  items
    .map(({ name, quantity, unitPrice }) =>
      texts.atPrice(quantity === 1 ? name : `${name} ×${quantity}`, formatMoney(unitPrice)),
    )
    .join(', ');

/** Converts items to a request body, without names. */
export const sentItems = (value: CellValue): DealItemInput[] =>
  linesOf(value).map(({ itemId, quantity, unitPrice }) => ({
    itemId,
    quantity,
    ...(unitPrice !== null && { unitPrice }),
  }));

/** Returns the sum of the lines; null if a price is unknown. */
export function sumOf(lines: readonly Pick<DealLine, 'quantity' | 'unitPrice'>[]): number | null {
  const priced = lines.flatMap(({ quantity, unitPrice }) =>
    unitPrice === null ? [] : { quantity, unitPrice },
  );
  return priced.length === lines.length ? sumOfLines(priced) : null;
}

/** The quantity after a name: `x2`, `× 2` or `*2`. */
const TIMES = String.raw`(?:[x×*]\s*(\d{1,5}))?`;

/** Returns the item being typed at the end of a text. In `tint x` its quantity is incomplete. */
export const lastItem = (text: string, offered: readonly Offered[]): TextPart =>
  lastName(text, offered, String.raw`(?:${TIMES}|\s[x×*])`);

/**
 * Parses item names or unambiguous prefixes, each with an optional quantity such as `x2`.
 * @param present the items of the cell, which keep their names and prices
 */
export function parseItems(
  text: string,
  offered: readonly Offered[],
  present: CellValue = null,
): ReturnType<NonNullable<GridColumn<never>['parse']>> {
  const own = linesOf(present);
  const names = [
    ...own.map(({ itemId, name }) => ({ _id: itemId, name })),
    ...offered.filter(({ _id, name }) => !own.some((line) => line.itemId === _id && line.name === name)),
  ];
  const left = [...own];
  const lines: DealLine[] = [];
  for (const { typed, matches, suffix } of listedNames(text, names, TIMES)) {
    const [item, ...others] = matches;
    if (!item) return { ok: false, message: texts.unknown(typed) };
    if (others.some(({ _id }) => _id !== item._id)) return { ok: false, message: texts.severalBegin(typed) };
    const quantity = Number(suffix ?? 1);
    if (quantity < 1 || quantity > MAX_ITEM_QUANTITY) return { ok: false, message: texts.quantityError };
    const at = left.findIndex(({ itemId }) => itemId === item._id);
    const [same] = at < 0 ? [] : left.splice(at, 1);
    lines.push({
      itemId: item._id,
      name: same?.name ?? item.name,
      quantity,
      unitPrice: same?.unitPrice ?? null,
    });
  }
  if (lines.length > MAX_DEAL_ITEMS) return { ok: false, message: texts.tooMany };
  return { ok: true, value: itemsValue(lines) };
}
