import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ScreenLink } from '../platform/rows-link.ts';
import { Tooltip } from './Tooltip.tsx';
import styles from './ColumnChart.module.css';

type ChartColumn = {
  key: string;
  /** Below the column, as short as it gets. */
  label: string;
  value: number;
  /** All of it in words: what is heard, and seen when the column is pointed at. */
  words: string;
  to: ScreenLink;
};

/** Values over time as columns, each of which opens what is behind it. Read aloud it is a list. */
export function ColumnChart({
  label,
  columns,
}: {
  label: string;
  columns: readonly ChartColumn[];
}): ReactNode {
  const highest = Math.max(...columns.map(({ value }) => value), 0) || 1;
  return (
    <ol className={styles.chart} aria-label={label}>
      {columns.map(({ key, label: name, value, words, to }, index) => (
        <li key={key} className={styles.column} data-last={index === columns.length - 1 || undefined}>
          <Tooltip label={words}>
            <Link className={styles.link} {...to}>
              <VisuallyHidden>{words}</VisuallyHidden>
              <span className={styles.track} aria-hidden="true">
                <span className={styles.bar} style={{ height: `${(Math.max(0, value) / highest) * 100}%` }} />
              </span>
              <span className={styles.label} aria-hidden="true">
                {name}
              </span>
            </Link>
          </Tooltip>
        </li>
      ))}
    </ol>
  );
}
