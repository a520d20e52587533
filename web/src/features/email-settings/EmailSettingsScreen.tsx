import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { useMay } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/email-settings.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleList } from '../../ui/PeopleList.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastWarning } from '../../ui/toasts.ts';
import { emailSettingsKey, peopleQuery } from './email-settings.queries.ts';
import { failureText } from './settings-values.ts';
import { SettingsForm } from './SettingsForm.tsx';
import styles from './EmailSettingsScreen.module.css';

/** Everybody's mail server, for administrators (spec section 2): people at the left, one's settings at the right. */
export function EmailSettingsScreen(): ReactNode {
  const isAdmin = useOnlyAdmins();
  const { data, error, refetch } = useQuery({ ...peopleQuery, enabled: isAdmin });
  useLiveRefresh('email-settings', emailSettingsKey);
  const [chosen, setChosen] = useState<string | null>(null);
  const people = data?.items ?? [];
  const person = people.find(({ userId }) => userId === chosen) ?? people[0];

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      {error && (
        <LoadFailed
          error={error}
          message={failureText(error, texts.loadFailed)}
          retry={() => void refetch()}
        />
      )}
      {!data && !error && (
        <div className={styles.loading} role="status">
          <Loader size={16} /> Loading...
        </div>
      )}
      {person && !error && (
        <div className={styles.columns}>
          <PeopleList
            people={people}
            chosen={person.userId}
            onChoose={setChosen}
            badges={({ role, isConfigured }) => (
              <>
                <StatusBadge>{texts.roles[role]}</StatusBadge>
                <StatusBadge tone={isConfigured ? 'good' : 'warn'}>
                  {isConfigured ? texts.configured : texts.notConfigured}
                </StatusBadge>
              </>
            )}
          />
          <SettingsForm key={person.userId} person={person} />
        </div>
      )}
    </Page>
  );
}

/** Sends everybody else to the dashboard and says why (spec section 6). */
function useOnlyAdmins(): boolean {
  const { user } = useSession();
  const navigate = useNavigate();
  const told = useRef(false);
  const isAdmin = useMay().admin;
  useEffect(() => {
    if (user === null || isAdmin || told.current) return;
    told.current = true;
    toastWarning(texts.denied);
    void navigate({ to: paths.dashboard, replace: true });
  }, [user, isAdmin, navigate]);
  return isAdmin;
}
