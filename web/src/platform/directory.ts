import { readQuery } from './read-query.ts';

/** Active users by name, for sharing and mentions. Loaded anew for each dialog: somebody may have been added since. */
export const directoryQuery = { ...readQuery(['users', 'directory'], 'GET /users/directory'), staleTime: 0 };
