/** The schemas of the search path; migrations never name one (a restore loads into others). */
export const SCHEMA = 'forecourt';
export const EXTENSION_SCHEMA = 'extensions';

/** The NOTIFY channel of the event bus. */
export const CHANNEL = 'forecourt';
