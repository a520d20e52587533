import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { useMay } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/settings.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { loadMailboxCard } from '../email-settings/mailbox-card.queries.ts';
import { usersQuery } from '../users/users.queries.ts';
import { MissingDefaults } from './MissingDefaults.tsx';
import { OwnerSelect } from './OwnerSelect.tsx';
import { COMPANY, settingsKey, settingsQuery } from './settings.queries.ts';
import { SettingsForm } from './SettingsForm.tsx';
import { SettingsReading } from './SettingsReading.tsx';
import styles from './GeneralSettingsScreen.module.css';

const MailboxCard = lazy(async () => ({ default: await loadMailboxCard() }));

/**
 * General Settings (spec section 2): administrators change their own, anybody's or the company's; others see what
 * holds for them.
 */
export function GeneralSettingsScreen(): ReactNode {
  const { user } = useSession();
  const { admin } = useMay();
  const { user: asked }: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const own = user?.userId ?? '';
  const owner = (admin && asked) || own;
  const settings = useQuery({ ...settingsQuery(owner), enabled: owner !== '' });
  const company = useQuery(settingsQuery(COMPANY));
  const users = useQuery({ ...usersQuery, enabled: admin });
  useLiveRefresh('setting', settingsKey);

  const error = settings.error ?? company.error ?? users.error;
  const person = users.data?.items.find(({ userId }) => userId === owner);
  const isLoading = !settings.data || !company.data || (admin && !users.data);

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={
          admin ? (
            texts.note
          ) : (
            <>
              <StatusBadge tone="warn">{texts.readOnly}</StatusBadge> {texts.onlyAdministrators}
            </>
          )
        }
      />
      <div className={styles.body}>
        {admin && users.data && (
          <OwnerSelect
            owner={owner}
            own={own}
            users={users.data.items}
            onChoose={(next) => void navigate({ href: paths.generalSettingsOf(next) })}
          />
        )}
        {error && (
          <LoadFailed
            error={error}
            message={texts.loadFailed}
            retry={() => void Promise.all([settings.refetch(), company.refetch(), admin && users.refetch()])}
          />
        )}
        {!error && isLoading && (
          <div className={styles.loading} role="status">
            <Loader size={16} /> Loading...
          </div>
        )}
        {!error && settings.data && company.data && !isLoading && (
          <>
            {admin && company.data.items.some(({ inherited }) => inherited) && <MissingDefaults />}
            {admin ? (
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
