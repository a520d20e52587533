import type { AccountingProgram } from '@forecourt/contract/months';
import type { StatementEntry, StatementKind } from '@forecourt/contract/statements';
import { TextInput } from '@mantine/core';
import FileDown from 'lucide-react/icons/file-down';
import Send from 'lucide-react/icons/send';
import { useState, type ReactNode } from 'react';
import { downloadFile } from '../../platform/files.ts';
import { mayCloseMonths } from '../../platform/permission-set.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/statement-actions.ts';
import { texts as statementTexts } from '../../texts/statements.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { descriptionBelow, FormModal } from '../../ui/FormModal.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { required, type FieldErrors } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { SendStatements } from './SendStatements.tsx';

type StatementActionsProps = {
  month: string;
  kind: StatementKind;
  /** The current statements of this month and kind. */
  statements: readonly StatementEntry[];
};

/** What can be done with all statements of a list: a file for accounting, and for dealerships an email. */
export function StatementActions({ month, kind, statements }: StatementActionsProps): ReactNode {
  const [opened, setOpened] = useState<'accounting' | 'send' | null>(null);
  const close = (): void => setOpened(null);
  const maySend = mayCloseMonths(usePermissions());
  const missing = statements.length === 0 ? statementTexts.noneOf[kind] : true;
  const whenSending = viewing === null ? (maySend ? missing : texts.mayNotSend) : texts.sendNotWhileViewing;
  return (
    <div className="ui-row">
      <ActionButton
        variant="default"
        leftSection={<FileDown />}
        ability={viewing === null ? missing : statementTexts.notWhileViewing}
        onClick={() => setOpened('accounting')}
      >
        {texts.accounting}
      </ActionButton>
      {kind === 'account' && (
        <ActionButton
          variant="default"
          leftSection={<Send />}
          ability={whenSending}
          onClick={() => setOpened('send')}
        >
          {texts.send}
        </ActionButton>
      )}
      {opened === 'accounting' && <AccountingForm month={month} kind={kind} onClose={close} />}
      {opened === 'send' && <SendStatements month={month} statements={statements} onClose={close} />}
    </div>
  );
}

type AccountingFormProps = { month: string; kind: StatementKind; onClose: () => void };

type Values = { program: AccountingProgram; account: string };

const requireAccount = required<Values>({ account: texts.accountMissing });

/** Downloads the statements of a month for an accounting program (docs/product/month-close.md, Files). */
function AccountingForm({ month, kind, onClose }: AccountingFormProps): ReactNode {
  const form = useRecordForm({
    valuesOf: (): Values => ({ program: 'xero', account: '' }),
    inputOf: ({ program, account }) => ({
      kind,
      program,
      ...(account.trim() !== '' && { account }),
    }),
    schema: 'accounting',
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
        labels={texts.programs}
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
