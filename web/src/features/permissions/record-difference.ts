import type { CustomField } from '@forecourt/contract/custom-fields';
import { dealColumns } from '@forecourt/contract/deal-fields';
import type { FlagKey } from '@forecourt/contract/permission-needs';
import { formatBusinessDate } from '../../platform/formats.ts';
import { texts } from '../../texts/permissions.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { comparable, flagKeys, type RecordValues } from './record-values.ts';

/** The changes of a save, as displayed before it. */
export type Difference = {
  readonly gains: readonly string[];
  readonly losses: readonly string[];
  readonly others: readonly string[];
};

type FlagTexts = { readonly label: string; readonly note: string; readonly can?: string };
export const flagTexts: Readonly<Record<FlagKey, FlagTexts>> = texts.flags;

/** Names by id; an id without a name is displayed as deleted. */
export type Names = {
  readonly dealerships: NameOf;
  readonly statuses: NameOf;
  /** Names of columns, including custom fields. */
  readonly columns: NameOf;
};
type NameOf = (id: string) => string;

export function differenceOf(before: RecordValues, after: RecordValues, names: Names): Difference {
  const turned = flagKeys.filter((key) => before[key] !== after[key]);
  const allowed = turned.filter((key) => flagTexts[key].can !== undefined);
  const can = (key: FlagKey): string => flagTexts[key].can ?? '';
  return {
    gains: allowed.filter((key) => after[key]).map(can),
    losses: allowed.filter((key) => !after[key]).map(can),
    others: [
      ...turned
        .filter((key) => flagTexts[key].can === undefined)
        .map((key) => texts.flagTurned(flagTexts[key].label, after[key])),
      ...(before.restrictedToOwn === after.restrictedToOwn
        ? []
        : [after.restrictedToOwn ? limits.ownRows : limits.allRows]),
      ...columnChanges(before, after, names),
      ...listChanges('dealerships', before.restrictedDealerships, after.restrictedDealerships, (ids) =>
        ids.map(names.dealerships).join(', '),
      ),
      ...listChanges('statuses', before.restrictedStatuses, after.restrictedStatuses, (ids) =>
        ids.map(names.statuses).join(', '),
      ),
      ...listChanges('rows', before.restrictedRows, after.restrictedRows, (ids) => texts.rows(ids.length)),
      ...dayChanges(before, after),
      ...numberChanges(before, after),
    ],
  };
}

const { limits } = texts;

const columnNames =
  ({ columns }: Names) =>
  ({ visibleColumns }: Pick<RecordValues, 'visibleColumns'>): string =>
    visibleColumns.map(columns).join(', ');

function columnChanges(before: RecordValues, after: RecordValues, names: Names): string[] {
  if (after.viewAllColumns) return before.viewAllColumns ? [] : [limits.allColumns];
  const same =
    !before.viewAllColumns && comparable(before.visibleColumns) === comparable(after.visibleColumns);
  return same ? [] : [limits.columns(columnNames(names)(after))];
}

type Hidden = keyof typeof limits.nowHidden;

function listChanges(
  kind: Hidden,
  before: readonly string[],
  after: readonly string[],
  namesOf: (ids: string[]) => string,
): string[] {
  const hidden = after.filter((id) => !before.includes(id));
  const revealed = before.filter((id) => !after.includes(id));
  return [
    ...(hidden.length > 0 ? [limits.hide(limits.nowHidden[kind], namesOf(hidden))] : []),
    ...(revealed.length > 0 ? [limits.hide(limits.nowShown[kind], namesOf(revealed))] : []),
  ];
}

function dayChanges(before: RecordValues, after: RecordValues): string[] {
  const { dateRangeStart: from, dateRangeEnd: until } = after;
  if (from === before.dateRangeStart && until === before.dateRangeEnd) return [];
  const parts = [
    ...(from ? [limits.from(formatBusinessDate(from))] : []),
    ...(until ? [limits.to(formatBusinessDate(until))] : []),
  ];
  return [parts.length === 0 ? limits.anyDay : limits.days(parts)];
}

const numberChanges = (before: RecordValues, after: RecordValues): string[] =>
  (['maxSessions', 'sessionTimeout'] as const)
    .filter((field) => Number(before[field]) !== Number(after[field]))
    .map((field) => limits[field](Number(before[field]), Number(after[field])));

type Named = { readonly _id: string; readonly name: string };

const nameIn =
  (records: readonly Named[]): NameOf =>
  (id) =>
    records.find(({ _id }) => _id === id)?.name ?? texts.gone;

export const namesFrom = (
  dealerships: readonly Named[],
  statuses: readonly Named[],
  customFields: readonly Pick<CustomField, 'key' | 'name'>[],
): Names => ({
  dealerships: nameIn(dealerships),
  statuses: nameIn(statuses),
  columns: nameIn([
    ...dealColumns.map((column) => ({ _id: column, name: texts.columns[column] })),
    ...customFields.map(({ key, name }) => ({ _id: key, name })),
  ]),
});

export function comparedFields(names: Names): readonly ComparedField<RecordValues>[] {
  const list = (ids: readonly string[], nameOf: NameOf): string =>
    ids.length === 0 ? texts.allMayBeSeen : ids.map(nameOf).join(', ');
  const day = (text: string): string => (text === '' ? texts.anyDay : formatBusinessDate(text));
  const field = (
    name: keyof RecordValues,
    label: string,
    text: (values: RecordValues) => string,
  ): ComparedField<RecordValues> => ({
    field: name,
    label,
    text,
    exact: (values) => comparable(values[name]),
  });
  const onOff = (key: FlagKey | 'restrictedToOwn' | 'viewAllColumns', label: string) =>
    field(key, label, (values) => (values[key] ? texts.on : texts.off));
  return [
    ...flagKeys.map((key) => onOff(key, flagTexts[key].label)),
    onOff('restrictedToOwn', texts.ownRows),
    onOff('viewAllColumns', texts.allColumns),
    field('visibleColumns', texts.visibleColumns, columnNames(names)),
    field('restrictedDealerships', texts.hiddenDealerships, (values) =>
      list(values.restrictedDealerships, names.dealerships),
    ),
    field('restrictedStatuses', texts.hiddenStatuses, (values) =>
      list(values.restrictedStatuses, names.statuses),
    ),
    field('restrictedRows', texts.hiddenRows, (values) => texts.rows(values.restrictedRows.length)),
    field('dateRangeStart', texts.firstDay, (values) => day(values.dateRangeStart)),
    field('dateRangeEnd', texts.lastDay, (values) => day(values.dateRangeEnd)),
    field('maxSessions', texts.maxSessions, (values) => String(values.maxSessions)),
    field('sessionTimeout', texts.sessionTimeout, (values) => String(values.sessionTimeout)),
  ];
}
