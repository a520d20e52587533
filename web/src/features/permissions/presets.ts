import type { FlagKey } from '@forecourt/contract/permission-needs';
import { defaultFlags, flagKeys, type Flags } from './record-values.ts';

export type PresetKey = 'defaults' | 'clerk' | 'teamLead' | 'readOnly';

const withOnly = (keys: readonly FlagKey[]): Flags =>
  Object.fromEntries(flagKeys.map((key) => [key, keys.includes(key)])) as Flags;

const looking: readonly FlagKey[] = [
  'pages.dataEntry',
  'pages.emailTemplates',
  'dataEntry.canAccessAllMonths',
  'dataEntry.canSearchHistorical',
  'dataEntry.canViewEmailPreview',
  'features.viewReports',
];

const working: readonly FlagKey[] = [
  ...looking,
  'pages.itemConfiguration',
  'dataEntry.canAddRows',
  'dataEntry.canEditRows',
  'dataEntry.canExport',
  'features.export',
];

/** Flags for common roles. Restrictions and session limits are not included. */
export const presets: Readonly<Record<PresetKey, Flags>> = {
  defaults: defaultFlags,
  clerk: withOnly(working),
  teamLead: withOnly([
    ...working,
    'pages.statusConfiguration',
    'dataEntry.canDeleteRows',
    'dataEntry.canChangeOwnership',
    'dealershipConfiguration.viewDealerships',
    'dealershipConfiguration.editDealerships',
    'emailTemplateConfiguration.viewTemplates',
    'emailTemplateConfiguration.editTemplates',
    'itemConfiguration.viewItems',
    'itemConfiguration.editItems',
    'statusConfiguration.viewStatuses',
    'features.bulkEdit',
    'features.manageTemplates',
    'features.manageItems',
  ]),
  readOnly: withOnly([
    ...looking,
    'dealershipConfiguration.viewDealerships',
    'emailTemplateConfiguration.viewTemplates',
    'itemConfiguration.viewItems',
    'statusConfiguration.viewStatuses',
  ]),
};

export const presetKeys = Object.keys(presets) as PresetKey[];

/** Returns the preset with exactly these flags; undefined if there is none. */
export const presetOf = (flags: Flags): PresetKey | undefined =>
  presetKeys.find((preset) => flagKeys.every((key) => presets[preset][key] === flags[key]));
