import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMonth } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { may } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/dashboard.ts';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { dashboardKey, monthQuery } from './dashboard.queries.ts';
import { GettingStarted } from './GettingStarted.tsx';
import { Month } from './Month.tsx';

/** What this month looks like; for an administrator of a new system, what is left to set up. */
export function DashboardScreen(): ReactNode {
  const { user } = useSession();
  const seesDeals = may(user).page('dataEntry');
  const { data } = useQuery({ ...monthQuery, enabled: seesDeals });
  useLiveRefresh('deal', dashboardKey);
  useLiveRefresh('email', dashboardKey);

  return (
    <Page>
      <PageHeader title={texts.title} note={data ? formatMonth(data.month) : ' '} />
      {may(user).admin && <GettingStarted />}
      {user && <Month seesDeals={seesDeals} seesEmails={may(user).page('emailTemplates')} />}
    </Page>
  );
}
