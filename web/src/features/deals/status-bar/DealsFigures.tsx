import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { formatMoney, formatMonth } from '../../../platform/formats.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { texts } from '../../../texts/deals.ts';
import { counting } from '../../../texts/figures.ts';
import { countingNote, figureLabel } from '../../../ui/figures.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { dealOptionsKey, summaryQuery, type DealView } from '../deals.queries.ts';
import styles from './DealsStatusBar.module.css';

/** Count and sums of the rows in view. Loaded after the first rows. */
export default function DealsFigures(): ReactNode {
  const { view: shownView, options } = useDataEntry();
  const { figures, isLoading } = useLastFigures(shownView);
  const { data, view } = figures ?? {};
  const begun = data?.onlyMonth === view?.month ? undefined : data?.onlyMonth;
  useEffect(() => {
    // The options contain the month that is shown after a reload.
    if (begun !== undefined) void queryClient.invalidateQueries({ queryKey: dealOptionsKey });
  }, [begun]);
  const statuses = options?.statuses;
  return (
    <>
      {data && view && (
        <dl className={styles.sums} aria-busy={isLoading}>
          <div>
            <dd>{countOf(data.total, view, begun)}</dd>
          </div>
          <Sum label={texts.sale} amount={data.saleAmount} />
          <Sum label={texts.grossProfit} amount={data.grossProfit} />
          <Sum
            label={figureLabel('commission', statuses)}
            note={statuses && countingNote(statuses, data)}
            amount={data.commission}
            missing={data.withoutRate}
          />
        </dl>
      )}
      <output className="ui-hidden">
        {data && !isLoading && (view?.search !== '' || view.filter !== null) && texts.foundRows(data.total)}
      </output>
    </>
  );
}

/**
 * The figures of the view. While those of another month or search are loaded, the last ones stay with their view, so that
 * the bar neither jumps nor shows a figure under another month.
 */
export function useLastFigures(view: DealView) {
  const canChooseMonth = usePermissions().can('dataEntry', 'canAccessAllMonths');
  const { data } = useQuery(summaryQuery(view, canChooseMonth));
  const [figures, setFigures] = useState<{ data: NonNullable<typeof data>; view: DealView } | null>(null);
  // Figures without a month belong to the month that is shown.
  if (data && (figures?.data !== data || figures.view.month !== view.month)) setFigures({ data, view });
  return { figures, isLoading: data === undefined };
}

function countOf(total: number, { search }: DealView, month: string | undefined): string {
  if (search !== '') return texts.foundRows(total);
  return month === undefined ? texts.rows(total) : texts.rowsIn(total, formatMonth(month));
}

type SumProps = {
  label: string;
  note?: string | undefined;
  amount: number | null | undefined;
  missing?: number | undefined;
};

/** A sum. Empty if the column does not exist for the user. */
function Sum({ label, note, amount, missing = 0 }: SumProps): ReactNode {
  if (amount === undefined) return null;
  return (
    <div>
      <dt title={note}>{label}</dt>
      <dd>{amount === null ? counting.notSet : formatMoney(amount)}</dd>
      {amount !== null && missing > 0 && <dd>({counting.missing(missing)})</dd>}
    </div>
  );
}
