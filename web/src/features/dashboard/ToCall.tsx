import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { rowLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/dashboard.ts';
import { Card } from '../../ui/Card.tsx';
import { useTimeZone } from '../deals/deals.queries.ts';
import { toCallQuery } from './dashboard.queries.ts';
import styles from './Lists.module.css';

/** The next follow-up calls, by due time. */
export function ToCall(): ReactNode {
  const { data, dataUpdatedAt } = useQuery(toCallQuery);
  const timeZone = useTimeZone();
  if (!data) return null;
  const { items, total } = data;
  const now = new Date(dataUpdatedAt).toISOString();
  return (
    <Card
      title={texts.toCall}
      aside={total > items.length ? texts.toCallAll(items.length, total) : formatCount(total)}
    >
      {total === 0 ? (
        <p className="ui-quiet">
          {texts.nobodyToCall} {texts.nobodyToCallNote}
        </p>
      ) : (
        <ul className={styles.list}>
          {items.map((call) => (
            <li key={call._id}>
              <Link className={`ui-line ui-gap-4 ui-baseline ui-between ${styles.entry}`} {...rowLink(call)}>
                <span className="ui-grow">
                  <span className={`ui-ellipsis ui-strong ${styles.name}`}>
                    {call.customerName ?? texts.someone}
                  </span>
                  <span className="ui-quiet">
                    {[call.customerNumber, call.dealershipName].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <Due at={call.followUpAt} now={now} timeZone={timeZone} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Due({ at, now, timeZone }: { at: string | null; now: string; timeZone: string }): ReactNode {
  if (at === null) return <span className={`ui-quiet ${styles.when}`}>{texts.noTime}</span>;
  const late = at <= now;
  return (
    <span className={`ui-quiet ${styles.when}`} data-late={late || undefined}>
      {late && `${texts.overdue} · `}
      {formatDateTime(at, timeZone)}
    </span>
  );
}
