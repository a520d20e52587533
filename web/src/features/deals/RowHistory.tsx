import type { HistoryEntry } from '@forecourt/contract/deals';
import { NativeSelect, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { texts } from '../../texts/deal-actions.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { rowName, type DealRow } from './deal-row.ts';
import { historyKey, historyQuery, useTimeZone } from './deals.queries.ts';
import { fieldName, historyWords } from './row-history-words.ts';
import styles from './RowHistory.module.css';

type RowHistoryProps = {
  /** The one row. */
  rows: readonly DealRow[];
  /** The column of a cell, whose changes alone are shown at first. */
  field: string | null;
  onClose: () => void;
};

const ALL = '';

/** Who changed what in a row, newest first; of one column where that is asked for (product section 4). */
export function RowHistory({ rows: [row], field, onClose }: RowHistoryProps): ReactNode {
  const [shown, show] = useState(field ?? ALL);
  const { data, error, refetch } = useQuery(historyQuery(row?.deal?._id ?? ''));
  useLiveRefresh('deal', historyKey);
  const entries = data?.items ?? [];
  const fields = new Set<string>(entries.flatMap(({ changes }) => changes.map((change) => change.field)));
  if (field !== null) fields.add(field);
  const chosen = entries
    .map((entry) => ({ ...entry, changes: entry.changes.filter((c) => shown === ALL || c.field === shown) }))
    .filter(({ changes }) => shown === ALL || changes.length > 0);

  return (
    <SideDrawer title={texts.historyOf((row && rowName(row)) ?? '')} width={440} onClose={onClose}>
      <NativeSelect
        label={texts.show}
        value={shown}
        onChange={(event) => show(event.currentTarget.value)}
        data={[
          { value: ALL, label: texts.allColumns },
          ...[...fields].map((name) => ({ value: name, label: fieldName(name) })),
        ]}
      />
      {error && <LoadFailed error={error} message={texts.historyFailed} retry={() => void refetch()} />}
      {data && chosen.length === 0 && <EmptyState title={texts.noHistory}>{texts.noHistoryNote}</EmptyState>}
      <ol className={styles.entries}>
        {chosen.map((entry) => (
          <li key={entry.version}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
    </SideDrawer>
  );
}

function Entry({ entry: { at, action, byName, reason, changes } }: { entry: HistoryEntry }): ReactNode {
  const timeZone = useTimeZone();
  return (
    <>
      <p className={styles.who}>
        <strong>{byName}</strong> {texts.done[action]}{' '}
        <time className={styles.when} dateTime={at}>
          {formatDateTime(at)}
        </time>
      </p>
      {reason !== '' && <p className={styles.reason}>{texts.reason(reason)}</p>}
      {changes.length > 0 && (
        <dl className={styles.changes}>
          {changes.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{fieldName(field)}</dt>
              <dd>
                {action !== 'created' && (
                  <>
                    <del>{historyWords(field, before, timeZone)}</del>
                    <span aria-hidden> → </span>
                    <VisuallyHidden>{texts.becomes}</VisuallyHidden>
                  </>
                )}
                <ins>{historyWords(field, after, timeZone)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
