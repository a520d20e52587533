import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

/** Whether the first administrator is still to be created. */
export const setupQuery = queryOptions({
  queryKey: ['auth', 'setup'],
  queryFn: ({ signal }) => call('GET /auth/setup', { signal }),
});
