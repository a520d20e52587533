import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { createFile, folderFailure } from './data-dir.ts';
import { affectsRows, type Connection, type Db } from './db/database.ts';
import { withClient } from './db/dedicated-client.ts';
import { newId } from './ids.ts';
import { S3Failure } from './s3/s3-failure.ts';
import { bucketError, putText, type Store } from './s3/store.ts';
import { StartError } from './start-error.ts';

// Binds the place of files and backups to its database: an instance with another folder would list all backups as
// missing, and one of another database would remove the files of this one.

export const FILE = 'folder.id';

const ID_TURNS = 20;
const ID_TURN_MS = 250;

/** Where files and backups are. */
export type Place = {
  /** Returns the text of `folder.id`; undefined if there is none. Throws a `StartError`. */
  readId(): Promise<string | undefined>;
  writeId(id: string): Promise<void>;
  /** The name of the place for operators, and that of `folder.id`. */
  name: string;
  idName: string;
  /** Whether a new database must not adopt the place of an earlier one. */
  isExclusive: boolean;
};

export const folderPlace = (dataDir: string, file = FILE): Place => ({
  async readId() {
    try {
      return await readFile(join(dataDir, file), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw folderFailure(error, join(dataDir, file));
    }
  },
  writeId: (id) => createFile(dataDir, file, `${id}\n`),
  name: dataDir,
  idName: join(dataDir, file),
  isExclusive: false,
});

/** Converts failures of the bucket to a `StartError`. */
const started = <R>(work: () => Promise<R>): Promise<R> =>
  work().catch((error: unknown) => {
    throw error instanceof S3Failure ? bucketError(error) : error;
  });

export const bucketPlace = (store: Store): Place => ({
  readId: () =>
    started(async () => {
      const found = await store.bucket.find(store.keyOf(FILE));
      return found && text(found);
    }),
  writeId: (id) => started(() => putText(store, FILE, `${id}\n`)),
  name: 'The bucket of FILES_URL',
  idName: `the object ${store.keyOf(FILE)}`,
  isExclusive: true,
});

/** Returns the id of a place; undefined if there is none. Throws a `StartError`. */
export async function readId(place: Place): Promise<string | undefined> {
  // Without hard links, and in some stores, a file that is being written is empty first.
  const found = (await place.readId()) || undefined;
  if (found === undefined || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\s*$/.test(found)) return found?.trim();
  throw new StartError(`${place.idName} does not contain the id of a data folder; restore it from a copy.`);
}

function assertSame({ name, idName }: Place, folderId: string | undefined, id: string): void {
  if (folderId === id) return;
  throw new StartError(
    `${name} is not the data folder of this database, which has its backups. Nothing was changed; start with that folder, or, if it is lost, write ${id} into ${idName}.`,
  );
}

/** Waits a moment for the id that a concurrent first start writes. */
async function awaitId(place: Place): Promise<string | undefined> {
  for (let turn = 1; ; turn += 1) {
    const id = await readId(place);
    if (id !== undefined || turn === ID_TURNS) return id;
    await setTimeout(ID_TURN_MS);
  }
}

/** Throws a `StartError` if the database belongs to another place. Runs before any migration or write. */
export async function assertDataFolder(connection: Connection, place: Place): Promise<void> {
  // Before the database, so that one of two concurrent first starts does not take the other's id for a foreign one.
  const folderId = await readId(place);
  const id = await withClient(connection, async (client) => {
    const { rows: tables } = await client.query("select 1 where to_regclass('data_folder') is not null");
    if (tables.length === 0) return undefined;
    return (await client.query<{ id: string }>('select id from data_folder')).rows[0]?.id;
  });
  if (id !== undefined)
    assertSame(place, folderId ?? (place.isExclusive ? await awaitId(place) : undefined), id);
  else if (place.isExclusive && folderId !== undefined)
    throw new StartError(
      `${place.name} has the files of another database. Nothing was changed; choose another prefix, or, if that database is lost, remove ${place.idName}.`,
    );
}

/** Binds place and database at the first start. Of two concurrent starts with different places, one throws. */
export async function claimDataFolder(db: Db, place: Place): Promise<void> {
  // A bucket gets its id after the database: not every store refuses to write an object twice.
  if (!place.isExclusive && (await readId(place)) === undefined) await place.writeId(newId());
  const isFirst = await db
    .insertInto('data_folder')
    .values({ id: (await readId(place)) ?? newId() })
    .onConflict((conflict) => conflict.column('singleton').doNothing())
    .$call(affectsRows);
  const { id } = await db.selectFrom('data_folder').select('id').executeTakeFirstOrThrow();
  if (isFirst && place.isExclusive) await place.writeId(id);
  assertSame(place, await awaitId(place), id);
}
