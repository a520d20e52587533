import { isCustomKey } from '@forecourt/contract/custom-field-types';
import { typeOf } from '@forecourt/contract/deal-fields';
import {
  emailStates,
  isFilterGroup,
  kindOf,
  type FilterCondition,
  type FilterField,
} from '@forecourt/contract/deal-filter-fields';
import { formatBusinessDate, formatMoney, formatPercent } from '../../../platform/formats.ts';
import { texts, type OperatorKind } from '../../../texts/deal-filter.ts';
import { formatCustom } from '../custom/custom-values.ts';
import type { DealOptions } from '../deal-fields.ts';
import { recordChoices, type Choice, type FilterPart } from './filter.ts';

export const fieldName = (field: FilterField, { customFields }: DealOptions): string =>
  isCustomKey(field) ? (customFields.find(({ key }) => key === field)?.name ?? '') : texts.fields[field];

export function operatorKindOf(field: FilterField, { customFields }: DealOptions): OperatorKind {
  const type = typeOf(field, customFields);
  if (type === 'multiSelect') return 'options';
  return type === 'select' || type === 'person' ? 'option' : kindOf(field, customFields);
}

/** Returns the values that a condition on a choice can have. */
export const choicesOf = (field: FilterField, options: DealOptions): readonly Choice[] =>
  recordChoices(field, options) ?? emailStates.map((value) => ({ value, label: texts.emailStates[value] }));

/** Further values are counted. */
const MAX_NAMED = 3;

/** Formats `Called, To Call or Deal`. */
function joined(names: readonly string[]): string {
  const named = names.length > MAX_NAMED ? names.slice(0, MAX_NAMED - 1) : names;
  const more = names.length - named.length;
  const parts = more > 0 ? [...named, texts.more(more)] : named;
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}

export function valueNames(field: FilterField, ids: readonly string[], options: DealOptions): string {
  const names = new Map(choicesOf(field, options).map(({ value, label }) => [value, label]));
  return joined(ids.map((id) => names.get(id) ?? '…'));
}

const formatNumber = (field: FilterField, value: number, { customFields }: DealOptions): string =>
  isCustomKey(field)
    ? formatCustom(customFields.find(({ key }) => key === field)?.type ?? 'number', value)
    : typeOf(field, customFields) === 'percent'
      ? formatPercent(value)
      : formatMoney(value).replace(/\.00$/, '');

/** Formats `is Called or To Call`, `more than $500`, `in the last 7 days`. */
function comparison({ field, operator, value }: FilterCondition, options: DealOptions): string {
  const kind = kindOf(field, options.customFields);
  const by = operatorKindOf(field, options);
  const text = texts.shortOperators[by]?.[operator] ?? texts.operators[by][operator] ?? operator;
  const format = (one: string | number): string => {
    if (kind === 'number') return formatNumber(field, Number(one), options);
    return kind === 'date' ? formatBusinessDate(String(one)) : `“${one}”`;
  };
  if (value === undefined) return text;
  if (operator === 'inLastDays') return texts.lastDays(Number(value));
  if (operator === 'inNextDays') return texts.nextDays(Number(value));
  if (Array.isArray(value)) {
    if (operator === 'between') return texts.between(format(value[0] ?? ''), format(value[1] ?? ''));
    return `${text} ${valueNames(field, value.map(String), options)}`;
  }
  return `${text} ${format(value as string | number)}`;
}

function conditionText(condition: FilterCondition, options: DealOptions): string {
  const { field, operator, value } = condition;
  const flag = texts.flags[field]?.[operator];
  if (flag !== undefined) return flag;
  const [only, ...others] = Array.isArray(value) ? value : [];
  if (field === 'emailState' && operator === 'isAnyOf' && others.length === 0) {
    if (only === 'notSent' || only === 'changed') return texts.emailStates[only];
    if (only === 'failed') return texts.failedEmail;
  }
  const name = fieldName(field, options);
  const joint = kindOf(field, options.customFields) === 'flag' ? ': ' : ' ';
  return `${name}${joint}${comparison(condition, options)}`;
}

/** Returns a part of a filter as text: `Status is Called or To Call`. */
export function partText(part: FilterPart, options: DealOptions): string {
  if (!isFilterGroup(part)) return conditionText(part, options);
  return part.conditions.map((condition) => conditionText(condition, options)).join(texts.joints[part.match]);
}
