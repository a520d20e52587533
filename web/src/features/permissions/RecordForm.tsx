import type { UserPermissions } from '@forecourt/contract/permissions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Info from 'lucide-react/icons/info';
import { useRef, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/permissions.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useConflict } from '../../ui/use-conflict.ts';
import { useForm } from '../../ui/use-form.ts';
import { useLeaveWarning } from '../../ui/use-leave-warning.ts';
import { useSaveKey } from '../../ui/use-save-key.ts';
import { dealershipsQuery } from '../dealerships/dealerships.queries.ts';
import { dealOptionsQuery } from '../deals/deals.queries.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { DifferenceDialog } from './DifferenceDialog.tsx';
import { FlagGroup, RecordGroup } from './FlagGroup.tsx';
import { useSavePermissions } from './permissions.queries.ts';
import type { PersonWithRecord } from './person-with-record.ts';
import { comparedFields, differenceOf, namesFrom } from './record-difference.ts';
import { changedFields, recordErrors, recordOf, valuesOf, type RecordValues } from './record-values.ts';
import { RecordHead } from './RecordHead.tsx';
import { ResourceTable } from './ResourceTable.tsx';
import { Restrictions } from './Restrictions.tsx';
import { SessionLimits } from './SessionLimits.tsx';
import styles from './PermissionsScreen.module.css';

type RecordFormProps = { person: PersonWithRecord; people: readonly PersonWithRecord[] };

/** One person's whole record. What saving would change is shown before it is saved. Mount it anew for another. */
export function RecordForm({ person, people }: RecordFormProps): ReactNode {
  const { mutateAsync } = useSavePermissions();
  const { data: dealerships } = useQuery(dealershipsQuery);
  const { data: options } = useQuery(dealOptionsQuery);
  const [saved, setSaved] = useState<UserPermissions>(person.record);
  const [open, setOpen] = useState<'difference' | 'copy' | null>(null);
  const [keyFor] = useState(createIntentionKeys);
  const formElement = useRef<HTMLFormElement>(null);
  const names = namesFrom(dealerships?.items ?? [], options?.statuses ?? []);

  const form = useForm<RecordValues>({
    initial: valuesOf(saved),
    validate: recordErrors,
    submit: async () => {
      if (isDirty) setOpen('difference');
    },
  });
  const { values } = form;
  const fill = (given: Partial<RecordValues>): void => {
    for (const [field, value] of Object.entries(given)) form.set(field as keyof RecordValues, value);
  };

  const conflict = useConflict<UserPermissions, RecordValues>({
    fields: comparedFields(names),
    valuesOf,
    put: (field, theirs) => form.set(field, theirs[field]),
  });
  // What the next save is a change of.
  const base = conflict.record ?? saved;
  const changes = changedFields(valuesOf(base), values).length;
  const isDirty = changes > 0;
  const leaving = useLeaveWarning(isDirty);
  useSaveKey(() => formElement.current?.requestSubmit());

  // Somebody else's change shows at once where nothing is typed, and else when this is saved.
  if (!isDirty && person.record.version > base.version) {
    setSaved(person.record);
    fill(valuesOf(person.record));
    conflict.clear();
  }

  const save = async (): Promise<void> => {
    const body = { ...recordOf(values), version: base.version };
    try {
      const stored = await mutateAsync({ userId: person.userId, body, idempotencyKey: keyFor(body) });
      setSaved(stored);
      fill(valuesOf(stored));
      conflict.clear();
      toastDone(texts.saved);
    } catch (thrown) {
      if (!(thrown instanceof ApiError && thrown.code === 'CONFLICT')) throw thrown;
      conflict.meet(base, thrown.current as UserPermissions, values);
    }
  };

  const fillFrom = (source: string, given: Partial<RecordValues>): void => {
    fill(given);
    toastDone(texts.filled(source));
  };

  return (
    <section className={styles.card} aria-labelledby="permissions-of">
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
        <footer className={styles.foot}>
          <span className={styles.state} role="status">
            {isDirty ? texts.changes(changes) : texts.allSaved}
          </span>
          <Button variant="default" disabled={!isDirty} onClick={() => fill(valuesOf(base))}>
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
          onSave={save}
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
      {leaving && (
        <ConfirmDialog
          title={texts.leaveTitle}
          confirmLabel={texts.leave}
          destructive
          onConfirm={async () => leaving.proceed()}
          onClose={leaving.reset}
        >
          {texts.leaveQuestion(person.name)}
        </ConfirmDialog>
      )}
    </section>
  );
}
