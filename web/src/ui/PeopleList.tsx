import { TextInput, UnstyledButton } from '@mantine/core';
import Search from 'lucide-react/icons/search';
import UserX from 'lucide-react/icons/user-x';
import { useState, type ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';
import { matchingPeople, type ListedPerson } from './matching-people.ts';
import styles from './PeopleList.module.css';

type PeopleListProps<P extends ListedPerson> = {
  people: readonly P[];
  chosen: string | undefined;
  onChoose: (userId: string) => void;
  /** Renders the state of a user in one or two short badges. */
  badges: (person: P) => ReactNode;
};

/** Chooses the user whose record is shown beside it, searchable by name or address. */
export function PeopleList<P extends ListedPerson>({
  people,
  chosen,
  onChoose,
  badges,
}: PeopleListProps<P>): ReactNode {
  const [search, setSearch] = useState('');
  const found = matchingPeople(people, search);
  return (
    <nav className={`ui-card ${styles.people}`} aria-label="People">
      <TextInput
        className={styles.search}
        type="search"
        aria-label="Search by name or email"
        placeholder="Search by name or email"
        leftSection={<Search />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && <p className="ui-muted ui-pad">Nobody with this name or email</p>}
      <ul className={styles.list}>
        {found.map((person) => (
          <li key={person.userId}>
            <UnstyledButton
              className={`ui-stack ui-gap-0 ${styles.person}`}
              aria-current={person.userId === chosen || undefined}
              onClick={() => onChoose(person.userId)}
            >
              <span className="ui-strong">{person.name}</span>
              <span className="ui-quiet ui-anywhere">{person.email}</span>
              <span className="ui-row ui-gap-1 ui-mt-2">{badges(person)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Shown in place of the record of an id that is not in the list. */
export function UnknownPerson(): ReactNode {
  return (
    <div className="ui-card">
      <EmptyState icon={<UserX />} title="There is nobody with this id">
        The person may have been removed. Choose somebody from the list.
      </EmptyState>
    </div>
  );
}
