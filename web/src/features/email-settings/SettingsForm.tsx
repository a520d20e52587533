import type { EmailSettings, EmailSettingsInput, VerifyStep } from '@forecourt/contract/email-settings';
import { Button, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/email-settings.ts';
import { texts as mailboxTexts } from '../../texts/mailbox.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { descriptionBelow, FormRow } from '../../ui/FormModal.tsx';
import { LeaveWarning } from '../../ui/LeaveWarning.tsx';
import { statesOf, type StepState } from '../../ui/test-steps.ts';
import { TestResult, type TestOutcome } from '../../ui/TestResult.tsx';
import { toastDone, toastFailed, toastWarning } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { wholeNumberOf } from '../../ui/whole-number.ts';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import { failureText, useEmailSettings } from './email-settings.queries.ts';
import styles from './EmailSettingsScreen.module.css';

/** An empty text means no port. The record has no password, so it is only a typed one. */
type SettingsValues = {
  smtpHost: string;
  smtpPort: number | string;
  smtpSecure: boolean;
  smtpUser: string;
  smtpPassword: string;
  smtpFromEmail: string;
};

/** Returns the form values; port 587 without settings (docs/product/email.md, Mail servers of people). */
export const valuesOf = (settings: EmailSettings): SettingsValues => ({
  smtpHost: settings.smtpHost,
  smtpPort: settings.smtpPort,
  smtpSecure: settings.smtpSecure,
  smtpUser: settings.smtpUser,
  smtpPassword: '',
  smtpFromEmail: settings.smtpFromEmail,
});

export const inputOf = (values: SettingsValues): EmailSettingsInput => ({
  ...values,
  smtpHost: values.smtpHost.trim(),
  smtpPort: wholeNumberOf(values.smtpPort),
  smtpUser: values.smtpUser.trim(),
});

/** The password is not compared, because browsers never receive the stored one. */
const comparedFields: readonly ComparedField<SettingsValues>[] = [
  { field: 'smtpHost', label: texts.host, text: ({ smtpHost }) => smtpHost || texts.none },
  { field: 'smtpPort', label: texts.port },
  {
    field: 'smtpSecure',
    label: texts.secure,
    text: ({ smtpSecure }) => (smtpSecure ? texts.on : texts.off),
  },
  { field: 'smtpUser', label: texts.username, text: ({ smtpUser }) => smtpUser || texts.none },
  {
    field: 'smtpFromEmail',
    label: texts.fromEmail,
    text: ({ smtpFromEmail }) => smtpFromEmail || texts.none,
  },
];

/** Whether all fields that Save and Test need are filled in (docs/product/email.md, Mail servers of people). */
export const isComplete = ({
  smtpHost,
  smtpPort,
  smtpUser,
  smtpPassword,
  smtpFromEmail,
}: SettingsValues): boolean =>
  [smtpHost, String(smtpPort), smtpUser, smtpPassword, smtpFromEmail].every((text) => text.trim() !== '');

const steps: readonly VerifyStep[] = ['name', 'connection', 'tls', 'signIn', 'sender'];

/**
 * Returns the state of each step of a connection test. Encryption is listed only if it failed: a server on the local
 * network may have none.
 * @param failedAt the failed step; null if all steps passed
 */
export const stepStates = (failedAt: string | null): { step: VerifyStep; state: StepState }[] =>
  statesOf(
    steps.filter((step) => step !== 'tls' || failedAt === 'tls'),
    failedAt,
  );

/** The mail server of one user. Must be mounted again for another user. */
export function SettingsForm({ person }: { person: EmailSettings }): ReactNode {
  const { save, verify, remove } = useEmailSettings();
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const [deleting, setDeleting] = useState(false);
  const id = person.userId;

  const form = useRecordForm({
    record: person,
    valuesOf,
    inputOf: (typed, { version }) => ({ ...inputOf(typed), version }),
    schema: 'mailServer',
    fields: comparedFields,
    onFailed: (thrown) => toastFailed(thrown, failureText(thrown, texts.saveFailed)),
    save: (body) => save.mutateAsync({ params: { id }, body }),
    sent: texts.saved,
  });
  const { values, conflict } = form;
  const isDirty = JSON.stringify(values) !== JSON.stringify(valuesOf(form.base));
  // Another user's change replaces an unchanged form at once, otherwise after the next save.
  const [shownPerson, setShown] = useState(person);
  if (!isDirty && !form.busy && person !== shownPerson) {
    setShown(person);
    form.reset(person);
  }
  const complete = isComplete(values);
  const blocked = complete ? undefined : texts.incomplete;
  // A connected mailbox has no password to type; it is tested with the stored consent.
  const isConnected = person.provider !== null && !isDirty;

  const test = async (): Promise<void> => {
    const { smtpPassword, ...server } = inputOf(values);
    const wrong = isConnected ? undefined : Object.values(form.wrong())[0];
    if (wrong !== undefined) {
      toastWarning(wrong);
      return;
    }
    setOutcome(null);
    try {
      const body = isConnected ? server : { ...server, smtpPassword };
      const { details } = await verify.mutateAsync({ params: { id }, body });
      toastDone(texts.verified);
      setOutcome(outcomeOf(null, details));
    } catch (thrown) {
      const refused = thrown instanceof ApiError && thrown.code === 'MAIL_SERVER_REFUSED';
      toastFailed(thrown, failureText(thrown, texts.verifyFailed));
      if (refused) setOutcome(outcomeOf(thrown.errors['step'] ?? '', thrown.details ?? thrown.message));
    }
  };

  const removeAll = async (): Promise<void> => {
    await remove.mutateAsync({ params: { id } });
    toastDone(texts.deleted);
    setOutcome(null);
    form.reset({
      ...person,
      smtpHost: '',
      smtpPort: 587,
      smtpSecure: false,
      smtpUser: '',
      smtpFromEmail: '',
      version: null,
    });
  };

  return (
    <section className="ui-card" aria-labelledby="settings-of">
      <header className="ui-row ui-top ui-between ui-head">
        <div>
          <h2 id="settings-of">{person.name}</h2>
          <p className="ui-quiet ui-anywhere">{person.email}</p>
        </div>
        <p className="ui-line ui-quiet">
          {texts.lastVerified}
          <strong>{person.lastVerified ? formatDateTime(person.lastVerified) : texts.never}</strong>
        </p>
      </header>
      <form className="ui-stack ui-pad" onSubmit={form.onSubmit} noValidate autoComplete="off">
        <FormMessage text={form.message} />
        {conflict.changes && <ConflictNotice changes={conflict.changes} onTake={conflict.take} />}
        {person.provider && (
          <p className="ui-quiet ui-anywhere">
            {mailboxTexts.byProvider(mailboxTexts.providers[person.provider])}
          </p>
        )}
        <div className={styles.server}>
          <TextInput
            label={texts.host}
            withAsterisk
            placeholder="smtp.example.com"
            spellCheck={false}
            {...form.text('smtpHost')}
          />
          <WholeNumberInput label={texts.port} withAsterisk {...form.value('smtpPort')} />
        </div>
        <Switch label={texts.secure} description={texts.secureHint} {...form.check('smtpSecure')} />
        <FormRow>
          <TextInput
            label={texts.username}
            withAsterisk
            spellCheck={false}
            autoComplete="off"
            {...form.text('smtpUser')}
          />
          <PasswordInput
            label={texts.password}
            withAsterisk
            autoComplete="new-password"
            description={person.hasSettings && !person.provider ? texts.passwordStored : undefined}
            {...descriptionBelow}
            {...form.text('smtpPassword')}
          />
        </FormRow>
        <TextInput label={texts.fromEmail} withAsterisk type="email" {...form.text('smtpFromEmail')} />
        <TestResult busy={verify.isPending} outcome={outcome} />
        <footer className="ui-row ui-end ui-stays">
          {person.hasSettings && (
            <Button className="ui-pull" variant="subtle" color="danger" onClick={() => setDeleting(true)}>
              {texts.delete}
            </Button>
          )}
          <ActionButton
            variant="default"
            loading={verify.isPending}
            ability={form.busy ? texts.wait : isConnected || (blocked ?? true)}
            onClick={() => void test()}
          >
            {texts.test}
          </ActionButton>
          <ActionButton
            type="submit"
            loading={form.busy}
            ability={verify.isPending ? texts.wait : (blocked ?? true)}
          >
            {texts.save}
          </ActionButton>
        </footer>
      </form>
      <LeaveWarning when={isDirty && !form.busy} title={texts.leaveTitle} confirmLabel={texts.leave}>
        {texts.leaveQuestion(person.name)}
      </LeaveWarning>
      {deleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirmLabel={texts.delete}
          destructive
          failed={texts.deleteFailed}
          onConfirm={removeAll}
          onClose={() => setDeleting(false)}
        >
          <p>{texts.deleteQuestion}</p>
          <p className="ui-muted ui-mt-2">{texts.deleteWhat(person.name)}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const outcomeOf = (failedAt: string | null, message: string): TestOutcome => ({
  passed: failedAt === null,
  title: failedAt === null ? texts.verified : texts.verifyFailed,
  message,
  steps: stepStates(failedAt).map(({ step, state }) => ({ label: texts.steps[step], state })),
});
