import type { Item } from '@forecourt/contract/items';
import { Switch, TextInput } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/items.ts';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useConflict } from '../../ui/use-conflict.ts';
import { useForm } from '../../ui/use-form.ts';
import { comparedFields, inputOf, itemErrors, valuesOf, type ItemValues } from './item-values.ts';
import { useSaveItem } from './items.queries.ts';

type ItemFormProps = {
  /** Undefined: a new one. */
  item: Item | undefined;
  /** What others are in, to choose from. */
  categories: readonly string[];
  onClose: () => void;
};

const withDescriptionBelow = ['label', 'input', 'error', 'description'] as const;

/** Name, category, amounts and whether it is offered (product section 5). */
export function ItemForm({ item, categories, onClose }: ItemFormProps): ReactNode {
  const { mutateAsync } = useSaveItem();
  const [keyFor] = useState(createIntentionKeys);
  const categoriesId = useId();

  const form = useForm<ItemValues>({
    initial: valuesOf(item),
    failed: texts.saveFailed,
    validate: itemErrors,
    submit: async (values) => {
      const input = inputOf(values, base?.version);
      try {
        await mutateAsync({ id: item?._id, input, idempotencyKey: keyFor(input) });
        toastDone(item ? texts.updated : texts.created);
        onClose();
      } catch (thrown) {
        const isConflict = thrown instanceof ApiError && thrown.code === 'CONFLICT';
        if (!isConflict || !base) throw thrown;
        conflict.meet(base, thrown.current as Item, values);
      }
    },
  });
  const conflict = useConflict<Item, ItemValues>({
    fields: comparedFields,
    valuesOf,
    put: (field, theirs) => form.set(field, theirs[field]),
  });
  // What the next save is a change of.
  const base = conflict.record ?? item;

  return (
    <FormModal title={item ? texts.edit : texts.add} form={form} submitLabel={texts.save} onClose={onClose}>
      {conflict.changes && <ConflictNotice changes={conflict.changes} onTake={conflict.take} />}
      <TextInput label={texts.name} withAsterisk maxLength={80} data-autofocus {...form.text('name')} />
      <TextInput
        label={texts.category}
        description={texts.categoryHint}
        inputWrapperOrder={[...withDescriptionBelow]}
        maxLength={60}
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
          inputWrapperOrder={[...withDescriptionBelow]}
          leftSection="$"
          inputMode="decimal"
          {...form.text('price')}
        />
        <TextInput
          label={texts.cost}
          description={texts.costHint}
          inputWrapperOrder={[...withDescriptionBelow]}
          leftSection="$"
          inputMode="decimal"
          {...form.text('cost')}
        />
      </FormRow>
      <Switch label={texts.active} description={texts.activeHint} {...form.check('active')} />
    </FormModal>
  );
}
