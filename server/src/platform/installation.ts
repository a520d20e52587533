import type { Connection, Db, Tx } from './db/database.ts';
import { withClient } from './db/dedicated-client.ts';
import { newId } from './ids.ts';
import type { Rotation } from './reseal.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { StartError } from './start-error.ts';

const secretPlace = (recordId: string) => ({ table: 'installation', column: 'key_check', recordId }) as const;
const CHECK = 'this database belongs to this key';
/** Replaces CHECK at the first seal of the audit log. Encrypted, so only the owner of the key can revert it. */
const CHECK_WITH_LOG = `${CHECK}, and its audit log has begun`;

const KEY_SOURCE = 'SECRET_KEY (or DATA_DIR/secret.key)';
const UNCHANGED = 'Nothing was changed; start with the key that this database was made with.';

type Installation = { id: string; key_check: string };

const isKey = (row: Installation, secrets: Secrets): boolean =>
  [CHECK, CHECK_WITH_LOG].includes(secrets.open(row.key_check, secretPlace(row.id)) ?? '');

function assertKey(row: Installation, secrets: Secrets): void {
  if (isKey(row, secrets)) return;
  throw new StartError(`${KEY_SOURCE} is another key than the one of this database. ${UNCHANGED}`);
}

async function findInstallation(connection: Connection): Promise<Installation | undefined> {
  return withClient(connection, async (client) => {
    const { rows: tables } = await client.query("select 1 where to_regclass('installation') is not null");
    if (tables.length === 0) return undefined;
    return (await client.query<Installation>('select id, key_check from installation')).rows[0];
  });
}

/** Whether the database belongs to this key; false if it is empty. */
export async function belongsTo(connection: Connection, key: Buffer): Promise<boolean> {
  const installation = await findInstallation(connection);
  return installation !== undefined && isKey(installation, createSecrets(key));
}

/** Binds the database to the new key. Reads the row again: another rotation may have ended since. */
export async function resealInstallation({ tx, from, to }: Rotation): Promise<void> {
  const row = await tx.selectFrom('installation').select(['id', 'key_check']).executeTakeFirstOrThrow();
  assertKey(row, from);
  const key_check = to.seal(from.open(row.key_check, secretPlace(row.id))!, secretPlace(row.id));
  await tx.updateTable('installation').set({ key_check }).execute();
}

/**
 * Returns the key found by `find`; undefined if there is none. Throws a `StartError` if the database belongs to another
 * key or its key is missing, before any migration or write: stored mail passwords could not be decrypted and backup
 * signatures not verified.
 */
export async function assertInstallation(
  connection: Connection,
  find: () => Promise<Buffer | undefined>,
): Promise<Buffer | undefined> {
  // Read before the key: another instance may be starting, which writes its key before this row.
  const installation = await findInstallation(connection);
  const key = await find();
  if (!installation) return key;
  if (!key) throw new StartError(`${KEY_SOURCE} is missing. ${UNCHANGED}`);
  assertKey(installation, createSecrets(key));
  return key;
}

/** Binds key and database at the first start. Of two concurrent starts with different keys, one throws. */
export async function claimInstallation(db: Db, secrets: Secrets): Promise<void> {
  const id = newId();
  await db
    .insertInto('installation')
    .values({ id, key_check: secrets.seal(CHECK, secretPlace(id)) })
    .onConflict((conflict) => conflict.column('singleton').doNothing())
    .execute();
  assertKey(
    await db.selectFrom('installation').select(['id', 'key_check']).executeTakeFirstOrThrow(),
    secrets,
  );
}

const readCheck = async (db: Db | Tx, secrets: Secrets) => {
  const row = await db.selectFrom('installation').select(['id', 'key_check']).executeTakeFirst();
  return { id: row?.id, check: row && secrets.open(row.key_check, secretPlace(row.id)) };
};

/** Whether the audit log was ever sealed. If so, an empty log was emptied by somebody. */
export const wasLogSealed = async (db: Db | Tx, secrets: Secrets): Promise<boolean> =>
  (await readCheck(db, secrets)).check === CHECK_WITH_LOG;

/** Records for good that the audit log is sealed. */
export async function recordLogSealed(tx: Tx, secrets: Secrets): Promise<void> {
  const { id, check } = await readCheck(tx, secrets);
  if (id === undefined || check !== CHECK) return;
  const key_check = secrets.seal(CHECK_WITH_LOG, secretPlace(id));
  await tx.updateTable('installation').set({ key_check }).where('id', '=', id).execute();
}

/** Returns the row for a restore on a new machine: the backup's id, encrypted with this machine's key. */
export const createInstallationRow = (id: string, secrets: Secrets): { id: string; key_check: string } => ({
  id,
  key_check: secrets.seal(CHECK, secretPlace(id)),
});
