import type { Setting } from '@forecourt/contract/settings';
import type { User } from '@forecourt/contract/users';
import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/settings.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import { MailboxCard } from '../email-settings/mailbox-card.lazy.ts';
import { CountingNotice } from '../statuses/counting-notice.lazy.ts';
import { statusesKey } from '../statuses/statuses.queries.ts';
import { usersQuery } from '../users/users.queries.ts';
import { DealsWithoutRate } from './DealsWithoutRate.tsx';
import { type SettingName, formatSetting, sections, type Section } from './settings-values.ts';
import { COMPANY, settingsKey, settingsQuery, useInitializeSettings } from './settings.queries.ts';
import { SettingsForm } from './SettingsForm.tsx';
import styles from './GeneralSettingsScreen.module.css';
import '../../ui/styles-dialog.ts';

/**
 * Administrators change their own settings, those of other users and the company's; other users see their effective
 * settings (docs/product/settings.md, General Settings screen).
 */
export default function GeneralSettingsScreen(): ReactNode {
  const { user } = useSession();
  const { isAdmin } = usePermissions();
  const { user: asked, state }: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const own = user?.userId ?? '';
  const company = useQuery(settingsQuery(COMPANY));
  /** Set once, so that the form stays after the rates are saved. A mail provider redirects to the own mailbox. */
  const [start, setStart] = useState<string>();
  if (start === undefined && company.data)
    setStart(state === undefined && missingRates(company.data.items).length > 0 ? COMPANY : own);
  const owner = isAdmin ? (asked ?? start ?? '') : own;
  const settings = useQuery({ ...settingsQuery(owner), enabled: owner !== '' });
  const users = useQuery({ ...usersQuery, enabled: isAdmin });
  useLiveRefresh('setting', settingsKey);
  useLiveRefresh('status', statusesKey);

  const show = (next: string): void => void navigate({ href: paths.generalSettingsOf(next) });
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
        {isAdmin && users.data && owner !== '' && (
          <OwnerSelect owner={owner} own={own} users={users.data.items} onChoose={show} />
        )}
        <Loaded
          of={[settings, company, ...(isAdmin ? [users] : [])]}
          message={texts.loadFailed}
          loading={<LoadingCard />}
        />
        {settings.data && company.data && !isAdmin && <SettingsReading settings={settings.data.items} />}
        {settings.data && company.data && users.data && isAdmin && (
          <>
            <Suspense>
              <CountingNotice />
            </Suspense>
            <MissingDefaults
              company={company.data.items}
              onSetRates={owner === COMPANY ? undefined : () => show(COMPANY)}
            />
            <DealsWithoutRate />
            <SettingsForm
              key={owner}
              owner={owner}
              who={owner === own ? 'mine' : owner === COMPANY ? 'company' : 'user'}
              name={person?.name ?? ''}
              settings={settings.data.items}
              company={company.data.items}
            />
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

const missingRates = (company: readonly Setting[]): Setting[] =>
  company.filter(({ value }) => value === null);

type MissingDefaultsProps = { company: readonly Setting[]; onSetRates: (() => void) | undefined };

/** The company settings without a value. Rates have no default, so they must be entered. */
function MissingDefaults({ company, onSetRates }: MissingDefaultsProps): ReactNode {
  const { mutateAsync, isPending } = useInitializeSettings();
  const named = (settings: readonly Setting[]): string =>
    settings.map(({ settingName }) => texts.labels[settingName as SettingName]).join(', ');
  const rates = missingRates(company);
  const others = company.filter(({ inherited, value, category }) => {
    // The default of the GST is right until it is changed.
    return inherited && value !== null && category !== 'statements';
  });
  const values = [...new Set(others.map(({ value }) => formatSetting(value)))].join(', ');

  const initialize = (): void =>
    toastOutcome(mutateAsync(), texts.initialized(values), texts.initializeFailed);
  return (
    <>
      {rates.length > 0 && (
        <Notice
          action={
            onSetRates && (
              <Button variant="default" onClick={onSetRates}>
                {texts.setRates}
              </Button>
            )
          }
        >
          {texts.missingRates(named(rates))}
        </Notice>
      )}
      {others.length > 0 && (
        <Notice
          action={
            <Button variant="default" loading={isPending} onClick={initialize}>
              {texts.initialize(values)}
            </Button>
          }
        >
          {texts.missingOthers(named(others))}
        </Notice>
      )}
    </>
  );
}

type OwnerSelectProps = {
  owner: string;
  own: string;
  users: readonly User[];
  onChoose: (owner: string) => void;
};

/** Chooses whose settings are displayed: the administrator's own, the company's defaults, or another user's. */
function OwnerSelect({ owner, own, users, onChoose }: OwnerSelectProps): ReactNode {
  const others = users.filter(({ userId }) => userId !== own);
  return (
    <Select
      label={texts.owner}
      data={[
        { value: own, label: texts.mine },
        { value: COMPANY, label: texts.company },
        {
          group: texts.users,
          items: others.map(({ userId, name, email, isActive }) => ({
            value: userId,
            label: isActive ? texts.user(name, email) : texts.inactiveUser(name, email),
          })),
        },
      ]}
      searchable
      nothingFoundMessage={texts.nobodyFound}
      value={owner}
      onChange={(next) => next !== null && next !== owner && onChoose(next)}
    />
  );
}

function SettingsReading({ settings }: { settings: readonly Setting[] }): ReactNode {
  const shown = (Object.keys(sections) as Section[]).filter((section) =>
    settings.some(({ category }) => category === section),
  );
  return shown.map((section) => (
    <section key={section} className="ui-card" aria-label={texts.sections[section]}>
      <header className="ui-head">
        <h2>{texts.sections[section]}</h2>
        <p className="ui-quiet ui-mt-1">{texts.sectionNotes[section]}</p>
      </header>
      <dl>
        {settings
          .filter(({ category }) => category === section)
          .map(({ settingName, value, inherited }) => (
            <div key={settingName} className={`ui-row ui-gap-4 ui-between ${styles.value}`}>
              <dt>
                {texts.labels[settingName as SettingName]}
                <span className="ui-sub">{texts.hints[settingName as SettingName]}</span>
              </dt>
              <dd className="ui-line">
                <strong>{formatSetting(value)}</strong>
                {!inherited && <StatusBadge tone="accent">{texts.own}</StatusBadge>}
                {inherited && value !== null && <StatusBadge>{texts.inherited}</StatusBadge>}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ));
}
