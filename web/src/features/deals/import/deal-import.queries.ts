import type { RequestPart, ResponseBody } from '@forecourt/contract/api';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { Accepted, Job } from '@forecourt/contract/jobs';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { adjusting, call } from '../../../platform/api.ts';
import { newChangeSet, newKey } from '../../../platform/ids.ts';
import { onJobOf, resultOf } from '../../../platform/jobs.ts';
import { numbersOf, type NumbersQuery, type NumberedLine } from './plan.ts';

export type Imported = Exclude<ResponseBody<'POST /deals/import'>, Accepted>;

export type ImportRequest = RequestPart<'POST /deals/import', 'body'>;

/** Writes all deals or none, and reports the number of written rows. If the response is lost, requests the outcome. */
export async function importDeals(
  body: ImportRequest,
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
    const options = { body, idempotencyKey, changeSet: newChangeSet('import') };
    // A closed month may refuse the import when its job ends.
    return await adjusting(options, async (request) => {
      jobId = undefined;
      const answer = await call('POST /deals/import', request).catch((thrown: unknown) => {
        const isLost = thrown instanceof ApiError && thrown.status === 0;
        if (isLost && jobId !== undefined) return { jobId };
        throw thrown;
      });
      return resultOf(answer, onProgress);
    });
  } finally {
    stop();
  }
}

/** Debounce while a number is being typed, in milliseconds. */
const TYPING_MS = 400;

const NO_NUMBERS = JSON.stringify(numbersOf([]));

/** Returns existing rows that have a number of any line. */
export function useExistingDeals(lines: readonly NumberedLine[]) {
  const numbers = useMemo(() => JSON.stringify(numbersOf(lines)), [lines]);
  const [debounced] = useDebouncedValue(numbers, TYPING_MS);
  const none = debounced === NO_NUMBERS;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['deals', 'duplicates', debounced],
    queryFn: async ({ signal }) => {
      const existing: ExistingDeal[] = [];
      for (const body of JSON.parse(debounced) as NumbersQuery[])
        existing.push(...(await call('POST /deals/import/duplicates', { body, signal })).items);
      return existing;
    },
    enabled: !none,
    placeholderData: (before) => before,
    // Stale at once, because the rows may change.
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = debounced === numbers && (none || (data !== undefined && !isPlaceholderData));
  return {
    existing: (none ? [] : (data ?? [])) as readonly ExistingDeal[],
    /** Whether the response belongs to the current lines. */
    isCurrent,
    error: none ? null : error,
    retry: refetch,
  };
}

/** Returns what the import would do, of the newest request for which there is an answer; null: nothing to ask. */
export function useImportPreview(body: ImportRequest | null) {
  const [debounced] = useDebouncedValue(body, TYPING_MS);
  const key = useMemo(() => [debounced, newKey()] as const, [debounced])[1];
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['deal-import-preview', key],
    queryFn: ({ signal }) => call('POST /deals/import/preview', { body: debounced!, signal }),
    enabled: debounced !== null,
    placeholderData: (before) => before,
    // Live events do not refresh what a person is reading: the import compares versions.
    staleTime: Infinity,
    gcTime: 0,
  });
  return {
    preview: body === null ? undefined : data,
    /** Whether the answer belongs to the current lines. */
    isCurrent: debounced === body && body !== null && data !== undefined && !isPlaceholderData,
    error: body === null || debounced !== body ? null : error,
    retry: refetch,
  };
}

/** Returns the headers of a dealership's last file by field. */
export const rememberedColumns = async (dealershipId: string) =>
  (await call('GET /deals/import/columns/:id', { params: { id: dealershipId } })).columns;

/** Takes back what an import has written. */
export const revertImport = (changeSetId: string) =>
  call('POST /changes/:id/revert', { params: { id: changeSetId }, body: {} });
