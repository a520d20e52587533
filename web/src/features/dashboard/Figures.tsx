import type { MonthFigures } from '@forecourt/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMonthName } from '../../platform/formats.ts';
import { rowsLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/dashboard.ts';
import { texts as names } from '../../texts/figures.ts';
import { figuresIn, figureWords } from '../../ui/figures.ts';
import styles from './Figures.module.css';

type FiguresProps = { thisMonth: MonthFigures; lastMonth: MonthFigures | null };

/** This month's figures with the last month's below them. Each opens the rows behind it. */
export function Figures({ thisMonth, lastMonth }: FiguresProps): ReactNode {
  return (
    <dl className={styles.figures}>
      {figuresIn(thisMonth).map((name) => (
        <div key={name} className={styles.figure}>
          <dt>{names[name]}</dt>
          <dd>
            <Link className={styles.value} {...rowsLink({ month: thisMonth.month })}>
              {figureWords(name, thisMonth)}
            </Link>
            {lastMonth && (
              <Link className={styles.before} {...rowsLink({ month: lastMonth.month })}>
                {texts.inMonth(formatMonthName(lastMonth.month), figureWords(name, lastMonth))}
              </Link>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
