import { isCustomKey, type CustomKey } from '@forecourt/contract/custom-field-types';
import { typeOf } from '@forecourt/contract/deal-fields';
import { groupsByDay, isGroupField, type GroupField } from '@forecourt/contract/deal-groups';
import type { Ability } from '@forecourt/contract/route';
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { parseText, type CellValue } from '../../../grid/grid.ts';
import { createGridGroups } from '../../../grid/groups.tsx';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { createStore, type Store } from '../../../platform/external-store.ts';
import { formatBusinessDate, formatCount, formatMoney, formatMonth } from '../../../platform/formats.ts';
import { zonedTime } from '../../../platform/time-zone.ts';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts } from '../../../texts/deal-groups.ts';
import { texts as dealTexts } from '../../../texts/deals.ts';
import { commissionText, countingNames, figureLabel } from '../../../ui/figures.ts';
import { toastWarning } from '../../../ui/toasts.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { customCell, isDealField, type DealOptions } from '../deal-fields.ts';
import type { DealSort } from '../deal-view.ts';
import { statusClass } from '../deals.columns.tsx';
import { dealInForm } from '../open-parts.ts';
import { newestFirst } from '../store/sort.ts';
import {
  cachedDays,
  createGroupings,
  groupOrder,
  type GroupAmounts,
  type GroupingFacts,
  type GroupTotals,
} from './grouping.ts';
import styles from './DealGroups.module.css';

type DealGroupsProps = {
  by: GroupField;
  options: DealOptions;
  onNewRow: (key: string) => void;
};

type Head = { readonly label: string; readonly className: string | undefined; readonly totals: GroupTotals };

const MAIL = texts.mail as Readonly<Record<string, string>>;

/** Groups the rows while it is mounted; renders nothing. Loaded when rows are first grouped. */
export default function DealGroups({ by, options, onNewRow }: DealGroupsProps): null {
  const { deals, columns, active, adding, userId, arrangement, isPhone, groups: groupStore } = useDataEntry();
  // Cards are newest first, and a new row is typed into a form.
  const sort = isPhone ? null : arrangement.sort;
  const { rows, table, draftSync } = deals;
  const timeZone = useTimeZone();
  const [collapsed] = useState(() => createStore<ReadonlySet<string>>(new Set(arrangement.collapsed)));

  const groupBy = useMemo(() => createGroupings(rows, amountsOf(columns, options)), [rows, columns, options]);
  const facts = useMemo(
    () => factsOf({ by, options, columns, sort, timeZone }),
    [by, options, columns, sort, timeZone],
  );
  const keep = useEffectEvent((keys: ReadonlySet<string>) => {
    collapsed.set(keys);
    arrangement.setCollapsed([...keys]);
  });
  const focusRow = useEffectEvent(onNewRow);
  const change = useEffectEvent(deals.onCommand);

  useEffect(() => {
    // A stored arrangement of another release may have an unknown field.
    if (!isGroupField(by, options.customFields)) return undefined;
    const grouping = groupBy(facts);
    const heads = createStore<ReadonlyMap<string, Head>>(new Map());
    const keyOf = (value: string | null): string => `group:${by}:${value ?? ''}`;
    const values = new Map<string, string | null>();
    const renderHead = (key: string): ReactNode => (
      <GroupHead groupKey={key} heads={heads} options={options} columns={sumColumns} />
    );
    const sumColumns = new Set(columns.map(({ id }) => id));
    let placed: ReturnType<typeof grouping.groupsOf> = { groups: [], rest: [] };
    let placedOrder: readonly string[] | null = null;
    /** Key of the last row that was started in a group. */
    let begun: string | null = null;

    const canAddTo = (value: string | null): Ability =>
      adding === true ? newRowAbility(by, value, options, userId) : adding;
    const addTo = (value: string | null): void => {
      const key = table.blankKey();
      if (key === null) return;
      const after = value === null ? null : newValueOf(by, value, options, timeZone);
      const preset = after !== null && isDealField(by) && { field: by, value: after };
      if (isPhone) return dealInForm.set({ key, ...(preset && { preset }) });
      if (preset) {
        change({ changes: [{ key, columnId: by, before: null, after }] });
        begun = key;
      }
      focusRow(key);
    };
    /** Discards a new row with only the value of its group when another row becomes active. */
    const dropUntouched = (): void => {
      if (begun === null || active.get()?.key === begun) return;
      const draft = draftSync.draftOf(begun);
      const isUntouched =
        draft?.dealId === null && Object.keys({ ...draft.typed, ...draft.refused }).length === 1;
      if (isUntouched) draftSync.discard(begun);
      begun = null;
    };
    const addAt = (key: string): boolean => {
      const isHead = values.has(key);
      const value = isHead ? values.get(key) : grouping.valueOf(key);
      const ability = value === undefined ? null : canAddTo(value);
      if (ability === true && value !== undefined) addTo(value);
      else if (isHead && ability !== null) toastWarning(String(ability));
      return isHead || ability === true;
    };
    const toggle = (key: string, isExpanded: boolean): void => {
      const next = new Set(collapsed.get());
      if (isExpanded) next.delete(key);
      else next.add(key);
      keep(next);
      publish();
    };
    const toggleAll = (isExpanded: boolean): void => {
      keep(new Set(isExpanded ? [] : placed.groups.map(({ value }) => keyOf(value))));
      publish();
    };

    function publish(): void {
      const list = placed.groups.map(({ value, label, keys }) => {
        const key = keyOf(value);
        const ability = canAddTo(value);
        return {
          key,
          rows: keys,
          isExpanded: !collapsed.get().has(key),
          selectLabel: texts.select(label),
          addLabel: ability === true ? texts.newRowIn(label) : null,
          ability,
          label,
        };
      });
      const grid = createGridGroups({
        groups: list,
        rest: placed.rest,
        renderHead,
        onToggle: toggle,
        onToggleAll: toggleAll,
        onAdd: addAt,
      });
      groupStore.set({ ...grid, list, rest: placed.rest, toggle, toggleAll, addAt });
    }
    function place(): void {
      const order = rows.getOrder();
      placedOrder = order;
      placed = grouping.groupsOf(isPhone ? newestFirst(rows, order) : order);
      values.clear();
      heads.set(
        new Map(
          placed.groups.map(({ value, label, totals }) => {
            values.set(keyOf(value), value);
            const className = by === 'status' ? statusClass(options.statuses, value) : undefined;
            return [keyOf(value), { label, className, totals }];
          }),
        ),
      );
      publish();
    }
    /** Groups the rows again, unless they have just been grouped. */
    function placeChanged(): void {
      if (rows.getOrder() !== placedOrder) place();
    }
    function update(keys: ReadonlySet<string> | null): void {
      // All rows and their order were replaced.
      if (keys === null) return;
      const next = new Map(heads.get());
      const isMoved = grouping.update(keys, (value, changed) => {
        const head = next.get(keyOf(value));
        if (head) next.set(keyOf(value), { ...head, totals: changed(head.totals) });
      });
      if (isMoved) place();
      else heads.set(next);
    }

    place();
    // Called afterwards, so that the active row is in its group.
    grouping.setActive(active.get()?.key ?? null);
    const stops = [
      rows.subscribeOrder(placeChanged),
      // Subscribed, because a saved row joins the order a frame before its listeners are called; if it were missing in
      // between, the editor in it would close.
      table.trailing.subscribe(placeChanged),
      rows.subscribeRecords(update),
      active.subscribe(() => {
        dropUntouched();
        if (grouping.setActive(active.get()?.key ?? null)) place();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [
    rows,
    table,
    draftSync,
    active,
    groupStore,
    collapsed,
    groupBy,
    facts,
    by,
    options,
    columns,
    adding,
    userId,
    timeZone,
    isPhone,
  ]);
  useEffect(() => () => groupStore.set(null), [groupStore]);
  return null;
}

type FactsOptions = {
  by: GroupField;
  options: DealOptions;
  columns: ReturnType<typeof useDataEntry>['columns'];
  sort: DealSort | null;
  timeZone: string;
};

function amountsOf(columns: FactsOptions['columns'], { statuses }: DealOptions): GroupAmounts {
  const getterOf = (amount: string) => columns.find(({ id }) => id === amount)?.get;
  return {
    counting: new Set(countingNames(statuses)),
    saleAmount: getterOf('saleAmount'),
    grossProfit: getterOf('grossProfit'),
    commission: getterOf('commission'),
  };
}

function factsOf({ by, options, columns, sort, timeZone }: FactsOptions): GroupingFacts {
  const own = columns.find(({ id }) => id === by);
  const direction = sort?.columnId === by && sort.direction !== 'other' ? sort.direction : null;
  const statuses = options.statuses.map(({ name }) => name);
  const top = by === 'status' && sort?.columnId === 'status' ? statuses.indexOf(sort.first ?? '') : 0;
  const custom = options.customFields.find(({ key }) => key === by);
  const isByDay = groupsByDay.has(by) || custom?.type === 'date';
  const ids = (custom?.options ?? []).map(({ id }) => id);
  const ranks: Partial<Record<GroupField, readonly string[]>> = {
    [by]: direction === 'descending' ? ids.toReversed() : ids,
    // The order of sorted rows: the status cycle continues below the status at the top.
    status: [...statuses.slice(Math.max(0, top)), ...statuses.slice(0, Math.max(0, top))],
    emailState: Object.keys(MAIL),
  };
  return {
    field: by,
    dayOf: cachedDays((instant) => zonedTime(new Date(instant), timeZone).slice(0, 10)),
    labelOf(value, row) {
      if (value === null) return isCustomKey(by) ? texts.no(custom?.name ?? '') : texts.empty[by];
      if (custom?.type === 'checkbox') return texts.yes;
      if (isByDay) return formatBusinessDate(value);
      if (by === 'month') return formatMonth(value);
      if (by === 'emailState') return MAIL[value] ?? value;
      return own?.format?.(value, row) || value;
    },
    compare: groupOrder(isByDay || by === 'month', direction, ranks[by] ?? []),
  };
}

/** Returns `true` if a new row can get the value of a group, otherwise the reason. */
function newRowAbility(by: GroupField, value: string | null, options: DealOptions, userId: string): Ability {
  const { statuses, dealerships, currentMonth } = options;
  if (by === 'status')
    return statuses.some(({ name, active }) => active && name === value) || texts.inactiveStatus;
  if (by === 'dealershipId')
    return dealerships.some(({ _id, active }) => active && _id === value) || texts.inactiveDealership;
  if (by === 'owner') return value === userId || texts.otherOwner;
  if (by === 'month') return value === currentMonth || texts.otherMonth;
  if (isCustomKey(by)) return customAbility(by, value, options);
  return by === 'deliveryDate' || by === 'followUpAt' || texts.computed;
}

function customAbility(by: CustomKey, value: string | null, { customFields, people }: DealOptions): Ability {
  const field = customFields.find(({ key }) => key === by);
  if (!field?.editable) return customTexts.administratorsOnly(field?.name ?? '');
  const { type, options, isRequired, defaultValue } = field;
  // An empty cell of a new row gets the default.
  if (value === null) return (!isRequired && defaultValue === null) || texts.computed;
  if (type === 'select')
    return options.some(({ active, id }) => active && id === value) || texts.inactiveOption;
  return type !== 'person' || people.some(({ _id }) => _id === value) || texts.inactivePerson;
}

/** Returns the value to type into a new row of a group; null if the row has it already. */
function newValueOf(
  by: GroupField,
  value: string,
  { customFields }: DealOptions,
  timeZone: string,
): CellValue {
  if (by === 'owner' || by === 'month') return null;
  if (typeOf(by, customFields) === 'checkbox') return customCell(true);
  if (by !== 'followUpAt') return value;
  const column = { type: 'datetime' as const, id: by, header: '', get: () => null };
  const parsed = parseText(column, formatBusinessDate(value), { now: new Date(), timeZone });
  return parsed.ok ? String(parsed.value) : null;
}

type GroupHeadProps = {
  groupKey: string;
  heads: Store<ReadonlyMap<string, Head>>;
  options: DealOptions;
  columns: ReadonlySet<string>;
};

/** The name of a group with the number and sums of its rows. */
function GroupHead({ groupKey, heads, options, columns }: GroupHeadProps): ReactNode {
  const head = useSyncExternalStore(heads.subscribe, () => heads.get().get(groupKey));
  if (!head) return null;
  const { label, className, totals } = head;
  const sum = (id: 'saleAmount' | 'grossProfit' | 'commission', name: string): ReactNode =>
    columns.has(id) && (
      <span>
        {name}{' '}
        <span className={styles.amount}>
          {id === 'commission' ? commissionText(totals[id] / 100, totals) : formatMoney(totals[id] / 100)}
        </span>
      </span>
    );
  return (
    <>
      <strong className={className && `deal-status-option ${styles.status} ${className}`}>{label}</strong>
      <span className={styles.count}>{formatCount(totals.count)}</span>
      <span className={styles.sums}>
        {sum('saleAmount', dealTexts.sale)}
        {sum('grossProfit', dealTexts.grossProfit)}
        {sum('commission', figureLabel('commission', options.statuses))}
      </span>
    </>
  );
}
