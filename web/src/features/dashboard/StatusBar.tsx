import type { MonthFigures } from '@forecourt/contract/dashboard';
import type { DealStatus } from '@forecourt/contract/deals';
import { useComputedColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatMonthName } from '../../platform/formats.ts';
import { rowsLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/dashboard.ts';
import { statusColors } from '../../ui/status-colors.ts';
import styles from './StatusBar.module.css';

type StatusBarProps = {
  statuses: readonly DealStatus[];
  thisMonth: MonthFigures;
  lastMonth: MonthFigures | null;
};

const countsOf = (month: MonthFigures | null) =>
  new Map(month?.byStatus.map(({ status, count }) => [status, count]));

/** A month's rows as one bar in the colours of the statuses, with figures below; each links to its rows. */
export function StatusBar({ statuses, thisMonth, lastMonth }: StatusBarProps): ReactNode {
  const scheme = useComputedColorScheme('light');
  const now = countsOf(thisMonth);
  const before = countsOf(lastMonth);
  const parts = statuses
    .filter(({ active, name }) => active || now.has(name))
    .map(({ _id, name, color }) => ({
      id: _id,
      name,
      count: now.get(name) ?? 0,
      before: before.get(name) ?? 0,
      color: statusColors(color, scheme).dot,
    }));

  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ id, count, color }) => (
            <span key={id} data-keeps-color style={{ flexGrow: count, background: color }} />
          ))}
      </div>
      <dl className={styles.legend}>
        {parts.map(({ id, name, count, before: last, color }) => (
          <div key={id} className={styles.part}>
            <dt>
              <span className={styles.dot} data-keeps-color style={{ background: color }} />
              {name}
            </dt>
            <dd>
              <Link className={styles.count} {...rowsLink({ month: thisMonth.month, status: name })}>
                {formatCount(count)}
              </Link>
              {lastMonth && (
                <Link className={styles.before} {...rowsLink({ month: lastMonth.month, status: name })}>
                  {texts.inMonth(formatMonthName(lastMonth.month), formatCount(last))}
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
