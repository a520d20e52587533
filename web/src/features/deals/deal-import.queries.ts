import type { Answer } from '@forecourt/contract/api';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { NewDeal } from '@forecourt/contract/deals';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../platform/api.ts';
import { numbersOf, type AskedNumbers, type NumberedLine } from './deal-import-duplicates.ts';

/** Adds deals: all of them or none. */
export const importDeals = (rows: NewDeal[], idempotencyKey: string): Promise<Answer<'POST /deals/import'>> =>
  call('POST /deals/import', { body: { rows }, idempotencyKey });

/** Somebody who types a number is not asked about at every key. In milliseconds. */
const TYPING_MS = 400;

const NO_NUMBERS = JSON.stringify(numbersOf([]));

/** Of all lines of a file those rows that are there already and have one of their numbers. */
export function useExistingDeals(lines: readonly NumberedLine[]) {
  const numbers = useMemo(() => JSON.stringify(numbersOf(lines)), [lines]);
  const [asked] = useDebouncedValue(numbers, TYPING_MS);
  const none = asked === NO_NUMBERS;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['deals', 'duplicates', asked],
    queryFn: ({ signal }) =>
      call('POST /deals/import/duplicates', { body: JSON.parse(asked) as AskedNumbers, signal }),
    enabled: !none,
    placeholderData: (before) => before,
    // Another time the rows may be others.
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = asked === numbers && (none || (data !== undefined && !isPlaceholderData));
  return {
    existing: (none ? [] : (data?.items ?? [])) as readonly ExistingDeal[],
    /** The answer is about the lines as they are. */
    isCurrent,
    error: none ? null : error,
    retry: refetch,
  };
}
