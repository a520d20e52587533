import type { RestoreBody, RestoreCheck } from '@forecourt/contract/backups';
import { Loader, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/backups.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { useForm } from '../../ui/use-form.ts';
import { restoreCheckQuery } from './backups.queries.ts';
import styles from './Restore.module.css';

type RestoreDialogProps = {
  name: string;
  /** Starts the restore, after the dialog has been closed. */
  onConfirm: (body: RestoreBody) => void;
  onClose: () => void;
};

/** Shows what a restore would bring back and remove, and confirms (docs/product/backups.md, Check before a restore). */
export function RestoreDialog({ name, onConfirm, onClose }: RestoreDialogProps): ReactNode {
  const query = useQuery(restoreCheckQuery(name));
  const { data } = query;
  if (data) return <Confirm check={data} onConfirm={onConfirm} onClose={onClose} />;
  return (
    <Modal
      opened
      title={texts.restoreTitle}
      size={dialogSizes.lg}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <Loaded of={query} message={texts.restoreFailed}>
        <p className="ui-line ui-mt-2 ui-mb-4" role="status">
          <Loader size={16} /> {texts.reading}
        </p>
      </Loaded>
    </Modal>
  );
}

type ConfirmProps = { check: RestoreCheck } & Pick<RestoreDialogProps, 'onConfirm' | 'onClose'>;

function Confirm({ check, onConfirm, onClose }: ConfirmProps): ReactNode {
  const { name, createdAt, isOlder, signature, confirmName, counts, reactivated } = check;
  const form = useForm({
    initial: { secretKey: '', confirmName: '' },
    validate: (values) =>
      confirmName === null || values.secretKey.trim() !== '' || values.confirmName.trim() === confirmName
        ? {}
        : { confirmName: texts.typeNameRequired },
    submit: async (values) => {
      onConfirm({
        ...(values.secretKey.trim() !== '' && { secretKey: values.secretKey.trim() }),
        ...(values.confirmName.trim() !== '' && { confirmName: values.confirmName.trim() }),
      });
    },
  });

  return (
    <FormModal
      title={texts.restoreTitle}
      size="lg"
      form={form}
      submitLabel={texts.restoreButton}
      destructive
      onClose={onClose}
    >
      <div>
        <p className="ui-strong ui-anywhere">{texts.restoreOf(name)}</p>
        {createdAt !== null && <p>{texts.madeAt(formatDateTime(createdAt))}</p>}
        {isOlder && <p>{texts.older}</p>}
        {signature === 'unsigned' && <p>{texts.unsigned}</p>}
      </div>
      <Counts counts={counts} />
      {reactivated.length > 0 && (
        <div className="ui-notice">
          <p>{texts.reactivated}</p>
          <ul className="ui-bullets ui-mt-1">
            {reactivated.map(({ email, name: person }) => (
              <li key={email}>{`${person} (${email})`}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="ui-muted">{texts.consequences}</p>
      {confirmName !== null && (
        <>
          {signature === 'foreign' && (
            <>
              <p className="ui-notice">{texts.foreignNote}</p>
              <PasswordInput
                label={texts.secretKey}
                description={texts.secretKeyNote}
                autoComplete="off"
                {...form.text('secretKey')}
              />
            </>
          )}
          <TextInput
            label={texts.typeName(confirmName)}
            autoComplete="off"
            spellCheck={false}
            {...form.text('confirmName')}
          />
        </>
      )}
    </FormModal>
  );
}

const amounts = ['comesBack', 'disappears', 'changes', 'inBackup'] as const;

function Counts({ counts }: { counts: RestoreCheck['counts'] }): ReactNode {
  return (
    <table className={`ui-table ${styles.counts}`} data-figures aria-label={texts.countsTable}>
      <thead>
        <tr>
          <th scope="col">{texts.kind}</th>
          {amounts.map((amount) => (
            <th key={amount} scope="col">
              {texts[amount]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {counts.map((count) => (
          <tr key={count.kind}>
            <th scope="row">{texts.kinds[count.kind]}</th>
            {amounts.map((amount) => (
              <td key={amount} data-what={count[amount] > 0 ? amount : undefined}>
                {formatCount(count[amount])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
