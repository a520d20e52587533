import type { Setting } from '@forecourt/contract/settings';
import { formatPercent } from '../../platform/formats.ts';
import { texts } from '../../texts/settings.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';

export type SettingName = keyof typeof texts.labels;

/** The settings of each section, in order (spec section 2, General Settings). */
export const sections = {
  commission: ['commission.newSales', 'commission.usedSales', 'commission.defaultSales'],
  dataEntry: ['dataEntry.moveEditedToCurrentMonth'],
} as const satisfies Record<string, readonly SettingName[]>;
export type Section = keyof typeof sections;

/** One setting in a form. Not `own`: the company's value, which is shown and not sent. */
export type SettingField = { readonly own: boolean; readonly value: Setting['value'] | string };
export type SettingValues = { [name in SettingName]?: SettingField };

/** A value to write; undefined: none of their own any more. */
export type SettingChange = { readonly setting: Setting; readonly value: Setting['value'] | undefined };

const settingOf = (settings: readonly Setting[], name: SettingName): Setting | undefined =>
  settings.find(({ settingName }) => settingName === name);

/** What holds for somebody, as the form of one section shows it. */
export function valuesOf(settings: readonly Setting[], section: Section): SettingValues {
  const values: SettingValues = {};
  for (const name of sections[section]) {
    const setting = settingOf(settings, name);
    if (setting) values[name] = { own: !setting.inherited, value: setting.value };
  }
  return values;
}

/** `4.50` is 4.5, and nothing is not 0. */
const exact = ({ own, value }: SettingField): string =>
  own ? (value === '' || typeof value === 'boolean' ? String(value) : String(Number(value))) : 'inherited';

/** What saving would write. */
export function changesOf(settings: readonly Setting[], values: SettingValues): SettingChange[] {
  return settings.flatMap((setting): SettingChange[] => {
    const field = values[setting.settingName as SettingName];
    if (!field || exact(field) === exact({ own: !setting.inherited, value: setting.value })) return [];
    if (!field.own) return [{ setting, value: undefined }];
    return [{ setting, value: typeof field.value === 'boolean' ? field.value : Number(field.value) }];
  });
}

/** A percentage is from 0 to 100 with at most 2 decimals (spec section 5). */
export function settingErrors(values: SettingValues): Record<string, string> {
  const wrong = Object.entries(values).filter(
    ([, { own, value }]) => own && typeof value !== 'boolean' && !isPercent(value),
  );
  return Object.fromEntries(wrong.map(([name]) => [name, texts.percent]));
}

const isPercent = (value: number | string): boolean => {
  const percent = Number(value);
  return value !== '' && percent >= 0 && percent <= 100 && Number(percent.toFixed(2)) === percent;
};

/** A value for people to read. */
export const inWords = (value: SettingField['value']): string =>
  typeof value === 'boolean' ? (value ? texts.on : texts.off) : formatPercent(Number(value));

/** The fields of a section as a conflict speaks of them. */
export const comparedFields = (section: Section): ComparedField<SettingValues>[] =>
  sections[section].map((name) => ({
    field: name,
    label: texts.labels[name],
    words: (values) => (values[name]?.own ? inWords(values[name].value) : texts.inherited),
    exact: (values) => (values[name] ? exact(values[name]) : ''),
  }));

/** What failed when it did, for when the server did not say anything itself (spec section 8). */
export function failureOf({ setting, value }: SettingChange): string {
  if (value === undefined) return texts.deleteFailed(setting.settingName);
  return setting.inherited ? texts.createFailed : texts.updateFailed(setting.settingName);
}
