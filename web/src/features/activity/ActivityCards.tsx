import type { Activity } from '@forecourt/contract/activity';
import ShieldCheck from 'lucide-react/icons/shield-check';
import type { CSSProperties, ReactNode } from 'react';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/activity.ts';
import { Card } from '../../ui/Card.tsx';
import { DataTable, type DataColumn } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { HeatMap } from './HeatMap.tsx';
import { SignInChart } from './SignInChart.tsx';
import styles from './UserActivityScreen.module.css';

type Refused = Activity['refused'][number];

const refusedColumns: readonly DataColumn<Refused>[] = [
  { id: 'typed', header: texts.typed, render: ({ email }) => email || texts.unknown },
  { id: 'address', header: texts.address, width: '150px', render: ({ ip }) => ip, wideOnly: true },
  {
    id: 'when',
    header: texts.when,
    width: '180px',
    render: ({ at }) => <span className="ui-nowrap">{formatDateTime(at)}</span>,
  },
];

/** The activity of the chosen period. */
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
