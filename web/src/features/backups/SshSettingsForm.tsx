import type { SshSettings, SshSettingsInput, SshStep } from '@forecourt/contract/backups';
import { Button, PasswordInput, Switch, Textarea, TextInput, Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/backup-ssh.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { labelChoices } from '../../ui/choices.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { schemas } from '../../ui/schemas.ts';
import { Segments } from '../../ui/Segments.tsx';
import { statesOf } from '../../ui/test-steps.ts';
import { TestResult, type TestOutcome } from '../../ui/TestResult.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import type { useForm } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { wholeNumberOf } from '../../ui/whole-number.ts';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import '../../ui/styles-dialog.ts';
import { useSshSettings, sshSettingsQuery } from './backups.queries.ts';
import styles from './SshSettingsForm.module.css';

/** An empty number is an empty text. The record has no secrets, so these are only typed ones. */
type SshValues = Pick<
  SshSettings,
  'enabled' | 'host' | 'username' | 'authMethod' | 'remotePath' | 'keepLocalCopies' | 'serverName'
> & {
  port: number | string;
  connectionTimeout: number | string;
  privateKey: string;
  passphrase: string;
  password: string;
};

export const valuesOf = (settings: SshSettings): SshValues => ({
  enabled: settings.enabled,
  host: settings.host,
  port: settings.port,
  username: settings.username,
  authMethod: settings.authMethod,
  privateKey: '',
  passphrase: '',
  password: '',
  remotePath: settings.remotePath,
  keepLocalCopies: settings.keepLocalCopies,
  connectionTimeout: settings.connectionTimeout,
  serverName: settings.serverName,
});

/** Omits empty secrets, so that the stored ones stay. */
export const inputOf = ({ privateKey, passphrase, password, ...values }: SshValues): SshSettingsInput => ({
  ...values,
  host: values.host.trim(),
  port: wholeNumberOf(values.port),
  username: values.username.trim(),
  remotePath: values.remotePath.trim(),
  connectionTimeout: wholeNumberOf(values.connectionTimeout),
  serverName: values.serverName.trim(),
  ...(values.authMethod === 'privateKey' && privateKey.trim() !== '' && { privateKey }),
  ...(values.authMethod === 'privateKey' && passphrase !== '' && { passphrase }),
  ...(values.authMethod === 'password' && password.trim() !== '' && { password }),
});

/** Secrets are not compared, because browsers never receive the stored ones. */
export const comparedFields: readonly ComparedField<SshValues>[] = [
  { field: 'enabled', label: texts.enabled, text: ({ enabled }) => texts.onOff(enabled) },
  { field: 'host', label: texts.host, text: ({ host }) => host || texts.none },
  { field: 'port', label: texts.port },
  { field: 'username', label: texts.username, text: ({ username }) => username || texts.none },
  { field: 'authMethod', label: texts.authMethod, text: ({ authMethod }) => texts.methods[authMethod] },
  { field: 'remotePath', label: texts.remotePath, text: ({ remotePath }) => remotePath || texts.none },
  { field: 'serverName', label: texts.serverName, text: ({ serverName }) => serverName || texts.none },
  { field: 'connectionTimeout', label: texts.connectionTimeout },
  {
    field: 'keepLocalCopies',
    label: texts.keepLocalCopies,
    text: ({ keepLocalCopies }) => texts.onOff(keepLocalCopies),
  },
];

/** Whether a stored secret would be sent to the same server; only then it may be left empty. */
const isSameServer = (values: SshValues, settings: SshSettings): boolean =>
  values.host.trim().toLowerCase() === settings.host.toLowerCase() &&
  Number(values.port) === settings.port &&
  values.username.trim() === settings.username;

/** Whether all required fields are filled in (docs/product/backups.md, SSH settings). */
export function isComplete(values: SshValues, settings: SshSettings): boolean {
  const isThere = (text: string): boolean => text.trim() !== '';
  const keepsSecrets = isSameServer(values, settings);
  const hasSecret =
    values.authMethod === 'privateKey'
      ? isThere(values.privateKey) || (keepsSecrets && settings.hasPrivateKey)
      : isThere(values.password) || (keepsSecrets && settings.hasPassword);
  return hasSecret && [values.host, values.username, values.remotePath].every(isThere);
}

const steps: readonly SshStep[] = ['name', 'connection', 'hostKey', 'signIn', 'folder', 'write'];

/** `failedAt` is null if all steps passed. */
export const outcomeOf = (failedAt: string | null, message: string): TestOutcome => ({
  passed: failedAt === null,
  title: failedAt === null ? texts.verified : texts.testFailed,
  message,
  steps: statesOf(steps, failedAt).map(({ step, state }) => ({ label: texts.steps[step], state })),
});

type SshSettingsFormProps = { settings: SshSettings; onClose: () => void };

/** Edits the settings that were loaded when the dialog was opened, and tests the typed ones. */
function SshSettingsForm({ settings: loaded, onClose }: SshSettingsFormProps): ReactNode {
  const { save, test } = useSshSettings();
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const [shownKey, setShownKey] = useState<string | null>(null);
  const result = useRef<HTMLDivElement>(null);
  // Scrolls to the result at the end of the form, which is longer than the screen.
  useEffect(() => {
    if (outcome !== null) result.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);
  const form = useRecordForm({
    record: loaded,
    valuesOf,
    inputOf: (values, { version }) => ({ ...inputOf(values), version }),
    schema: schemas.sshSettings,
    fields: comparedFields,
    failed: texts.saveFailed,
    save: async (input) => {
      await save.mutateAsync(input);
      toastDone(texts.saved);
      onClose();
    },
  });
  const { values, base: settings } = form;
  const wrong = form.wrong();
  const isFilled =
    isComplete(values, settings) &&
    ['port', 'connectionTimeout', 'serverName'].every((field) => wrong[field] === undefined);
  const isValid = isFilled || !values.enabled;

  const tryOut = async (acceptHostKey?: string): Promise<void> => {
    setOutcome(null);
    setShownKey(null);
    try {
      const { details } = await test.mutateAsync({
        body: { ...inputOf(values), ...(acceptHostKey !== undefined && { acceptHostKey }) },
      });
      setOutcome(outcomeOf(null, details));
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'SSH_SERVER_REFUSED') {
        if (thrown instanceof ApiError) form.setErrors(thrown.errors);
        return toastFailed(thrown, texts.testFailed);
      }
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
      <p className="ui-muted">{texts.note}</p>
      <Switch label={texts.enabled} {...form.check('enabled')} />
      <div className={styles.server}>
        <TextInput
          label={texts.host}
          withAsterisk
          placeholder="copies.example.com"
          spellCheck={false}
          {...form.text('host')}
        />
        <WholeNumberInput label={texts.port} {...form.value('port')} />
      </div>
      <TextInput
        label={texts.username}
        withAsterisk
        spellCheck={false}
        autoComplete="off"
        {...form.text('username')}
      />
      <Segments
        aria-label={texts.authMethod}
        data={labelChoices(texts.methods)}
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
          spellCheck={false}
          {...form.text('remotePath')}
        />
        <TextInput
          label={texts.serverName}
          description={texts.serverNameNote}
          placeholder="forecourt"
          spellCheck={false}
          {...form.text('serverName')}
        />
      </FormRow>
      <FormRow>
        <WholeNumberInput label={texts.connectionTimeout} {...form.value('connectionTimeout')} />
        <Switch
          className={styles.keep}
          label={texts.keepLocalCopies}
          description={texts.keepLocalCopiesNote}
          {...form.check('keepLocalCopies')}
        />
      </FormRow>
      <dl className="ui-facts">
        <dt>{texts.hostKey}</dt>
        <dd>{settings.hostKey ?? texts.hostKeyUnknown}</dd>
        <dt>{texts.lastVerified}</dt>
        <dd>{settings.lastVerified === null ? texts.never : formatDateTime(settings.lastVerified)}</dd>
      </dl>
      <div>
        <ActionButton
          variant="default"
          loading={test.isPending || form.busy}
          ability={isFilled || texts.incomplete}
          onClick={() => void tryOut()}
        >
          {texts.test}
        </ActionButton>
      </div>
      <div ref={result}>
        <TestResult busy={test.isPending} outcome={outcome}>
          {shownKey !== null && (
            <div className="ui-stack ui-gap-2 ui-top ui-mt-2 ui-anywhere">
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

type Form = Pick<ReturnType<typeof useForm<SshValues>>, 'values' | 'text'>;

/** The secrets of the sign-in. Stored ones are not shown, and stay unless one is typed. */
function SecretFields({ form, settings }: { form: Form; settings: SshSettings }): ReactNode {
  const keepsSecrets = isSameServer(form.values, settings);
  const noteOf = (isStored: boolean, usual?: string): string | undefined =>
    isStored ? (keepsSecrets ? texts.stored : texts.storedElsewhere) : usual;
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
        classNames={{ input: 'ui-code' }}
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

export function SshSettingsModal({ onClose }: { onClose: () => void }): ReactNode {
  const query = useQuery(sshSettingsQuery);
  const { data, isFetchedAfterMount } = query;
  const settings: SshSettings | undefined = isFetchedAfterMount ? data : undefined;
  if (settings) return <SshSettingsForm settings={settings} onClose={onClose} />;
  return (
    <Modal opened title={texts.title} size={dialogSizes.lg} onClose={onClose}>
      <Loaded of={query} message={texts.loadFailed}>
        <Loader size={16} />
      </Loaded>
    </Modal>
  );
}
