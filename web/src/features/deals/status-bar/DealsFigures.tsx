import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { blockSums, type BlockSums, type GridColumn, type RowStore } from '../../../grid/grid.ts';
import { dealOptionsKey } from '../../../platform/deal-options.ts';
import { useStore } from '../../../platform/external-store.ts';
import { formatCount, formatMoney, formatMonth } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
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
import { summaryKey, summaryQuery } from '../deals.queries.ts';
import { figuresOfRows, withCommission, type ViewFigures } from './figures-of-rows.ts';
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
  const rowFigures = useRowFigures();
  const { figures, isLoading } = useLastFigures(shownView, rowFigures);
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
 * The figures of the view: those of its rows, otherwise the server's. While those of another month or search are
 * loaded, the last ones stay with their view, so that the bar does not jump and no figure appears under another month.
 */
export function useLastFigures(view: DealView, rowFigures?: ViewFigures) {
  const canChooseMonth = usePermissions().can('dataEntry', 'canAccessAllMonths');
  useLiveRefresh('deal', summaryKey);
  const { data: loaded } = useQuery({
    ...summaryQuery(view, canChooseMonth),
    enabled: ({ state }) => withCommission(rowFigures, state.data) === undefined,
  });
  const data = useMemo(() => withCommission(rowFigures, loaded) ?? loaded, [rowFigures, loaded]);
  const [figures, setFigures] = useState<{ data: ViewFigures; view: DealView } | null>(null);
  // Figures without a month belong to the displayed month.
  if (data && (figures?.data !== data || figures.view.month !== view.month)) setFigures({ data, view });
  return { figures, isLoading: data === undefined };
}

/** Delay of the figures of rows that change, in milliseconds: adding up 100,000 rows takes a moment. */
const FIGURES_MS = 400;

/** The figures of a month whose rows are all loaded; undefined if the server has to compute them. */
function useRowFigures(): ViewFigures | undefined {
  const { deals, options, view } = useDataEntry();
  const canChooseMonth = usePermissions().can('dataEntry', 'canAccessAllMonths');
  const { table, loading } = deals;
  const { month } = view;
  const isMonth = view.search === '' && view.filter === null;
  // Somebody with the current month only has the rows of the last one until the page shows the new one.
  const isShown = canChooseMonth || options?.currentMonth === month;
  const add = useMemo(() => {
    if (!isMonth || !isShown || !options) return null;
    return () => {
      if (!loading.isWhole()) return undefined;
      const saved = table.savedDeals();
      const own = canChooseMonth ? saved.filter((deal) => deal.month === month) : saved;
      return { month, figures: figuresOfRows(own, options) };
    };
  }, [table, loading, isMonth, isShown, canChooseMonth, month, options]);
  // The first ones at once: until then each change of a colleague makes the page ask the server.
  const added = useOfRows(add, FIGURES_MS, 0);
  return add !== null && added?.month === month ? added.figures : undefined;
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

/**
 * Returns the result of `add`, computed again shortly after a change of the rows or of `add`; null returns nothing.
 * @param firstMs the delay until there is a result
 */
function useOfRows<T>(add: (() => T) | null, waitMs: number, firstMs = waitMs): T | undefined {
  const { rows, loading } = useDataEntry().deals;
  const [result, setResult] = useState<T>();
  useEffect(() => {
    let stopTimer: (() => void) | null = null;
    let delayMs = firstMs;
    const addLater = (): void => {
      stopTimer ??= later(() => {
        stopTimer = null;
        const next = add?.();
        if (next !== undefined) delayMs = waitMs;
        setResult(next);
      }, delayMs);
    };
    addLater();
    const stops = add === null ? [] : [rows.subscribeRecords(addLater), loading.state.subscribe(addLater)];
    return () => {
      for (const stop of stops) stop();
      stopTimer?.();
    };
  }, [rows, loading, add, waitMs, firstMs]);
  return result;
}

/** Shows the sums that `add` returns; null shows nothing. */
function Sums({ add }: { add: (() => SumTexts) | null }): ReactNode {
  const sums = useOfRows(add, WAIT_MS) ?? [];
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
