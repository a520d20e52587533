import type pg from 'pg';
import { ident } from '../../platform/db/direct.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { FORMAT, type Header } from './backup-format.ts';
import { readDefinition, tableNames, type Definition } from './definition.ts';
import { gzipInto } from './gzip-worker.ts';
import { writeScript } from './script-writer.ts';

export type Snapshot = { definition: Definition; header: Header };

/** Returns the contents of the database in the client's transaction, or a new read-only one. `lock` blocks migrations, or other writers. */
export async function takeSnapshot(
  client: pg.Client,
  company: string,
  keyId: string,
  lock: (tables: string[]) => Promise<void>,
): Promise<Snapshot> {
  const names = await tableNames(client);
  await client.query('begin isolation level repeatable read');
  await lock(names);
  // The first reading statement: the snapshot contains everything committed until now, and nothing later.
  const definition = await readDefinition(client);
  const tables = definition.tables.map(({ name }) => name);
  const counts = tables.map((name) => `(select count(*) from ${ident(name)})::float8 as ${ident(name)}`);
  const { rows } = await client.query<Record<string, number>>(`select ${counts.join(', ')}`);
  const { rows: about } = await client.query<{ id: string; version: number; at: string }>(`
    select id, (select max(version) from schema_migrations) as version, now() as at from installation`);
  const { id, version, at } = about[0]!;
  const header: Header = {
    format: FORMAT,
    schemaVersion: version,
    createdAt: at,
    installation: { id, name: company, keyId },
    tables: rows[0]!,
  };
  return { definition, header };
}

type Target = {
  path: string;
  secrets: Secrets;
  onRows: (rows: number) => void;
  pauseForRequests?: () => Promise<void>;
  signal?: AbortSignal | undefined;
};

/** Streams a backup of a snapshot into a new file. Returns the SHA-256 of the file. */
export const writeBackup = (
  client: pg.Client,
  snapshot: Snapshot,
  { path, secrets, onRows, pauseForRequests = async () => {}, signal }: Target,
): Promise<Buffer> =>
  gzipInto(path, writeScript({ client, ...snapshot, secrets, onRows, pauseForRequests }), signal);
