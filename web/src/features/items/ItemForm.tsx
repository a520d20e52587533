import type { Item, ItemChanges } from '@forecourt/contract/items';
import { Switch, TextInput } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { parseNumber } from '../../grid/parse.ts';
import { texts } from '../../texts/items.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { descriptionBelow, FormModal, FormRow } from '../../ui/FormModal.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useSaveItem } from './items.queries.ts';

/** An empty text means no amount. */
type ItemValues = { name: string; category: string; price: string; cost: string; active: boolean };

const amountText = (amount: number | null | undefined): string => (amount == null ? '' : amount.toFixed(2));

export const valuesOf = (item: Item | undefined): ItemValues => ({
  name: item?.name ?? '',
  category: item?.category ?? '',
  price: amountText(item?.price),
  cost: amountText(item?.cost),
  active: item?.active ?? true,
});

/** Returns NaN for an invalid amount. */
function amountOf(text: string): number | null {
  if (text.trim() === '') return null;
  const parsed = parseNumber(text.trim());
  return parsed.ok ? Number(parsed.value) : Number.NaN;
}

/** @param base the item as it was loaded */
export const inputOf = (values: ItemValues, base: Item | undefined): ItemChanges => ({
  ...values,
  price: amountOf(values.price),
  cost: amountOf(values.cost),
  ...(base && { version: base.version }),
});

const comparedFields: readonly ComparedField<ItemValues>[] = [
  { field: 'name', label: texts.name },
  { field: 'category', label: texts.category },
  { field: 'price', label: texts.price, text: ({ price }) => price || texts.open },
  { field: 'cost', label: texts.cost, text: ({ cost }) => cost || texts.open },
  { field: 'active', label: texts.status, text: ({ active }) => (active ? texts.active : texts.inactive) },
];

type ItemFormProps = {
  /** Undefined for a new item. */
  item: Item | undefined;
  /** Suggestions: the categories of other items. */
  categories: readonly string[];
  onClose: () => void;
};

export function ItemForm({ item, categories, onClose }: ItemFormProps): ReactNode {
  const { mutateAsync } = useSaveItem();
  const categoriesId = useId();

  const form = useRecordForm({
    record: item,
    valuesOf,
    inputOf,
    schema: 'item',
    fields: comparedFields,
    failed: texts.saveFailed,
    send: (input, idempotencyKey) => mutateAsync({ id: item?._id, input, idempotencyKey }),
    sent: item ? texts.updated : texts.created,
    onClose,
  });

  return (
    <FormModal title={item ? texts.edit : texts.add} form={form} isUnsaved={form.changed} onClose={onClose}>
      <TextInput label={texts.name} withAsterisk data-autofocus {...form.text('name')} />
      <TextInput
        label={texts.category}
        description={texts.categoryHint}
        {...descriptionBelow}
        list={categoriesId}
        {...form.text('category')}
      />
      <datalist id={categoriesId}>
        {categories.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </datalist>
      <FormRow>
        <TextInput
          label={texts.price}
          description={texts.priceHint}
          {...descriptionBelow}
          leftSection="$"
          inputMode="decimal"
          {...form.text('price')}
        />
        <TextInput
          label={texts.cost}
          description={texts.costHint}
          {...descriptionBelow}
          leftSection="$"
          inputMode="decimal"
          {...form.text('cost')}
        />
      </FormRow>
      <Switch label={texts.active} description={texts.activeHint} {...form.check('active')} />
    </FormModal>
  );
}
