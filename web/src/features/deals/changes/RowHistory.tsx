import type { HistoryEntry } from '@forecourt/contract/deals';
import { Button, NativeSelect } from '@mantine/core';
import { Suspense, useState, type ReactNode } from 'react';
import { useLiveQuery } from '../../../platform/live-events.ts';
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

/** Actions on several rows, which belong together. */
const ofSeveral: ReadonlySet<HistoryEntry['action']> = new Set(['merged', 'separated']);

const changes = ['deal', 'deal-comments', 'deal-attachments'] as const;

/** The changes of a row, newest first, optionally of one column (docs/product/data-entry.md, History of a row). */
export default function RowHistory({ rows: [row], field, onClose }: RowHistoryProps): ReactNode {
  const dealId = row?.deal?._id ?? '';
  const [columnId, show] = useState(field ?? ALL);
  const query = useLiveQuery(historyQuery(dealId), changes, historyKey);
  const { data } = query;
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

  const [reverting, setReverting] = useState<HistoryEntry | null>(null);
  if (reverting?.changeSetId != null) {
    // A merge goes back whole: the row without the others would lose what it got from them.
    return (
      <Suspense>
        <RevertDialog
          id={reverting.changeSetId}
          {...(!ofSeveral.has(reverting.action) && { rows: [dealId] })}
          onClose={() => setReverting(null)}
        />
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
            <HistoryChange dealId={dealId} entry={entry} />
            {entry.changeSetId !== null && entry.dealId === dealId && (
              <Button
                className="ui-mt-2"
                size="compact-xs"
                variant="default"
                onClick={() => setReverting(entry)}
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
