import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/activity.ts';
import { Card } from '../../ui/Card.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { activityQuery, liveSessionsQuery } from './activity.queries.ts';
import { ActivityCards } from './ActivityCards.tsx';
import { SessionsTable } from './SessionsTable.tsx';

const periods = Object.entries(texts.periods).map(([value, label]) => ({ value, label }));

/** Online users, and activity by time (docs/product/audit.md, User activity). */
export function UserActivityScreen(): ReactNode {
  const [days, setDays] = useState('30');
  const query = useQuery(activityQuery(days));
  const { data } = query;
  return (
    <Page wide>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={<Segments aria-label={texts.period} data={periods} value={days} onChange={setDays} />}
      />
      <PeopleTabs />
      <div className="ui-mb-4">
        <Card title={texts.online} aside={<OnNow />}>
          <SessionsTable />
        </Card>
      </div>
      <Loaded of={query} message={texts.loadFailed} />
      {data && <ActivityCards activity={data} />}
    </Page>
  );
}

/** The users with a session in use, each once. */
function OnNow(): ReactNode {
  const { data } = useQuery(liveSessionsQuery);
  const people = new Map(data?.items.flatMap(({ online, userId, name }) => (online ? [[userId, name]] : [])));
  if (!data) return null;
  return (
    <span>
      {people.size === 0 ? texts.nobodyOn : `${texts.onNow(people.size)}: ${[...people.values()].join(', ')}`}
    </span>
  );
}
