import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Deal } from '@forecourt/contract/deals';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts as importTexts } from '../../../texts/deal-import.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { mergeMatchesAction } from '../actions/merge-actions.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import { freshDeal } from '../deals.queries.ts';

const MergeRows = lazyPart(() => import('../actions/MergeRows.tsx'));

type TwoOrMore = readonly [Deal, Deal, ...Deal[]];

type MergeOfLineProps = {
  line: number;
  /** The rows that the line matches. */
  rows: readonly ExistingDeal[];
  /** Called after a merge with the line, and after the merge was taken back without it. */
  onChange: (mergedLine?: number) => void;
};

/** Merges the rows that a line of an import matches, as far as the user may change them. */
export function MergeOfLine({ line, rows, onChange }: MergeOfLineProps): ReactNode {
  const { table, draftSync } = useDataEntry().deals;
  const mayDelete = usePermissions().can('dataEntry', 'canDeleteRows');
  const place = useRef<HTMLDivElement>(null);
  const [isLoading, setLoading] = useState(false);
  const [merged, setMerged] = useState<TwoOrMore | null>(null);

  const load = async (): Promise<readonly DealRow[]> => {
    setLoading(true);
    try {
      const deals = (await Promise.all(rows.map(({ _id }) => visibleDeal(_id)))).filter(
        (deal) => deal !== null,
      );
      if (deals.length < rows.length) onChange();
      return deals.map((deal) => {
        const key = table.keyOf(deal._id);
        return { key, deal, draft: draftSync.draftOf(key) };
      });
    } finally {
      setLoading(false);
    }
  };
  const { label, ability, run } = mergeMatchesAction({ mayDelete, load, onOpen: setMerged });
  const finish = (): void => {
    // The button disappears with the line's choice.
    place.current?.closest<HTMLElement>('[role="region"]')?.focus({ preventScroll: true });
    onChange(line);
  };

  return (
    <div ref={place}>
      <ActionButton
        variant="subtle"
        size="compact-xs"
        ability={ability}
        loading={isLoading}
        aria-label={importTexts.mergeRowsOf(line)}
        onClick={run}
      >
        {label}
      </ActionButton>
      {merged && (
        <Suspense>
          <MergeRows
            rows={merged}
            onClose={() => setMerged(null)}
            onDone={finish}
            onUndone={() => onChange()}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Returns a row; null if it was deleted or hidden. */
const visibleDeal = (id: string): Promise<Deal | null> =>
  freshDeal(id).catch((thrown: unknown) => {
    if (thrown instanceof ApiError && thrown.status === 404) return null;
    throw thrown;
  });
