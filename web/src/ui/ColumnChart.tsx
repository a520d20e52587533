import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ScreenLink } from '../platform/rows-link.ts';
import { Tooltip } from './Tooltip.tsx';
import styles from './ColumnChart.module.css';

type ChartColumn = {
  key: string;
  /** Below the column, as short as possible. */
  label: string;
  value: number;
  /** The value as a sentence: the accessible name and the tooltip. */
  description: string;
  /** Undefined if no URL selects the rows of this column. */
  to: ScreenLink | undefined;
};

/** A column chart of values over time. Columns are links to their rows if there is a URL. Screen readers get a list. */
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
      {columns.map(({ key, label: name, value, description, to }, index) => {
        const column = (
          <>
            <span className="ui-hidden">{description}</span>
            <span className={styles.track} aria-hidden="true">
              <span className={styles.bar} style={{ height: `${(Math.max(0, value) / highest) * 100}%` }} />
            </span>
            <span className={styles.label} aria-hidden="true">
              {name}
            </span>
          </>
        );
        return (
          <li key={key} className={styles.column} data-last={index === columns.length - 1 || undefined}>
            <Tooltip label={description}>
              {to ? (
                <Link className={styles.link} {...to}>
                  {column}
                </Link>
              ) : (
                <span className={styles.link}>{column}</span>
              )}
            </Tooltip>
          </li>
        );
      })}
    </ol>
  );
}
