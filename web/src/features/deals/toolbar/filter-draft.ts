import type { CustomTypes } from '@forecourt/contract/deal-fields';
import {
  conditionFault,
  isFilterGroup,
  kindOf,
  operatorsOf,
  type ColumnFilter,
  type FilterCondition,
  type FilterField,
  type FilterMatch,
  type FilterOperator,
  type FilterValue,
} from '@forecourt/contract/deal-filter-fields';
import { conditionOf, mapConditions, type FilterPart } from '../views/filter.ts';

/** A condition in the panel. Without a field or a valid value it is incomplete and not applied. */
export type DraftCondition = {
  readonly key: number;
  readonly field: FilterField | null;
  readonly operator: FilterOperator;
  readonly value?: FilterValue | undefined;
};
export type DraftGroup = {
  readonly key: number;
  readonly match: FilterMatch;
  readonly conditions: readonly DraftCondition[];
};
export type DraftPart = DraftCondition | DraftGroup;
export type FilterDraft = { readonly match: FilterMatch; readonly parts: readonly DraftPart[] };

export const isDraftGroup = (part: DraftPart): part is DraftGroup => 'conditions' in part;

let lastKey = 0;
/** Identifies a condition or group while its values change. */
const nextKey = (): number => (lastKey += 1);

export const newCondition = (): DraftCondition => ({ key: nextKey(), field: null, operator: 'is' });
export const newGroup = (): DraftGroup => ({ key: nextKey(), match: 'any', conditions: [newCondition()] });

export const draftOf = (filter: ColumnFilter | null): FilterDraft => ({
  match: filter?.match ?? 'all',
  parts: (filter?.conditions ?? []).map((part): DraftPart => {
    const keyed = (condition: FilterCondition): DraftCondition => ({ key: nextKey(), ...condition });
    return isFilterGroup(part)
      ? { key: nextKey(), match: part.match, conditions: part.conditions.map(keyed) }
      : keyed(part);
  }),
});

const isNamed = (condition: DraftCondition): condition is DraftCondition & FilterCondition =>
  condition.field !== null;
export const isComplete = (condition: DraftCondition): condition is DraftCondition & FilterCondition =>
  isNamed(condition) && conditionFault(condition) === undefined;

export function filterOfDraft({ match, parts }: FilterDraft): ColumnFilter | null {
  const conditions = parts.flatMap((part): FilterPart[] => {
    if (!isDraftGroup(part)) return isNamed(part) ? [part] : [];
    return [{ match: part.match, conditions: part.conditions.filter(isNamed) }];
  });
  return mapConditions({ match, conditions }, (condition) =>
    conditionFault(condition) === undefined ? condition : null,
  );
}

/** Returns the number of conditions, including incomplete ones and those in groups. */
export const countConditions = ({ parts }: FilterDraft): number =>
  parts.reduce((count, part) => count + (isDraftGroup(part) ? part.conditions.length : 1), 0);

/** Returns the draft with a changed part; null removes it. */
export const withPart = (draft: FilterDraft, key: number, next: DraftPart | null): FilterDraft => ({
  ...draft,
  parts: draft.parts.flatMap((part) => (part.key === key ? (next ?? []) : part)),
});

/** Whether value, operator and type of the field fit together. */
const fits = (condition: FilterCondition, customFields: CustomTypes): boolean =>
  conditionFault(condition, [kindOf(condition.field, customFields)]) === undefined;

/** Returns the condition with another field. A typed value stays if it is valid for that field. */
export function withField(
  condition: DraftCondition,
  field: FilterField | null,
  customFields: CustomTypes,
): DraftCondition {
  const { key, operator, value } = condition;
  if (field === null) return { key, field, operator };
  const withSameValue = { key, field, operator, value };
  const kind = kindOf(field, customFields);
  const isAlike = condition.field !== null && kindOf(condition.field, customFields) === kind;
  const hasRecords = Array.isArray(value) && kind.startsWith('choice');
  if (isAlike && !hasRecords && fits(withSameValue, customFields)) return withSameValue;
  const [first = operator] = operatorsOf(field, customFields);
  return { key, field, operator: isAlike ? operator : first };
}

/** Returns the condition with another operator. The value stays if it is valid for that operator. */
export function withOperator(
  condition: DraftCondition,
  operator: FilterOperator,
  customFields: CustomTypes,
): DraftCondition {
  const next = { ...condition, operator };
  return isNamed(next) && fits(next, customFields) ? next : { key: next.key, field: next.field, operator };
}

export const quickConditions: readonly FilterCondition[] = [
  { field: 'emailState', operator: 'isAnyOf', value: ['notSent'] },
  { field: 'emailState', operator: 'isAnyOf', value: ['failed'] },
  { field: 'emailState', operator: 'isAnyOf', value: ['changed'] },
  { field: 'isOverdue', operator: 'isTrue' },
  { field: 'isSharedWithMe', operator: 'isTrue' },
  { field: 'isUnsaved', operator: 'isTrue' },
];

const sameCondition = (part: DraftPart, condition: FilterCondition): boolean =>
  !isDraftGroup(part) &&
  isNamed(part) &&
  JSON.stringify(conditionOf(part)) === JSON.stringify(conditionOf(condition));

export const hasCondition = ({ parts }: FilterDraft, condition: FilterCondition): boolean =>
  parts.some((part) => sameCondition(part, condition));

/** Adds a condition, replacing a blank one, or removes it. */
export function toggleCondition(draft: FilterDraft, condition: FilterCondition): FilterDraft {
  if (hasCondition(draft, condition))
    return { ...draft, parts: draft.parts.filter((part) => !sameCondition(part, condition)) };
  const blank = draft.parts.find((part) => !isDraftGroup(part) && part.field === null);
  return blank
    ? withPart(draft, blank.key, { key: blank.key, ...condition })
    : { ...draft, parts: [...draft.parts, { key: nextKey(), ...condition }] };
}

/** Where the panel opens: at a condition or group, a condition on a field, or null for the first incomplete one. */
export type OpenedAt = FilterPart | FilterField | null;

/** Returns the draft for the opened panel: with a condition on the requested field, otherwise a blank one. */
export function openedDraft(draft: FilterDraft, requested: OpenedAt, customFields: CustomTypes): FilterDraft {
  const { parts } = draft;
  if (typeof requested !== 'string')
    return parts.length === 0 ? { ...draft, parts: [newCondition()] } : draft;
  if (parts.some((part) => !isDraftGroup(part) && part.field === requested)) return draft;
  const others = parts.filter((part) => isDraftGroup(part) || part.field !== null);
  return { ...draft, parts: [...others, withField(newCondition(), requested, customFields)] };
}

/** Returns the key of the condition to focus: the requested one, otherwise a blank one. */
export function openedCondition({ parts }: FilterDraft, requested: OpenedAt): number | undefined {
  if (typeof requested === 'string')
    return parts.find((part) => !isDraftGroup(part) && part.field === requested)?.key;
  const requestedText = requested && JSON.stringify(requested);
  const requestedPart = parts.find((part) => {
    const filter = filterOfDraft({ match: 'all', parts: [part] });
    return requestedText !== null && JSON.stringify(filter?.conditions[0]) === requestedText;
  });
  const all = (requestedPart ? [requestedPart] : parts).flatMap((part) =>
    isDraftGroup(part) ? part.conditions : [part],
  );
  return (all.find((condition) => !requestedPart && !isComplete(condition)) ?? all[0])?.key;
}
