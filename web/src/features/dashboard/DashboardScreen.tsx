import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMonth } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { refreshPermissions, useMay, usePermissionFailure } from '../../platform/permissions.ts';
import { texts } from '../../texts/dashboard.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { Changes } from './Changes.tsx';
import { dashboardKey, figuresQuery } from './dashboard.queries.ts';
import { FailedEmails } from './FailedEmails.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Month } from './Month.tsx';
import { ToCall } from './ToCall.tsx';
import styles from './DashboardScreen.module.css';

/** A company at work changes a row every moment, and what is here adds up all of them. */
const REST_MS = 5000;

/** This month against the last, and what waits; for an administrator of a new system, what is left to set up; in a demo, what to try. */
export function DashboardScreen(): ReactNode {
  const may = useMay();
  const failure = usePermissionFailure();
  const seesDeals = may.page('dataEntry');
  const { data } = useQuery({ ...figuresQuery, enabled: seesDeals });
  useLiveRefresh('deal', dashboardKey, REST_MS);
  useLiveRefresh('email', dashboardKey);
  useLiveRefresh('status', dashboardKey);

  return (
    <Page>
      <PageHeader title={texts.title} note={data ? formatMonth(data.thisMonth.month) : ' '} />
      <FirstSteps />
      {seesDeals && <Month />}
      {may.known && (
        <div className={styles.lists}>
          {seesDeals && <ToCall />}
          {seesDeals && <Changes />}
          {may.page('emailTemplates') && <FailedEmails />}
        </div>
      )}
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
