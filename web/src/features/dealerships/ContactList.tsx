import { MAX_CONTACTS } from '@forecourt/contract/dealership-limits';
import { Button } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useRef, type ReactNode } from 'react';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/dealerships.ts';
import type { FieldErrors } from '../../ui/use-form.ts';
import { ContactFields, type ContactRow, type TemplateChoice } from './ContactFields.tsx';
import styles from './ContactList.module.css';

type ContactListProps = {
  contacts: readonly ContactRow[];
  /** Errors of the whole form; those of a contact have keys such as `contacts.0.email`. */
  errors: FieldErrors;
  templates: readonly TemplateChoice[];
  /** The template that a new contact gets: the dealership's default. */
  usualTemplate: string;
  onChange: (contacts: readonly ContactRow[]) => void;
};

/** The contacts of a dealership, who receive mail: to add, change and remove. */
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
    const wanted = focus.current;
    focus.current = null;
    if (wanted === null) return;
    const place = wanted === 'add' ? '[data-add]' : `[data-contact="${wanted}"] input`;
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
