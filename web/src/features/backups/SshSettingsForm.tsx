import type { SshSettings, SshSettingsInput } from '@forecourt/contract/backups';
import { PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { copyTexts } from '../../texts/backup-copies.ts';
import { texts } from '../../texts/backup-ssh.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { Segments } from '../../ui/Segments.tsx';
import type { useForm } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { wholeNumberOf } from '../../ui/whole-number.ts';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import { useSshSettings, sshSettingsQuery } from './backups.queries.ts';
import { ConnectionTest, SettingsLoader } from './CopySettings.tsx';
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
  { field: 'enabled', label: texts.enabled, text: ({ enabled }) => copyTexts.onOff(enabled) },
  { field: 'host', label: texts.host, text: ({ host }) => host || copyTexts.none },
  { field: 'port', label: texts.port },
  { field: 'username', label: texts.username, text: ({ username }) => username || copyTexts.none },
  { field: 'authMethod', label: texts.authMethod, text: ({ authMethod }) => texts.methods[authMethod] },
  { field: 'remotePath', label: texts.remotePath, text: ({ remotePath }) => remotePath || copyTexts.none },
  { field: 'serverName', label: texts.serverName, text: ({ serverName }) => serverName || copyTexts.none },
  { field: 'connectionTimeout', label: texts.connectionTimeout },
  {
    field: 'keepLocalCopies',
    label: copyTexts.keepLocalCopies,
    text: ({ keepLocalCopies }) => copyTexts.onOff(keepLocalCopies),
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

type SshSettingsFormProps = { settings: SshSettings; onClose: () => void };

/** Edits the settings that were loaded when the dialog was opened, and tests the typed ones. */
function SshSettingsForm({ settings: loaded, onClose }: SshSettingsFormProps): ReactNode {
  const { save, test } = useSshSettings();
  const form = useRecordForm({
    record: loaded,
    valuesOf,
    inputOf: (values, { version }) => ({ ...inputOf(values), version }),
    schema: 'sshSettings',
    fields: comparedFields,
    failed: texts.saveFailed,
    send: (input) => save.mutateAsync(input),
    sent: texts.saved,
    onClose,
  });
  const { values, base: settings } = form;
  const wrong = form.wrong();
  const isFilled =
    isComplete(values, settings) &&
    ['port', 'connectionTimeout', 'serverName'].every((field) => wrong[field] === undefined);
  const isValid = isFilled || !values.enabled;

  return (
    <FormModal
      title={texts.title}
      size="lg"
      form={form}
      submitLabel={copyTexts.save}
      blocked={isValid ? undefined : copyTexts.incomplete}
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
        labels={texts.methods}
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
          label={copyTexts.keepLocalCopies}
          description={copyTexts.keepLocalCopiesNote}
          {...form.check('keepLocalCopies')}
        />
      </FormRow>
      <ConnectionTest
        steps={texts.steps}
        code="SSH_SERVER_REFUSED"
        failedBecause={texts.testFailedBecause}
        isFilled={isFilled}
        busy={form.busy}
        run={(acceptHostKey) =>
          test.mutateAsync({
            body: { ...inputOf(values), ...(acceptHostKey !== undefined && { acceptHostKey }) },
          })
        }
        onErrors={form.setErrors}
        lastVerified={settings.lastVerified}
        facts={
          <>
            <dt>{texts.hostKey}</dt>
            <dd>{settings.hostKey ?? texts.hostKeyUnknown}</dd>
          </>
        }
      />
    </FormModal>
  );
}

type Form = Pick<ReturnType<typeof useForm<SshValues>>, 'values' | 'text'>;

/** The secrets of the sign-in. Stored ones are not shown, and stay unless one is typed. */
function SecretFields({ form, settings }: { form: Form; settings: SshSettings }): ReactNode {
  const keepsSecrets = isSameServer(form.values, settings);
  const noteOf = (isStored: boolean, usual?: string): string | undefined =>
    isStored ? (keepsSecrets ? copyTexts.stored : texts.storedElsewhere) : usual;
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

export const SshSettingsModal = ({ onClose }: { onClose: () => void }): ReactNode => (
  <SettingsLoader query={sshSettingsQuery} title={texts.title} failed={texts.loadFailed} onClose={onClose}>
    {(settings) => <SshSettingsForm settings={settings} onClose={onClose} />}
  </SettingsLoader>
);
