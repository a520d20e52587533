import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts as importTexts } from '../../../texts/deal-import.ts';
import { texts } from '../../../texts/deal-merge.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { toastFailed, toastWarning } from '../../../ui/toasts.ts';
import { mergeAbility } from '../actions/more-actions.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { editAbility, type DealRow } from '../deal-row.ts';
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

  const open = async (): Promise<void> => {
    setLoading(true);
    try {
      const deals = (await Promise.all(rows.map(({ _id }) => visibleDeal(_id)))).filter(
        (deal) => deal !== null,
      );
      const found = deals.map((deal): DealRow => {
        const key = table.keyOf(deal._id);
        return { key, deal, draft: draftSync.draftOf(key) };
      });
      const choice = rowsToMerge(found);
      if (choice.rows) setMerged(choice.rows);
      else toastWarning(choice.reason);
      if (deals.length < rows.length) onChange();
    } catch (thrown) {
      toastFailed(thrown, texts.previewFailed);
    }
    setLoading(false);
  };
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
        ability={mayDelete || common.mayNotDelete}
        loading={isLoading}
        aria-label={importTexts.mergeRowsOf(line)}
        onClick={() => void open()}
      >
        {texts.openCandidates}
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

/**
 * Returns the rows that the user may change, if they may be merged; otherwise the reason. The first one stays: a row that
 * the user may not delete.
 */
function rowsToMerge(
  found: readonly DealRow[],
): { rows: TwoOrMore; reason?: undefined } | { rows: null; reason: string } {
  const editable = found.filter(({ deal }) => deal && editAbility(deal) === true);
  const ability: Ability = editable.length < 2 ? texts.tooFew : mergeAbility(editable);
  if (ability !== true) return { rows: null, reason: ability };
  const deals = editable.flatMap(({ deal }) => deal ?? []);
  const rows = deals.toSorted(
    (a, b) => Number(a.abilities.delete === true) - Number(b.abilities.delete === true),
  );
  return { rows: rows as [Deal, Deal, ...Deal[]] };
}
