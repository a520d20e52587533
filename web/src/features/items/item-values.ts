import type { Item, ItemChanges } from '@forecourt/contract/items';
import { parseNumber } from '../../grid/grid.ts';
import { texts } from '../../texts/items.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import type { FieldErrors } from '../../ui/use-form.ts';

/** What the form holds. An amount that is left open is the empty text. */
export type ItemValues = { name: string; category: string; price: string; cost: string; active: boolean };

const amountText = (amount: number | null | undefined): string => (amount == null ? '' : amount.toFixed(2));

/** What an item looks like in the form; a new one is empty and active. */
export const valuesOf = (item: Item | undefined): ItemValues => ({
  name: item?.name ?? '',
  category: item?.category ?? '',
  price: amountText(item?.price),
  cost: amountText(item?.cost),
  active: item?.active ?? true,
});

function amountOf(text: string): number | null {
  const parsed = parseNumber(text.trim());
  return parsed.ok ? Number(parsed.value) : null;
}

/** What is sent for it. `version` is that of the item which the form was filled from. */
export const inputOf = (values: ItemValues, version: number | undefined): ItemChanges => ({
  name: values.name,
  category: values.category,
  price: amountOf(values.price),
  cost: amountOf(values.cost),
  active: values.active,
  ...(version === undefined ? {} : { version }),
});

/** What the form itself can tell is wrong. */
export function itemErrors(values: ItemValues): FieldErrors {
  const errors: Record<string, string> = {};
  if (values.name.trim() === '') errors['name'] = texts.nameRequired;
  for (const field of ['price', 'cost'] as const) {
    const parsed = parseNumber(values[field].trim());
    if (values[field].trim() !== '' && !parsed.ok) errors[field] = parsed.message;
  }
  return errors;
}

/** The form's fields as a conflict speaks of them. */
export const comparedFields: readonly ComparedField<ItemValues>[] = [
  { field: 'name', label: texts.name, words: ({ name }) => name },
  { field: 'category', label: texts.category, words: ({ category }) => category },
  { field: 'price', label: texts.price, words: ({ price }) => price || texts.open },
  { field: 'cost', label: texts.cost, words: ({ cost }) => cost || texts.open },
  { field: 'active', label: texts.status, words: ({ active }) => (active ? texts.active : texts.inactive) },
];
