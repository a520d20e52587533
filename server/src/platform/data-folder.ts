import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, folderFailure } from './data-dir.ts';
import type { Connection, Db } from './db/database.ts';
import { withClient } from './db/dedicated-client.ts';
import { newId } from './ids.ts';
import { StartError } from './start-error.ts';

// Binds DATA_DIR to its database: an instance with another folder would list all backups as missing.

const FILE = 'folder.id';

/** Returns the id in DATA_DIR; undefined if there is none. Throws a `StartError`. */
async function readId(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw folderFailure(error, file);
  }
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\s*$/.test(text))
    throw new StartError(`${file} does not contain the id of a data folder; restore it from a copy.`);
  return text.trim();
}

function assertSame(dataDir: string, folderId: string | undefined, id: string): void {
  if (folderId === id) return;
  throw new StartError(
    `${dataDir} is not the data folder of this database, which has its backups. Nothing was changed; start with that folder, or, if it is lost, write ${id} into ${join(dataDir, FILE)}.`,
  );
}

/** Throws a `StartError` if the database belongs to another folder. Runs before any migration or write. */
export async function assertDataFolder(connection: Connection, dataDir: string): Promise<void> {
  const id = await withClient(connection, async (client) => {
    const { rows: tables } = await client.query("select 1 where to_regclass('data_folder') is not null");
    if (tables.length === 0) return undefined;
    return (await client.query<{ id: string }>('select id from data_folder')).rows[0]?.id;
  });
  if (id !== undefined) assertSame(dataDir, await readId(dataDir), id);
}

/** Binds folder and database at the first start. Of two concurrent starts with different folders, one throws. */
export async function claimDataFolder(db: Db, dataDir: string): Promise<void> {
  if ((await readId(dataDir)) === undefined) await createFile(dataDir, FILE, `${newId()}\n`);
  const id = (await readId(dataDir))!;
  await db
    .insertInto('data_folder')
    .values({ id })
    .onConflict((conflict) => conflict.column('singleton').doNothing())
    .execute();
  assertSame(dataDir, id, (await db.selectFrom('data_folder').select('id').executeTakeFirstOrThrow()).id);
}
