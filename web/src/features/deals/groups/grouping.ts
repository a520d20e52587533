import { isCustomKey } from '@forecourt/contract/custom-field-types';
import { centsOf, createGroupReader, type GroupField } from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
import type { CellValue, RowStore } from '../../../grid/grid.ts';
import { textOrder } from '../../../platform/text-order.ts';
import { customValueOf, isDealField } from '../deal-fields.ts';
import { lacksRate, valueOf, type DealRow } from '../deal-row.ts';

/** The number of a group's rows, and their sums in cents. */
export type GroupTotals = {
  readonly count: number;
  readonly saleAmount: number;
  readonly grossProfit: number;
  /** The sum for rows whose status counts for commission. */
  readonly commission: number;
  /** Number of these rows with a commission, and of those without a rate. */
  readonly withRate: number;
  readonly withoutRate: number;
};

export type DealGroup = {
  readonly value: string | null;
  readonly label: string;
  readonly keys: readonly string[];
  readonly totals: GroupTotals;
};

type Amount = 'saleAmount' | 'grossProfit' | 'commission';

/** Functions that return the displayed amounts of a row; absent for hidden columns. */
export type GroupAmounts = { readonly [amount in Amount]?: ((row: DealRow) => CellValue) | undefined } & {
  readonly counting: ReadonlySet<string>;
};

export type GroupingFacts = {
  readonly field: GroupField;
  readonly dayOf: (instant: string) => string;
  readonly labelOf: (value: string | null, row: DealRow) => string;
  readonly compare: (a: Pick<DealGroup, 'value' | 'label'>, b: Pick<DealGroup, 'value' | 'label'>) => number;
};

type Entry = GroupTotals & {
  readonly row: DealRow;
  /** The grouping whose field was read. */
  facts: GroupingFacts;
  value: string | null;
  /** Number of the last placing that included this row. */
  placing: number;
};

type Bucket = { keys: string[]; totals: GroupTotals; sample: DealRow | null };

type Placed = { readonly order: readonly string[]; readonly entries: readonly (Entry | undefined)[] };
const notPlaced: Placed = { order: [], entries: [] };

/** The group of a row that was added while the user was in it: below all groups. */
const BELOW = undefined;

const afterChange = (totals: GroupTotals, before: GroupTotals, after: GroupTotals): GroupTotals => ({
  count: totals.count,
  saleAmount: totals.saleAmount - before.saleAmount + after.saleAmount,
  grossProfit: totals.grossProfit - before.grossProfit + after.grossProfit,
  commission: totals.commission - before.commission + after.commission,
  withRate: totals.withRate - before.withRate + after.withRate,
  withoutRate: totals.withoutRate - before.withoutRate + after.withoutRate,
});

function inCents(get: GroupAmounts[Amount], row: DealRow): number {
  const value = get?.(row);
  return typeof value === 'number' ? centsOf(value) : 0;
}

function withTyped(deal: Deal | null, field: GroupField, value: CellValue): Partial<Deal> {
  if (!isCustomKey(field)) return { ...deal, [field]: value };
  const typed = customValueOf(value);
  return { custom: typed === null ? {} : { [field]: typed } };
}

const nothing: GroupTotals = {
  count: 0,
  saleAmount: 0,
  grossProfit: 0,
  commission: 0,
  withRate: 0,
  withoutRate: 0,
};

/**
 * Returns a function that groups rows by a field (docs/product/data-entry.md, Groups). Values read from a row are
 * stored until it changes, so that a change of one row costs little among 100,000; another field reads only the group's
 * value. The active row stays in its place until the user leaves it; counts and sums include it in its new group at
 * once.
 */
export function createGroupings(
  rows: Pick<RowStore<DealRow>, 'get' | 'recordsOf'>,
  { saleAmount, grossProfit, commission, counting }: GroupAmounts,
) {
  const entries = new Map<string, Entry>();
  let placing = 0;
  /** The last grouped order with the entry of each row, so that grouping by another field looks up no keys. */
  let placed: Placed = notPlaced;
  const totalsOf = (row: DealRow): GroupTotals => {
    const counts = counting.has(String(valueOf(row, 'status')));
    return {
      count: 1,
      saleAmount: inCents(saleAmount, row),
      grossProfit: inCents(grossProfit, row),
      commission: counts ? inCents(commission, row) : 0,
      withRate: Number(counts && typeof commission?.(row) === 'number'),
      withoutRate: Number(counts && lacksRate(row)),
    };
  };

  return (facts: GroupingFacts) => {
    const { field } = facts;
    const read = createGroupReader(field, facts.dayOf);
    const typedField = isDealField(field) ? field : null;
    let activeRow: { readonly key: string; readonly value: string | null | undefined } | null = null;

    function valueIn(row: DealRow): string | null {
      const typed = typedField && row.draft?.typed[typedField];
      return read(typed ? withTyped(row.deal, field, typed.value) : (row.deal ?? {}));
    }

    /** Returns the stored values of a row; reads them if it has changed. */
    function entryOf(key: string, row: DealRow, previous = entries.get(key)): Entry {
      if (previous?.row === row) {
        if (previous.facts !== facts) {
          previous.facts = facts;
          previous.value = valueIn(row);
        }
        return previous;
      }
      const entry = { row, facts, value: valueIn(row), placing, ...totalsOf(row) };
      entries.set(key, entry);
      placed = notPlaced;
      return entry;
    }

    /** Returns the entry of a row that was placed last time. */
    function placedEntry(key: string): Entry | undefined {
      const entry = entries.get(key);
      return entry?.placing === placing && entry.facts === facts ? entry : undefined;
    }

    return {
      groupsOf(order: readonly string[]): { groups: DealGroup[]; rest: string[] } {
        placing += 1;
        const buckets = new Map<string | null, Bucket>();
        const rest: string[] = [];
        const bucketOf = (value: string | null): Bucket => {
          let bucket = buckets.get(value);
          if (!bucket) buckets.set(value, (bucket = { keys: [], totals: { ...nothing }, sample: null }));
          return bucket;
        };
        const records = rows.recordsOf(order);
        const last = placed.order === order ? placed.entries : [];
        const entriesInOrder = records.map((row, at) => row && entryOf(order[at]!, row, last[at]));
        placed = { order, entries: entriesInOrder };
        for (const [at, entry] of entriesInOrder.entries()) {
          if (!entry) continue;
          const key = order[at]!;
          entry.placing = placing;
          const bucket = bucketOf(entry.value);
          bucket.sample ??= entry.row;
          // Mutated, because one object per row would take longer than the rest for 100,000 rows.
          const totals = bucket.totals as { -readonly [name in keyof GroupTotals]: number };
          totals.count += 1;
          totals.saleAmount += entry.saleAmount;
          totals.grossProfit += entry.grossProfit;
          totals.commission += entry.commission;
          totals.withRate += entry.withRate;
          totals.withoutRate += entry.withoutRate;
          if (activeRow?.key !== key) bucket.keys.push(key);
          else if (activeRow.value === BELOW) rest.push(key);
          else bucketOf(activeRow.value).keys.push(key);
        }
        const groups = [...buckets].map(([value, { keys, totals, sample }]) => ({
          value,
          label: facts.labelOf(value, sample ?? rows.get(keys[0] ?? '')!),
          keys,
          totals,
        }));
        return { groups: groups.sort(facts.compare), rest };
      },

      /**
       * Applies changed rows.
       * @param add called with the change of a group's totals
       * @returns whether a row has changed its group, so that rows must be placed again
       */
      update(
        keys: Iterable<string>,
        add: (value: string | null, change: (totals: GroupTotals) => GroupTotals) => void,
      ): boolean {
        let isMoved = false;
        for (const key of keys) {
          const [entry, row] = [placedEntry(key), rows.get(key)];
          if (!entry || !row || entry.row === row) continue;
          const next = entryOf(key, row);
          if (next.value !== entry.value) isMoved = true;
          else add(entry.value, (totals) => afterChange(totals, entry, next));
        }
        return isMoved;
      },

      /** Sets the active row. Returns whether the former one must be placed again. */
      setActive(key: string | null): boolean {
        const left = activeRow;
        if (left?.key === key) return false;
        activeRow = key === null ? null : { key, value: placedEntry(key)?.value };
        const entry = left && placedEntry(left.key);
        return Boolean(entry && entry.value !== left?.value);
      },

      /** Returns the value of a row in a group; undefined for other rows. */
      valueOf: (key: string): string | null | undefined => placedEntry(key)?.value,
    };
  };
}

/**
 * Returns the order of groups: empty cells last; days and months newest first; others in their configured order or by
 * name, unless rows are sorted by the same column.
 * @param isByTime whether groups are days or months
 * @param ranks values in their own order, such as the status cycle
 */
export function groupOrder(
  isByTime: boolean,
  direction: 'ascending' | 'descending' | null,
  ranks: readonly string[],
): GroupingFacts['compare'] {
  const compare = textOrder();
  const sign = (direction ?? (isByTime ? 'descending' : 'ascending')) === 'descending' ? -1 : 1;
  const rank = new Map(ranks.map((value, at) => [value, at]));
  return (a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    if (ranks.length > 0) return (rank.get(a.value) ?? ranks.length) - (rank.get(b.value) ?? ranks.length);
    return (
      sign * (isByTime ? Number(a.value > b.value) - Number(a.value < b.value) : compare(a.label, b.label))
    );
  };
}

/** Returns a function that computes the business day of a time, cached by quarter of an hour. */
export function cachedDays(dayOf: (instant: string) => string): (instant: string) => string {
  const hours = new Map<string, string[]>();
  return (instant) => {
    const hour = instant.slice(0, 13);
    let quarters = hours.get(hour);
    if (!quarters) hours.set(hour, (quarters = []));
    return (quarters[Math.floor(Number(instant.slice(14, 16)) / 15)] ??= dayOf(instant));
  };
}
