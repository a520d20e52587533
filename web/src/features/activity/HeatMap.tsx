import type { CSSProperties, ReactNode } from 'react';
import { texts } from '../../texts/activity.ts';
import styles from './HeatMap.module.css';

/** Every sixth hour has a label. */
const LABELLED = 6;

/** Changes by weekday and hour, as a table with darker cells for more changes. */
export function HeatMap({ hours }: { hours: readonly (readonly number[])[] }): ReactNode {
  const most = Math.max(1, ...hours.flat());
  return (
    <div className={styles.frame}>
      <table className={styles.map} aria-label={texts.hours}>
        <thead>
          <tr>
            <th scope="col">
              <span className="ui-hidden">{texts.weekday}</span>
            </th>
            {Array.from({ length: 24 }, (_, hour) => (
              <th key={hour} scope="col">
                {hour % LABELLED === 0 ? (
                  texts.hour(hour)
                ) : (
                  <span className="ui-hidden">{texts.hour(hour)}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((counts, weekday) => (
            <tr key={texts.weekdays[weekday]}>
              <th scope="row">{texts.weekdays[weekday]}</th>
              {counts.map((count, hour) => (
                <td
                  // oxlint-disable-next-line react/no-array-index-key -- the index is the hour
                  key={hour}
                  title={`${texts.weekdays[weekday]} ${texts.hour(hour)}: ${texts.changes(count)}`}
                >
                  <span
                    className={styles.cell}
                    style={{ '--share': shareOf(count, most) } as CSSProperties}
                  />
                  <span className="ui-hidden">{count}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** From 0 to 100; the square root keeps small counts visible beside large ones. */
const shareOf = (count: number, most: number): string =>
  count === 0 ? '0%' : `${Math.round(15 + 85 * Math.sqrt(count / most))}%`;
