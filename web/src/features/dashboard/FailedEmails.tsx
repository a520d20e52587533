import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/dashboard.ts';
import { Card } from '../../ui/Card.tsx';
import { failedEmailsQuery } from './dashboard.queries.ts';
import styles from './Lists.module.css';

/** The newest failed emails, with the mail server's response. Each links to the history. */
export function FailedEmails(): ReactNode {
  const { data } = useQuery(failedEmailsQuery);
  if (!data) return null;
  return (
    <Card
      title={texts.failedEmails}
      aside={data.total === 0 ? undefined : texts.failedCount(formatCount(data.total))}
    >
      {data.total === 0 ? (
        <p className="ui-quiet">{texts.nothingFailed}</p>
      ) : (
        <ul className={styles.list}>
          {data.items.map(({ _id, subject, answer, createdAt }) => (
            <li key={_id}>
              <Link
                className={`ui-line ui-gap-4 ui-baseline ui-between ${styles.entry}`}
                to={paths.emailHistory}
                search={{ status: 'failed' }}
              >
                <span className="ui-grow">
                  <span className={`ui-ellipsis ui-strong ${styles.name}`}>{subject}</span>
                  <span className="ui-quiet">{answer}</span>
                </span>
                <span className={`ui-quiet ${styles.when}`}>{formatDateTime(createdAt)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
