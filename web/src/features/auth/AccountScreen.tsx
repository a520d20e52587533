import type { SessionInfo } from '@forecourt/contract/auth';
import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import LogOut from 'lucide-react/icons/log-out';
import { type ReactNode, useState } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/auth.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DataTable, type DataColumn } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { valueColumn } from '../../ui/table/columns.tsx';
import { toastFailed } from '../../ui/toasts.ts';
import {
  notificationSettingsQuery,
  useChangeNotificationSettings,
} from '../notifications/notifications.queries.ts';
import { sessionsQuery, useEndSessions } from './auth.queries.ts';
import { TwoStepCard } from './TwoStepCard.tsx';
import styles from './AccountScreen.module.css';

/**
 * The user's sign-in (password, second step, sessions) and mail
 * (docs/product/people-and-permissions.md, Two-step sign-in; docs/product/people-and-permissions.md, Sessions).
 */
export default function AccountScreen(): ReactNode {
  const { user } = useSession();
  return (
    <Page>
      <PageHeader title={texts.accountTitle} note={user && `${user.name} · ${user.email}`} />
      <div className={`ui-stack ${styles.cards}`}>
        <section className="ui-card ui-pad" aria-labelledby="own-password">
          <h2 id="own-password">{texts.password}</h2>
          <p className={styles.words}>{texts.passwordCard}</p>
          <Button variant="default" component={Link} to={paths.changePassword}>
            {texts.changeTitle}
          </Button>
        </section>
        <TwoStepCard />
        <MailCard />
        <SessionList />
      </div>
    </Page>
  );
}

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
  valueColumn({ id: 'ip', header: texts.address, of: ({ ip }) => ip }),
  valueColumn({
    id: 'since',
    header: texts.since,
    of: ({ createdAt }) => createdAt,
    render: ({ createdAt }) => formatDateTime(createdAt),
  }),
  valueColumn({
    id: 'lastUse',
    header: texts.lastUse,
    wideOnly: false,
    of: ({ lastUsedAt }) => lastUsedAt,
    render: ({ lastUsedAt }) => formatDateTime(lastUsedAt),
  }),
];

/** The user's sessions. The current one cannot be ended here but by Sign Out. */
function SessionList(): ReactNode {
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
        <Button variant="default" mt="md" onClick={() => setEnding(others)}>
          {texts.endOthers}
        </Button>
      )}
      {ending && (
        <ConfirmDialog
          title={ending.length === 1 ? texts.endTitle : texts.endOthers}
          confirmLabel={texts.end}
          destructive
          done={texts.ended(ending.length)}
          onConfirm={() => end.mutateAsync(ending.map(({ _id }) => _id))}
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

function MailCard(): ReactNode {
  const query = useQuery(notificationSettingsQuery);
  const { data } = query;
  const { mutateAsync, isPending, variables } = useChangeNotificationSettings();
  return (
    <section className="ui-card ui-pad ui-stack ui-gap-2" aria-labelledby="own-mail">
      <h2 id="own-mail">{texts.mail}</h2>
      <Loaded of={query} />
      {data && (
        <Switch
          label={texts.mentionMail}
          description={data.isMailOn ? texts.mentionMailNote : texts.noMail}
          checked={isPending ? variables : data.mentionMail}
          disabled={!data.isMailOn || viewing !== null}
          readOnly={isPending}
          onChange={({ currentTarget: { checked } }) =>
            void mutateAsync(checked).catch((thrown: unknown) => toastFailed(thrown, texts.mailFailed))
          }
        />
      )}
    </section>
  );
}
