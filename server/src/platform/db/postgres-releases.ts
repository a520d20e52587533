import type { OutdatedDatabase } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/** The newest minor release of each major version and its day, when this release was made (docs/developing.md). */
const NEWEST: Readonly<Record<number, { minor: number; releasedOn: string }>> = {
  15: { minor: 20, releasedOn: '2026-11-12' },
  16: { minor: 16, releasedOn: '2026-11-12' },
  17: { minor: 12, releasedOn: '2026-11-12' },
  18: { minor: 7, releasedOn: '2026-11-12' },
};

/** @param version `server_version_num`, for example 180004 for 18.4 */
export function findOutdated(version: number): OutdatedDatabase | null {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000];
  const newest = NEWEST[major];
  if (!newest || minor >= newest.minor) return null;
  return {
    version: `${major}.${minor}`,
    newest: `${major}.${newest.minor}`,
    releasedOn: newest.releasedOn,
  };
}

/** Returns the version of the running PostgreSQL, for example 18.4. */
export async function readVersion(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as version`.execute(db);
  return rows[0]!.version;
}

/** Returns the version of the running PostgreSQL and the newest one; null unless it is older. */
export async function readOutdated(db: Db | Tx): Promise<OutdatedDatabase | null> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db);
  return findOutdated(rows[0]!.version);
}
