import { idleFlags, type FlagKey } from '@forecourt/contract/permission-needs';
import type { UserPermissions } from '@forecourt/contract/permissions';
import { kindsWith } from '@forecourt/contract/record-kinds';
import { Button, Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Info from 'lucide-react/icons/info';
import { useRef, useState, type ReactNode, useId } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { formatCount } from '../../platform/formats.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/permissions.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { descriptionBelow, FormModal } from '../../ui/FormModal.tsx';
import { LeaveWarning } from '../../ui/LeaveWarning.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { required, useForm } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useSaveKey } from '../../ui/use-window-key.ts';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import { customFieldsQuery } from '../custom-fields/custom-fields.queries.ts';
import { dealershipsQuery } from '../dealerships/dealerships.queries.ts';
import { useSavePermissions } from './permissions.queries.ts';
import { comparedFields, differenceOf, flagTexts, namesFrom, type Difference } from './record-difference.ts';
import {
  changedFields,
  recordErrors,
  recordOf,
  valuesOf,
  type RecordValues,
  type RecordFormState,
  flagKeys,
  noEffect,
} from './record-values.ts';
import { type PersonWithRecord, RecordHead } from './RecordHead.tsx';
import { Restrictions } from './Restrictions.tsx';
import styles from './PermissionsScreen.module.css';

type RecordFormProps = { person: PersonWithRecord; people: readonly PersonWithRecord[] };

/** A user's record. Changes are reviewed before they are saved. Must be mounted again for another user. */
export function RecordForm({ person, people }: RecordFormProps): ReactNode {
  const { mutateAsync } = useSavePermissions();
  const { data: dealerships } = useQuery(dealershipsQuery);
  const { data: options } = useDealOptions();
  const { data: customFields } = useLiveQuery(customFieldsQuery, 'custom-field');
  const [open, setOpen] = useState<'difference' | 'copy' | null>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const names = namesFrom(dealerships?.items ?? [], options?.statuses ?? [], customFields?.items ?? []);

  const form = useRecordForm({
    record: person.record,
    valuesOf,
    inputOf: (values, { version }) => ({ ...recordOf(values), version }),
    schema: 'permissions',
    validate: (typed, before) => recordErrors(typed, valuesOf(before)),
    fields: comparedFields(names),
    submit: async () => {
      if (isDirty) setOpen('difference');
    },
    save: (body, idempotencyKey) => mutateAsync({ params: { id: person.userId }, body, idempotencyKey }),
    sent: texts.saved,
  });
  const { values, base, conflict } = form;
  const changes = changedFields(valuesOf(base), values).length;
  const isDirty = changes > 0;
  useSaveKey(() => formElement.current?.requestSubmit());

  // Another user's change replaces an unchanged form at once, otherwise after the next save.
  if (!isDirty && person.record.version > base.version) form.reset(person.record);

  const fillFrom = (source: string, recordValues: Partial<RecordValues>): void => {
    const idle = idleFlags(valuesOf(base), { ...values, ...recordValues });
    form.putAll({ ...recordValues, ...Object.fromEntries(idle.map((flag) => [flag, false])) });
    toastDone(
      texts.filled(
        source,
        idle.map((flag) => flagTexts[flag].label),
      ),
    );
  };

  /** The groups that are no flags. */
  const otherGroups: { readonly [group in GroupName]?: ReactNode } = {
    visibility: (
      <Restrictions
        form={form}
        dealerships={dealerships?.items ?? []}
        statuses={options?.statuses ?? []}
        customFields={customFields?.items ?? []}
      />
    ),
    sessions: <SessionLimits form={form} />,
    resources: <ResourceTable resources={person.record.resources} />,
  };

  return (
    <section className="ui-card" aria-labelledby="permissions-of">
      <RecordHead person={person} isDirty={isDirty} onFill={fillFrom} onCopy={() => setOpen('copy')} />
      <form ref={formElement} onSubmit={form.onSubmit} noValidate>
        {person.role === 'admin' && (
          <p className={`ui-line ui-top ui-accent ${styles.note}`}>
            <Info size={15} className="ui-lead" /> {texts.adminNote}
          </p>
        )}
        {conflict.changes && (
          <div className={styles.conflict}>
            <ConflictNotice changes={conflict.changes} onTake={conflict.take} />
          </div>
        )}
        {groups.map((group) => (
          <RecordGroup key={group} group={group}>
            {otherGroups[group] ?? <FlagGroup group={group} form={form} />}
          </RecordGroup>
        ))}
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

type GroupName = keyof typeof texts.groups;
const groups = Object.keys(texts.groups) as GroupName[];

function RecordGroup({ group, children }: { group: GroupName; children: ReactNode }): ReactNode {
  const id = useId();
  const { title, note } = texts.groups[group];
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div>
        <h3 id={id}>{title}</h3>
        <p className="ui-quiet ui-mt-1">{note}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

/** The flags of one group, each with its effect. A flag without effect can be turned off, but not on. */
function FlagGroup({ group, form }: { group: GroupName; form: RecordFormState }): ReactNode {
  return (
    <div className={styles.flags}>
      {flagKeys
        .filter((key) => key.startsWith(`${group}.`))
        .map((key) => (
          <Flag key={key} flag={key} form={form} />
        ))}
    </div>
  );
}

function Flag({ flag, form }: { flag: FlagKey; form: RecordFormState }): ReactNode {
  const { label, note } = flagTexts[flag];
  const reason = noEffect(flag, form.values);
  const isOn = form.values[flag];
  const error = reason !== null && form.errors[flag];
  return (
    <Switch
      label={label}
      description={
        reason === null || error ? (
          note
        ) : (
          <>
            {note} <span className={styles.reason}>{reason}</span>
          </>
        )
      }
      {...form.check(flag)}
      error={error}
      aria-invalid={Boolean(error)}
      disabled={reason !== null && !isOn}
    />
  );
}

type CopyDialogProps = {
  people: readonly PersonWithRecord[];
  onCopy: (person: PersonWithRecord) => void;
  onClose: () => void;
};

/** Chooses the user whose record is copied to the form. */
function CopyDialog({ people, onCopy, onClose }: CopyDialogProps): ReactNode {
  const form = useForm({
    initial: { userId: '' },
    validate: required({ userId: texts.copyRequired }),
    submit: async ({ userId }) => {
      const person = people.find((other) => other.userId === userId);
      if (person) onCopy(person);
      onClose();
    },
  });
  return (
    <FormModal title={texts.copyTitle} form={form} submitLabel={texts.copyConfirm} onClose={onClose}>
      <Select
        label={texts.copyLabel}
        description={texts.copyHint}
        placeholder={texts.copyChoose}
        searchable
        data-autofocus
        nothingFoundMessage={texts.nobodyFound}
        data={people.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))}
        {...form.choice('userId')}
      />
    </FormModal>
  );
}

type DifferenceDialogProps = {
  name: string;
  difference: Difference;
  onSave: () => Promise<void>;
  onClose: () => void;
};

/** Shows the changes as text before they are saved. */
function DifferenceDialog({ name, difference, onSave, onClose }: DifferenceDialogProps): ReactNode {
  return (
    <ConfirmDialog
      title={texts.reviewTitle(name)}
      confirmLabel={texts.save}
      failed={texts.saveFailed}
      onConfirm={onSave}
      onClose={onClose}
    >
      <div className="ui-stack ui-gap-3">
        <Changes title={texts.gains} tone="gain" sentences={difference.gains} />
        <Changes title={texts.losses} tone="loss" sentences={difference.losses} />
        <Changes title={texts.otherChanges} tone="other" sentences={difference.others} />
      </div>
    </ConfirmDialog>
  );
}

type ChangesProps = { title: string; tone: 'gain' | 'loss' | 'other'; sentences: readonly string[] };

function Changes({ title, tone, sentences }: ChangesProps): ReactNode {
  if (sentences.length === 0) return null;
  return (
    <section className={styles.changes} data-tone={tone} aria-label={title}>
      <h3 className="ui-mb-1">{title}</h3>
      <ul className="ui-bullets">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

const fields = [
  { field: 'maxSessions', label: texts.maxSessions, hint: texts.maxSessionsHint },
  { field: 'sessionTimeout', label: texts.sessionTimeout, hint: texts.sessionTimeoutHint },
] as const;

/** A user's maximum number of sessions, and their timeout (docs/product/people-and-permissions.md, Sessions). */
function SessionLimits({ form }: { form: RecordFormState }): ReactNode {
  return (
    <div className={styles.flags}>
      {fields.map(({ field, label, hint }) => (
        <WholeNumberInput
          key={field}
          label={label}
          description={hint}
          {...descriptionBelow}
          {...form.value(field)}
        />
      ))}
    </div>
  );
}

type Resources = UserPermissions['resources'];

const columns = ['owned', 'canView', 'canEdit'] as const;

/** Number of records of each kind that a user owns or shares. */
function ResourceTable({ resources }: { resources: Resources }): ReactNode {
  return (
    <table className={`ui-table ${styles.resources}`} data-figures>
      <thead>
        <tr>
          <th scope="col">{texts.kind}</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {texts[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kindsWith('resource').map(({ resource, many }) => (
          <tr key={resource}>
            <th scope="row">{many}</th>
            {columns.map((column) => (
              <td key={column}>{formatCount(resources[resource][column].length)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
