import { isPercentage } from '@forecourt/contract/percentage';
import type { Setting } from '@forecourt/contract/settings';
import { formatPercent } from '../../platform/formats.ts';
import { texts } from '../../texts/settings.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';

export type SettingName = keyof typeof texts.labels;

/** The settings of each section in display order (docs/product/settings.md, Known settings). */
export const sections = {
  commission: ['commission.newSales', 'commission.usedSales', 'commission.defaultSales'],
  dataEntry: ['dataEntry.moveEditedToCurrentMonth'],
  statements: ['statements.gstRate'],
} as const satisfies Record<string, readonly SettingName[]>;
export type Section = keyof typeof sections;

/** `own` is false for the company's value, which is displayed and not sent. */
export type SettingField = { readonly own: boolean; readonly value: boolean | string };
export type SettingValues = { [name in SettingName]?: SettingField };

/** A value to save; undefined removes the override. */
export type SettingChange = { readonly setting: Setting; readonly value: boolean | number | undefined };

/** Returns the value for a field: a percentage as text, which is empty if not set. */
export const fieldOf = ({ inherited, value }: Setting, own = !inherited): SettingField => ({
  own,
  value: typeof value === 'boolean' ? value : (value?.toString() ?? ''),
});

const settingOf = (settings: readonly Setting[], name: SettingName): Setting | undefined =>
  settings.find(({ settingName }) => settingName === name);

export function valuesOf(settings: readonly Setting[], section: Section): SettingValues {
  const values: SettingValues = {};
  for (const name of sections[section]) {
    const setting = settingOf(settings, name);
    if (setting) values[name] = fieldOf(setting);
  }
  return values;
}

/** Normalises a value for comparison: `4.50` is 4.5, and '' is not 0. */
const exact = ({ own, value }: SettingField): string =>
  own ? (value === '' || typeof value === 'boolean' ? String(value) : String(Number(value))) : 'inherited';

export function changesOf(settings: readonly Setting[], values: SettingValues): SettingChange[] {
  return settings.flatMap((setting): SettingChange[] => {
    const field = values[setting.settingName as SettingName];
    if (!field || exact(field) === exact(fieldOf(setting))) return [];
    if (!field.own) return [{ setting, value: undefined }];
    return [{ setting, value: typeof field.value === 'boolean' ? field.value : Number(field.value) }];
  });
}

export function settingErrors(values: SettingValues): Record<string, string> {
  const wrong = Object.entries(values).filter(
    ([, { own, value }]) => own && typeof value !== 'boolean' && !isPercent(value),
  );
  return Object.fromEntries(wrong.map(([name]) => [name, texts.percent]));
}

/** Only digits and a point: other formats such as `8,5` are refused instead of guessed. */
const PERCENT = /^(\d{1,3}(\.\d{0,2})?|\.\d{1,2})$/;

const isPercent = (text: string): boolean => PERCENT.test(text.trim()) && isPercentage(Number(text));

export const formatSetting = (value: Setting['value'] | string): string => {
  if (typeof value === 'boolean') return value ? texts.on : texts.off;
  return value === null || value === '' ? texts.missing : formatPercent(Number(value));
};

export const comparedFields = (section: Section): ComparedField<SettingValues>[] =>
  sections[section].map((name) => ({
    field: name,
    label: texts.labels[name],
    text: (values) => (values[name]?.own ? formatSetting(values[name].value) : texts.inherited),
    exact: (values) => (values[name] ? exact(values[name]) : ''),
  }));

/** Returns the fallback message of a failed save (docs/product/screens.md, Failed calls). */
export function failureOf({ setting, value }: SettingChange): string {
  if (value === undefined) return texts.deleteFailed(setting.settingName);
  return setting.inherited ? texts.createFailed : texts.updateFailed(setting.settingName);
}
