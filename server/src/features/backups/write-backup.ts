import type pg from 'pg';
import { ident } from '../../platform/db/dedicated-client.ts';
import type { Migration } from '../../platform/db/migrations.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { FORMAT, type Header } from './backup-format.ts';
import { readDefinition, readTables, rowsInBackup } from './definition.ts';
import { gzipInto } from './gzip-worker.ts';
import { writeScript, type Snapshot } from './script-writer.ts';

type Options = {
  migrations: readonly Migration[];
  company: string;
  keyId: string;
  /** Locks tables against migrations or other writers. */
  lock: (tables: string[]) => Promise<void>;
};

/** Starts the snapshot in the client's transaction, or in a new read-only one. Returns what it contains. */
export async function takeSnapshot(
  client: pg.Client,
  { migrations, company, keyId, lock }: Options,
): Promise<Snapshot> {
  const locked = await readTables(client);
  await client.query('begin isolation level repeatable read');
  await lock(locked.map(({ name }) => name));
  // The first statement that reads: the snapshot has everything committed until now.
  const definition = await readDefinition(client);
  const applied = await appliedOf(client, migrations);
  const counts = definition.tables.map(
    ({ name }) =>
      `(select count(*) from ${ident(name)} where ${rowsInBackup(name)})::float8 as ${ident(name)}`,
  );
  const { rows } = await client.query<Record<string, number>>(`select ${counts.join(', ')}`);
  const { rows: about } = await client.query<{ id: string; at: string }>(
    'select id, now() as at from installation',
  );
  const { id, at } = about[0]!;
  const header: Header = {
    format: FORMAT,
    schemaVersion: applied.at(-1)!.version,
    createdAt: at,
    installation: { id, name: company, keyId },
    tables: rows[0]!,
  };
  return { header, migrations: applied, definition };
}

/** Returns the applied migrations. Throws BACKUP_BUSY if a newer release has applied ones unknown here. */
async function appliedOf(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ checksum: string }>(
    'select checksum from schema_migrations order by version',
  );
  return rows.map(({ checksum }) => {
    const migration = migrations.find((one) => one.checksum === checksum);
    if (migration) return migration;
    throw new AppError('BACKUP_BUSY', {
      message:
        'A newer release has changed the database. No backup was written; that release can create one.',
    });
  });
}

type Target = {
  path: string;
  secrets: Secrets;
  onRows: (rows: number) => void;
  pauseForRequests?: () => Promise<void>;
  signal?: AbortSignal | undefined;
};

/** Streams a backup of a snapshot into a new file. Returns its SHA-256. */
export const writeBackup = (
  client: pg.Client,
  snapshot: Snapshot,
  { path, secrets, onRows, pauseForRequests = async () => {}, signal }: Target,
): Promise<Buffer> =>
  gzipInto(path, writeScript({ client, ...snapshot, secrets, onRows, pauseForRequests }), signal);
