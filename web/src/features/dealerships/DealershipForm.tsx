import type { Dealership } from '@forecourt/contract/dealerships';
import { Anchor, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { paths } from '../../platform/paths.ts';
import { useMay } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/dealerships.ts';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormModal, FormRow } from '../../ui/FormModal.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { SharePeople } from '../../ui/sharing/SharePeople.tsx';
import { toastDone, toastFailed, toastWarning } from '../../ui/toasts.ts';
import { useConflict } from '../../ui/use-conflict.ts';
import { useForm } from '../../ui/use-form.ts';
import { templatesQuery } from '../email-templates/email-templates.queries.ts';
import { directoryQuery } from '../users/users.queries.ts';
import { commissionType } from './commission-type.ts';
import { ContactList } from './ContactList.tsx';
import { shareLevels, useShareWarning } from './dealership-shares.ts';
import {
  comparedFields,
  dealershipErrors,
  inputOf,
  valuesOf,
  type ContactRow,
  type DealershipValues,
} from './dealership-values.ts';
import { useSaveDealership } from './dealerships.queries.ts';
import styles from './DealershipForm.module.css';

const withTemplate =
  (name: string) =>
  (contact: ContactRow): ContactRow =>
    contact.templateName === '' ? { ...contact, templateName: name } : contact;

type DealershipFormProps = {
  /** Undefined: a new one. */
  dealership: Dealership | undefined;
  onClose: () => void;
};

/** The dialog of spec section 2: name, address, default template, contacts and, for administrators, sharing. */
export function DealershipForm({ dealership, onClose }: DealershipFormProps): ReactNode {
  const { mutateAsync } = useSaveDealership();
  const { data: templates } = useQuery(templatesQuery);
  const { admin } = useMay();
  const { user } = useSession();
  const directory = useQuery({ ...directoryQuery, enabled: admin });
  const warning = useShareWarning();
  const [keyFor] = useState(createIntentionKeys);
  const names = templates?.items.map(({ _id, name }) => ({ value: _id, label: name })) ?? [];
  const templateName = (id: string): string => names.find(({ value }) => value === id)?.label ?? '';

  const personName = (id: string): string => directory.data?.items.find(({ _id }) => _id === id)?.name ?? '';

  const form = useForm<DealershipValues>({
    initial: valuesOf(dealership),
    validate: dealershipErrors,
    onInvalid: () => toastWarning(texts.fixErrors),
    submit: async (values) => {
      const input = inputOf(values, base?.version, admin);
      try {
        await mutateAsync({ id: dealership?._id, input, idempotencyKey: keyFor(input) });
        toastDone(dealership ? texts.updated : texts.created);
        onClose();
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        if (Object.keys(thrown.errors).length > 0) throw thrown;
        if (thrown.code === 'CONFLICT' && base) conflict.meet(base, thrown.current as Dealership, values);
        else toastFailed(thrown, texts.saveFailed);
      }
    },
  });
  const { values } = form;

  const conflict = useConflict<Dealership, DealershipValues>({
    // Others are told of their own share only, which is nothing that they wrote.
    fields: comparedFields(templateName, personName).filter(({ field }) => admin || field !== 'sharedWith'),
    valuesOf,
    put: (field, theirs) => form.set(field, theirs[field]),
  });
  // What the next save is a change of.
  const base = conflict.record ?? dealership;

  const sharingError = Object.entries(form.errors).find(([field]) => field.startsWith('sharedWith'))?.[1];

  /** A contact without a template gets the dealership's. */
  const chooseTemplate = (id: string): void => {
    form.set('defaultEmailTemplateId', id);
    if (values.contacts.every(({ templateName: chosen }) => chosen !== '')) return;
    form.set('contacts', values.contacts.map(withTemplate(templateName(id))));
  };

  return (
    <FormModal
      title={dealership ? texts.edit : texts.add}
      size="2xl"
      form={form}
      submitLabel={texts.save}
      onClose={onClose}
    >
      {conflict.changes && <ConflictNotice changes={conflict.changes} onTake={conflict.take} />}
      <FormRow>
        <TextInput
          label={texts.name}
          withAsterisk
          maxLength={120}
          data-autofocus
          description={
            values.name.trim() === '' ? undefined : texts.commissionBecause[commissionType(values.name)]
          }
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.text('name')}
        />
        <TextInput label={texts.address} withAsterisk maxLength={400} {...form.text('address')} />
      </FormRow>
      <FormRow>
        <Select
          label={texts.defaultTemplateLabel}
          withAsterisk
          searchable
          data={names}
          placeholder={texts.chooseTemplate}
          nothingFoundMessage={texts.noTemplateFound}
          {...form.choice('defaultEmailTemplateId')}
          onChange={(id) => chooseTemplate(id ?? '')}
          description={
            templates?.total === 0 && (
              <>
                {texts.noTemplates}{' '}
                <Anchor component={Link} to={paths.newTemplate} inherit>
                  {texts.makeTemplate}
                </Anchor>
              </>
            )
          }
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        <Switch
          className={styles.active}
          label={texts.active}
          description={texts.activeHint}
          {...form.check('active')}
        />
      </FormRow>
      <ContactList
        contacts={values.contacts}
        errors={form.errors}
        templates={names.map(({ label }) => label)}
        usualTemplate={templateName(values.defaultEmailTemplateId)}
        onChange={(contacts) => form.set('contacts', contacts)}
      />
      {admin && (
        <fieldset className={styles.sharing}>
          <legend className={styles.legend}>{texts.sharing}</legend>
          <p className={styles.note}>{texts.sharingNote}</p>
          <SharePeople
            levels={shareLevels}
            directory={directory}
            known={base?.sharedWith ?? []}
            ownerId={base?.owner ?? user?._id}
            warning={warning}
            value={values.sharedWith}
            onChange={(shares) => form.set('sharedWith', shares)}
            error={sharingError}
          />
        </fieldset>
      )}
    </FormModal>
  );
}
