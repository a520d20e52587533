import type { Activity } from '@forecourt/contract/activity';
import ShieldCheck from 'lucide-react/icons/shield-check';
import type { CSSProperties, ReactNode } from 'react';
import { formatCount, formatBusinessDate } from '../../platform/formats.ts';
import { texts } from '../../texts/activity.ts';
import { Card } from '../../ui/Card.tsx';
import { DataTable, type DataColumn } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { timeColumn } from '../../ui/table/columns.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './UserActivityScreen.module.css';

type Refused = Activity['refused'][number];

const refusedColumns: readonly DataColumn<Refused>[] = [
  { id: 'typed', header: texts.typed, render: ({ email }) => email || texts.unknown },
  { id: 'address', header: texts.address, width: '150px', render: ({ ip }) => ip, wideOnly: true },
  timeColumn({
    id: 'when',
    header: texts.when,
    width: '180px',
    of: ({ at }) => at,
    isSorted: false,
    wideOnly: false,
  }),
];

export function ActivityCards({ activity }: { activity: Activity }): ReactNode {
  const { signIns, hours, mostActive, refused } = activity;
  const most = Math.max(1, ...mostActive.map(({ actions }) => actions));
  return (
    <div className={styles.cards}>
      <Card title={texts.signIns}>
        <SignInChart days={signIns} />
      </Card>
      <Card title={texts.hours} aside={texts.hoursNote}>
        <HeatMap hours={hours} />
      </Card>
      <Card title={texts.mostActive}>
        {mostActive.length === 0 && <p className="ui-quiet">{texts.nothingDone}</p>}
        <ol className={`ui-stack ui-gap-2 ${styles.ranking}`}>
          {mostActive.map(({ userId, name, actions }) => (
            <li key={userId}>
              <span>{name}</span>
              <span
                className={styles.bar}
                style={{ '--share': `${(actions / most) * 100}%` } as CSSProperties}
                aria-hidden
              />
              <span>{formatCount(actions)}</span>
            </li>
          ))}
        </ol>
      </Card>
      <Card title={texts.refused}>
        <DataTable
          label={texts.refused}
          columns={refusedColumns}
          rows={refused}
          rowKey={({ at, email }) => `${at} ${email}`}
          rowLabel={({ email }) => email}
          empty={<EmptyState icon={<ShieldCheck />} title={texts.noRefused} />}
        />
      </Card>
    </div>
  );
}

/** Every sixth hour has a label. */
const LABELLED = 6;

/** Changes by weekday and hour as a table; darker cells have more changes. */
function HeatMap({ hours }: { hours: readonly (readonly number[])[] }): ReactNode {
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

/** Returns 0 to 100. The square root makes small counts visible beside large ones. */
const shareOf = (count: number, most: number): string =>
  count === 0 ? '0%' : `${Math.round(15 + 85 * Math.sqrt(count / most))}%`;

/** Sign-ins of up to ninety days as columns, with refused ones on top. */
function SignInChart({ days }: { days: Activity['signIns'] }): ReactNode {
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
      <div className="ui-line ui-between ui-quiet ui-mt-2" aria-hidden>
        {labelled.map((day) => day && <span key={day.date}>{formatBusinessDate(day.date)}</span>)}
      </div>
    </>
  );
}
