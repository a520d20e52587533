import type { SshSettings } from '@forecourt/contract/backups';
import { Button, NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/backup-ssh.ts';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { TestResult, type TestOutcome } from '../../ui/TestResult.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { useSshSettings } from './backups.queries.ts';
import { inputOf, isComplete, isSameServer, outcomeOf, sshErrors, valuesOf } from './ssh-values.ts';
import styles from './SshSettingsForm.module.css';

type SshSettingsFormProps = { settings: SshSettings; onClose: () => void };

/** The settings as they were when the dialog was opened, and the test of what is typed. */
export function SshSettingsForm({ settings, onClose }: SshSettingsFormProps): ReactNode {
  const { save, test } = useSshSettings();
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const [shownKey, setShownKey] = useState<string | null>(null);
  const result = useRef<HTMLDivElement>(null);
  // The form is longer than a screen, and the result is at its end.
  useEffect(() => {
    if (outcome !== null) result.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);
  const form = useForm({
    initial: valuesOf(settings),
    validate: sshErrors,
    failed: texts.saveFailed,
    submit: async (values) => {
      await save.mutateAsync(inputOf(values));
      toastDone(texts.saved);
      onClose();
    },
  });
  const { values } = form;
  const isFilled = isComplete(values, settings) && Object.keys(sshErrors(values)).length === 0;
  const isValid = isFilled || !values.enabled;

  const tryOut = async (acceptHostKey?: string): Promise<void> => {
    setOutcome(null);
    setShownKey(null);
    try {
      const { details } = await test.mutateAsync({
        ...inputOf(values),
        ...(acceptHostKey !== undefined && { acceptHostKey }),
      });
      setOutcome(outcomeOf(null, details));
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'SSH_SERVER_REFUSED')
        return toastFailed(thrown, texts.testFailed);
      const reason = thrown.details ?? thrown.message;
      toastFailed(null, texts.testFailedBecause(reason));
      setOutcome(outcomeOf(thrown.errors['step'] ?? '', reason));
      setShownKey(thrown.errors['hostKey'] ?? null);
    }
  };

  return (
    <FormModal
      title={texts.title}
      size="lg"
      form={form}
      submitLabel={texts.save}
      blocked={isValid ? undefined : texts.incomplete}
      onClose={onClose}
    >
      <p className={styles.note}>{texts.note}</p>
      <Switch label={texts.enabled} {...form.check('enabled')} />
      <div className={styles.server}>
        <TextInput
          label={texts.host}
          withAsterisk
          placeholder="copies.example.com"
          maxLength={253}
          spellCheck={false}
          {...form.text('host')}
        />
        <NumberInput
          label={texts.port}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={values.port}
          error={form.errors['port']}
          onChange={(port) => form.set('port', port)}
        />
      </div>
      <TextInput
        label={texts.username}
        withAsterisk
        maxLength={120}
        spellCheck={false}
        autoComplete="off"
        {...form.text('username')}
      />
      <Segments
        aria-label={texts.authMethod}
        data={[
          { value: 'privateKey', label: texts.methods.privateKey },
          { value: 'password', label: texts.methods.password },
        ]}
        value={values.authMethod}
        onChange={(method) => form.set('authMethod', method as SshSettings['authMethod'])}
      />
      <SecretFields form={form} settings={settings} />
      <FormRow>
        <TextInput
          label={texts.remotePath}
          description={texts.remotePathNote}
          withAsterisk
          placeholder="/srv/backups"
          maxLength={400}
          spellCheck={false}
          {...form.text('remotePath')}
        />
        <TextInput
          label={texts.serverName}
          description={texts.serverNameNote}
          placeholder="forecourt"
          maxLength={40}
          spellCheck={false}
          {...form.text('serverName')}
        />
      </FormRow>
      <FormRow>
        <NumberInput
          label={texts.connectionTimeout}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={values.connectionTimeout}
          error={form.errors['connectionTimeout']}
          onChange={(seconds) => form.set('connectionTimeout', seconds)}
        />
        <Switch
          className={styles.keep}
          label={texts.keepLocalCopies}
          description={texts.keepLocalCopiesNote}
          {...form.check('keepLocalCopies')}
        />
      </FormRow>
      <dl className={styles.facts}>
        <dt>{texts.hostKey}</dt>
        <dd>{settings.hostKey ?? texts.hostKeyUnknown}</dd>
        <dt>{texts.lastVerified}</dt>
        <dd>{settings.lastVerified === null ? texts.never : formatDateTime(settings.lastVerified)}</dd>
      </dl>
      <div>
        <Button
          variant="default"
          loading={test.isPending}
          disabled={!isFilled || form.busy}
          title={isFilled ? undefined : texts.incomplete}
          onClick={() => void tryOut()}
        >
          {texts.test}
        </Button>
      </div>
      <div ref={result}>
        <TestResult busy={test.isPending} outcome={outcome}>
          {shownKey !== null && (
            <div className={styles.shownKey}>
              <p>{texts.shownKey(shownKey)}</p>
              <Button variant="default" color="danger" onClick={() => void tryOut(shownKey)}>
                {texts.acceptKey}
              </Button>
            </div>
          )}
        </TestResult>
      </div>
    </FormModal>
  );
}

type Form = ReturnType<typeof useForm<ReturnType<typeof valuesOf>>>;

/** What proves who signs in. What is stored is not shown, and stays when nothing is typed. */
function SecretFields({ form, settings }: { form: Form; settings: SshSettings }): ReactNode {
  const kept = isSameServer(form.values, settings);
  const noteOf = (isStored: boolean, usual?: string): string | undefined =>
    isStored ? (kept ? texts.stored : texts.storedElsewhere) : usual;
  if (form.values.authMethod === 'password')
    return (
      <PasswordInput
        label={texts.password}
        description={noteOf(settings.hasPassword)}
        withAsterisk
        autoComplete="new-password"
        {...form.text('password')}
      />
    );
  return (
    <>
      <Textarea
        label={texts.privateKey}
        description={noteOf(settings.hasPrivateKey)}
        withAsterisk
        placeholder={texts.privateKeyPlaceholder}
        autosize
        minRows={3}
        maxRows={6}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: styles.key ?? '' }}
        {...form.text('privateKey')}
      />
      <PasswordInput
        label={texts.passphrase}
        description={noteOf(settings.hasPassphrase, texts.passphraseNote)}
        autoComplete="new-password"
        {...form.text('passphrase')}
      />
    </>
  );
}
