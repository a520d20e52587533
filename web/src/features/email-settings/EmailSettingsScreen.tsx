import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-settings.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleList, UnknownPerson } from '../../ui/PeopleList.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { emailSettingsKey, peopleQuery, failureText } from './email-settings.queries.ts';
import { SettingsForm } from './SettingsForm.tsx';

/**
 * The mail servers of all users, for administrators (docs/product/email.md, Mail servers of people): users at the left,
 * the settings of one at the right.
 */
export default function EmailSettingsScreen(): ReactNode {
  const { user: asked }: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = useQuery(peopleQuery);
  const { data, error } = query;
  useLiveRefresh('email-settings', emailSettingsKey);
  useLiveRefresh('user', peopleQuery.queryKey);
  const people = data?.items ?? [];
  const person = asked === undefined ? people[0] : people.find(({ userId }) => userId === asked);

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} />
      <Loaded of={query} message={failureText(error, texts.loadFailed)} loading={<LoadingCard />} />
      {people.length > 0 && (
        <div className="ui-columns">
          <PeopleList
            people={people}
            chosen={person?.userId}
            onChoose={(userId) => void navigate({ href: paths.emailSettingsOf(userId) })}
            badges={({ role, isConfigured }) => (
              <>
                <StatusBadge>{texts.roles[role]}</StatusBadge>
                <StatusBadge tone={isConfigured ? 'good' : 'warn'}>
                  {isConfigured ? texts.configured : texts.notConfigured}
                </StatusBadge>
              </>
            )}
          />
          {person ? <SettingsForm key={person.userId} person={person} /> : <UnknownPerson />}
        </div>
      )}
    </Page>
  );
}
