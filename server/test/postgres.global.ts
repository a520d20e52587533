import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { createLog } from '../src/platform/log.ts';

/** How tests reach PostgreSQL; the role may create databases. */
type Server = { host: string; port: number; user: string; password?: string };
/** A server and how to leave it. */
type Opened = { server: Server; stop: () => Promise<void> };

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' PostgreSQL is; every file clones `template` into a database of its own. */
    postgres: { server: Server; template: string };
  }
}

const log = createLog('silent');

/**
 * One real PostgreSQL for the run: migrated once, cloned for every test file in a few milliseconds. It is the
 * embedded one, or that of TEST_DATABASE_URL, whose role needs no more than CREATEDB.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL;
  const { server, stop } = external ? fromUrl(external) : await embedded();
  const template = `template_${process.pid}`;
  await administer(server, `create database ${template}`);
  await migrate({ ...server, database: template }, await readMigrations(), log);
  project.provide('postgres', { server, template });
  return async () => {
    await administer(server, `drop database ${template}`);
    await stop();
  };
}

async function embedded(): Promise<Opened> {
  const dataDir = await mkdtemp(join(tmpdir(), 'forecourt-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const { host, port, user } = postgres.connection;
  return {
    server: { host, port, user },
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function fromUrl(text: string): Opened {
  const { hostname, port, username, password } = new URL(text);
  return {
    server: { host: hostname, port: Number(port || 5432), user: username, ...(password && { password }) },
    stop: async () => {},
  };
}

export async function administer(server: Server, statement: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
