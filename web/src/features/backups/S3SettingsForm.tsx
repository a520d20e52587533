import type { S3Settings, S3SettingsInput } from '@forecourt/contract/backup-s3';
import { PasswordInput, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { copyTexts } from '../../texts/backup-copies.ts';
import { texts } from '../../texts/backup-s3.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { s3SettingsQuery, useS3Settings } from './backups.queries.ts';
import { ConnectionTest, SettingsLoader } from './CopySettings.tsx';

/** The record has no secret, so this is only a typed one. */
type S3Values = Omit<S3Settings, 'hasSecretAccessKey' | 'lastVerified' | 'version'> & {
  secretAccessKey: string;
};

export const valuesOf = (settings: S3Settings): S3Values => ({
  enabled: settings.enabled,
  endpoint: settings.endpoint,
  region: settings.region,
  bucket: settings.bucket,
  prefix: settings.prefix,
  pathStyle: settings.pathStyle,
  accessKeyId: settings.accessKeyId,
  secretAccessKey: '',
  keepLocalCopies: settings.keepLocalCopies,
});

/** Omits an empty secret, so that the stored one stays. */
export const inputOf = ({ secretAccessKey, ...values }: S3Values): S3SettingsInput => ({
  ...values,
  endpoint: values.endpoint.trim(),
  region: values.region.trim(),
  bucket: values.bucket.trim(),
  prefix: values.prefix.trim(),
  accessKeyId: values.accessKeyId.trim(),
  ...(secretAccessKey.trim() !== '' && { secretAccessKey }),
});

const { onOff, none } = copyTexts;

/** The secret is not compared, because browsers never receive the stored one. */
export const comparedFields: readonly ComparedField<S3Values>[] = [
  { field: 'enabled', label: texts.enabled, text: ({ enabled }) => onOff(enabled) },
  { field: 'bucket', label: texts.bucket, text: ({ bucket }) => bucket || none },
  { field: 'prefix', label: texts.prefix, text: ({ prefix }) => prefix || none },
  { field: 'endpoint', label: texts.endpoint, text: ({ endpoint }) => endpoint || none },
  { field: 'region', label: texts.region },
  { field: 'pathStyle', label: texts.pathStyle, text: ({ pathStyle }) => onOff(pathStyle) },
  { field: 'accessKeyId', label: texts.accessKeyId, text: ({ accessKeyId }) => accessKeyId || none },
  {
    field: 'keepLocalCopies',
    label: copyTexts.keepLocalCopies,
    text: ({ keepLocalCopies }) => onOff(keepLocalCopies),
  },
];

/** Whether a stored secret would be used for the same endpoint and key; only then it may be left empty. */
const isSameStore = (values: S3Values, settings: S3Settings): boolean => {
  const storeOf = ({ endpoint, region }: Pick<S3Values, 'endpoint' | 'region'>): string =>
    endpoint.trim().toLowerCase().replace(/\/$/, '') || region.trim();
  return storeOf(values) === storeOf(settings) && values.accessKeyId.trim() === settings.accessKeyId;
};

/** Whether all required fields are filled in (docs/product/backups.md, S3 settings). */
export function isComplete(values: S3Values, settings: S3Settings): boolean {
  const hasSecret =
    values.secretAccessKey.trim() !== '' || (settings.hasSecretAccessKey && isSameStore(values, settings));
  return hasSecret && [values.bucket, values.region, values.accessKeyId].every((text) => text.trim() !== '');
}

type S3SettingsFormProps = { settings: S3Settings; onClose: () => void };

/** Edits the settings that were loaded when the dialog was opened, and tests the typed ones. */
function S3SettingsForm({ settings: loaded, onClose }: S3SettingsFormProps): ReactNode {
  const { save, test } = useS3Settings();
  const form = useRecordForm({
    record: loaded,
    valuesOf,
    inputOf: (values, { version }) => ({ ...inputOf(values), version }),
    schema: 's3Settings',
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
    ['endpoint', 'region', 'bucket', 'prefix'].every((field) => wrong[field] === undefined);
  const isValid = isFilled || !values.enabled;
  const secretNote = isSameStore(values, settings) ? copyTexts.stored : texts.storedElsewhere;

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
      <FormRow>
        <TextInput
          label={texts.bucket}
          description={texts.bucketNote}
          withAsterisk
          placeholder="forecourt-backups"
          spellCheck={false}
          {...form.text('bucket')}
        />
        <TextInput
          label={texts.prefix}
          description={texts.prefixNote}
          placeholder="head-office"
          spellCheck={false}
          {...form.text('prefix')}
        />
      </FormRow>
      <FormRow>
        <TextInput
          label={texts.endpoint}
          description={texts.endpointNote}
          placeholder="https://s3.example.com"
          spellCheck={false}
          {...form.text('endpoint')}
        />
        <TextInput
          label={texts.region}
          description={texts.regionNote}
          withAsterisk
          spellCheck={false}
          {...form.text('region')}
        />
      </FormRow>
      <Switch label={texts.pathStyle} description={texts.pathStyleNote} {...form.check('pathStyle')} />
      <FormRow>
        <TextInput
          label={texts.accessKeyId}
          withAsterisk
          spellCheck={false}
          autoComplete="off"
          {...form.text('accessKeyId')}
        />
        <PasswordInput
          label={texts.secretAccessKey}
          description={settings.hasSecretAccessKey ? secretNote : undefined}
          withAsterisk
          autoComplete="new-password"
          {...form.text('secretAccessKey')}
        />
      </FormRow>
      <Switch
        label={copyTexts.keepLocalCopies}
        description={copyTexts.keepLocalCopiesNote}
        {...form.check('keepLocalCopies')}
      />
      <ConnectionTest
        steps={texts.steps}
        code="S3_REFUSED"
        failedBecause={texts.testFailedBecause}
        isFilled={isFilled}
        busy={form.busy}
        run={() => test.mutateAsync({ body: inputOf(values) })}
        onErrors={form.setErrors}
        lastVerified={settings.lastVerified}
      />
    </FormModal>
  );
}

export const S3SettingsModal = ({ onClose }: { onClose: () => void }): ReactNode => (
  <SettingsLoader query={s3SettingsQuery} title={texts.title} failed={texts.loadFailed} onClose={onClose}>
    {(settings) => <S3SettingsForm settings={settings} onClose={onClose} />}
  </SettingsLoader>
);
