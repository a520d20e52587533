import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** Only what may pass by itself is tried again: no connection, a time limit, a database that is away. */
const mayPass = (thrown: unknown): boolean =>
  thrown instanceof ApiError && (thrown.status === 0 || thrown.status === 503);

/**
 * What the server said, kept for the screens. Live events say when something is stale, so the time below is
 * only the net under them. `always`: a browser without internet may well reach a server in the same office.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, thrown) => failures < 2 && mayPass(thrown),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
