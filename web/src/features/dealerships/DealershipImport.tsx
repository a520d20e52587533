import { MAX_IMPORTED_DEALERSHIPS } from '@forecourt/contract/dealership-limits';
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { templatesQuery } from '../../platform/directory.ts';
import { texts } from '../../texts/dealership-import.ts';
import { texts as dealershipTexts } from '../../texts/dealerships.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { withRefusals } from '../../ui/import/cell-texts.ts';
import { ColumnChoice } from '../../ui/import/ColumnChoice.tsx';
import { ImportPreview } from '../../ui/import/ImportPreview.tsx';
import { ImportSource } from '../../ui/import/ImportSource.tsx';
import { useImport } from '../../ui/import/use-import.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { importFields, importPlan, refusedCells, type ImportPlan } from './dealership-import-values.ts';
import { templateLabel } from './DealershipForm.tsx';
import { dealershipsQuery, useImportDealerships } from './dealerships.queries.ts';

/** Imports dealerships with their contacts from a file or pasted rows, after a preview. */
export default function DealershipImport({ onClose }: { onClose: () => void }): ReactNode {
  const { mutateAsync } = useImportDealerships();
  const { data: templates } = useQuery(templatesQuery);
  const { data: dealerships } = useQuery(dealershipsQuery);
  const [usualTemplateId, setUsualTemplateId] = useState('');
  const form = useImport(importFields);
  const { source, match, edits, refused } = form;

  const plan =
    source &&
    match &&
    importPlan({
      table: source.table,
      match,
      edits,
      templates: templates?.items ?? [],
      usualTemplateId,
      existing: dealerships?.items.map(({ name }) => name) ?? [],
    });
  const blocked = rejectionReason(plan, Object.keys(refused).length);

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    const planned = plan?.dealerships ?? [];
    const inputs = planned.map(({ input }) => input);
    void form.submit(event, {
      blocked,
      failed: texts.failed,
      refusedCells: (errors) => refusedCells(errors, planned),
      send: async (keyFor) => {
        const { total } = await mutateAsync({
          body: { dealerships: inputs },
          idempotencyKey: keyFor(inputs),
        });
        toastDone(texts.done(total));
        onClose();
      },
    });
  };

  const lines = plan && withRefusals(plan.lines, refused);
  const wrong = new Set(lines?.flatMap(({ errors }) => Object.keys(errors)));

  return (
    <FormModal
      title={texts.title}
      size="2xl"
      form={{ message: form.message, busy: form.busy, onSubmit: submit }}
      submitLabel={plan?.dealerships.length ? texts.submit(plan.dealerships.length) : texts.submitNothing}
      blocked={blocked}
      isUnsaved={source !== null}
      onClose={onClose}
    >
      <p className="ui-muted">{texts.note}</p>
      <ImportSource fileName={source?.fileName ?? null} onTable={form.take} />
      {source && match && plan && lines && (
        <>
          <ColumnChoice
            fields={importFields}
            header={source.table.header}
            match={match}
            onChange={form.setMatch}
          />
          <Select
            maw={320}
            label={texts.usualTemplate}
            description={texts.usualTemplateHint}
            data={
              templates?.items.map((template) => ({ value: template._id, label: templateLabel(template) })) ??
              []
            }
            placeholder={dealershipTexts.chooseTemplate}
            searchable
            clearable
            value={usualTemplateId || null}
            onChange={(id) => setUsualTemplateId(id ?? '')}
          />
          <Summary plan={plan} wrong={plan.wrong + Object.keys(refused).length} />
          <ImportPreview
            key={JSON.stringify([source.id, match, usualTemplateId])}
            fields={importFields.filter(({ field }) => form.isShown(field, wrong))}
            lines={lines}
            isEdited={form.isEdited}
            onEdit={form.edit}
          />
        </>
      )}
    </FormModal>
  );
}

/** Returns why the import is blocked; undefined if it is not. */
function rejectionReason(plan: ImportPlan | null, refused: number): string | undefined {
  if (!plan) return texts.chooseFirst;
  if (plan.wrong + refused > 0) return texts.correctFirst;
  if (plan.dealerships.length === 0) return texts.nothingNew;
  return plan.dealerships.length > MAX_IMPORTED_DEALERSHIPS ? texts.tooMany : undefined;
}

/** Numbers of added, skipped and invalid records. Announced when they change. */
function Summary({ plan, wrong }: { plan: ImportPlan; wrong: number }): ReactNode {
  const contacts = plan.dealerships.reduce((sum, { input }) => sum + input.contacts.length, 0);
  return (
    <p className="ui-row ui-gap-3" role="status">
      <span>
        {plan.dealerships.length > MAX_IMPORTED_DEALERSHIPS
          ? texts.tooMany
          : texts.willAdd(plan.dealerships.length, contacts)}
      </span>
      {plan.leftOut > 0 && <StatusBadge tone="warn">{texts.leftOut(plan.leftOut)}</StatusBadge>}
      {wrong > 0 && <StatusBadge tone="danger">{texts.toCorrect(wrong)}</StatusBadge>}
    </p>
  );
}
