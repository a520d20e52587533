import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import UserX from 'lucide-react/icons/user-x';
import type { ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/permissions.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleList } from '../../ui/PeopleList.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { usersQuery } from '../users/users.queries.ts';
import { permissionsKey, permissionsQuery } from './permissions.queries.ts';
import type { PersonWithRecord } from './person-with-record.ts';
import { presetOf } from './presets.ts';
import { flagsOf } from './record-values.ts';
import { RecordForm } from './RecordForm.tsx';
import styles from './PermissionsScreen.module.css';

/** Everybody's permission record, for administrators: people at the left, one's whole record at the right. */
export function PermissionsScreen(): ReactNode {
  const { user: asked }: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const users = useQuery(usersQuery);
  const records = useQuery(permissionsQuery);
  useLiveRefresh('permissions', permissionsKey);
  const error = users.error ?? records.error;

  const people = (users.data?.items ?? []).flatMap((user): PersonWithRecord[] => {
    const record = records.data?.items.find(({ userId }) => userId === user.userId);
    return record ? [{ ...user, record }] : [];
  });
  const person = asked === undefined ? people[0] : people.find(({ userId }) => userId === asked);

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      <PeopleTabs />
      {error && (
        <LoadFailed
          error={error}
          message={texts.loadFailed}
          retry={() => void Promise.all([users.refetch(), records.refetch()])}
        />
      )}
      {!error && people.length === 0 && (
        <div className={styles.loading} role="status">
          <Loader size={16} /> Loading...
        </div>
      )}
      {!error && people.length > 0 && (
        <div className={styles.columns}>
          <PeopleList
            people={people}
            chosen={person?.userId}
            onChoose={(userId) => void navigate({ href: paths.permissionsOf(userId) })}
            badges={badgesOf}
          />
          {person ? (
            <RecordForm key={person.userId} person={person} people={people} />
          ) : (
            <div className={styles.card}>
              <EmptyState icon={<UserX />} title={texts.unknownPerson}>
                {texts.unknownPersonNext}
              </EmptyState>
            </div>
          )}
        </div>
      )}
    </Page>
  );
}

/** The role; of a user, which kind of work the record is for. */
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
