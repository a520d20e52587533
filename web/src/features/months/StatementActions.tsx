import type { StatementEntry, StatementKind } from '@forecourt/contract/statements';
import FileDown from 'lucide-react/icons/file-down';
import Send from 'lucide-react/icons/send';
import { useState, type ReactNode } from 'react';
import { mayCloseMonths } from '../../platform/permission-set.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/statement-actions.ts';
import { texts as statementTexts } from '../../texts/statements.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { AccountingForm } from './AccountingForm.tsx';
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
