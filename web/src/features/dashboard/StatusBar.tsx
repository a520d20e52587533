import type { DealStatus } from '@forecourt/contract/deals';
import { useComputedColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../platform/formats.ts';
import { statusColors } from '../../ui/status-colors.ts';
import styles from './StatusBar.module.css';

type StatusBarProps = {
  statuses: readonly DealStatus[];
  counts: readonly { status: string; count: number }[];
  total: number;
};

const share = new Intl.NumberFormat('en-AU', { style: 'percent', maximumFractionDigits: 0 });

/** A month's rows as one bar in the statuses' own colours, with its figures below. */
export function StatusBar({ statuses, counts, total }: StatusBarProps): ReactNode {
  const scheme = useComputedColorScheme('light');
  const countOf = new Map(counts.map(({ status, count }) => [status, count]));
  const parts = statuses.map(({ _id, name, color }) => ({
    id: _id,
    name,
    count: countOf.get(name) ?? 0,
    color: statusColors(color, scheme).dot,
  }));

  return (
    <div className={styles.root}>
      <div className={styles.bar} aria-hidden="true">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ id, count, color }) => (
            <span key={id} style={{ flexGrow: count, background: color }} />
          ))}
      </div>
      <dl className={styles.legend}>
        {parts.map(({ id, name, count, color }) => (
          <div key={id} className={styles.part}>
            <dt>
              <span className={styles.dot} style={{ background: color }} />
              {name}
            </dt>
            <dd>
              {formatCount(count)}
              <span className={styles.share}>{share.format(count / total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
