import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Table2 from 'lucide-react/icons/table-2';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/dashboard.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { dealOptionsQuery } from '../deals/deals.queries.ts';
import { figuresQuery } from './dashboard.queries.ts';
import { Figures } from './Figures.tsx';
import { StatusBar } from './StatusBar.tsx';
import { Trend } from './Trend.tsx';
import styles from './DashboardScreen.module.css';

/** The figures of this month; those of columns that the user may not see are absent. */
export function Month(): ReactNode {
  const query = useQuery(figuresQuery);
  const { data } = query;
  const { data: options } = useQuery(dealOptionsQuery);

  if (!data) return <Loaded of={query} />;
  const { thisMonth, lastMonth, trend } = data;
  return (
    <>
      <Loaded of={query} />
      <Figures thisMonth={thisMonth} lastMonth={lastMonth} statuses={options?.statuses} />
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
