import type { ExportKind } from '@forecourt/contract/exports';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { statusTexts } from '../../texts/email-sending.ts';
import { texts } from '../../texts/exports.ts';
import { labelChoices, namedChoices } from '../../ui/choices.ts';
import { DayField } from '../../ui/DayField.tsx';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useOpener } from '../../ui/use-opener.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { DealFilterField } from '../deals/deal-filter.lazy.ts';
import { useFilterOf } from '../deals/deal-filter.shared.ts';
import { usersQuery } from '../users/users.queries.ts';
import { FIELDS_OF, requestOf, type ExportValues } from './export-values.ts';
import { useBeginExport } from './exports.queries.ts';

type NewExportFormProps = { initial: ExportValues; onClose: () => void };

export function NewExportForm({ initial, onClose }: NewExportFormProps): ReactNode {
  const { mutateAsync } = useBeginExport();
  const { data: options } = useDealOptions();
  const { data: users } = useQuery(usersQuery);
  const form = useRecordForm({
    record: initial,
    valuesOf: (values) => values,
    inputOf: requestOf,
    schema: 'export',
    failed: texts.failed,
    send: (body, idempotencyKey) => mutateAsync({ body, idempotencyKey }),
    sent: texts.begun,
    onClose,
  });
  const filterPanel = useOpener('dialog');
  const filter = useFilterOf(form.values.filter || undefined, (text) => form.set('filter', text ?? ''));
  const { kind } = form.values;
  const has = (field: keyof ExportValues): boolean => FIELDS_OF[kind].includes(field);
  const people = namedChoices(users?.items);
  const statuses =
    kind === 'emails'
      ? labelChoices(statusTexts)
      : (options?.statuses.map(({ name }) => ({ value: name, label: name })) ?? []);
  const choice = { clearable: true, searchable: true, placeholder: texts.anyone } as const;
  const { entity, action, recordId } = form.values;
  const alsoBy = [entity, action, recordId && texts.filters['recordId']].filter(Boolean).join(', ');

  return (
    <FormModal
      title={texts.newTitle}
      form={form}
      submitLabel={texts.begin}
      // Escape in the panel of the filter closes only the panel.
      onClose={() => filterPanel.part?.opened || onClose()}
    >
      <FormRow>
        <Select
          label={texts.what}
          data={labelChoices(texts.kinds)}
          value={kind}
          onChange={(next) => {
            form.set('kind', next as ExportKind);
            // Each kind has other statuses.
            form.set('status', '');
          }}
        />
        <div>
          <p className="ui-strong ui-mb-1" id="export-format">
            {texts.format}
          </p>
          <Segments
            aria-labelledby="export-format"
            labels={texts.formats}
            value={form.values.format}
            onChange={(format) => form.set('format', format)}
          />
        </div>
      </FormRow>
      {has('month') && (
        <DayField
          precision="month"
          label={texts.month}
          description={texts.everyMonth}
          {...form.value('month')}
        />
      )}
      {has('dealershipId') && (
        <Select
          label={texts.dealership}
          data={namedChoices(options?.dealerships)}
          {...choice}
          {...form.choice('dealershipId')}
        />
      )}
      {has('status') && (
        <Select label={texts.status} data={statuses} {...choice} {...form.choice('status')} />
      )}
      {has('owner') && <Select label={texts.owner} data={people} {...choice} {...form.choice('owner')} />}
      {has('actorId') && (
        <Select label={texts.person} data={people} {...choice} {...form.choice('actorId')} />
      )}
      {has('from') && (
        <FormRow>
          <DayField label={texts.from} {...form.value('from')} />
          <DayField label={texts.to} {...form.value('to')} />
        </FormRow>
      )}
      {has('filter') && (
        <Suspense>
          <DealFilterField of={filter} opener={filterPanel} />
        </Suspense>
      )}
      {has('search') && <TextInput label={texts.search} {...form.text('search')} />}
      {kind === 'audit' && alsoBy !== '' && <p className="ui-muted">{texts.alsoBy(alsoBy)}</p>}
    </FormModal>
  );
}
