import { commissionType } from '@forecourt/contract/commission-type';
import type { Contact, Dealership, DealershipInput } from '@forecourt/contract/dealerships';
import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { Anchor, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { directoryQuery, templatesQuery } from '../../platform/directory.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { descriptionBelow, FormModal, FormRow } from '../../ui/FormModal.tsx';
import { SharePeople } from '../../ui/sharing/SharePeople.tsx';
import { givenShares, type Share } from '../../ui/sharing/shares.ts';
import { toastFailed, toastWarning } from '../../ui/toasts.ts';
import { errorWithin } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { type ContactRow, ContactList } from './ContactList.tsx';
import { useSaveDealership } from './dealerships.queries.ts';
import { shareLevels, warningOf, type DealershipLevel } from './DealershipSharing.tsx';
import styles from './DealershipForm.module.css';

export const templateLabel = ({ name, status }: Pick<EmailTemplateSummary, 'name' | 'status'>): string =>
  status === 'draft' ? texts.draftTemplate(name) : name;

/** Returns a default template by id; a hidden one has a text as its name. Undefined if none or not loaded. */
export function defaultTemplateOf(
  templates: readonly EmailTemplateSummary[] | undefined,
  id: string | null,
): Pick<EmailTemplateSummary, 'name' | 'status'> | undefined {
  if (!id || !templates) return undefined;
  return templates.find(({ _id }) => _id === id) ?? { name: texts.hiddenTemplate, status: 'active' };
}

/** An empty text means no selection. */
type DealershipValues = Pick<Dealership, 'name' | 'address' | 'active'> & {
  defaultEmailTemplateId: string;
  contacts: readonly ContactRow[];
  sharedWith: readonly Share<DealershipLevel>[];
};

export const valuesOf = (dealership: Dealership | undefined): DealershipValues => ({
  name: dealership?.name ?? '',
  address: dealership?.address ?? '',
  defaultEmailTemplateId: dealership?.defaultEmailTemplateId ?? '',
  active: dealership?.active ?? true,
  contacts: (dealership?.contacts ?? []).map((contact, at) => ({ ...contact, key: `saved-${at}` })),
  sharedWith: givenShares(dealership?.sharedWith ?? []),
});

/** Omits shares for users who may not share. */
export const inputOf = (
  { sharedWith, contacts, ...values }: DealershipValues,
  version: number | undefined,
  canShare: boolean,
): DealershipInput => ({
  ...values,
  contacts: contacts.map(({ key: _key, ...contact }) => contact),
  ...(canShare && { sharedWith: [...sharedWith] }),
  ...(version !== undefined && { version }),
});

/** Formats a contact as one line: `Kim Lee <kim@example.com> To, Invoice`. */
export const contactLine = ({
  name,
  email,
  templateName,
  includeInTo,
  includeInCc,
  active,
}: Contact): string =>
  [
    `${name} <${email}>`,
    ...(includeInTo ? [texts.contactTo] : []),
    ...(includeInCc ? [texts.contactCc] : []),
    ...(active ? [] : [texts.inactive]),
    templateName,
  ].join(', ');

/** Returns the fields that a conflict compares, with names for the ids of templates and users. */
export const comparedFields = (
  templateName: (id: string) => string,
  personName: (id: string) => string,
): readonly ComparedField<DealershipValues>[] => [
  { field: 'name', label: texts.name },
  { field: 'address', label: texts.address },
  {
    field: 'defaultEmailTemplateId',
    label: texts.defaultTemplateLabel,
    text: ({ defaultEmailTemplateId }) => templateName(defaultEmailTemplateId),
    exact: ({ defaultEmailTemplateId }) => defaultEmailTemplateId,
  },
  { field: 'active', label: texts.status, text: ({ active }) => (active ? texts.active : texts.inactive) },
  {
    field: 'contacts',
    label: texts.contacts,
    text: ({ contacts }) => contacts.map(contactLine).join('; ') || texts.noTemplate,
  },
  {
    field: 'sharedWith',
    label: texts.sharing,
    text: ({ sharedWith }) =>
      sharedWith
        .map(({ userId, permissions }) =>
          sharing.entry(personName(userId), sharing.dealershipLevels[permissions]),
        )
        .join(', ') || sharing.notShared,
    exact: ({ sharedWith }) =>
      sharedWith
        .map(({ userId, permissions }) => userId + permissions)
        .sort()
        .join(),
  },
];

const withTemplate =
  (name: string) =>
  (contact: ContactRow): ContactRow =>
    contact.templateName === '' ? { ...contact, templateName: name } : contact;

type DealershipFormProps = {
  /** Undefined for a new dealership. */
  dealership: Dealership | undefined;
  onClose: () => void;
};

export function DealershipForm({ dealership, onClose }: DealershipFormProps): ReactNode {
  const { mutateAsync } = useSaveDealership();
  const { data: templates } = useQuery(templatesQuery);
  const { isAdmin } = usePermissions();
  const { user } = useSession();
  const directory = useQuery({ ...directoryQuery, enabled: isAdmin });
  const visibleTemplates = templates?.items ?? [];
  const templateOf = (id: string) => visibleTemplates.find(({ _id }) => _id === id);
  const templateName = (id: string): string => templateOf(id)?.name ?? '';

  const personName = (id: string): string => directory.data?.items.find(({ _id }) => _id === id)?.name ?? '';

  const form = useRecordForm({
    record: dealership,
    valuesOf,
    inputOf: (values, base) => inputOf(values, base?.version, isAdmin),
    schema: 'dealership',
    // Other users receive only their own share, which they did not write.
    fields: comparedFields((id) => defaultTemplateOf(templates?.items, id)?.name ?? '', personName).filter(
      ({ field }) => isAdmin || field !== 'sharedWith',
    ),
    onInvalid: () => toastWarning(texts.fixErrors),
    onFailed: (thrown) => toastFailed(thrown, texts.saveFailed),
    send: (input, idempotencyKey) => mutateAsync({ id: dealership?._id, input, idempotencyKey }),
    sent: dealership ? texts.updated : texts.created,
    onClose,
  });
  const { values, base } = form;
  // It may be a colleague's template that is not shared with the user.
  const defaultId = base?.defaultEmailTemplateId ?? '';
  const isHidden = defaultId !== '' && templates !== undefined && !templateOf(defaultId);

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
      isUnsaved={form.changed}
      onClose={onClose}
    >
      <FormRow>
        <TextInput
          label={texts.name}
          withAsterisk
          data-autofocus
          description={
            values.name.trim() === '' ? undefined : texts.commissionBecause[commissionType(values.name)]
          }
          {...descriptionBelow}
          {...form.text('name')}
        />
        <TextInput label={texts.address} withAsterisk {...form.text('address')} />
      </FormRow>
      <FormRow>
        <Select
          label={texts.defaultTemplateLabel}
          withAsterisk
          searchable
          data={[
            ...(isHidden ? [{ value: defaultId, label: texts.hiddenTemplate }] : []),
            ...visibleTemplates.map((template) => ({ value: template._id, label: templateLabel(template) })),
          ]}
          placeholder={texts.chooseTemplate}
          nothingFoundMessage={texts.noTemplateFound}
          {...form.choice('defaultEmailTemplateId')}
          onChange={(id) => chooseTemplate(id ?? '')}
          description={
            <TemplateNote
              hasNone={templates?.total === 0 && !isHidden}
              isDraft={templateOf(values.defaultEmailTemplateId)?.status === 'draft'}
            />
          }
          {...descriptionBelow}
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
        templates={visibleTemplates.map((template) => ({
          value: template.name,
          label: templateLabel(template),
        }))}
        usualTemplate={templateName(values.defaultEmailTemplateId)}
        onChange={(contacts) => form.set('contacts', contacts)}
      />
      {isAdmin && (
        <fieldset className="ui-part">
          <legend className="ui-title">{texts.sharing}</legend>
          <p className="ui-quiet">{texts.sharingNote}</p>
          <SharePeople
            levels={shareLevels}
            currentShares={base?.sharedWith ?? []}
            ownerId={base?.owner ?? user?._id}
            warningOf={warningOf}
            value={values.sharedWith}
            onChange={(shares) => form.set('sharedWith', shares)}
            error={errorWithin(form.errors, 'sharedWith')}
          />
        </fieldset>
      )}
    </FormModal>
  );
}

/** Says why the default template cannot be sent. */
function TemplateNote({ hasNone, isDraft }: { hasNone: boolean; isDraft: boolean }): ReactNode {
  if (isDraft) {
    return (
      <span className="ui-warn" role="status">
        {texts.draftWarning}
      </span>
    );
  }
  return (
    hasNone && (
      <>
        {texts.noTemplates}{' '}
        <Anchor component={Link} to={paths.newTemplate} inherit>
          {texts.makeTemplate}
        </Anchor>
      </>
    )
  );
}
