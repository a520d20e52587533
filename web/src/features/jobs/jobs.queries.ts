import type { RecurringJobName } from '@forecourt/contract/jobs';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

const listKey = ['jobs', 'list'] as const;

/** Polling intervals in milliseconds: while a job runs or was just started, and otherwise. */
const BUSY_MS = 1500;
const IDLE_MS = 15_000;
/** How long the list is polled often after a start or cancellation, in ms: short jobs are never seen running. */
const STARTED_MS = 10_000;

let startedAt = -Infinity;

export const jobListQuery = queryOptions({
  queryKey: listKey,
  queryFn: ({ signal }) => call('GET /jobs', { signal, background: true }),
  refetchInterval({ state: { data } }) {
    const isRunning =
      data !== undefined &&
      (data.jobs.some(({ status }) => status === 'running') ||
        data.recurring.some(({ status }) => status === 'running') ||
        data.queues.some(({ running }) => running > 0));
    return isRunning || performance.now() - startedAt < STARTED_MS ? BUSY_MS : IDLE_MS;
  },
  staleTime: 0,
});

function useAction<V>(mutationFn: (input: V) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess() {
      startedAt = performance.now();
      return client.invalidateQueries({ queryKey: listKey });
    },
  });
}

export const useRunNow = () =>
  useAction((name: RecurringJobName) => call('POST /jobs/recurring/:name/run', { params: { name } }));

export const useCancel = () => useAction((id: string) => call('POST /jobs/:id/cancel', { params: { id } }));

export const useRetry = () =>
  useAction((id: string) => call('POST /jobs/failed/:id/retry', { params: { id } }));
