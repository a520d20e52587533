import type pg from 'pg';
import { ident } from '../../platform/db/direct.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { FORMAT, type Header } from './backup-format.ts';
import { readDefinition, tableNames, type Definition } from './definition.ts';
import { packInto } from './packing.ts';
import { writeScript } from './script-writer.ts';

export type Snapshot = { definition: Definition; header: Header };

/**
 * What is in the database, as the client's transaction sees it, or one that is begun here for reading. `lock` keeps
 * migrations away, or whoever else must not write meanwhile.
 */
export async function takeSnapshot(
  client: pg.Client,
  company: string,
  keyId: string,
  lock: (tables: string[]) => Promise<void>,
): Promise<Snapshot> {
  const names = await tableNames(client);
  await client.query('begin isolation level repeatable read');
  await lock(names);
  // The first statement that reads: what others had committed until now is in the snapshot, and nothing later.
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
  giveWay?: () => Promise<void>;
  signal?: AbortSignal | undefined;
};

/** Writes a backup of a snapshot into a new file, streaming. Answers SHA-256 of the file. */
export const writeBackup = (
  client: pg.Client,
  snapshot: Snapshot,
  { path, secrets, onRows, giveWay = async () => {}, signal }: Target,
): Promise<Buffer> => packInto(path, writeScript({ client, ...snapshot, secrets, onRows, giveWay }), signal);
