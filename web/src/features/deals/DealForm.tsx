import { Button, Input, Select, Textarea, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { texts as itemTexts } from '../../texts/deal-items.ts';
import { texts } from '../../texts/deals.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useLeaveWarning } from '../../ui/use-leave-warning.ts';
import { dealFields, type DealField } from './deal-fields.ts';
import { formChanges, formErrors, formValues } from './deal-form-values.ts';
import type { KeptForm } from './deal-in-form.ts';
import { itemWords } from './deal-items.ts';
import { existsFor, type DealOptions } from './deal-options.ts';
import type { DealRow } from './deal-row.ts';
import { DealActions } from './DealActions.tsx';
import { DealItems } from './DealItems.tsx';
import { useTimeZone } from './deals.queries.ts';
import { typedSaleOf } from './ItemsInEdit.tsx';
import type { Deals } from './use-deals.ts';
import styles from './DealForm.module.css';

type DealFormProps = {
  row: DealRow;
  /** What was typed into it before a reload. */
  kept: KeptForm | undefined;
  deals: Deals;
  options: DealOptions | undefined;
  /** Called with all that is not saved. */
  onType: (form: KeptForm) => void;
  /** Saved or given up; null: nothing was typed, so nothing of it is kept. */
  onClose: (form: KeptForm['key'] | null) => void;
};

const { columns } = texts;

/** One row as a form, for a phone. What is saved goes the same way as what is typed in a cell. */
export function DealForm({ row, kept, deals, options, onType, onClose }: DealFormProps): ReactNode {
  const [opened] = useState(kept ? { ...kept.opened, key: row.key } : row);
  const zone = useTimeZone();
  // What was shown on a clock is read on the same.
  const [timeZone] = useState(kept?.timeZone ?? zone);
  const [initial] = useState(() => formValues(opened, timeZone));
  const [choosing, setChoosing] = useState(false);
  const [asks, setAsks] = useState(false);
  const name = opened.deal?._id ?? 'new';
  const has = (field: DealField): boolean => options === undefined || existsFor(options, field);
  const form = useForm({
    initial: kept?.values ?? initial,
    validate: (typed) => formErrors(typed, has),
    submit: async (values) => {
      const changes = formChanges(opened, initial, values, timeZone);
      deals.onCommand({
        changes: changes.map(({ field, before, after }) => ({
          key: row.key,
          columnId: field,
          before,
          after,
        })),
      });
      close();
    },
  });
  const { values } = form;
  const isDirty = dealFields.some((field) => values[field] !== initial[field]);
  const leaving = useLeaveWarning(isDirty);
  const isTyped = form.changed;
  // What another tab keeps of the same row is not this one's to forget.
  const close = (): void => onClose(kept || isTyped ? name : null);
  const keep = useEffectEvent(onType);
  useEffect(() => {
    if (isTyped) keep({ key: name, opened, values, timeZone });
  }, [isTyped, name, opened, values, timeZone]);
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
      onClose={() => (isDirty ? setAsks(true) : close())}
    >
      {kept && !isTyped && <p>{texts.formKept}</p>}
      {(asks || leaving) && (
        <ConfirmDialog
          title={texts.closeForm}
          confirmLabel={texts.discardForm}
          destructive
          onConfirm={async () => {
            close();
            leaving?.proceed();
          }}
          onClose={() => {
            setAsks(false);
            leaving?.reset();
          }}
        >
          {texts.closeFormQuestion}
        </ConfirmDialog>
      )}
      {blocked !== undefined && <p>{blocked}</p>}
      {deal !== null && (
        <div className={styles.actions}>
          <DealActions deals={deals} rows={[row]} onDeleted={close} />
        </div>
      )}
      {has('customerName') && <TextInput withAsterisk maxLength={120} {...text('customerName')} />}
      {has('dealershipId') && (
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
      )}
      {has('status') && (
        <Select
          label={columns.status}
          readOnly={blocked !== undefined}
          allowDeselect={false}
          placeholder={options?.statuses.find(({ isDefault }) => isDefault)?.name ?? ''}
          data={(options?.statuses ?? [])
            .filter(({ active, name }) => active || name === deal?.status)
            .map(({ name }) => name)}
          {...form.choice('status')}
        />
      )}
      {has('customerNumber') && <TextInput type="tel" {...text('customerNumber')} />}
      {has('customerEmail') && <TextInput type="email" maxLength={254} {...text('customerEmail')} />}
      <FormRow>
        {has('dealNumber') && <TextInput maxLength={40} {...text('dealNumber')} />}
        {has('vehicle') && <TextInput maxLength={120} {...text('vehicle')} />}
      </FormRow>
      {has('items') && (
        <Input.Wrapper label={columns.items} labelElement="div">
          <Button
            variant="default"
            fullWidth
            justify="start"
            aria-label={`${columns.items}: ${itemWords(form.values.items) || itemTexts.choose}`}
            disabled={blocked !== undefined}
            onClick={() => setChoosing(true)}
          >
            {itemWords(form.values.items) || itemTexts.choose}
          </Button>
        </Input.Wrapper>
      )}
      {choosing && (
        <DealItems
          customer={form.values.customerName}
          value={form.values.items}
          offered={options?.items ?? []}
          typedSale={typedSaleOf(row)}
          onSave={(value) => form.set('items', value ?? '')}
          onClose={() => setChoosing(false)}
        />
      )}
      <FormRow>
        {has('saleAmount') && <TextInput inputMode="decimal" {...text('saleAmount')} />}
        {has('costAmount') && <TextInput inputMode="decimal" {...text('costAmount')} />}
      </FormRow>
      <FormRow>
        {has('deliveryDate') && <TextInput type="date" {...text('deliveryDate')} />}
        {has('followUpAt') && <TextInput type="datetime-local" {...text('followUpAt')} />}
      </FormRow>
      {has('notes') && <Textarea autosize minRows={3} maxLength={5000} {...text('notes')} />}
    </FormModal>
  );
}
