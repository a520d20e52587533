import {
  conditionsOf,
  isFilterGroup,
  isShortFilter,
  MAX_FILTER_CONDITIONS,
  type ColumnFilter,
  type FilterCondition,
} from '@forecourt/contract/deal-filter-fields';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { isRecord } from '../../platform/rows-link.ts';
import { texts } from '../../texts/deal-filter.ts';
import { toastWarning } from '../../ui/toasts.ts';
import { existsFor, type DealOptions } from './deal-fields.ts';
import { filterText } from './deal-view.ts';
import { choicesOf, partText } from './views/filter-texts.ts';
import { offeredFilter, parseFilter } from './views/filter.ts';

// The filter of deals on other screens, stored as text in their URL or form.

export { readFilter } from './deal-view.ts';

/**
 * Parses the text of a filter. Columns and values that the user may not see are removed from the text, as is a
 * malformed text, with a warning.
 */
export function useFilterOf(text: string | undefined, onChange: (text: string | undefined) => void) {
  const { data: options, isError } = useDealOptions();
  const filter = useMemo(
    () => (text === undefined ? null : offeredFilter(parseFilter(text), options)),
    [text, options],
  );
  const visibleText = filterText(filter);
  const correct = useEffectEvent((newText: string) => {
    if (parseFilter(newText) === null) toastWarning(texts.malformed, 'malformed-filter');
    onChange(visibleText);
  });
  const hasOptions = options !== undefined;
  useEffect(() => {
    if (hasOptions && text !== undefined && text !== visibleText) correct(text);
  }, [hasOptions, text, visibleText]);
  return {
    filter,
    options,
    /** Whether the filter was checked against the options, so that the server accepts it. */
    isReady: text === undefined || hasOptions || isError,
    text: visibleText,
    set: (next: ColumnFilter | null): void => onChange(filterText(next)),
  };
}

export type FilterOfText = ReturnType<typeof useFilterOf>;

/** Returns the filters for each status and email state, with their labels. */
export const namedFilters = (options: DealOptions): readonly { label: string; filter: ColumnFilter }[] =>
  (['emailState', 'status'] as const)
    .filter((field) => existsFor(options, field))
    .flatMap((field) => choicesOf(field, options).map(({ value }) => isRecord(field, value)))
    .map((condition) => ({
      label: partText(condition, options),
      filter: { match: 'all', conditions: [condition] },
    }));

/** Returns the filter with a further condition; null if it would have nested groups or be too large. */
export function withCondition(filter: ColumnFilter | null, condition: FilterCondition): ColumnFilter | null {
  const parts = filter?.conditions ?? [];
  const isAny = filter?.match === 'any' && parts.length > 1;
  const single = parts.flatMap((part) => (isFilterGroup(part) ? [] : [part]));
  if (isAny && single.length < parts.length) return null;
  const conditions = isAny ? [{ match: 'any' as const, conditions: single }] : parts;
  const joined: ColumnFilter = { match: 'all', conditions: [...conditions, condition] };
  return conditionsOf(joined).length <= MAX_FILTER_CONDITIONS && isShortFilter(joined) ? joined : null;
}
