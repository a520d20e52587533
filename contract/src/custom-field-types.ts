/** Types of custom fields (docs/product/custom-fields.md). Browsers import this file without the schemas. */
export const customFieldTypes = [
  'text',
  'longText',
  'number',
  'currency',
  'percent',
  'date',
  'checkbox',
  'select',
  'multiSelect',
  'person',
  'link',
] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** Limits of the number of active fields, and of all fields including retired ones. */
export const MAX_CUSTOM_FIELDS = 50;
export const MAX_ALL_CUSTOM_FIELDS = 200;
export const MAX_CUSTOM_FIELD_NAME_LENGTH = 60;
export const MAX_CUSTOM_FIELD_HELP_LENGTH = 200;
export const MAX_CUSTOM_FIELD_OPTIONS = 100;

/** Maximum characters of a value. */
export const customTextLimits = { text: 200, longText: 5000, link: 2000 } as const;
/** Maximum characters of all values of a row, so that a month of such rows can be loaded. */
export const MAX_CUSTOM_LENGTH = 20_000;
/** Limits of a number or percentage: its absolute value, and its decimals. */
export const MAX_CUSTOM_NUMBER = 999_999_999_999;
export const CUSTOM_NUMBER_DECIMALS = 4;

/** The name of a custom field in rows, filters, views and permissions: `custom7`. It never changes. */
export type CustomKey = `custom${number}`;

const CUSTOM_KEY = /^custom[1-9]\d{0,5}$/;
export const isCustomKey = (name: string): name is CustomKey => CUSTOM_KEY.test(name);

export const hasOptions = (type: CustomFieldType): boolean => type === 'select' || type === 'multiSelect';

/** The link of a template's variable to a custom field of the deal: `deal.custom7`. */
export type CustomLink = `deal.${CustomKey}`;
export const isCustomLink = (link: string | null): link is CustomLink =>
  link !== null && link.startsWith('deal.') && isCustomKey(link.slice('deal.'.length));

/**
 * The value of a custom field in a row: a text, date (`2026-11-20`), option id, user id or address; a number; the ids of
 * options; or `true` for a ticked checkbox. A field without a value is absent.
 */
export type CustomValue = string | number | true | string[];
export type CustomValues = { [key in CustomKey]?: CustomValue };

/**
 * Returns a value for display: options and people by name, several joined, and *Yes* for a ticked checkbox. Other
 * texts, dates and numbers are unchanged.
 * @param personName returns the name of a user by id
 */
export function readableCustomValue(
  { type, options }: { type: CustomFieldType; options: readonly { id: string; name: string }[] },
  value: CustomValue,
  personName: (id: string) => string | undefined,
): string | number {
  if (value === true) return 'Yes';
  if (type === 'person') return personName(String(value)) ?? '';
  if (type !== 'select' && type !== 'multiSelect') return Array.isArray(value) ? value.join(', ') : value;
  const names = new Map(options.map(({ id, name }) => [id, name]));
  return (Array.isArray(value) ? value : [String(value)]).map((id) => names.get(id) ?? '').join(', ');
}
