import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { createFile, folderFailure } from './data-dir.ts';
import type { Connection } from './db/database.ts';
import { withClient } from './db/dedicated-client.ts';
import { newId } from './ids.ts';
import { S3Failure } from './s3/s3-failure.ts';
import { bucketError, putText, type Store } from './s3/store.ts';
import { StartError } from './start-error.ts';

// Binds the place of files and backups to its database: an instance with another folder would list all backups as
// missing, and one of another database would remove the files of this one.

export const FILE = 'folder.id';

/** The name of `folder.id` after the files have moved to a bucket. */
export const MOVED = `${FILE}.moved`;

/**
 * Names the database of a place: the id of the place, the system identifier of the cluster and the oid of the database.
 * No copy of a database has the same oid in the same cluster. It is not a part of `folder.id`, which release 1.1.0 reads.
 */
const DATABASE_FILE = 'folder.database';

/** Where files and backups are. */
export type Place = {
  /** Returns the text of a file; undefined if there is none. Throws a `StartError`. */
  read(name: string): Promise<string | undefined>;
  /** Writes a file, also over an existing one unless that is `folder.id` and the place can create it exclusively. */
  write(name: string, line: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** The name of the place for operators, and those of its files. */
  name: string;
  nameOf(name: string): string;
  /** What selects another place. */
  another: string;
  /** How files and backups come here from DATA_DIR. */
  moveHint: string;
};

export const folderPlace = (dataDir: string): Place => ({
  async read(name) {
    try {
      return await readFile(join(dataDir, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw folderFailure(error, join(dataDir, name));
    }
  },
  async write(name, line) {
    if (name !== FILE) await this.remove(name);
    await createFile(dataDir, name, `${line}\n`);
  },
  remove: (name) => rm(join(dataDir, name), { force: true }),
  name: dataDir,
  nameOf: (name) => join(dataDir, name),
  another: 'another DATA_DIR',
  moveHint: '',
});

/** Converts failures of the bucket to a `StartError`. */
const started = <R>(work: () => Promise<R>): Promise<R> =>
  work().catch((error: unknown) => {
    throw error instanceof S3Failure ? bucketError(error) : error;
  });

export const bucketPlace = (store: Store): Place => ({
  read: (name) =>
    started(async () => {
      const object = await store.bucket.find(store.keyOf(name));
      return object && text(object);
    }),
  write: (name, line) => started(() => putText(store, name, `${line}\n`)),
  remove: (name) => started(() => store.bucket.remove(store.keyOf(name))),
  name: 'The bucket of FILES_URL',
  nameOf: (name) => `the object ${store.keyOf(name)}`,
  another: 'another prefix',
  moveHint:
    'if that is DATA_DIR, run `npm run move-files` first (docs/operating.md, Backups and restore), otherwise ',
});

/** Returns the id of a place; undefined if there is none. Throws a `StartError`. */
export async function readId(place: Place, name = FILE): Promise<string | undefined> {
  // Without hard links, and in some stores, a file that is being written is empty first.
  const id = (await place.read(name)) || undefined;
  if (id === undefined || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\s*$/.test(id)) return id?.trim();
  throw new StartError(
    `${place.nameOf(name)} does not contain the id of a data folder; restore it from a copy.`,
  );
}

async function assertSame(place: Place, folderId: string | undefined, id: string): Promise<void> {
  if (folderId === id) return;
  if (folderId === undefined && (await readId(place, MOVED)) === id)
    throw new StartError(
      `The files and backups of this database were moved from ${place.name} to a bucket. Nothing was changed; set FILES_URL to that bucket.`,
    );
  throw new StartError(
    `${place.name} is not the data folder of this database, which has its backups. Nothing was changed; ${place.moveHint}start with that folder, or, if it is lost, write ${id} into ${place.nameOf(FILE)}.`,
  );
}

const foreignPlace = (place: Place): StartError =>
  new StartError(
    `${place.name} has the files of another database. Nothing was changed; start with that database or ${place.another}, or, if that database is lost or no longer used, remove ${place.nameOf(FILE)}.`,
  );

/** Throws a `StartError` if the place belongs to a database. Runs before a new embedded one is created. */
export async function assertUnbound(place: Place): Promise<void> {
  if ((await readId(place)) !== undefined) throw foreignPlace(place);
}

/**
 * Returns the database of this cluster with a line of `folder.database`, or without one the client's own. Returns
 * undefined if there is none, or if the service hides the identifier of the cluster.
 */
async function findDatabase(client: pg.Client, line?: string) {
  try {
    const { rows } = await client.query<{ name: string; line: string; isOwn: boolean }>(
      `select datname as name, line, datname = current_database() as "isOwn"
       from pg_control_system(), pg_database, concat_ws(' ', system_identifier, oid) as line
       where line = coalesce($1::text, line) and ($1 is not null or datname = current_database())`,
      [line],
    );
    return rows[0];
  } catch (error) {
    if (error instanceof pg.DatabaseError) return undefined;
    throw error;
  }
}

type Owner = Awaited<ReturnType<typeof findDatabase>>;

/** Returns the database that a place with this id names; undefined as `findDatabase` does. */
export async function findOwner(client: pg.Client, place: Place, folderId: string): Promise<Owner> {
  const [recordedId, ...line] = (await place.read(DATABASE_FILE))?.trim().split(' ') ?? [];
  return recordedId === folderId ? findDatabase(client, line.join(' ')) : undefined;
}

/** Throws a `StartError` if the client's database is a copy of the owner of a place. */
export function assertNoCopy(place: Place, owner: Owner): void {
  if (owner && !owner.isOwn)
    throw new StartError(
      `${place.name} has the files of the database ${owner.name}, of which this one is a copy. Nothing was changed; start with ${place.another}, or, if ${owner.name} is no longer used, remove ${place.nameOf(DATABASE_FILE)}.`,
    );
}

/** Returns the id of the place to which the client's database belongs; undefined if it belongs to none. */
export async function readBoundId(client: pg.Client): Promise<string | undefined> {
  const { rows: tables } = await client.query("select 1 where to_regclass('data_folder') is not null");
  if (tables.length === 0) return undefined;
  return (await client.query<{ id: string }>('select id from data_folder')).rows[0]?.id;
}

/**
 * Throws a `StartError` if the database belongs to another place, or the place to another database. Runs before any
 * migration or write.
 */
export async function assertDataFolder(connection: Connection, place: Place): Promise<void> {
  await withClient(connection, async (client) => {
    const id = await readBoundId(client);
    // After the row, which a concurrent first start writes last.
    const folderId = await readId(place);
    if (id !== undefined) await assertSame(place, folderId, id);
    if (folderId === undefined) return;
    const owner = await findOwner(client, place, folderId);
    // The place of a first start that is running, or was killed before it bound this database, names this database.
    if (id === undefined && !owner?.isOwn) throw foreignPlace(place);
    assertNoCopy(place, owner);
  });
}

/** Binds place and database at the first start. Of two concurrent starts with different places, one throws. */
export async function claimDataFolder(connection: Connection, place: Place): Promise<void> {
  await withClient(connection, async (client) => {
    const own = await findDatabase(client);
    await client.query('begin');
    // A concurrent first start waits here until the place has its id. A crash leaves a place that names this database.
    const { rowCount } = await client.query(
      'insert into data_folder (id) values ($1) on conflict (singleton) do nothing',
      [(await readId(place)) ?? newId()],
    );
    const id = (await readBoundId(client))!;
    const line = own && `${id} ${own.line}`;
    if (line && (await place.read(DATABASE_FILE))?.trim() !== line) await place.write(DATABASE_FILE, line);
    if (rowCount === 1 && (await readId(place)) === undefined) await place.write(FILE, id);
    await assertSame(place, await readId(place), id);
    await client.query('commit');
  });
}
