import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { permissionsKey, permissionsQuery } from '../../platform/directory.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/permissions.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleList, UnknownPerson } from '../../ui/PeopleList.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { usersQuery } from '../users/users.queries.ts';
import { presetOf } from './presets.ts';
import { flagsOf } from './record-values.ts';
import { RecordForm } from './RecordForm.tsx';
import type { PersonWithRecord } from './RecordHead.tsx';

/** The permission records of all users, for administrators: users at the left, the record of one at the right. */
export default function PermissionsScreen(): ReactNode {
  const { user: asked }: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const users = useQuery(usersQuery);
  const records = useQuery(permissionsQuery);
  useLiveRefresh('permissions', permissionsKey);
  useLiveRefresh('user', permissionsQuery.queryKey);

  const people = (users.data?.items ?? []).flatMap((user): PersonWithRecord[] => {
    const record = records.data?.items.find(({ userId }) => userId === user.userId);
    return record ? [{ ...user, record }] : [];
  });
  const person = asked === undefined ? people[0] : people.find(({ userId }) => userId === asked);

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      <PeopleTabs />
      <Loaded of={[users, records]} message={texts.loadFailed} loading={<LoadingCard />} />
      {people.length > 0 && (
        <div className="ui-columns">
          <PeopleList
            people={people}
            chosen={person?.userId}
            onChoose={(userId) => void navigate({ href: paths.permissionsOf(userId) })}
            badges={badgesOf}
          />
          {person ? <RecordForm key={person.userId} person={person} people={people} /> : <UnknownPerson />}
        </div>
      )}
    </Page>
  );
}

/** The role; for a user also the preset of the record. */
function badgesOf({ role, isActive, record }: PersonWithRecord): ReactNode {
  const preset = presetOf(flagsOf(record));
  return (
    <>
      {role === 'admin' ? (
        <StatusBadge tone="accent">{texts.roles.admin}</StatusBadge>
      ) : (
        <StatusBadge>{preset === undefined ? texts.custom : texts.presets[preset]}</StatusBadge>
      )}
      {!isActive && <StatusBadge tone="warn">{texts.inactive}</StatusBadge>}
    </>
  );
}
