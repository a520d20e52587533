import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { permissionsKey, permissionsQuery } from '../../platform/directory.ts';
import { useLiveQuery, useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/permissions.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleColumns } from '../../ui/PeopleColumns.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { usersQuery } from '../users/users.queries.ts';
import { presetOf } from './presets.ts';
import { flagsOf } from './record-values.ts';
import { RecordForm } from './RecordForm.tsx';
import type { PersonWithRecord } from './RecordHead.tsx';

/** The permission records of all users, for administrators. */
export default function PermissionsScreen(): ReactNode {
  const users = useQuery(usersQuery);
  const records = useLiveQuery(permissionsQuery, 'user');
  useLiveRefresh('permissions', permissionsKey);

  const people = (users.data?.items ?? []).flatMap((user): PersonWithRecord[] => {
    const record = records.data?.items.find(({ userId }) => userId === user.userId);
    return record ? [{ ...user, record }] : [];
  });

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      <PeopleTabs />
      <Loaded of={[users, records]} message={texts.loadFailed} loading={<LoadingCard />} />
      <PeopleColumns people={people} pathOf={paths.permissionsOf} badges={badgesOf}>
        {(person) => <RecordForm key={person.userId} person={person} people={people} />}
      </PeopleColumns>
    </Page>
  );
}

/** The role, and for users the preset of the record. */
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
