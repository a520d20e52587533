import { recordKinds, type KindWith, type RecordKinds } from '@forecourt/contract/record-kinds';

/** What a share allows, in ascending order: one scale for all kinds of records, each with its own API names. */
const LEVELS = ['view', 'edit', 'full'] as const;
export type Level = (typeof LEVELS)[number];

/** The shareable kinds of records. */
export type Shareable = KindWith<'levels'>;

export type ApiLevel<K extends Shareable> = RecordKinds[K]['levels'][number];

const levelsOf = <K extends Shareable>(kind: K): readonly ApiLevel<K>[] => recordKinds[kind].levels;

/** Returns the API name of a level. A kind is never stored with a level that has no API name. */
export const apiLevelOf = <K extends Shareable>(kind: K, level: Level): ApiLevel<K> =>
  levelsOf(kind)[LEVELS.indexOf(level)]!;

export const levelFor = <K extends Shareable>(kind: K, apiLevel: ApiLevel<K>): Level =>
  LEVELS[levelsOf(kind).indexOf(apiLevel)]!;
