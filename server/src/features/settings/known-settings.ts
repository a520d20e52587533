import type { Setting } from '@forecourt/contract/settings';

/** What is known of a setting beside its value. `default` holds where the company has none of its own. */
type Known = Pick<Setting, 'category' | 'dataType' | 'description'> & { default: Setting['value'] };

const percent = { category: 'commission', dataType: 'number', default: 0 } as const;

/** Every setting there is, by its name (spec.md section 3). Others are not stored (security.md G2). */
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
} as const satisfies Record<string, Known>;

export type SettingName = keyof typeof knownSettings;

type ValueOfType = { number: number; boolean: boolean };
/** A percentage, or yes and no. */
export type ValueOf<N extends SettingName> = ValueOfType[(typeof knownSettings)[N]['dataType']];

/** In the order in which they are listed. */
export const settingNames = Object.keys(knownSettings) as SettingName[];

export const isKnown = (name: string): name is SettingName => Object.hasOwn(knownSettings, name);
