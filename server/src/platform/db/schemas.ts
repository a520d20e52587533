/** The schemas of the search path. Migrations must not name them, because a restore uses another schema. */
export const SCHEMA = 'forecourt';
export const EXTENSION_SCHEMA = 'extensions';

/** The NOTIFY channel of the event bus. */
export const CHANNEL = 'forecourt';
