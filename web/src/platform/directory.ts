import { freshQuery, readQuery } from './read-query.ts';

export const permissionsKey = ['permissions'] as const;

/** The permission records of all users, for administrators. */
export const permissionsQuery = readQuery([...permissionsKey, 'list'], 'GET /permissions');

/** Active users by name, for sharing and mentions. Loaded for each dialog, because a user may have been added since. */
export const directoryQuery = freshQuery(['users', 'directory'], 'GET /users/directory');
