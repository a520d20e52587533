import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Table2 from 'lucide-react/icons/table-2';
import type { ReactNode } from 'react';
import { formatCount, formatMoney } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/dashboard.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { failedEmailsQuery, monthQuery } from './dashboard.queries.ts';
import { StatusBar } from './StatusBar.tsx';
import styles from './Month.module.css';

type MonthProps = { seesDeals: boolean; seesEmails: boolean };

/** The month's figures. Each opens what is behind it; what a person may not see is not there. */
export function Month({ seesDeals, seesEmails }: MonthProps): ReactNode {
  const { data, error, refetch } = useQuery({ ...monthQuery, enabled: seesDeals });
  const { data: failed } = useQuery(failedEmailsQuery);
  const summary = data?.summary;

  if (error) return <LoadFailed error={error} retry={() => void refetch()} />;
  return (
    <>
      <div className={styles.figures}>
        {seesDeals && (
          <>
            <Figure label={texts.deals} value={summary && formatCount(summary.total)} to={paths.dataEntry} />
            <Figure
              label={texts.sales}
              value={summary && formatMoney(summary.saleAmount)}
              to={paths.dataEntry}
            />
            <Figure
              label={texts.grossProfit}
              value={summary && formatMoney(summary.grossProfit)}
              to={paths.dataEntry}
            />
          </>
        )}
        <Figure
          label={texts.failedEmails}
          value={failed === undefined ? undefined : formatCount(failed)}
          alarming={(failed ?? 0) > 0}
          {...(seesEmails ? { to: paths.emailHistory } : {})}
        />
      </div>
      {data && summary && (
        <section className={styles.card} aria-labelledby="by-status">
          <h2 id="by-status" className={styles.title}>
            {texts.byStatus}
          </h2>
          {summary.total === 0 ? (
            <EmptyState
              icon={<Table2 />}
              title={texts.noDealsTitle}
              action={
                <Button variant="default" component={Link} to={paths.dataEntry}>
                  {texts.openDataEntry}
                </Button>
              }
            >
              {texts.noDeals}
            </EmptyState>
          ) : (
            <StatusBar statuses={data.statuses} counts={summary.byStatus} total={summary.total} />
          )}
        </section>
      )}
    </>
  );
}

type FigureProps = { label: string; value: string | undefined; to?: string; alarming?: boolean };

function Figure({ label, value, to, alarming = false }: FigureProps): ReactNode {
  const words = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.value} data-alarming={alarming || undefined}>
        {value ?? '–'}
      </span>
    </>
  );
  if (to === undefined) return <div className={styles.figure}>{words}</div>;
  return (
    <Link className={styles.figure} to={to}>
      {words}
    </Link>
  );
}
