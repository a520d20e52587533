import type { AccountingProgram } from '@forecourt/contract/months';
import type { StatementKind } from '@forecourt/contract/statements';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { downloadFile } from '../../platform/files.ts';
import { texts } from '../../texts/statement-actions.ts';
import { labelChoices } from '../../ui/choices.ts';
import { descriptionBelow } from '../../ui/description-below.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { schemas } from '../../ui/schemas.ts';
import { Segments } from '../../ui/Segments.tsx';
import { required, type FieldErrors } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';

type AccountingFormProps = { month: string; kind: StatementKind; onClose: () => void };

type Values = { program: AccountingProgram; account: string };

const requireAccount = required<Values>({ account: texts.accountMissing });

/** Downloads the statements of a month for an accounting program (docs/product/month-close.md, Files). */
export function AccountingForm({ month, kind, onClose }: AccountingFormProps): ReactNode {
  const form = useRecordForm({
    record: undefined,
    valuesOf: (): Values => ({ program: 'xero', account: '' }),
    inputOf: ({ program, account }) => ({
      kind,
      program,
      ...(account.trim() !== '' && { account }),
    }),
    schema: schemas.accounting,
    validate: (values): FieldErrors => (values.program === 'myob' ? requireAccount(values) : {}),
    failed: texts.downloadFailed,
    save: async (query) => {
      const name = texts.fileName(query.program, kind, month);
      await downloadFile('/months/:month/accounting', { month }, name, query);
      onClose();
    },
  });
  const { program } = form.values;
  return (
    <FormModal
      title={texts.accountingTitle(kind, month)}
      form={form}
      submitLabel={texts.download}
      onClose={onClose}
    >
      <p>
        {texts.accountingNote[kind]} {texts.names[kind]}
      </p>
      <Segments
        aria-label={texts.program}
        data={labelChoices(texts.programs)}
        value={program}
        onChange={(chosen) => {
          form.set('program', chosen);
          form.setErrors({});
        }}
      />
      <TextInput
        label={texts.account}
        description={texts.accountHints[program]}
        {...descriptionBelow}
        withAsterisk={program === 'myob'}
        {...form.text('account')}
      />
    </FormModal>
  );
}
