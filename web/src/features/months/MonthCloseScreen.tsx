import type { MonthOverview } from '@forecourt/contract/months';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import type { ReactNode } from 'react';
import { useDealOptions, useTimeZone } from '../../platform/deal-options.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { monthOfClock } from '../../platform/months.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { rowsLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/months.ts';
import { isDay } from '../../ui/day-text.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { MonthFilter } from '../../ui/MonthFilter.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { Checklist } from './Checklist.tsx';
import { ClosedMonth, SupersededStatements } from './ClosedMonth.tsx';
import { CloseMonth, ReopenMonth } from './CloseMonth.tsx';
import { checkedOn, checklistKey, checklistQuery, monthsQuery } from './months.queries.ts';

const tones: Record<MonthOverview['state'], BadgeTone> = {
  open: 'neutral',
  closing: 'accent',
  closed: 'good',
};

/** What is to be settled before a month is paid, its close and its statements (docs/product/month-close.md). */
export default function MonthCloseScreen(): ReactNode {
  const options = useDealOptions();
  const permissions = usePermissions();
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const linked = isDay(search['month'] ?? '', 'month') ? search['month'] : undefined;
  const months = useQuery({ ...monthsQuery, enabled: linked === undefined });
  const currentMonth = options.data?.currentMonth ?? monthOfClock();
  const last = months.data?.items.find(({ month }) => month < currentMonth)?.month ?? currentMonth;
  const month = linked ?? last;
  const query = useQuery({
    ...checklistQuery(month),
    enabled: linked !== undefined || (months.data !== undefined && options.data !== undefined),
  });
  useLiveRefresh(checkedOn, checklistKey);
  const { data } = query;

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={data ? <MonthNote {...data} /> : texts.note}
        actions={
          <>
            {permissions.can('dataEntry', 'canAccessAllMonths') && (
              <MonthFilter
                label={texts.month}
                value={month}
                onChange={(chosen) =>
                  void navigate({ to: paths.monthClose, search: { month: chosen }, replace: true })
                }
              />
            )}
            {data && !isUnused(data) && (data.closing ? <ReopenMonth {...data} /> : <CloseMonth {...data} />)}
          </>
        }
      />
      <Loaded of={[options, months, query]} message={texts.loadFailed} loading={<LoadingCard />}>
        {data && (isUnused(data) ? <Unused month={month} /> : <Month {...data} />)}
      </Loaded>
    </Page>
  );
}

/** Whether there is nothing to close and nothing that was closed. */
const isUnused = ({ rows, state, pendingAdjustments }: MonthOverview): boolean =>
  rows === 0 && state === 'open' && pendingAdjustments === 0;

function MonthNote({ state, closing }: MonthOverview): ReactNode {
  const timeZone = useTimeZone();
  return (
    <>
      <StatusBadge tone={tones[state]}>{texts.states[state]}</StatusBadge>{' '}
      {closing
        ? texts.closedNote(closing.closedByName, formatDateTime(closing.closedAt, timeZone))
        : texts.note}
    </>
  );
}

function Unused({ month }: { month: string }): ReactNode {
  const link = rowsLink({ month });
  return (
    <EmptyState
      icon={<CalendarCheck />}
      title={texts.empty}
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} {...link} />}>
          {texts.toDataEntry}
        </Button>
      }
    >
      {texts.emptyNext}
    </EmptyState>
  );
}

function Month(overview: MonthOverview): ReactNode {
  const { month, closing, reopened } = overview;
  const timeZone = useTimeZone();
  return (
    <div className="ui-stack">
      {reopened && (
        <Notice>
          {texts.reopenedBy(reopened.byName, formatDateTime(reopened.at, timeZone), reopened.reason)}
        </Notice>
      )}
      {closing && <ClosedMonth month={month} closing={closing} />}
      <Checklist {...overview} />
      <SupersededStatements key={month} month={month} />
    </div>
  );
}
