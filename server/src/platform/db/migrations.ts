import { hash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { isConnectionError } from './connection-errors.ts';
import { ANALYZE_TABLES, clientConfig, NO_LIMITS, type Connection } from './database.ts';
import { HostsClient } from './hosts-client.ts';
import { assertDirect } from './pooler.ts';
import { CHANNEL, EXTENSION_SCHEMA, REQUIRED_EXTENSIONS, SCHEMA } from './schemas.ts';

export type Migration = { version: number; name: string; sql: string; checksum: string };

const BREAKING = /^-- Breaking(?: before (\d+\.\d+\.\d+))?: /;

/** Whether earlier releases cannot use the database after this migration. Its first line says so, and why. */
export const isBreaking = ({ sql }: Pick<Migration, 'sql'>): boolean => BREAKING.test(sql);

/** Returns the first release that works beside a breaking migration, as its first line names it; null: none before it. */
export const breaksBefore = ({ sql }: Pick<Migration, 'sql'>): string | null =>
  BREAKING.exec(sql)?.[1] ?? null;

/** Key of the advisory lock of the instance that migrates; arbitrary. */
const MIGRATION_LOCK = 7_305_061;

export const MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  breaking boolean not null default false,
  breaks_before text
)`;

/** Columns that the table lacks in a database of an earlier release. */
const LATER_COLUMNS = { breaking: 'boolean not null default false', breaks_before: 'text' };

const MIGRATIONS_DIR = join(import.meta.dirname, '../../../migrations');

/** Returns the migrations of this release in order: `0001_people.sql` and so on. Throws for a file with another name. */
export async function readMigrations(directory = MIGRATIONS_DIR): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const misnamed = files.find((file) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(file));
  if (misnamed) throw new Error(`The migration ${misnamed} must have a name such as 0001_people.sql.`);
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(directory, file), 'utf8');
      const checksum = hash('sha256', sql);
      return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), sql, checksum };
    }),
  );
}

/**
 * Migrates the database to this release. One instance migrates, others wait. All migrations are one transaction: after
 * a failure the former release still starts. Throws a `StartError` when a migration fails, a newer release wrote the
 * database or an applied migration differs.
 */
export async function migrate(connection: Connection, migrations: Migration[], log: Log): Promise<void> {
  const client = new HostsClient(clientConfig(connection, NO_LIMITS));
  await client.connect();
  try {
    await assertDirect(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await createSchemas(client);
    await client.query(MIGRATIONS_TABLE);
    await addLaterColumns(client);
    const pending = await pendingMigrations(client, migrations);
    if (pending.length === 0) return;
    await client.query('begin');
    for (const migration of pending) {
      await apply(client, migration).catch(explainFailure(migration));
      log.info({ version: migration.version, name: migration.name }, 'database migrated');
    }
    // For instances of earlier releases.
    await client.query('select pg_notify($1, $2)', [CHANNEL, 'migrated']);
    await client.query('commit');
    await client.query(ANALYZE_TABLES);
  } finally {
    await client.end();
  }
}

/** Returns a function that throws a `StartError` of one line, unless the database is lost or its disk is full. */
const explainFailure =
  ({ version, name }: Migration) =>
  (error: Error) => {
    if (isConnectionError(error)) throw error;
    throw new StartError(
      `Migration ${version} ${name} failed: ${error.message}. Nothing was changed; the former release can be started on this database.`,
    );
  };

/** Throws a `StartError` unless the database has the tables of this release. */
export async function assertMigrated(client: pg.Client, migrations: Migration[]): Promise<void> {
  if ((await pendingMigrations(client, migrations)).length === 0) return;
  throw new StartError(
    'The database was written by an earlier release. Nothing was changed; start this release once first.',
  );
}

/** Adds the columns that are missing, and only these: a change of the table would wait for a running backup. */
async function addLaterColumns(client: pg.Client): Promise<void> {
  for (const [column, definition] of Object.entries(LATER_COLUMNS)) {
    const { rowCount } = await client.query(
      "select from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = $1",
      [column],
    );
    if (rowCount === 0)
      await client.query(`alter table schema_migrations add column ${column} ${definition}`);
  }
}

/** The refusal of a pooler where PostgreSQL itself is required. */
async function createSchemas(client: pg.Client): Promise<void> {
  for (const schema of [SCHEMA, EXTENSION_SCHEMA]) {
    // `create schema if not exists` requires the privilege CREATE even if the schema exists.
    const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
    if (rowCount === 0) await client.query(`create schema ${schema}`);
  }
  for (const extension of REQUIRED_EXTENSIONS) {
    const { rowCount } = await client.query('select 1 from pg_extension where extname = $1', [extension]);
    if (rowCount === 0) await client.query(`create extension ${extension} schema ${EXTENSION_SCHEMA}`);
  }
}

/**
 * Runs migrations in the schema of the search path, for restores: migrates an empty schema to the release of the backup
 * and, after loading the data, to this release.
 */
export async function migrateScratch(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query('begin');
  await client.query(MIGRATIONS_TABLE);
  for (const migration of migrations) await apply(client, migration);
  await client.query('commit');
}

async function pendingMigrations(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows: applied } = await client.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migrations order by version',
  );
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const { version, name, checksum } of applied) {
    const migration = byVersion.get(version);
    if (!migration) {
      throw new StartError(
        `The database was written by a newer release (migration ${version} ${name}). Nothing was changed; start that release or restore a backup of this one.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new StartError(
        `Migration ${version} ${name} differs from the one this database was made with. Nothing was changed; put the original file back.`,
      );
    }
    byVersion.delete(version);
  }
  return [...byVersion.values()];
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(migration.sql);
  const { version, name, checksum } = migration;
  await client.query(
    'insert into schema_migrations (version, name, checksum, breaking, breaks_before) values ($1, $2, $3, $4, $5)',
    [version, name, checksum, isBreaking(migration), breaksBefore(migration)],
  );
}
