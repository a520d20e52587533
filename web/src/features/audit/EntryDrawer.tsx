import type { AuditLogEntry } from '@forecourt/contract/audit';
import { Button, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/audit.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { changedFields, fieldText, recordName, sentenceOf, valueText } from './audit-sentences.ts';
import { useRedact } from './audit.queries.ts';
import styles from './AuditScreen.module.css';

type EntryDrawerProps = {
  entry: AuditLogEntry;
  names: Readonly<Record<string, string>>;
  /** Filters the log by this record. */
  onRecord: (recordId: string) => void;
  onClose: () => void;
};

export function EntryDrawer({ entry, names, onRecord, onClose }: EntryDrawerProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const { recordId } = entry;
  return (
    <SideDrawer title={sentenceOf(entry)} width={680} onClose={onClose}>
      <dl className="ui-facts ui-mb-4">
        <dt>{texts.when}</dt>
        <dd>{formatDateTime(entry.at)}</dd>
        <dt>{texts.by}</dt>
        <dd>{entry.actorId === null ? `${texts.program} (${entry.actorName})` : entry.actorName}</dd>
        <dt>{texts.address}</dt>
        <dd>{entry.ip || texts.nothing}</dd>
        <dt>{texts.request}</dt>
        <dd className="ui-code">{entry.requestId || texts.nothing}</dd>
      </dl>
      {entry.redacted && <p>{texts.redacted}</p>}
      <Values entry={entry} names={names} />
      {recordId !== null && (
        <div className="ui-row ui-mt-4">
          <Button variant="default" onClick={() => onRecord(recordId)}>
            {texts.ofThisRecord}
          </Button>
          {entry.action.endsWith('.deleted') && !entry.redacted && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {texts.redact}
            </Button>
          )}
        </div>
      )}
      {asking && recordId !== null && (
        <RedactDialog
          recordId={recordId}
          name={recordName(entry)}
          onDone={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </SideDrawer>
  );
}

function Values({ entry, names }: Pick<EntryDrawerProps, 'entry' | 'names'>): ReactNode {
  const fields = changedFields(entry);
  if (entry.redacted) return null;
  if (fields.length === 0) return <p>{texts.noValues}</p>;
  return (
    <table className={`ui-table ${styles.values}`}>
      <thead>
        <tr>
          <th scope="col">{texts.field}</th>
          <th scope="col">{texts.before}</th>
          <th scope="col">{texts.after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{names[field] ?? fieldText(field)}</th>
            <td>{valueText(entry.before?.[field], names)}</td>
            <td>{valueText(entry.after?.[field], names)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type RedactDialogProps = { recordId: string; name: string; onDone: () => void; onClose: () => void };

/** Requests a reason, and redacts the values of all entries about a deleted record. */
function RedactDialog({ recordId, name, onDone, onClose }: RedactDialogProps): ReactNode {
  const { mutateAsync } = useRedact();
  const form = useRecordForm({
    valuesOf: () => ({ reason: '' }),
    inputOf: ({ reason }) => ({ recordId, reason }),
    schema: 'redactAudit',
    failed: texts.redactFailed,
    save: async (body) => {
      const { redacted } = await mutateAsync({ body });
      toastDone(texts.redactDone(redacted));
      onDone();
    },
  });
  return (
    <FormModal
      title={texts.redactTitle}
      size="sm"
      form={form}
      submitLabel={texts.redactSubmit}
      destructive
      onClose={onClose}
    >
      <p>{texts.redactWhat(name)}</p>
      <TextInput label={texts.redactReason} withAsterisk {...form.text('reason')} />
    </FormModal>
  );
}
