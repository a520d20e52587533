/** The schemas of the search path. Migrations must not name them, because a restore uses another schema. */
export const SCHEMA = 'forecourt';
export const EXTENSION_SCHEMA = 'extensions';

/** PostgreSQL's own extensions that the database needs; distributions may pack them separately. */
export const REQUIRED_EXTENSIONS = ['citext', 'pg_trgm'] as const;

/** The NOTIFY channel of the event bus. */
export const CHANNEL = 'forecourt';
