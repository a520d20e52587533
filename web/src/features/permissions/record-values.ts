import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { DealColumn } from '@forecourt/contract/deal-fields';
import { defaultRecord, permissionDefaults } from '@forecourt/contract/permission-defaults';
import { idleFlags, missingNeeds, type FlagKey } from '@forecourt/contract/permission-needs';
import type { PermissionRecord } from '@forecourt/contract/permissions';
import { texts } from '../../texts/permissions.ts';
import type { FieldErrors, useForm } from '../../ui/use-form.ts';
import { wholeNumberOf } from '../../ui/whole-number.ts';

type Defaults = typeof permissionDefaults;
type Group = keyof Defaults;

export type Flags = { [K in FlagKey]: boolean };

/** An empty text means no day, or a number that was cleared. */
export type RecordValues = Flags & {
  viewAllColumns: boolean;
  restrictedToOwn: boolean;
  visibleColumns: readonly (DealColumn | CustomKey)[];
  restrictedDealerships: readonly string[];
  restrictedStatuses: readonly string[];
  restrictedRows: readonly string[];
  dateRangeStart: string;
  dateRangeEnd: string;
  maxSessions: number | string;
  sessionTimeout: number | string;
};

type FlagGroups = { [G in Group]: Readonly<Record<string, unknown>> };

const flagPaths = Object.entries(permissionDefaults).flatMap(([group, flags]) =>
  Object.keys(flags).map((flag) => ({ key: `${group}.${flag}` as FlagKey, group: group as Group, flag })),
);

/** All flags, in the order of the record. */
export const flagKeys: readonly FlagKey[] = flagPaths.map(({ key }) => key);

export const flagsOf = (groups: FlagGroups): Flags =>
  Object.fromEntries(flagPaths.map(({ key, group, flag }) => [key, groups[group][flag] === true])) as Flags;

export const defaultFlags = flagsOf(permissionDefaults);

export function valuesOf(record: PermissionRecord): RecordValues {
  const { columnVisibility } = record.dataEntry;
  return {
    ...flagsOf(record),
    ...columnVisibility,
    dateRangeStart: columnVisibility.dateRangeStart ?? '',
    dateRangeEnd: columnVisibility.dateRangeEnd ?? '',
    maxSessions: record.maxSessions,
    sessionTimeout: record.sessionTimeout,
  };
}

/** (docs/product/people-and-permissions.md, Default permissions) */
export const defaultValues = valuesOf(defaultRecord);

/** Returns the record in the form that the server accepts. */
export function recordOf(values: RecordValues): PermissionRecord {
  const groups = Object.keys(permissionDefaults).map((group) => [group, {}]);
  const flags = Object.fromEntries(groups) as Record<Group, Record<string, boolean>>;
  for (const { key, group, flag } of flagPaths) flags[group][flag] = values[key];
  return {
    ...(flags as Defaults),
    dataEntry: {
      ...(flags.dataEntry as Defaults['dataEntry']),
      columnVisibility: {
        viewAllColumns: values.viewAllColumns,
        restrictedToOwn: values.restrictedToOwn,
        visibleColumns: [...values.visibleColumns],
        restrictedDealerships: [...values.restrictedDealerships],
        restrictedStatuses: [...values.restrictedStatuses],
        restrictedRows: [...values.restrictedRows],
        dateRangeStart: values.dateRangeStart || null,
        dateRangeEnd: values.dateRangeEnd || null,
      },
    },
    maxSessions: wholeNumberOf(values.maxSessions),
    sessionTimeout: wholeNumberOf(values.sessionTimeout),
  };
}

/** Returns a value for comparison that ignores the order of lists. */
export const comparable = (value: RecordValues[keyof RecordValues]): string =>
  Array.isArray(value) ? JSON.stringify([...(value as string[])].sort()) : String(value);

export const changedFields = (before: RecordValues, after: RecordValues): (keyof RecordValues)[] =>
  (Object.keys(before) as (keyof RecordValues)[]).filter(
    (field) => comparable(before[field]) !== comparable(after[field]),
  );

/** Returns why a flag has no effect with these other flags; null if it has one. */
export function noEffect(key: FlagKey, flags: Flags): string | null {
  const missing = missingNeeds(key, flags);
  const labels = missing.map((any) => any.map((need) => texts.flags[need].label));
  return missing.length === 0 ? null : texts.noEffect(labels);
}

/** Returns the errors that the contract's schema does not detect. @param base the record as it was loaded */
export function recordErrors(values: RecordValues, base: RecordValues): FieldErrors {
  const { dateRangeStart, dateRangeEnd } = values;
  return {
    ...Object.fromEntries(idleFlags(base, values).map((key) => [key, noEffect(key, values) ?? ''])),
    ...(dateRangeStart && dateRangeEnd && dateRangeStart > dateRangeEnd
      ? { dateRangeEnd: texts.wrongOrder }
      : {}),
    ...(values.viewAllColumns || values.visibleColumns.length > 0 ? {} : { visibleColumns: texts.noColumn }),
  };
}

export type RecordFormState = Pick<
  ReturnType<typeof useForm<RecordValues>>,
  'values' | 'errors' | 'set' | 'check' | 'value'
>;
