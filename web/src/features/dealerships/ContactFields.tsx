import type { Contact } from '@forecourt/contract/dealerships';
import { Checkbox, Select, Switch, TextInput } from '@mantine/core';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import type { FieldErrors } from '../../ui/use-form.ts';
import styles from './ContactList.module.css';

/** A contact in the form: `key` identifies the row. */
export type ContactRow = Contact & { readonly key: string };

/** A template name, with its label in a list. */
export type TemplateChoice = { value: string; label: string };

type ContactFieldsProps = {
  index: number;
  contact: ContactRow;
  errors: FieldErrors;
  templates: readonly TemplateChoice[];
  onChange: (contact: ContactRow) => void;
  onRemove: () => void;
};

/** One contact as a row; on a phone a card with labelled fields. */
export function ContactFields({
  index,
  contact,
  errors,
  templates,
  onChange,
  onRemove,
}: ContactFieldsProps): ReactNode {
  const set = (part: Partial<ContactRow>): void => onChange({ ...contact, ...part });
  const field = (name: 'name' | 'email' | 'templateName', label: string) => ({
    'aria-label': label,
    placeholder: label,
    error: errors[`contacts.${index}.${name}`],
  });
  // A contact keeps the name of a template that is gone or cannot be seen until another one is chosen.
  const { templateName } = contact;
  const isOffered = templateName === '' || templates.some(({ value }) => value === templateName);
  const choices = isOffered ? templates : [{ value: templateName, label: templateName }, ...templates];

  return (
    <div className={styles.row} role="group" aria-label={texts.contactGroup(index + 1)} data-contact={index}>
      <TextInput
        {...field('name', texts.contactName)}
        value={contact.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        {...field('email', texts.contactEmail)}
        type="email"
        value={contact.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
      />
      <Select
        {...field('templateName', texts.contactTemplate)}
        searchable
        data={[...choices]}
        nothingFoundMessage={texts.noTemplateFound}
        value={contact.templateName || null}
        onChange={(name) => set({ templateName: name ?? '' })}
      />
      <Flag label={texts.contactTo}>
        <Checkbox
          aria-label={texts.contactTo}
          checked={contact.includeInTo}
          onChange={(event) => set({ includeInTo: event.currentTarget.checked })}
        />
      </Flag>
      <Flag label={texts.contactCc}>
        <Checkbox
          aria-label={texts.contactCc}
          checked={contact.includeInCc}
          onChange={(event) => set({ includeInCc: event.currentTarget.checked })}
        />
      </Flag>
      <Flag label={texts.contactActive}>
        <Switch
          aria-label={texts.contactActive}
          checked={contact.active}
          onChange={(event) => set({ active: event.currentTarget.checked })}
        />
      </Flag>
      <div className={`ui-line ui-gap-0 ${styles.remove}`}>
        <IconAction label={texts.removeContact(index + 1)} icon={X} onClick={onRemove} />
      </div>
    </div>
  );
}

/** A checkbox whose label is visible on a phone only; elsewhere the header shows it. */
function Flag({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className={`ui-line ui-gap-0 ${styles.flag}`}>
      {children}
      <span className={styles.flagLabel} aria-hidden="true">
        {label}
      </span>
    </div>
  );
}
