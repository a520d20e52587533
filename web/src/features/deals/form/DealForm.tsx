import { Button, Input, Select, Textarea, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { texts } from '../../../texts/deal-form.ts';
import { texts as itemTexts } from '../../../texts/deal-items.ts';
import { texts as common } from '../../../texts/deals.ts';
import { namedChoices } from '../../../ui/choices.ts';
import { DayField } from '../../../ui/DayField.tsx';
import { FormModal, FormRow } from '../../../ui/FormModal.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { DealActions } from '../actions/DealActions.tsx';
import { CustomControls } from '../custom/CustomControls.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { type BuiltInField, type DealField, existsFor } from '../deal-fields.ts';
import { editAbility, type DealRow } from '../deal-row.ts';
import { useTimeZone } from '../deals.queries.ts';
import { formatItems } from '../items/deal-items.ts';
import DealItems from '../items/DealItems.tsx';
import {
  formChanges,
  formErrors,
  formValues,
  textOf,
  type CustomControl,
  type FormDraft,
  type FormPreset,
} from './form-values.ts';
import styles from './DealForm.module.css';

type DealFormProps = {
  row: DealRow;
  /** Unsaved values from before a reload. */
  draft: FormDraft | undefined;
  preset: FormPreset | undefined;
  /** Called with all that is not saved. */
  onType: (form: FormDraft) => void;
  /** Saved or given up; null: nothing was typed, so nothing of it is kept. */
  onClose: (form: FormDraft['key'] | null) => void;
};

const { columns } = common;

/** One row as a form, on a phone and from its page. Saved values are sent like those typed in cells. */
export default function DealForm({ row, draft, preset, onType, onClose }: DealFormProps): ReactNode {
  const { deals, options, columns: shownColumns } = useDataEntry();
  const custom = useMemo(
    () =>
      (options?.customFields ?? []).flatMap((field): CustomControl[] => {
        const column = shownColumns.find(({ id }) => id === field.key);
        return column ? [{ field, column }] : [];
      }),
    [options, shownColumns],
  );
  const [opened] = useState(draft ? { ...draft.opened, key: row.key } : row);
  const zone = useTimeZone();
  // What was shown on a clock is read on the same.
  const [timeZone] = useState(draft?.timeZone ?? zone);
  const [initial] = useState(() => formValues(opened, timeZone, custom));
  const [start] = useState(() =>
    preset ? { ...initial, [preset.field]: textOf(preset.field, preset.value, timeZone) } : initial,
  );
  const [choosing, setChoosing] = useState(false);
  const name = opened.deal?._id ?? 'new';
  const has = (field: DealField): boolean => options === undefined || existsFor(options, field);
  const form = useForm({
    initial: draft?.values ?? start,
    validate: (typed) => formErrors(typed, has, timeZone, { custom, initial, isNew: opened.deal === null }),
    submit: async (values) => {
      const changes = formChanges(opened, initial, values, timeZone, custom).map(
        ({ field: columnId, before, after }) => ({ key: row.key, columnId, before, after }),
      );
      deals.onCommand({ changes });
      close();
    },
  });
  const { values } = form;
  const isDirty = (Object.keys(values) as DealField[]).some(
    (name) => (values[name] ?? '') !== (start[name] ?? ''),
  );
  const isTyped = form.changed;
  // A draft of the same row that another tab stored is not deleted here.
  const close = (): void => onClose(draft || isTyped ? name : null);
  const store = useEffectEvent(onType);
  useEffect(() => {
    if (isTyped) store({ key: name, opened, values, timeZone });
  }, [isTyped, name, opened, values, timeZone]);
  const { deal } = row;
  const ability = deal === null || editAbility(deal);
  const readOnly = ability !== true;
  const text = (field: BuiltInField) => ({
    label: columns[field],
    readOnly,
    ...form.text(field),
  });

  return (
    <FormModal
      title={deal === null ? texts.addDeal : readOnly ? texts.notEditable : texts.editDeal}
      form={form}
      submitLabel={texts.saveDeal}
      blocked={readOnly ? ability : undefined}
      isUnsaved={isDirty}
      onClose={close}
    >
      {draft && !isTyped && <p>{texts.formKept}</p>}
      {readOnly && <p>{ability}</p>}
      {deal !== null && (
        <div className={`ui-row ${styles.actions}`}>
          <DealActions rows={[row]} onDeleted={close} />
        </div>
      )}
      {has('customerName') && <TextInput withAsterisk {...text('customerName')} />}
      {has('dealershipId') && (
        <Select
          withAsterisk
          searchable
          label={columns.dealershipId}
          readOnly={readOnly}
          data={namedChoices(
            options?.dealerships.filter(({ _id, active }) => active || _id === deal?.dealershipId),
          )}
          {...form.choice('dealershipId')}
        />
      )}
      {has('status') && (
        <Select
          label={columns.status}
          readOnly={readOnly}
          allowDeselect={false}
          placeholder={options?.statuses.find(({ isDefault }) => isDefault)?.name ?? ''}
          data={(options?.statuses ?? [])
            .filter(({ active, name }) => active || name === deal?.status)
            .map(({ name }) => name)}
          {...form.choice('status')}
        />
      )}
      {has('customerNumber') && <TextInput type="tel" {...text('customerNumber')} />}
      {has('customerEmail') && <TextInput type="email" {...text('customerEmail')} />}
      <FormRow>
        {has('dealNumber') && <TextInput {...text('dealNumber')} />}
        {has('vehicle') && <TextInput {...text('vehicle')} />}
      </FormRow>
      {has('items') && (
        <Input.Wrapper label={columns.items} labelElement="div">
          <Button
            variant="default"
            fullWidth
            justify="start"
            aria-label={`${columns.items}: ${formatItems(form.values.items) || itemTexts.choose}`}
            disabled={readOnly}
            onClick={() => setChoosing(true)}
          >
            {formatItems(form.values.items) || itemTexts.choose}
          </Button>
        </Input.Wrapper>
      )}
      {choosing && (
        <DealItems
          row={row}
          customer={form.values.customerName}
          value={form.values.items}
          offered={options?.items ?? []}
          onSave={(value) => form.set('items', value ?? '')}
          onClose={() => setChoosing(false)}
        />
      )}
      <FormRow>
        {has('saleAmount') && <TextInput inputMode="decimal" {...text('saleAmount')} />}
        {has('costAmount') && <TextInput inputMode="decimal" {...text('costAmount')} />}
      </FormRow>
      <FormRow>
        {has('deliveryDate') && <DayField {...text('deliveryDate')} {...form.value('deliveryDate')} />}
        {has('followUpAt') && (
          <DayField precision="minute" {...text('followUpAt')} {...form.value('followUpAt')} />
        )}
      </FormRow>
      {has('notes') && <Textarea autosize minRows={3} {...text('notes')} />}
      <CustomControls
        controls={custom}
        form={form}
        people={options?.people ?? []}
        isNew={deal === null}
        readOnly={readOnly}
      />
    </FormModal>
  );
}
