import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { blockSums, type BlockSums, type GridColumn, type RowStore } from '../../../grid/grid.ts';
import { dealOptionsKey } from '../../../platform/deal-options.ts';
import { useStore } from '../../../platform/external-store.ts';
import { formatCount, formatMoney, formatMonth } from '../../../platform/formats.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { later } from '../../../platform/retry-later.ts';
import { texts as viewTexts } from '../../../texts/deal-views.ts';
import { texts } from '../../../texts/deals.ts';
import { counting } from '../../../texts/figures.ts';
import { commissionText, countingNames, countingNote, figureLabel } from '../../../ui/figures.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import { lacksRate, valueOf, type DealRow } from '../deal-row.ts';
import type { DealView } from '../deal-view.ts';
import { summaryQuery } from '../deals.queries.ts';
import styles from './DealsStatusBar.module.css';

/** Count and sums of the rows in view, and of the selection. Loaded after the first rows. */
export default function DealsFigures(): ReactNode {
  return (
    <>
      <ViewSums />
      <SelectedSums />
    </>
  );
}

function ViewSums(): ReactNode {
  const { view: shownView, options } = useDataEntry();
  const { figures, isLoading } = useLastFigures(shownView);
  const { data, view } = figures ?? {};
  const begun = data?.onlyMonth === view?.month ? undefined : data?.onlyMonth;
  useEffect(() => {
    // The options contain the month that a reload would show.
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
        {data &&
          view &&
          !isLoading &&
          (view.search !== '' || view.filter !== null) &&
          foundIn(data.total, view)}
      </output>
    </>
  );
}

/**
 * The figures of the view. While those of another month or search are loaded, the last ones stay with their view, so
 * that the bar does not jump and no figure appears under another month.
 */
export function useLastFigures(view: DealView) {
  const canChooseMonth = usePermissions().can('dataEntry', 'canAccessAllMonths');
  const { data } = useQuery(summaryQuery(view, canChooseMonth));
  const [figures, setFigures] = useState<{ data: NonNullable<typeof data>; view: DealView } | null>(null);
  // Figures without a month belong to the displayed month.
  if (data && (figures?.data !== data || figures.view.month !== view.month)) setFigures({ data, view });
  return { figures, isLoading: data === undefined };
}

/** Formats the number of rows with the number of filters. */
const foundIn = (total: number, { filter }: DealView): string =>
  texts.foundRows(total, filter === null ? '' : viewTexts.filters(filter.conditions.length));

function countOf(total: number, view: DealView, month: string | undefined): string {
  if (view.search !== '') return foundIn(total, view);
  return month === undefined ? texts.rows(total) : texts.rowsIn(total, formatMonth(month));
}

type SumProps = {
  label: string;
  note?: string | undefined;
  amount: number | null | undefined;
  missing?: number | undefined;
};

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

/** The sums of checked rows, otherwise of selected cells. A phone has a separate bar for checked rows. */
function SelectedSums(): ReactNode {
  const { selected, isPhone } = useDataEntry();
  return selected.size > 0 && !isPhone ? <RowSums keys={selected} /> : <CellSums />;
}

/** Delay of the sums during a selection, in milliseconds: adding up a large one takes a moment. */
const WAIT_MS = 120;

type SumTexts = readonly (readonly [label: string, value: string])[];

/** Shows the result of `add`, computed again shortly after a change of the rows or of `add`; null shows nothing. */
function Sums({ add }: { add: (() => SumTexts) | null }): ReactNode {
  const { rows } = useDataEntry().deals;
  const [sums, setSums] = useState<SumTexts>([]);
  useEffect(() => {
    let stopTimer: (() => void) | null = null;
    const addLater = (): void => {
      stopTimer ??= later(() => {
        stopTimer = null;
        setSums(add?.() ?? []);
      }, WAIT_MS);
    };
    addLater();
    const stop = add && rows.subscribeRecords(addLater);
    return () => {
      stop?.();
      stopTimer?.();
    };
  }, [rows, add]);
  return (
    <output className={styles.selection} aria-live="polite">
      {(add ? sums : []).map(([label, value]) => (
        <span key={label}>
          {label} <strong>{value}</strong>
        </span>
      ))}
    </output>
  );
}

/** Count, sum and average of the selected cells; empty for a single cell. */
function CellSums(): ReactNode {
  const { deals, columns, cells } = useDataEntry();
  const { rows } = deals;
  const selected = useStore(cells);
  const add = useMemo(() => {
    if (selected === null) return null;
    const block = columns.filter(({ id }) => selected.columnIds.includes(id));
    return () => formatSums(blockSums(rows, selected.keys, block));
  }, [rows, columns, selected]);
  return <Sums add={add} />;
}

function formatSums({ count, numbers, sum, isMoney }: BlockSums): SumTexts {
  const format = isMoney ? formatMoney : formatCount;
  const counted = [texts.count, formatCount(count)] as const;
  if (numbers === 0) return [counted];
  return [counted, [texts.sum, format(sum)], [texts.average, format(sum / numbers)]];
}

/** Number of checked rows, and the sums of their visible amounts. */
function RowSums({ keys }: { keys: ReadonlySet<string> }): ReactNode {
  const { deals, columns, options } = useDataEntry();
  const { rows } = deals;
  const add = useMemo(
    () => () => sumsOfRows(rows, columns, [...keys], options),
    [rows, columns, keys, options],
  );
  return (
    <>
      <span>{texts.selected(keys.size)}</span>
      <Sums add={add} />
    </>
  );
}

/** As in all figures, commission includes only rows whose status counts. */
export function sumsOfRows(
  rows: Pick<RowStore<DealRow>, 'get'>,
  columns: readonly GridColumn<DealRow>[],
  keys: readonly string[],
  options: Pick<DealOptions, 'statuses'> | undefined,
): SumTexts {
  const counting = new Set(countingNames(options?.statuses ?? []));
  const counted = keys.filter((key) => {
    const row = rows.get(key);
    return row !== undefined && counting.has(String(valueOf(row, 'status')));
  });
  const withoutRate = counted.filter((key) => lacksRate(rows.get(key)!)).length;
  const sum = (id: string, label: string, of: readonly string[]): SumTexts => {
    const column = columns.filter((each) => each.id === id);
    if (column.length === 0) return [];
    const { sum, numbers: withRate } = blockSums(rows, of, column);
    return [[label, id === 'commission' ? commissionText(sum, { withRate, withoutRate }) : formatMoney(sum)]];
  };
  return [
    ...sum('saleAmount', texts.sale, keys),
    ...sum('grossProfit', texts.grossProfit, keys),
    ...sum('commission', figureLabel('commission', options?.statuses), counted),
  ];
}
