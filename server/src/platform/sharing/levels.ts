import type { AnyShareLevel } from '@forecourt/contract/sharing';

/** What a share allows, in ascending order: one scale for all kinds of records. */
export type Level = 'view' | 'edit' | 'full';

/** The API names of the levels of each kind of record (docs/product/sharing.md, Levels). */
const API_LEVELS = {
  dealership: { view: 'read', edit: 'write', full: 'admin' },
  'email-template': { view: 'read', edit: 'write' },
  item: { view: 'read', edit: 'write' },
  deal: { view: 'view', edit: 'write' },
} as const satisfies Record<string, Partial<Record<Level, AnyShareLevel>>>;

/** The shareable kinds of records, named as in audit entries and live events. */
export type Shareable = keyof typeof API_LEVELS;

export type ApiLevel<K extends Shareable> = (typeof API_LEVELS)[K][keyof (typeof API_LEVELS)[K]] & string;

/** Returns the API name of a level. A kind is never stored with a level that has no API name. */
export const apiLevelOf = <K extends Shareable>(kind: K, level: Level): ApiLevel<K> =>
  (API_LEVELS[kind] as Record<Level, ApiLevel<K>>)[level];

export const levelFor = <K extends Shareable>(kind: K, apiLevel: ApiLevel<K>): Level =>
  (Object.entries(API_LEVELS[kind]) as [Level, ApiLevel<K>][]).find(([, own]) => own === apiLevel)![0];
