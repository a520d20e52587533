import type { PersonSession } from '@forecourt/contract/activity';
import { useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import MonitorOff from 'lucide-react/icons/monitor-off';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/activity.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { DataTable, type DataColumn } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { PeopleTabs } from '../../ui/PeopleTabs.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { valueColumn, timeColumn } from '../../ui/table/columns.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import { useEndSessions } from '../users/users.queries.ts';
import { activityQuery, liveSessionsQuery } from './activity.queries.ts';
import { ActivityCards } from './ActivityCards.tsx';

/** Online users, and activity by time (docs/product/audit.md, User activity). */
export default function UserActivityScreen(): ReactNode {
  const [days, setDays] = useState('30');
  const query = useQuery(activityQuery(days));
  const { data } = query;
  return (
    <Page wide>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={
          <Segments<string>
            aria-label={texts.period}
            labels={texts.periods}
            value={days}
            onChange={setDays}
          />
        }
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

/** The users with a session in use; a user with several appears once. */
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

const columns: readonly DataColumn<PersonSession>[] = [
  {
    id: 'person',
    header: texts.person,
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name, email }) => `${name} ${email}` },
    render: ({ name, email, device, current, online }) => (
      <span className="ui-stack ui-gap-0 ui-anywhere">
        <span className="ui-row ui-strong">
          {name}
          {current && <StatusBadge tone="accent">{texts.thisSession}</StatusBadge>}
          {online && !current && <StatusBadge tone="good">{texts.now}</StatusBadge>}
        </span>
        <span className="ui-quiet">{email}</span>
        <span className="ui-sub ui-phone-only">{device}</span>
      </span>
    ),
  },
  valueColumn({ id: 'device', header: texts.device, of: ({ device }) => device, filter: 'choice' }),
  valueColumn({ id: 'address', header: texts.address, width: '150px', of: ({ ip }) => ip, filter: 'text' }),
  timeColumn({ id: 'since', header: texts.since, of: ({ createdAt }) => createdAt }),
  timeColumn({ id: 'lastSeen', header: texts.lastSeen, of: ({ lastUsedAt }) => lastUsedAt }),
];

/** All live sessions. Each except the current one can be ended. */
function SessionsTable(): ReactNode {
  const query = useQuery(liveSessionsQuery);
  const { data, refetch } = query;
  const { mutateAsync } = useEndSessions();
  const end = ({ userId, _id, name }: PersonSession): void =>
    toastOutcome(
      mutateAsync({ id: userId, sessionId: _id }).then(() => void refetch()),
      texts.ended(name),
      texts.endFailed,
    );
  return (
    <Loaded of={query} message={texts.sessionsFailed}>
      <DataTable
        label={texts.sessions}
        name="live-sessions"
        columns={columns}
        rows={data?.items}
        rowKey={({ _id }) => _id}
        rowLabel={({ name }) => name}
        empty={<EmptyState icon={<MonitorOff />} title={texts.noSessions} />}
        actions={(session) =>
          session.current ? null : (
            <IconAction
              label={texts.end(session.name, session.device)}
              icon={LogOut}
              onClick={() => end(session)}
            />
          )
        }
      />
    </Loaded>
  );
}
