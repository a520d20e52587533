import type { User } from '@forecourt/contract/users';
import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import MonitorOff from 'lucide-react/icons/monitor-off';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import { sessionsQuery, useEndSessions } from './users.queries.ts';

type SessionsDrawerProps = { user: User; onClose: () => void };

export function SessionsDrawer({ user, onClose }: SessionsDrawerProps): ReactNode {
  const { _id: id, name } = user;
  const query = useQuery(sessionsQuery(id));
  const { data } = query;
  const end = useEndSessions();
  const [asking, setAsking] = useState(false);

  const endOne = (sessionId: string): void =>
    toastOutcome(end.mutateAsync({ id, sessionId }), texts.sessionEnded, texts.endFailed);

  return (
    <SideDrawer title={texts.sessionsOf(name)} width={400} onClose={onClose}>
      <Loaded of={query} message={texts.sessionsFailed} loading={<Loader size={20} />} />
      {data?.total === 0 && <EmptyState icon={<MonitorOff />} title={texts.noSessions} />}
      <ul className="ui-lines ui-mb-4">
        {data?.items.map(({ _id, device, ip, createdAt, lastUsedAt, current }) => (
          <li key={_id} className="ui-line ui-top ui-between ui-gap-3">
            <div className="ui-stack ui-gap-1 ui-grow">
              <span className="ui-row ui-strong">
                {device}
                {current && <StatusBadge tone="accent">{texts.thisSession}</StatusBadge>}
              </span>
              <span className="ui-quiet">{ip}</span>
              <span className="ui-quiet">{texts.since(formatDateTime(createdAt))}</span>
              <span className="ui-quiet">{texts.lastUsed(formatDateTime(lastUsedAt))}</span>
            </div>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={texts.endNamed(device, ip)}
              onClick={() => endOne(_id)}
            >
              {texts.endSession}
            </Button>
          </li>
        ))}
      </ul>
      {data && data.total > 0 && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {texts.endAll}
        </Button>
      )}
      {asking && data && (
        <ConfirmDialog
          title={texts.endAllTitle}
          confirmLabel={texts.endAll}
          failed={texts.endFailed}
          destructive
          done={texts.sessionsEnded(name)}
          onConfirm={() => end.mutateAsync({ id })}
          onClose={() => setAsking(false)}
        >
          {texts.endAllWhat(name, data.total)}
        </ConfirmDialog>
      )}
    </SideDrawer>
  );
}
