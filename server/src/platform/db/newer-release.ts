import own from '../../../package.json' with { type: 'json' };
import type { Log } from '../log.ts';
import type { Db } from './database.ts';
import type { Migration } from './migrations.ts';

type Parts = {
  db: Db;
  eventBus: { on(topic: 'migrated' | 'resumed', handler: () => void): void };
  log: Log;
  /** The migrations of this release. */
  migrations: readonly Migration[];
  /** Called once, with a line for the operator, when this release can no longer use the database. */
  onReplaced: (line: string) => void;
};

/** Whether a release is before another one; both are three numbers. */
const isBefore = (release: string, other: string): boolean =>
  release.localeCompare(other, 'en', { numeric: true }) < 0;

/**
 * Detects that a newer release has migrated the database while this one runs. After a migration marked as breaking for
 * this release, this instance refuses all requests; otherwise it continues until it is stopped.
 */
export function createReleaseWatch({ db, eventBus, log, migrations, onReplaced }: Parts) {
  const versions = migrations.map(({ version }) => version);
  let newest = Math.max(...versions);
  let isReplaced = false;

  async function check(): Promise<boolean> {
    if (isReplaced) return true;
    const applied = await db
      .selectFrom('schema_migrations')
      .where('version', 'not in', versions)
      .select(['version', 'name', 'breaking', 'breaks_before'])
      .orderBy('version')
      .execute();
    const fatal = applied.find(
      ({ breaking, breaks_before }) =>
        breaking && (breaks_before === null || isBefore(own.version, breaks_before)),
    );
    // Two checks may run concurrently.
    if (fatal && !isReplaced) {
      isReplaced = true;
      onReplaced(
        `A newer release has changed the database (migration ${fatal.version} ${fatal.name}), which this one can no longer use. It stops; start the newer release.`,
      );
    }
    const last = applied.at(-1)?.version ?? 0;
    if (!isReplaced && last > newest) {
      newest = last;
      log.warn({ version: last }, 'database migrated by a newer release; this one continues beside it');
    }
    return isReplaced;
  }

  // Checked again after listening was interrupted, because messages were missed.
  for (const topic of ['migrated', 'resumed'] as const)
    eventBus.on(topic, () => void check().catch(() => {}));

  return {
    /** Whether this release can no longer use the database. */
    check,
    isReplaced: () => isReplaced,
  };
}

export type ReleaseWatch = ReturnType<typeof createReleaseWatch>;
