import type { SessionInfo } from '@forecourt/contract/auth';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import LogOut from 'lucide-react/icons/log-out';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/auth.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DataTable, type DataColumn } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { sessionsQuery, useEndSessions } from './auth.queries.ts';
import styles from './AccountScreen.module.css';

const columns: readonly DataColumn<SessionInfo>[] = [
  {
    id: 'device',
    header: texts.device,
    sortBy: ({ device }) => device,
    render: ({ device, ip, current }) => (
      <span className="ui-row">
        {device}
        {current && <StatusBadge tone="accent">{texts.thisDevice}</StatusBadge>}
        <span className={styles.narrow}>{ip}</span>
      </span>
    ),
  },
  { id: 'ip', header: texts.address, sortBy: ({ ip }) => ip, render: ({ ip }) => ip, wideOnly: true },
  {
    id: 'since',
    header: texts.since,
    sortBy: ({ createdAt }) => createdAt,
    render: ({ createdAt }) => formatDateTime(createdAt),
    wideOnly: true,
  },
  {
    id: 'lastUse',
    header: texts.lastUse,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    render: ({ lastUsedAt }) => formatDateTime(lastUsedAt),
  },
];

/** The user's sessions. Each can be ended here except the current one, which ends with Sign Out. */
export function SessionList(): ReactNode {
  const query = useQuery(sessionsQuery);
  const { data } = query;
  const end = useEndSessions();
  const [ending, setEnding] = useState<readonly SessionInfo[] | null>(null);
  const others = (data?.items ?? []).filter(({ current }) => !current);

  return (
    <section className="ui-card ui-pad" aria-labelledby="own-sessions">
      <h2 id="own-sessions">{texts.sessions}</h2>
      <p className={styles.words}>{texts.sessionsNote}</p>
      <Loaded of={query}>
        <DataTable
          label={texts.sessions}
          columns={columns}
          rows={data?.items}
          rowKey={({ _id }) => _id}
          rowLabel={({ device }) => device}
          empty={<EmptyState title={texts.noSessions} />}
          actions={(session) =>
            !session.current && (
              <IconAction
                label={texts.endOf(session.device)}
                icon={LogOut}
                onClick={() => setEnding([session])}
              />
            )
          }
        />
      </Loaded>
      {others.length > 0 && (
        <Button variant="default" mt={12} onClick={() => setEnding(others)}>
          {texts.endOthers}
        </Button>
      )}
      {ending && (
        <ConfirmDialog
          title={ending.length === 1 ? texts.endTitle : texts.endOthers}
          confirmLabel={texts.end}
          destructive
          onConfirm={async () => {
            await end.mutateAsync(ending.map(({ _id }) => _id));
            toastDone(texts.ended(ending.length));
          }}
          onClose={() => setEnding(null)}
        >
          <ul className="ui-bullets">
            {ending.map(({ _id, device, ip }) => (
              <li key={_id}>{texts.sessionAt(device, ip)}</li>
            ))}
          </ul>
          <p className="ui-muted ui-mt-2">{texts.endWhat}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
