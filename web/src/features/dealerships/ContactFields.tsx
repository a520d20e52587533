import { Checkbox, Select, Switch, TextInput } from '@mantine/core';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import type { FieldErrors } from '../../ui/use-form.ts';
import type { ContactRow } from './dealership-values.ts';
import styles from './ContactList.module.css';

type ContactFieldsProps = {
  index: number;
  contact: ContactRow;
  errors: FieldErrors;
  templates: readonly string[];
  onChange: (contact: ContactRow) => void;
  onRemove: () => void;
};

/** One contact in a line; a card on a phone, where the labels of the head stand at the fields. */
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
  const choices = contact.templateName === '' ? templates : new Set([contact.templateName, ...templates]);

  return (
    <div className={styles.row} role="group" aria-label={texts.contactGroup(index + 1)} data-contact={index}>
      <TextInput
        {...field('name', texts.contactName)}
        value={contact.name}
        maxLength={120}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        {...field('email', texts.contactEmail)}
        type="email"
        value={contact.email}
        maxLength={254}
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
      <div className={styles.remove}>
        <IconAction label={texts.removeContact(index + 1)} icon={<X />} onClick={onRemove} />
      </div>
    </div>
  );
}

/** A box with its label, which only a phone shows; elsewhere the head has it. */
function Flag({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.flag}>
      {children}
      <span className={styles.flagLabel} aria-hidden="true">
        {label}
      </span>
    </div>
  );
}
