import { Select, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/deals.ts';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { useForm } from '../../ui/use-form.ts';
import { formChanges, formErrors, formValues } from './deal-form-values.ts';
import type { DealField, DealRow } from './deal-row.ts';
import { DealActions } from './DealActions.tsx';
import type { DealOptions } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';

type DealFormProps = {
  row: DealRow;
  deals: Deals;
  options: DealOptions | undefined;
  onClose: () => void;
};

const { columns } = texts;

/** One row as a form, for a phone. What is saved goes the same way as what is typed in a cell. */
export function DealForm({ row, deals, options, onClose }: DealFormProps): ReactNode {
  const [initial] = useState(() => formValues(row));
  const form = useForm({
    initial,
    validate: formErrors,
    submit: async (values) => {
      const changes = formChanges(row, initial, values);
      deals.onCommand({
        changes: changes.map(({ field, before, after }) => ({
          key: row.key,
          columnId: field,
          before,
          after,
        })),
      });
      onClose();
    },
  });
  const { deal } = row;
  const blocked = deal !== null && deal.abilities.edit !== true ? texts.ownedBy(deal.ownerName) : undefined;
  const text = (field: DealField) => ({
    label: columns[field],
    readOnly: blocked !== undefined,
    ...form.text(field),
  });

  return (
    <FormModal
      title={deal === null ? texts.addDeal : blocked === undefined ? texts.editDeal : texts.notEditable}
      form={form}
      submitLabel={texts.saveDeal}
      blocked={blocked}
      onClose={onClose}
    >
      {blocked !== undefined && <p>{blocked}</p>}
      {deal !== null && (
        <FormRow>
          <DealActions deals={deals} rows={[row]} onDeleted={onClose} />
        </FormRow>
      )}
      <TextInput withAsterisk maxLength={120} {...text('customerName')} />
      <Select
        withAsterisk
        searchable
        label={columns.dealershipId}
        readOnly={blocked !== undefined}
        data={(options?.dealerships ?? [])
          .filter(({ _id, active }) => active || _id === deal?.dealershipId)
          .map(({ _id, name }) => ({ value: _id, label: name }))}
        {...form.choice('dealershipId')}
      />
      <Select
        label={columns.status}
        readOnly={blocked !== undefined}
        allowDeselect={false}
        placeholder={options?.statuses.find(({ isDefault }) => isDefault)?.name ?? ''}
        data={(options?.statuses ?? []).map(({ name }) => name)}
        {...form.choice('status')}
      />
      <TextInput type="tel" {...text('customerNumber')} />
      <TextInput type="email" maxLength={254} {...text('customerEmail')} />
      <FormRow>
        <TextInput maxLength={40} {...text('dealNumber')} />
        <TextInput maxLength={120} {...text('vehicle')} />
      </FormRow>
      <FormRow>
        <TextInput inputMode="decimal" {...text('saleAmount')} />
        <TextInput inputMode="decimal" {...text('costAmount')} />
      </FormRow>
      <FormRow>
        <TextInput type="date" {...text('deliveryDate')} />
        <TextInput type="datetime-local" {...text('followUpAt')} />
      </FormRow>
      <Textarea autosize minRows={3} maxLength={5000} {...text('notes')} />
    </FormModal>
  );
}
