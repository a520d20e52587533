import { recordKinds, type KindWith, type RecordKinds } from '@forecourt/contract/record-kinds';

/** The rights of a share in ascending order: one scale for all kinds of records, which have their own API names. */
const LEVELS = ['view', 'edit', 'full'] as const;
export type Level = (typeof LEVELS)[number];

/** The shareable kinds of records. */
export type Shareable = KindWith<'levels'>;

export type ApiLevel<K extends Shareable> = RecordKinds[K]['levels'][number];

const levelsOf = <K extends Shareable>(kind: K): readonly ApiLevel<K>[] => recordKinds[kind].levels;

/** Returns the API name of a level. The kind must have this level. */
export const apiLevelOf = <K extends Shareable>(kind: K, level: Level): ApiLevel<K> =>
  levelsOf(kind)[LEVELS.indexOf(level)]!;

export const levelFor = <K extends Shareable>(kind: K, apiLevel: ApiLevel<K>): Level =>
  LEVELS[levelsOf(kind).indexOf(apiLevel)]!;
