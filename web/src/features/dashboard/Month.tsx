import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Table2 from 'lucide-react/icons/table-2';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/dashboard.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { dealOptionsQuery } from '../deals/deals.queries.ts';
import { figuresQuery } from './dashboard.queries.ts';
import { Figures } from './Figures.tsx';
import { StatusBar } from './StatusBar.tsx';
import { Trend } from './Trend.tsx';
import styles from './DashboardScreen.module.css';

/** What this month came to so far; what is made of columns that a person may not see is not there. */
export function Month(): ReactNode {
  const { data, error, refetch } = useQuery(figuresQuery);
  const { data: options } = useQuery(dealOptionsQuery);

  if (error) return <LoadFailed error={error} retry={() => void refetch()} />;
  if (!data) return null;
  const { thisMonth, lastMonth, trend } = data;
  return (
    <>
      <Figures thisMonth={thisMonth} lastMonth={lastMonth} />
      <div className={styles.charts}>
        <Card title={texts.byStatus}>
          {thisMonth.deals === 0 ? (
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
            options && <StatusBar statuses={options.statuses} thisMonth={thisMonth} lastMonth={lastMonth} />
          )}
        </Card>
        {trend.length > 1 && <Trend months={trend} />}
      </div>
    </>
  );
}
