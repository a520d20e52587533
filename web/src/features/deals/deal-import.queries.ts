import type { Answer } from '@forecourt/contract/api';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { NewDeal } from '@forecourt/contract/deals';
import type { Accepted, Job } from '@forecourt/contract/jobs';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { call } from '../../platform/api.ts';
import { onJobOf, resultOf } from '../../platform/jobs.ts';
import { numbersOf, type AskedNumbers, type NumberedLine } from './deal-import-duplicates.ts';

type Imported = Exclude<Answer<'POST /deals/import'>, Accepted>;

/**
 * Adds deals: all of them or none, and tells how many are written. Where the line breaks before the answer, it is asked
 * what became of it.
 */
export async function importDeals(
  rows: NewDeal[],
  idempotencyKey: string,
  onWritten: (written: number) => void,
): Promise<Imported> {
  let jobId: string | undefined;
  const onProgress = (job: Job): void => {
    jobId = job._id;
    if (job.done !== null) onWritten(job.done);
  };
  const stop = onJobOf(idempotencyKey, onProgress);
  try {
    const answer = await call('POST /deals/import', { body: { rows }, idempotencyKey }).catch(
      (thrown: unknown) => {
        const isLost = thrown instanceof ApiError && thrown.status === 0;
        if (isLost && jobId !== undefined) return { jobId };
        throw thrown;
      },
    );
    return await resultOf(answer, onProgress);
  } finally {
    stop();
  }
}

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
