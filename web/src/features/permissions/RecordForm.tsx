import { idleFlags } from '@forecourt/contract/permission-needs';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Info from 'lucide-react/icons/info';
import { useRef, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/permissions.ts';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { LeaveWarning } from '../../ui/LeaveWarning.tsx';
import { schemas } from '../../ui/schemas.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useSaveKey } from '../../ui/use-save-key.ts';
import { dealershipsQuery } from '../dealerships/dealerships.queries.ts';
import { dealOptionsQuery } from '../deals/deals.queries.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { DifferenceDialog } from './DifferenceDialog.tsx';
import { FlagGroup, RecordGroup } from './FlagGroup.tsx';
import { useSavePermissions } from './permissions.queries.ts';
import type { PersonWithRecord } from './person-with-record.ts';
import { comparedFields, differenceOf, flagWords, namesFrom } from './record-difference.ts';
import { changedFields, recordErrors, recordOf, valuesOf, type RecordValues } from './record-values.ts';
import { RecordHead } from './RecordHead.tsx';
import { ResourceTable } from './ResourceTable.tsx';
import { Restrictions } from './Restrictions.tsx';
import { SessionLimits } from './SessionLimits.tsx';
import styles from './PermissionsScreen.module.css';

type RecordFormProps = { person: PersonWithRecord; people: readonly PersonWithRecord[] };

/** A user's record. The changes are shown before they are saved. Remount it for another user. */
export function RecordForm({ person, people }: RecordFormProps): ReactNode {
  const { mutateAsync } = useSavePermissions();
  const { data: dealerships } = useQuery(dealershipsQuery);
  const { data: options } = useQuery(dealOptionsQuery);
  const [open, setOpen] = useState<'difference' | 'copy' | null>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const names = namesFrom(dealerships?.items ?? [], options?.statuses ?? []);

  const form = useRecordForm({
    record: person.record,
    valuesOf,
    inputOf: (values, { version }) => ({ ...recordOf(values), version }),
    schema: schemas.permissions,
    validate: (typed, before) => recordErrors(typed, valuesOf(before)),
    fields: comparedFields(names),
    submit: async () => {
      if (isDirty) setOpen('difference');
    },
    save: async (body, idempotencyKey) => {
      const stored = await mutateAsync({ userId: person.userId, body, idempotencyKey });
      toastDone(texts.saved);
      return stored;
    },
  });
  const { values, base, conflict } = form;
  const changes = changedFields(valuesOf(base), values).length;
  const isDirty = changes > 0;
  useSaveKey(() => formElement.current?.requestSubmit());

  // Another user's change is shown at once in unchanged forms, otherwise after the next save.
  if (!isDirty && person.record.version > base.version) form.reset(person.record);

  const fillFrom = (source: string, given: Partial<RecordValues>): void => {
    const idle = idleFlags(valuesOf(base), { ...values, ...given });
    form.putAll({ ...given, ...Object.fromEntries(idle.map((flag) => [flag, false])) });
    toastDone(
      texts.filled(
        source,
        idle.map((flag) => flagWords[flag].label),
      ),
    );
  };

  return (
    <section className="ui-card" aria-labelledby="permissions-of">
      <RecordHead person={person} isDirty={isDirty} onFill={fillFrom} onCopy={() => setOpen('copy')} />
      <form ref={formElement} onSubmit={form.onSubmit} noValidate>
        {person.role === 'admin' && (
          <p className={styles.note}>
            <Info size={15} /> {texts.adminNote}
          </p>
        )}
        {conflict.changes && (
          <div className={styles.conflict}>
            <ConflictNotice changes={conflict.changes} onTake={conflict.take} />
          </div>
        )}
        <FlagGroup group="pages" flags="pages" form={form} />
        <FlagGroup group="dataEntry" flags="dataEntry" form={form} />
        <RecordGroup group="visibility">
          <Restrictions
            form={form}
            dealerships={dealerships?.items ?? []}
            statuses={options?.statuses ?? []}
          />
        </RecordGroup>
        <FlagGroup group="dealerships" flags="dealershipConfiguration" form={form} />
        <FlagGroup group="templates" flags="emailTemplateConfiguration" form={form} />
        <FlagGroup group="items" flags="itemConfiguration" form={form} />
        <FlagGroup group="statuses" flags="statusConfiguration" form={form} />
        <FlagGroup group="features" flags="features" form={form} />
        <RecordGroup group="sessions">
          <SessionLimits form={form} />
        </RecordGroup>
        <RecordGroup group="resources">
          <ResourceTable resources={person.record.resources} />
        </RecordGroup>
        <footer className={`ui-row ui-end ui-foot ${styles.foot}`}>
          <span className="ui-quiet ui-pull" role="status">
            {isDirty ? texts.changes(changes) : texts.allSaved}
          </span>
          <Button variant="default" disabled={!isDirty} onClick={() => form.putAll(valuesOf(base))}>
            {texts.discard}
          </Button>
          <Button type="submit" disabled={!isDirty}>
            {texts.review}
          </Button>
        </footer>
      </form>
      {open === 'difference' && (
        <DifferenceDialog
          name={person.name}
          difference={differenceOf(valuesOf(base), values, names)}
          onSave={form.save}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'copy' && (
        <CopyDialog
          people={people.filter(({ userId }) => userId !== person.userId)}
          onCopy={({ name, record }) => fillFrom(name, valuesOf(record))}
          onClose={() => setOpen(null)}
        />
      )}
      <LeaveWarning when={isDirty} title={texts.leaveTitle} confirmLabel={texts.leave}>
        {texts.leaveQuestion(person.name)}
      </LeaveWarning>
    </section>
  );
}
