import { MAX_CONTACTS } from '@forecourt/contract/dealership-limits';
import type { Contact } from '@forecourt/contract/dealerships';
import { Button, Checkbox, Select, Switch, TextInput } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, type ReactNode } from 'react';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/dealerships.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import type { FieldErrors } from '../../ui/use-form.ts';
import styles from './ContactList.module.css';

type ContactListProps = {
  contacts: readonly ContactRow[];
  /** Errors of the whole form. Keys of contacts are such as `contacts.0.email`. */
  errors: FieldErrors;
  templates: readonly TemplateChoice[];
  /** The template of a new contact: the dealership's default. */
  usualTemplate: string;
  onChange: (contacts: readonly ContactRow[]) => void;
};

/** The contacts of a dealership, who receive mail. */
export function ContactList({
  contacts,
  errors,
  templates,
  usualTemplate,
  onChange,
}: ContactListProps): ReactNode {
  const root = useRef<HTMLFieldSetElement>(null);
  const focus = useRef<number | 'add' | null>(null);

  useEffect(() => {
    const target = focus.current;
    focus.current = null;
    if (target === null) return;
    const place = target === 'add' ? '[data-add]' : `[data-contact="${target}"] input`;
    root.current?.querySelector<HTMLElement>(place)?.focus();
  });

  const add = (): void => {
    focus.current = contacts.length;
    const fresh = {
      key: newKey(),
      name: '',
      email: '',
      templateName: usualTemplate,
      includeInTo: contacts.length === 0,
      includeInCc: contacts.length > 0,
      active: true,
    };
    onChange([...contacts, fresh]);
  };

  const remove = (index: number): void => {
    focus.current = contacts.length > 1 ? Math.min(index, contacts.length - 2) : 'add';
    onChange(contacts.filter((_, place) => place !== index));
  };

  return (
    <fieldset ref={root} className="ui-part">
      <legend className="ui-title">{texts.contacts}</legend>
      <p className="ui-quiet">{contacts.length === 0 ? texts.noContacts : texts.contactsNote}</p>
      {contacts.length > 0 && (
        <div className="ui-stack ui-gap-2 ui-mb-3">
          <div className={`ui-quiet ${styles.head}`} aria-hidden="true">
            {[
              texts.contactName,
              texts.contactEmail,
              texts.contactTemplate,
              texts.contactTo,
              texts.contactCc,
              texts.contactActive,
            ].map((label) => (
              <span key={label}>{label}</span>
            ))}
          </div>
          {contacts.map((contact, index) => (
            <ContactFields
              key={contact.key}
              index={index}
              contact={contact}
              errors={errors}
              templates={templates}
              onChange={(changed) =>
                onChange(contacts.map((other, place) => (place === index ? changed : other)))
              }
              onRemove={() => remove(index)}
            />
          ))}
        </div>
      )}
      <Button
        variant="default"
        leftSection={<Plus />}
        data-add
        onClick={add}
        disabled={contacts.length >= MAX_CONTACTS}
      >
        {texts.addContact}
      </Button>
    </fieldset>
  );
}

/** `key` identifies the row in the form. */
export type ContactRow = Contact & { readonly key: string };

type TemplateChoice = { value: string; label: string };

type ContactFieldsProps = {
  index: number;
  contact: ContactRow;
  errors: FieldErrors;
  templates: readonly TemplateChoice[];
  onChange: (contact: ContactRow) => void;
  onRemove: () => void;
};

/** A contact as a row; on a phone a card with labelled fields. */
function ContactFields({
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
  // A contact whose template was deleted or is hidden keeps its name until another template is chosen.
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

/** A checkbox whose label is only visible on a phone; otherwise the header has it. */
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
