import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as revertTexts } from '../../../texts/deal-revert.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { rowName, type DealRow } from '../deal-row.ts';
import { historyKey, historyQuery } from '../deals.queries.ts';
import { nameOf } from '../history/change-texts.ts';
import { HistoryChange } from '../history/HistoryChange.tsx';

const RevertDialog = lazyPart(() => import('./RevertDialog.tsx'));

type RowHistoryProps = {
  rows: readonly DealRow[];
  /** The column to which the list is limited at first. */
  field: string | null;
  onClose: () => void;
};

const ALL = '';

const changes = ['deal', 'deal-comments', 'deal-attachments'] as const;

/** The changes of a row, newest first, optionally of one column (docs/product/data-entry.md, History of a row). */
export default function RowHistory({ rows: [row], field, onClose }: RowHistoryProps): ReactNode {
  const [columnId, show] = useState(field ?? ALL);
  const query = useQuery(historyQuery(row?.deal?._id ?? ''));
  const { data } = query;
  useLiveRefresh(changes, historyKey);
  const entries = data?.items ?? [];
  const { options } = useDataEntry();
  const fields = new Map<string, string>(
    entries.flatMap(({ changes }) => changes.map((change) => [change.field, nameOf(change)])),
  );
  if (field !== null) {
    const custom = options?.customFields.find(({ key }) => key === field);
    fields.set(field, nameOf({ field, custom }));
  }
  const chosen = entries
    .map((entry) => ({
      ...entry,
      changes: entry.changes.filter((c) => columnId === ALL || c.field === columnId),
    }))
    .filter(({ changes }) => columnId === ALL || changes.length > 0);

  const [revertId, setRevertId] = useState<string | null>(null);
  if (revertId !== null && row?.deal) {
    return (
      <Suspense>
        <RevertDialog id={revertId} rows={[row.deal._id]} onClose={() => setRevertId(null)} />
      </Suspense>
    );
  }

  return (
    <SideDrawer title={texts.historyOf((row && rowName(row)) ?? '')} width={440} onClose={onClose}>
      <NativeSelect
        label={texts.show}
        value={columnId}
        onChange={(event) => show(event.currentTarget.value)}
        data={[
          { value: ALL, label: texts.allColumns },
          ...[...fields].map(([value, label]) => ({ value, label })),
        ]}
      />
      <Loaded of={query} message={texts.historyFailed} />
      {data && chosen.length === 0 && <EmptyState title={texts.noHistory}>{texts.noHistoryNote}</EmptyState>}
      <ol className="ui-lines ui-mt-4">
        {chosen.map((entry) => (
          <li key={entry._id}>
            <HistoryChange entry={entry} />
            {entry.changeSetId !== null && (
              <Button
                className="ui-mt-2"
                size="compact-xs"
                variant="default"
                onClick={() => setRevertId(entry.changeSetId)}
              >
                {revertTexts.openOne}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </SideDrawer>
  );
}
