import { TextInput, UnstyledButton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import UserX from 'lucide-react/icons/user-x';
import { useState, type ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';
import { matchingPeople, type ListedPerson } from './matching-people.ts';
import styles from './PeopleColumns.module.css';

type PeopleColumnsProps<P extends ListedPerson> = {
  /** The first user is selected, unless the URL names another one. */
  people: readonly P[];
  pathOf: (userId: string) => string;
  /** Renders the state of a user as one or two short badges. */
  badges: (person: P) => ReactNode;
  /** Renders the record of the selected user. */
  children: (person: P) => ReactNode;
};

/** Users at the left, the record of one user at the right. */
export function PeopleColumns<P extends ListedPerson>(props: PeopleColumnsProps<P>): ReactNode {
  const { people, children } = props;
  const { user: asked }: Record<string, string | undefined> = useSearch({ strict: false });
  const person = asked === undefined ? people[0] : people.find(({ userId }) => userId === asked);
  if (people.length === 0) return null;
  return (
    <div className="ui-columns">
      <PeopleList {...props} chosen={person?.userId} />
      {person ? children(person) : <UnknownPerson />}
    </div>
  );
}

type PeopleListProps<P extends ListedPerson> = PeopleColumnsProps<P> & { chosen: string | undefined };

function PeopleList<P extends ListedPerson>({
  people,
  chosen,
  pathOf,
  badges,
}: PeopleListProps<P>): ReactNode {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const matches = matchingPeople(people, search);
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
      {matches.length === 0 && <p className="ui-muted ui-pad">Nobody with this name or email</p>}
      <ul className={styles.list}>
        {matches.map((person) => (
          <li key={person.userId}>
            <UnstyledButton
              className={`ui-stack ui-gap-0 ${styles.person}`}
              aria-current={person.userId === chosen || undefined}
              onClick={() => void navigate({ href: pathOf(person.userId) })}
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

/** Shown for an id in the URL that is not in the list. */
function UnknownPerson(): ReactNode {
  return (
    <div className="ui-card">
      <EmptyState icon={<UserX />} title="There is nobody with this id">
        The person may have been removed. Choose somebody from the list.
      </EmptyState>
    </div>
  );
}
