import { hasOptions, type CustomFieldType } from '@forecourt/contract/custom-field-types';
import type { CustomField } from '@forecourt/contract/custom-fields';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/custom-fields.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import type { FieldErrors } from '../../ui/use-form.ts';
import type { CustomFieldBody } from './custom-fields.queries.ts';

/** An option in the form. The `key` of a saved option is its id. */
export type OptionRow = {
  readonly key: string;
  readonly isSaved: boolean;
  readonly name: string;
  readonly active: boolean;
};

export type FieldValues = {
  name: string;
  type: CustomFieldType;
  help: string;
  options: readonly OptionRow[];
  isRequired: boolean;
  /** Texts, or keys of options; empty for no default. Only a multi-select has several. */
  defaultValue: readonly string[];
  visibleTo: CustomField['visibleTo'];
  editableBy: CustomField['editableBy'];
};

const isNumber = (type: CustomFieldType): boolean => ['number', 'currency', 'percent'].includes(type);

export const newOption = (): OptionRow => ({ key: newKey(), isSaved: false, name: '', active: true });

export const valuesOf = (field: CustomField | undefined): FieldValues => ({
  name: field?.name ?? '',
  type: field?.type ?? 'text',
  help: field?.help ?? '',
  options: (field?.options ?? []).map(({ id, name, active }) => ({ key: id, isSaved: true, name, active })),
  isRequired: field?.isRequired ?? false,
  defaultValue: [field?.defaultValue ?? []].flat().map(String),
  visibleTo: field?.visibleTo ?? 'everybody',
  editableBy: field?.editableBy ?? 'everybody',
});

/** Returns the values after a change of the type, which only a new field permits. */
export const withType = (values: FieldValues, type: CustomFieldType): FieldValues => ({
  ...values,
  type,
  options: hasOptions(type) && values.options.length === 0 ? [newOption()] : values.options,
  isRequired: values.isRequired && type !== 'checkbox',
  defaultValue: [],
});

/** Returns the options to send. A new option without a name is an unused line. */
export const sentOptions = ({ type, options }: Pick<FieldValues, 'type' | 'options'>): OptionRow[] =>
  hasOptions(type) ? options.filter(({ isSaved, name }) => isSaved || name.trim() !== '') : [];

/** Parses a number such as `$1,234.50` or `12.5 %`; NaN for other texts. */
function numberOf(text: string): number {
  const bare = text.replaceAll(/[\s,$%]/g, '');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(bare) ? Number(bare) : Number.NaN;
}

function defaultOf(values: FieldValues): CustomFieldBody['defaultValue'] {
  const { type, defaultValue } = values;
  const [first = ''] = defaultValue;
  if (hasOptions(type)) {
    const ids = idsOf(values);
    const chosen = defaultValue.flatMap((key) => ids.get(key) ?? []);
    return type === 'multiSelect' ? chosen : (chosen[0] ?? null);
  }
  if (first.trim() === '') return null;
  if (type === 'checkbox') return true;
  return isNumber(type) ? numberOf(first) : first;
}

/** Returns the ids of options by their keys. The server gives new options the next numbers in order. */
function idsOf(values: FieldValues): Map<string, string> {
  const sent = sentOptions(values);
  let last = sent.filter(({ isSaved }) => isSaved).length;
  return new Map(sent.map(({ key, isSaved }) => [key, isSaved ? key : `o${(last += 1)}`]));
}

/** @param base the field as it was loaded */
export const inputOf = (values: FieldValues, base: CustomField | undefined): CustomFieldBody => ({
  name: values.name,
  type: values.type,
  help: values.help,
  options: sentOptions(values).map(({ key, isSaved, name, active }) => ({
    ...(isSaved && { id: key }),
    name,
    active,
  })),
  isRequired: values.isRequired,
  defaultValue: defaultOf(values),
  visibleTo: values.visibleTo,
  editableBy: values.editableBy,
  active: base?.active ?? true,
  ...(base && { version: base.version }),
});

/** Returns the errors that the contract's schema does not detect. */
export function fieldErrors(values: FieldValues): FieldErrors {
  const needsOption = hasOptions(values.type) && sentOptions(values).length === 0;
  return {
    ...(needsOption && { options: texts.optionsRequired }),
    ...(Number.isNaN(defaultOf(values)) && { defaultValue: texts.invalidNumber }),
  };
}

const optionNames = ({ options, defaultValue }: FieldValues): string =>
  defaultValue.map((key) => options.find((option) => option.key === key)?.name ?? key).join(', ');

export const comparedFields: readonly ComparedField<FieldValues>[] = [
  { field: 'name', label: texts.name },
  { field: 'help', label: texts.help },
  {
    field: 'options',
    label: texts.options,
    text: ({ options }) => options.map(({ name, active }) => texts.listed(name, active)).join(', '),
  },
  {
    field: 'isRequired',
    label: texts.required,
    text: ({ isRequired }) => (isRequired ? texts.yes : texts.no),
  },
  { field: 'defaultValue', label: texts.default, text: (values) => optionNames(values) || texts.noDefault },
  { field: 'visibleTo', label: texts.visibleTo, text: ({ visibleTo }) => texts.audiences[visibleTo] },
  { field: 'editableBy', label: texts.editableBy, text: ({ editableBy }) => texts.audiences[editableBy] },
];
