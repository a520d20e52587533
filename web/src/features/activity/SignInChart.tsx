import type { Activity } from '@forecourt/contract/activity';
import type { ReactNode } from 'react';
import { formatBusinessDate } from '../../platform/formats.ts';
import { texts } from '../../texts/activity.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './SignInChart.module.css';

/** Sign-ins of up to ninety days as columns, refused ones on top. */
export function SignInChart({ days }: { days: Activity['signIns'] }): ReactNode {
  const highest = Math.max(1, ...days.map(({ signedIn, refused }) => signedIn + refused));
  const height = (count: number) => ({ height: `${(count / highest) * 100}%` });
  const labelled = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  return (
    <>
      <ol className={styles.chart} aria-label={texts.signIns}>
        {days.map(({ date, signedIn, refused }) => {
          const description = texts.signInsOf(formatBusinessDate(date), signedIn, refused);
          return (
            <li key={date} className={styles.day}>
              <Tooltip label={description}>
                <div className={styles.column}>
                  <span className="ui-hidden">{description}</span>
                  <span className={styles.refused} style={height(refused)} aria-hidden />
                  <span className={styles.signedIn} style={height(signedIn)} aria-hidden />
                </div>
              </Tooltip>
            </li>
          );
        })}
      </ol>
      <div className={styles.labels} aria-hidden>
        {labelled.map((day) => day && <span key={day.date}>{formatBusinessDate(day.date)}</span>)}
      </div>
    </>
  );
}
