import type { permissionDefaults } from './permission-defaults.ts';

type Groups = typeof permissionDefaults;

/** A flag by its path in the record: `pages.dataEntry`. */
export type FlagKey = { [G in keyof Groups]: `${G}.${keyof Groups[G] & string}` }[keyof Groups];
type Flags = Readonly<Record<FlagKey, boolean>>;

const dataEntry: readonly FlagKey[] = ['pages.dataEntry'];

/**
 * The flags that each flag requires: at least one of every list. Of two flags that require each other only one is
 * listed, otherwise neither could be turned on. Plain values, which browsers import without the schemas.
 */
export const flagNeeds: { readonly [K in FlagKey]?: readonly (readonly FlagKey[])[] } = {
  'pages.statusConfiguration': [['pages.dataEntry', 'statusConfiguration.viewStatuses']],
  'dataEntry.canAddRows': [dataEntry],
  'dataEntry.canEditRows': [dataEntry, ['dataEntry.canAddRows']],
  'dataEntry.canDeleteRows': [dataEntry],
  'dataEntry.canChangeOwnership': [dataEntry],
  'dataEntry.canAccessAllMonths': [dataEntry],
  'dataEntry.canSearchHistorical': [dataEntry, ['dataEntry.canAccessAllMonths']],
  'dataEntry.canExport': [dataEntry, ['features.export']],
  'features.bulkEdit': [dataEntry],
  'features.viewReports': [dataEntry],
  'features.closeMonths': [dataEntry],
  'features.manageTemplates': [['pages.emailTemplates']],
  'features.manageItems': [['pages.itemConfiguration']],
};

/** Returns the required lists of which no flag is on; empty if the flag takes effect. */
export const missingNeeds = (flag: FlagKey, flags: Flags): readonly (readonly FlagKey[])[] =>
  (flagNeeds[flag] ?? []).filter((any) => !any.some((need) => flags[need]));

/** Returns the flags that a change turns on although flags they require are off. */
export const idleFlags = (before: Flags, after: Flags): FlagKey[] =>
  (Object.keys(flagNeeds) as FlagKey[]).filter(
    (flag) => after[flag] && !before[flag] && missingNeeds(flag, after).length > 0,
  );
