import { Checkbox, Loader, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Search from 'lucide-react/icons/search';
import { useState, type ReactNode } from 'react';
import { directoryQuery } from '../../platform/directory.ts';
import { texts } from '../../texts/sharing.ts';
import { Loaded } from '../Loaded.tsx';
import { matchingPeople } from '../matching-people.ts';
import { Segments } from '../Segments.tsx';
import { AccessWarning } from './AccessWarning.tsx';
import { candidatesOf, type KnownShare, type Levels, type Share } from './shares.ts';
import { useLevelWarning, type WarningOf } from './use-level-warning.ts';
import styles from './SharePeople.module.css';

/** Number of users from which there is a search field. */
const MANY = 8;

type SharePeopleProps<L extends string> = {
  levels: Levels<L>;
  currentShares: readonly KnownShare<L>[];
  ownerId: string | undefined;
  warningOf: WarningOf<L>;
  value: readonly Share<L>[];
  onChange: (shares: readonly Share<L>[]) => void;
  error?: string | undefined;
};

/** Active users as checkboxes, with a level if checked (docs/product/sharing.md, Share dialog). */
export function SharePeople<L extends string>({
  levels,
  currentShares,
  ownerId,
  warningOf,
  value,
  onChange,
  error,
}: SharePeopleProps<L>): ReactNode {
  const [search, setSearch] = useState('');
  const directory = useQuery(directoryQuery);
  const warning = useLevelWarning(warningOf);
  const { data } = directory;
  if (!data) {
    const loading = (
      <output className="ui-line ui-muted">
        <Loader size={16} /> Loading...
      </output>
    );
    return <Loaded of={directory} message={texts.loadFailed} loading={loading} />;
  }
  const people = candidatesOf(data.items, currentShares, ownerId);
  const matches = matchingPeople(people, search);
  const levelOf = (userId: string): L | undefined =>
    value.find((share) => share.userId === userId)?.permissions;
  const without = (userId: string) => value.filter((share) => share.userId !== userId);
  const toggle = (userId: string): void =>
    onChange(
      levelOf(userId) === undefined ? [...value, { userId, permissions: levels[0].value }] : without(userId),
    );
  const choose = (userId: string, permissions: L): void =>
    onChange([...without(userId), { userId, permissions }]);

  return (
    <div>
      {people.length > MANY && (
        <TextInput
          className="ui-mb-2"
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          leftSection={<Search />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul className={styles.list} aria-label={texts.people} data-error={error !== undefined || undefined}>
        {matches.length === 0 && (
          <li className="ui-muted ui-pad">{people.length === 0 ? texts.nobody : texts.nobodyFound}</li>
        )}
        {matches.map(({ userId, name, label }) => {
          const level = levelOf(userId);
          const note = level === undefined ? undefined : warning(userId, level);
          return (
            <li key={userId} className={`ui-row ui-gap-3 ${styles.person}`}>
              <Checkbox
                className="ui-anywhere"
                flex="1 1 240px"
                label={label}
                checked={level !== undefined}
                onChange={() => toggle(userId)}
              />
              {level !== undefined && (
                <Segments
                  aria-label={texts.access(name)}
                  data={[...levels]}
                  value={level}
                  onChange={(chosen) => choose(userId, chosen)}
                />
              )}
              {note !== undefined && <AccessWarning text={note} />}
            </li>
          );
        })}
      </ul>
      <p className="ui-quiet ui-mt-2">
        {error === undefined ? (
          texts.selected(value.length)
        ) : (
          <span role="alert" className="ui-danger">
            {error}
          </span>
        )}
      </p>
    </div>
  );
}
