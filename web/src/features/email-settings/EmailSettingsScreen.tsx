import type { ReactNode } from 'react';
import { useLiveQuery, useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-settings.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleColumns } from '../../ui/PeopleColumns.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { emailSettingsKey, peopleQuery, failureText } from './email-settings.queries.ts';
import { SettingsForm } from './SettingsForm.tsx';

/** Mail servers of all users, for administrators (docs/product/email.md, Mail servers of people). */
export default function EmailSettingsScreen(): ReactNode {
  const query = useLiveQuery(peopleQuery, 'user');
  const { data, error } = query;
  useLiveRefresh('email-settings', emailSettingsKey);

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      <Loaded of={query} message={failureText(error, texts.loadFailed)} loading={<LoadingCard />} />
      <PeopleColumns
        people={data?.items ?? []}
        pathOf={paths.emailSettingsOf}
        badges={({ role, isConfigured }) => (
          <>
            <StatusBadge>{texts.roles[role]}</StatusBadge>
            <StatusBadge tone={isConfigured ? 'good' : 'warn'}>
              {isConfigured ? texts.configured : texts.notConfigured}
            </StatusBadge>
          </>
        )}
      >
        {(person) => <SettingsForm key={person.userId} person={person} />}
      </PeopleColumns>
    </Page>
  );
}
