import type { MonthFigures } from '@forecourt/contract/dashboard';
import type { DealStatus } from '@forecourt/contract/deals';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMonthName } from '../../platform/formats.ts';
import { rowsLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/dashboard.ts';
import { counting } from '../../texts/figures.ts';
import { figureLabel, figuresIn, figureText } from '../../ui/figures.ts';
import styles from './Figures.module.css';

type FiguresProps = {
  thisMonth: MonthFigures;
  lastMonth: MonthFigures | null;
  statuses: readonly DealStatus[] | undefined;
};

/** This month's figures with last month's below them. Each links to its rows. */
export function Figures({ thisMonth, lastMonth, statuses }: FiguresProps): ReactNode {
  return (
    <dl className={styles.figures}>
      {figuresIn(thisMonth).map((name) => (
        <div key={name} className={styles.figure}>
          <dt>{figureLabel(name, statuses)}</dt>
          <dd>
            <Link className={styles.value} {...rowsLink({ month: thisMonth.month })}>
              {figureText(name, thisMonth)}
            </Link>
            {name === 'commission' && thisMonth.commission !== null && !!thisMonth.withoutRate && (
              <span className={`ui-quiet ${styles.missing}`}>{counting.missing(thisMonth.withoutRate)}</span>
            )}
            {lastMonth && (
              <Link className={`ui-quiet ${styles.before}`} {...rowsLink({ month: lastMonth.month })}>
                {texts.inMonth(formatMonthName(lastMonth.month), figureText(name, lastMonth))}
              </Link>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
