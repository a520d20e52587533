import type { CheckResult } from '@forecourt/contract/months';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import Check from 'lucide-react/icons/check';
import { useState, type ReactNode } from 'react';
import { useDealOptions, useTimeZone } from '../../platform/deal-options.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { monthOfClock } from '../../platform/months.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { rowsLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/months.ts';
import { Card } from '../../ui/Card.tsx';
import { isDay } from '../../ui/day-text.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { MonthFilter } from '../../ui/MonthFilter.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import { checkedOn, checklistKey, checklistQuery, monthsQuery, useTakeBack } from './months.queries.ts';
import { WaiveForm } from './WaiveForm.tsx';
import styles from './MonthCloseScreen.module.css';

/** Minimum time between two counts of the checks, in milliseconds. */
const REST_MS = 1000;

type CheckState = 'open' | 'waived' | 'done';

function stateOf({ count, waiver }: CheckResult): CheckState {
  if (count === 0) return 'done';
  return waiver !== null && waiver.rows >= count ? 'waived' : 'open';
}

/** What is to be settled before a month is paid (docs/product/month-close.md). */
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
  useLiveRefresh(checkedOn, checklistKey, REST_MS);

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={
          permissions.can('dataEntry', 'canAccessAllMonths') && (
            <MonthFilter
              label={texts.month}
              value={month}
              onChange={(chosen) =>
                void navigate({ to: paths.monthClose, search: { month: chosen }, replace: true })
              }
            />
          )
        }
      />
      <Loaded of={[options, months, query]} message={texts.loadFailed} loading={<LoadingCard />}>
        {query.data && <Checklist {...query.data} />}
      </Loaded>
    </Page>
  );
}

type ChecklistProps = { month: string; rows: number; checks: readonly CheckResult[] };

function Checklist({ month, rows, checks }: ChecklistProps): ReactNode {
  const [waiving, setWaiving] = useState<CheckResult | null>(null);
  if (rows === 0 || checks.length === 0)
    return (
      <EmptyState icon={<CalendarCheck />} title={rows === 0 ? texts.empty : texts.hidden}>
        {rows === 0 ? texts.emptyNext : texts.hiddenNext}
      </EmptyState>
    );
  const { open = [], waived = [], done = [] } = Object.groupBy(checks, stateOf);
  return (
    <div className="ui-stack">
      <Card title={texts.open} aside={texts.rowsOf(rows, month)}>
        {open.length === 0 ? (
          <p className="ui-quiet">{texts.openNone}</p>
        ) : (
          <ul className="ui-lines">
            {open.map((check) => (
              <Line key={check.key} month={month} check={check}>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={texts.waiveOne(texts.checks[check.key].label)}
                  onClick={() => setWaiving(check)}
                >
                  {texts.waive}
                </Button>
              </Line>
            ))}
          </ul>
        )}
      </Card>
      {waived.length > 0 && (
        <Card title={texts.waived}>
          <ul className="ui-lines">
            {waived.map((check) => (
              <Line key={check.key} month={month} check={check}>
                <TakeBack month={month} check={check} />
              </Line>
            ))}
          </ul>
        </Card>
      )}
      {done.length > 0 && (
        <Card title={texts.done}>
          <ul className="ui-row ui-gap-4 ui-quiet">
            {done.map(({ key }) => (
              <li key={key} className="ui-inline">
                <Check size={14} /> {texts.checks[key].label}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <p className="ui-quiet">{texts.paidRows}</p>
      {waiving && <WaiveForm month={month} check={waiving} onClose={() => setWaiving(null)} />}
    </div>
  );
}

type LineProps = { month: string; check: CheckResult; children: ReactNode };

/** A check that has rows, with the link to them and its waiver. */
function Line({ month, check: { key, count, filter, waiver }, children }: LineProps): ReactNode {
  const timeZone = useTimeZone();
  const { label, note } = texts.checks[key];
  return (
    <li className="ui-line ui-top ui-gap-4">
      <Link className={styles.rows} aria-label={texts.linkTo(count, label)} {...rowsLink({ month, filter })}>
        {texts.rows(count)}
      </Link>
      <div className="ui-grow ui-anywhere">
        <span className="ui-strong">{label}</span>
        {note !== undefined && <span className="ui-sub">{note}</span>}
        {waiver !== null && (
          <span className="ui-sub">
            {waiver.rows < count && <span className="ui-warn">{texts.waivedFor(waiver.rows, count)} · </span>}
            {texts.waivedBy(waiver.waivedByName, formatDateTime(waiver.waivedAt, timeZone))}: {waiver.reason}
          </span>
        )}
      </div>
      {children}
    </li>
  );
}

function TakeBack({ month, check: { key } }: Omit<LineProps, 'children'>): ReactNode {
  const { mutateAsync, isPending } = useTakeBack();
  const { label } = texts.checks[key];
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isPending}
      aria-label={texts.takeBackOne(label)}
      onClick={() =>
        toastOutcome(
          mutateAsync({ params: { month, check: key } }),
          texts.takenBack(label),
          texts.takeBackFailed,
        )
      }
    >
      {texts.takeBack}
    </Button>
  );
}
