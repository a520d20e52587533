import { freshQuery, readQuery } from './read-query.ts';

// Lists that several features read.

export const permissionsKey = ['permissions'] as const;

/** The permission records of all users, for administrators. */
export const permissionsQuery = readQuery([...permissionsKey, 'list'], 'GET /permissions');

/** Active users by name, for sharing and mentions. Loaded for each dialog, because a user may have been added since. */
export const directoryQuery = freshQuery(['users', 'directory'], 'GET /users/directory');

export const templatesKey = ['email-templates'] as const;

/** Every template that the user may see, without bodies, by name. */
export const templatesQuery = readQuery([...templatesKey, 'list'], 'GET /email-templates');
