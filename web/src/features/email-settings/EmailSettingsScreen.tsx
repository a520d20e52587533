import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { texts } from '../../texts/email-settings.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleList } from '../../ui/PeopleList.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { emailSettingsKey, peopleQuery, failureText } from './email-settings.queries.ts';
import { SettingsForm } from './SettingsForm.tsx';

/**
 * The mail servers of all users, for administrators (docs/product/email.md, Mail servers of people): users at the left,
 * the settings of one at the right.
 */
export function EmailSettingsScreen(): ReactNode {
  const query = useQuery(peopleQuery);
  const { data, error } = query;
  useLiveRefresh('email-settings', emailSettingsKey);
  useLiveRefresh('user', peopleQuery.queryKey);
  const [chosen, setChosen] = useState<string | null>(null);
  const people = data?.items ?? [];
  const person = people.find(({ userId }) => userId === chosen) ?? people[0];

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      <Loaded of={query} message={failureText(error, texts.loadFailed)} loading={<LoadingCard />} />
      {person && (
        <div className="ui-columns">
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
