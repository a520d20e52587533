import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import type { Job } from '@forecourt/contract/jobs';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { call } from './api.ts';
import { onLiveJob } from './live-events.ts';

/** Polling interval for a job, in milliseconds. */
const POLL_MS = 700;
/** Polling ends after this time without a response, in milliseconds. */
const GIVE_UP_MS = 120_000;

const jobOf = (id: string, signal?: AbortSignal): Promise<Job> =>
  call('GET /jobs/:id', { params: { id }, background: true, ...(signal && { signal }) });

/** Polls a job until it has ended. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => jobOf(id, signal),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'running' ? false : POLL_MS),
  });

/** Returns the error with which a call without a job would have rejected. */
function failureOf(job: Job): ApiError {
  const code = (job.code ?? 'SERVER_ERROR') as ErrorCode;
  const message = job.message ?? '';
  return new ApiError(errorCodes[code].status, message, code, {
    message,
    ...(job.errors && { errors: job.errors }),
  });
}

/**
 * Calls `onProgress` when the job of the call with this idempotency key progresses, even before the call has returned.
 * Jobs of other tabs have other keys. A call that is repeated with a reason has a key that begins with its first one.
 * Returns a function that unsubscribes.
 */
export function onJobOf(key: string, onProgress: (job: Job) => void): () => void {
  const otherJobs = new Set<string>();
  return onLiveJob((id) => {
    if (otherJobs.has(id)) return;
    jobOf(id).then(
      (job) => {
        if (job.key?.startsWith(key)) onProgress(job);
        else otherJobs.add(id);
      },
      // Ignored, because the call itself reports the failure.
      () => undefined,
    );
  });
}

/**
 * Returns the result of a call that may respond with a job (docs/product/api.md, Long work), after the job has ended.
 * Throws an `ApiError` with the message of a failed or cancelled job. Polling continues for up to 2 minutes while the
 * server is unreachable.
 */
export async function resultOf<R extends object>(
  response: R | { jobId: string },
  onProgress: (job: Job) => void = () => {},
): Promise<R> {
  if (!('jobId' in response)) return response;
  let lastResponse = performance.now();
  for (;;) {
    const job = await jobOf(response.jobId).catch((thrown: unknown) => {
      const isUnreachable = thrown instanceof ApiError && (thrown.status === 0 || thrown.status >= 500);
      if (!isUnreachable || performance.now() - lastResponse > GIVE_UP_MS) throw thrown;
      return undefined;
    });
    if (job) {
      lastResponse = performance.now();
      onProgress(job);
      if (job.status === 'succeeded') return job.result as R;
      if (job.status !== 'running') throw failureOf(job);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
