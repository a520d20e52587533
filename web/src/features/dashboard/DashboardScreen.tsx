import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { formatMonth } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { refreshPermissions, usePermissions, usePermissionFailure } from '../../platform/permissions.ts';
import { later } from '../../platform/retry-later.ts';
import { texts } from '../../texts/dashboard.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { BackupAlerts } from './BackupAlerts.tsx';
import { changesQuery, dashboardKey, figuresQuery, toCallQuery } from './dashboard.queries.ts';
import { useFirstSteps } from './FirstSteps.tsx';
import { Changes, FailedEmails, ToCall } from './Lists.tsx';
import { Charts, Month } from './Month.tsx';
import styles from './DashboardScreen.module.css';

/** Record kinds whose changes this screen shows. */
const shown = ['deal', 'email', 'status'] as const;

/** Minimum time between refreshes in milliseconds, because rows change constantly and figures are expensive. */
const REST_MS = 5000;

/** This month compared with the last one, open tasks, the set-up steps of an installation, the tour of a demo. */
export default function DashboardScreen(): ReactNode {
  const permissions = usePermissions();
  const failure = usePermissionFailure();
  const seesDeals = permissions.page('dataEntry');
  const { data, isLoading } = useQuery({ ...figuresQuery, enabled: seesDeals });
  const { isLoading: areOptionsLoading } = useDealOptions(seesDeals);
  // A list is rendered after the lists above it have loaded, which would otherwise move it.
  const { isLoading: areCallsLoading } = useQuery({ ...toCallQuery, enabled: seesDeals });
  const { isLoading: areChangesLoading } = useQuery({ ...changesQuery, enabled: seesDeals });
  const { isKnown, card } = useFirstSteps();
  const firstLoads = useIsFetching({
    queryKey: dashboardKey,
    predicate: ({ state }) => state.status === 'pending',
  });
  const isLoaded = permissions.isLoaded && isKnown && !isLoading && !areOptionsLoading && firstLoads === 0;
  const place = usePlace(isLoaded);
  useLiveRefresh(shown, dashboardKey, REST_MS);

  return (
    <Page>
      <PageHeader title={texts.title} note={data ? formatMonth(data.thisMonth.month) : ' '} />
      {place === 'first' && card}
      <div hidden={place === null}>
        {permissions.isAdmin && <BackupAlerts />}
        {seesDeals && <Month />}
        {permissions.isLoaded && (
          <div className={styles.columns}>
            <div className="ui-stack">
              {seesDeals && (
                <>
                  <ToCall month={data?.thisMonth.month} />
                  <div hidden={areCallsLoading}>
                    <Changes />
                  </div>
                </>
              )}
              {permissions.page('emailTemplates') && (
                <div hidden={areCallsLoading || areChangesLoading}>
                  <FailedEmails />
                </div>
              )}
            </div>
            {seesDeals && (
              <div className="ui-stack">
                <Charts />
              </div>
            )}
          </div>
        )}
      </div>
      {place === 'last' && card}
      {failure && (
        <LoadFailed
          error={failure}
          message={texts.permissionsFailed}
          retry={() => void refreshPermissions()}
        />
      )}
    </Page>
  );
}

/** Maximum wait for all cards, in milliseconds. */
const WAIT_MS = 1500;

/** The position of the first-steps card, so that it does not shift rendered content; null until it is decided. */
function usePlace(isReady: boolean): 'first' | 'last' | null {
  const [place, setPlace] = useState<'first' | 'last' | null>(null);
  if (place === null && isReady) setPlace('first');
  useEffect(() => later(() => setPlace((now) => now ?? 'last'), WAIT_MS), []);
  return place;
}
