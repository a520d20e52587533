import type { Db } from './db/database.ts';
import { newId } from './ids.ts';
import type { Secrets } from './secrets.ts';
import { StartError } from './start-error.ts';

const place = (recordId: string) => ({ table: 'installation', column: 'key_check', recordId });
const CHECK = 'this database belongs to this key';

/**
 * Ties key and database to each other at the first start, and refuses any later start with another key:
 * stored mail passwords would not open, and signatures of backups would not hold.
 */
export async function claimInstallation(db: Db, secrets: Secrets): Promise<void> {
  const id = newId();
  await db
    .insertInto('installation')
    .values({ id, key_check: secrets.seal(CHECK, place(id)) })
    .onConflict((conflict) => conflict.column('only_row').doNothing())
    .execute();
  const row = await db.selectFrom('installation').select(['id', 'key_check']).executeTakeFirstOrThrow();
  if (secrets.open(row.key_check, place(row.id)) !== CHECK) {
    throw new StartError(
      'SECRET_KEY (or DATA_DIR/secret.key) is not the one this database was made with. Nothing was changed; start with that key.',
    );
  }
}

/** After a restore on a new machine this installation goes on as the one whose work it holds. */
export const newIdentity = (id: string, secrets: Secrets): { id: string; key_check: string } => ({
  id,
  key_check: secrets.seal(CHECK, place(id)),
});
