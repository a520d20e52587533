import type { Setting } from '@forecourt/contract/settings';

/** The definition of a setting. `default` applies if the company has no value; null without a default. */
type Known = Pick<Setting, 'category' | 'dataType' | 'description'> & {
  default: Setting['value'];
  /** A person cannot have a value of their own. */
  isCompanyOnly?: true;
};

const percent = { category: 'commission', dataType: 'number', default: null } as const;

/**
 * Every setting by name (docs/product/settings.md, Known settings). A setting with another name is not stored
 * (docs/product/security.md, Settings have known names).
 */
export const knownSettings = {
  'commission.newSales': {
    ...percent,
    description: 'Percent of the sale that deals earn at dealerships whose name contains “new”',
  },
  'commission.usedSales': {
    ...percent,
    description:
      'Percent of the sale that deals earn at dealerships whose name contains “used” and not “new”',
  },
  'commission.defaultSales': {
    ...percent,
    description: 'Percent of the sale that deals earn at all other dealerships',
  },
  'dataEntry.moveEditedToCurrentMonth': {
    category: 'dataEntry',
    dataType: 'boolean',
    default: false,
    description: 'Editing a row of an earlier month moves it to the current month',
  },
  'statements.gstRate': {
    category: 'statements',
    dataType: 'number',
    default: 10,
    description: 'GST in percent, which the amounts of statements include',
    isCompanyOnly: true,
  },
} as const satisfies Record<string, Known>;

export type SettingName = keyof typeof knownSettings;

type ValueOfType = { number: number | null; boolean: boolean };
/** A percentage (null if not set), or a boolean. */
export type ValueOf<N extends SettingName> = ValueOfType[(typeof knownSettings)[N]['dataType']];

export const settingNames = Object.keys(knownSettings) as SettingName[];

/** Whether the company alone has this setting. */
export const isCompanyOnly = (name: SettingName): boolean => 'isCompanyOnly' in knownSettings[name];

export const isKnown = (name: string): name is SettingName => Object.hasOwn(knownSettings, name);
