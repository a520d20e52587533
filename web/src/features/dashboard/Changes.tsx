import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { rowLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/dashboard.ts';
import { texts as actionTexts } from '../../texts/deal-actions.ts';
import { texts as dealTexts } from '../../texts/deals.ts';
import { Card } from '../../ui/Card.tsx';
import { changesQuery } from './dashboard.queries.ts';
import styles from './Lists.module.css';

const names: Readonly<Record<string, string>> = { ...dealTexts.columns, ...actionTexts.fields };

const describe = (byName: string, fields: readonly string[]): string =>
  fields.length === 0
    ? texts.touched(byName)
    : texts.changed(byName, fields.map((field) => (names[field] ?? field).toLowerCase()).join(', '));

/** Changes by other users to the user's rows since the last visit. */
export function Changes(): ReactNode {
  const { data } = useQuery(changesQuery);
  if (!data) return null;
  const { items, total, since } = data;
  return (
    <Card title={texts.changes} aside={since === null ? undefined : texts.since(formatDateTime(since))}>
      {total === 0 ? (
        <p className="ui-quiet">{since === null ? texts.firstVisit : texts.nothingChanged}</p>
      ) : (
        <ul className={styles.list}>
          {items.map((row) => (
            <li key={row._id}>
              <Link className={`ui-line ui-gap-4 ui-baseline ui-between ${styles.entry}`} {...rowLink(row)}>
                <span className="ui-grow">
                  <span className={`ui-ellipsis ui-strong ${styles.name}`}>
                    {row.customerName ?? texts.someone}
                  </span>
                  <span className="ui-quiet">{describe(row.byName, row.fields)}</span>
                </span>
                <span className={`ui-quiet ${styles.when}`}>{formatDateTime(row.at)}</span>
              </Link>
            </li>
          ))}
          {total > items.length && (
            <li>
              <span className={`ui-line ui-gap-4 ui-baseline ui-between ${styles.entry}`}>
                {texts.moreChanges(total - items.length)}
              </span>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}
