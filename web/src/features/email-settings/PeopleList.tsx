import type { EmailSettings } from '@forecourt/contract/email-settings';
import { TextInput, UnstyledButton } from '@mantine/core';
import Search from 'lucide-react/icons/search';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/email-settings.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { matchingPeople } from './settings-values.ts';
import styles from './EmailSettingsScreen.module.css';

type PeopleListProps = {
  people: readonly EmailSettings[];
  chosen: string;
  onChoose: (userId: string) => void;
};

/** Whose settings to look at: found by name or address, with the role and whether they can send. */
export function PeopleList({ people, chosen, onChoose }: PeopleListProps): ReactNode {
  const [search, setSearch] = useState('');
  const found = matchingPeople(people, search);
  return (
    <nav className={styles.people} aria-label={texts.people}>
      <TextInput
        className={styles.search}
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<Search />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && <p className={styles.nobody}>{texts.nobodyFound}</p>}
      <ul className={styles.list}>
        {found.map(({ userId, name, email, role, isConfigured }) => (
          <li key={userId}>
            <UnstyledButton
              className={styles.person}
              aria-current={userId === chosen || undefined}
              onClick={() => onChoose(userId)}
            >
              <span className={styles.name}>{name}</span>
              <span className={styles.email}>{email}</span>
              <span className={styles.badges}>
                <StatusBadge>{texts.roles[role]}</StatusBadge>
                <StatusBadge tone={isConfigured ? 'good' : 'warn'}>
                  {isConfigured ? texts.configured : texts.notConfigured}
                </StatusBadge>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </nav>
  );
}
