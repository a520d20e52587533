import type { PersonSession } from '@forecourt/contract/activity';
import { useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import MonitorOff from 'lucide-react/icons/monitor-off';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/activity.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { DataTable, type DataColumn } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useEndSessions } from '../users/users.queries.ts';
import { liveSessionsQuery } from './activity.queries.ts';

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
  {
    id: 'device',
    header: texts.device,
    sortBy: ({ device }) => device,
    filterBy: { kind: 'choice', of: ({ device }) => device },
    render: ({ device }) => device,
    wideOnly: true,
  },
  {
    id: 'address',
    header: texts.address,
    width: '150px',
    sortBy: ({ ip }) => ip,
    filterBy: { kind: 'text', of: ({ ip }) => ip },
    render: ({ ip }) => ip,
    wideOnly: true,
  },
  {
    id: 'since',
    header: texts.since,
    width: '170px',
    sortBy: ({ createdAt }) => createdAt,
    render: ({ createdAt }) => <span className="ui-nowrap">{formatDateTime(createdAt)}</span>,
    wideOnly: true,
  },
  {
    id: 'lastSeen',
    header: texts.lastSeen,
    width: '170px',
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    render: ({ lastUsedAt }) => <span className="ui-nowrap">{formatDateTime(lastUsedAt)}</span>,
    wideOnly: true,
  },
];

/** All live sessions; each can be ended except the current one. */
export function SessionsTable(): ReactNode {
  const query = useQuery(liveSessionsQuery);
  const { data, refetch } = query;
  const { mutate } = useEndSessions();
  const end = ({ userId, _id, name }: PersonSession): void =>
    mutate(
      { id: userId, sessionId: _id },
      {
        onSuccess: () => {
          toastDone(texts.ended(name));
          void refetch();
        },
        onError: (failure) => toastFailed(failure, texts.endFailed),
      },
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
