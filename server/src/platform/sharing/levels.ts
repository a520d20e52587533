import type { AnyShareLevel } from '@forecourt/contract/sharing';

/** What a share allows, from little to much: one scale for all kinds of records. */
export type Level = 'view' | 'edit' | 'full';

/** The words that each kind of record has for the levels it knows (spec.md section 3). */
const words = {
  dealership: { view: 'read', edit: 'write', full: 'admin' },
  'email-template': { view: 'read', edit: 'write' },
  item: { view: 'read', edit: 'write' },
  deal: { view: 'view', edit: 'write' },
} as const satisfies Record<string, Partial<Record<Level, AnyShareLevel>>>;

/** The kinds of records that can be shared, as audit entries and live events name them. */
export type Shareable = keyof typeof words;

/** A level in the words of one kind. */
export type WordOf<K extends Shareable> = (typeof words)[K][keyof (typeof words)[K]] & string;

/** A level as answers say it. A kind is never stored with a level that it has no word for. */
export const wordFor = <K extends Shareable>(kind: K, level: Level): WordOf<K> =>
  (words[kind] as Record<Level, WordOf<K>>)[level];

/** A word of the API as the level it means. */
export const levelFor = <K extends Shareable>(kind: K, word: WordOf<K>): Level =>
  (Object.entries(words[kind]) as [Level, WordOf<K>][]).find(([, own]) => own === word)![0];
