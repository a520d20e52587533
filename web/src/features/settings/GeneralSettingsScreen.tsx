import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/settings.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { loadMailboxCard } from '../email-settings/mailbox-card.queries.ts';
import { loadCountingNotice } from '../statuses/counting-notice.queries.ts';
import { statusesKey } from '../statuses/statuses.queries.ts';
import { usersQuery } from '../users/users.queries.ts';
import { DealsWithoutRate } from './DealsWithoutRate.tsx';
import { MissingDefaults } from './MissingDefaults.tsx';
import { OwnerSelect } from './OwnerSelect.tsx';
import { COMPANY, settingsKey, settingsQuery } from './settings.queries.ts';
import { SettingsForm } from './SettingsForm.tsx';
import { SettingsReading } from './SettingsReading.tsx';
import styles from './GeneralSettingsScreen.module.css';

const CountingNotice = lazyPart(async () => ({ default: await loadCountingNotice() }));
const MailboxCard = lazyPart(async () => ({ default: await loadMailboxCard() }));

/**
 * General Settings (docs/product/settings.md, General Settings screen): administrators change their own settings, those
 * of other users and the company's; other users see their effective settings.
 */
export function GeneralSettingsScreen(): ReactNode {
  const { user } = useSession();
  const { isAdmin } = usePermissions();
  const { user: asked }: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const own = user?.userId ?? '';
  const owner = (isAdmin && asked) || own;
  const settings = useQuery({ ...settingsQuery(owner), enabled: owner !== '' });
  const company = useQuery(settingsQuery(COMPANY));
  const users = useQuery({ ...usersQuery, enabled: isAdmin });
  useLiveRefresh('setting', settingsKey);
  useLiveRefresh('status', statusesKey);

  const person = users.data?.items.find(({ userId }) => userId === owner);

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={
          isAdmin ? (
            texts.note
          ) : (
            <>
              <StatusBadge tone="warn">{texts.readOnly}</StatusBadge> {texts.onlyAdministrators}
            </>
          )
        }
      />
      <div className={`ui-stack ${styles.body}`}>
        {isAdmin && users.data && (
          <OwnerSelect
            owner={owner}
            own={own}
            users={users.data.items}
            onChoose={(next) => void navigate({ href: paths.generalSettingsOf(next) })}
          />
        )}
        <Loaded
          of={[settings, company, ...(isAdmin ? [users] : [])]}
          message={texts.loadFailed}
          loading={<LoadingCard />}
        />
        {settings.data && company.data && (users.data || !isAdmin) && (
          <>
            {isAdmin && (
              <Suspense>
                <CountingNotice />
              </Suspense>
            )}
            {isAdmin && <MissingDefaults company={company.data.items} />}
            {isAdmin && <DealsWithoutRate />}
            {isAdmin ? (
              <SettingsForm
                key={owner}
                owner={owner}
                who={owner === own ? 'mine' : owner === COMPANY ? 'company' : 'user'}
                name={person?.name ?? ''}
                settings={settings.data.items}
                company={company.data.items}
              />
            ) : (
              <SettingsReading settings={settings.data.items} />
            )}
          </>
        )}
        {owner === own && (
          <Suspense>
            <MailboxCard />
          </Suspense>
        )}
      </div>
    </Page>
  );
}
