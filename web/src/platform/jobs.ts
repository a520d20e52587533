import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import type { Job } from '@forecourt/contract/jobs';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { call } from './api.ts';
import { onLiveJob } from './live-events.ts';

/** How often it is asked how far a piece of work is, in milliseconds. */
const LOOK_MS = 700;
/** No answer for so long, in milliseconds: nobody knows any more what became of it. */
const GIVE_UP_MS = 120_000;

const jobOf = (id: string, signal?: AbortSignal): Promise<Job> =>
  call('GET /jobs/:id', { params: { id }, background: true, ...(signal && { signal }) });

/** A piece of work, asked for again until it has ended. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => jobOf(id, signal),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'running' ? false : LOOK_MS),
  });

/** As the call would have been refused. */
function failureOf(job: Job): ApiError {
  const code = (job.code ?? 'SERVER_ERROR') as ErrorCode;
  const message = job.message ?? '';
  return new ApiError(errorCodes[code].status, message, code, {
    message,
    ...(job.errors && { errors: job.errors }),
  });
}

/**
 * Calls `onProgress` as the work goes on that a call with this key began, also before the call is answered: work of
 * other tabs has other keys. Returns a function that stops it.
 */
export function onJobOf(key: string, onProgress: (job: Job) => void): () => void {
  const others = new Set<string>();
  return onLiveJob((id) => {
    if (others.has(id)) return;
    jobOf(id).then(
      (job) => {
        if (job.key === key) onProgress(job);
        else others.add(id);
      },
      // What became of it is told by the answer of the call.
      () => undefined,
    );
  });
}

/**
 * What a call answers in the end: at once, or as the result of the work that goes on after it (product section 3).
 * Throws an `ApiError` with the words of the work that failed. While the server is away it is asked again.
 */
export async function resultOf<R extends object>(
  answer: R | { jobId: string },
  onProgress: (job: Job) => void = () => {},
): Promise<R> {
  if (!('jobId' in answer)) return answer;
  let heard = performance.now();
  for (;;) {
    const job = await jobOf(answer.jobId).catch((thrown: unknown) => {
      const isAway = thrown instanceof ApiError && (thrown.status === 0 || thrown.status >= 500);
      if (!isAway || performance.now() - heard > GIVE_UP_MS) throw thrown;
      return undefined;
    });
    if (job) {
      heard = performance.now();
      onProgress(job);
      if (job.status === 'succeeded') return job.result as R;
      if (job.status === 'failed') throw failureOf(job);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
