import { sql, type SqlBool } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import type { FileRef } from './file-folder.ts';

/** Tables of records whose rows refer to a file. */
const RECORDS = ['deal_attachments', 'email_attachments', 'template_images'];

const usedBy = (tables: readonly string[]): string =>
  `exists (select from (${tables.map((table) => `select digest from ${table}`).join(' union all ')}) as used where used.digest = files.digest)`;

/** SQL condition of the files of records. Exports are not part of a backup, and neither are their files. */
export const IS_USED_BY_RECORDS = usedBy(RECORDS);

const isUnused = sql<SqlBool>`created_at < now() - interval '1 day' and not ${sql.raw(usedBy([...RECORDS, 'exports']))}`;

/** Inserts a file, or locks and renews its row, so that it is not deleted before the transaction ends. */
export async function upsertFile(db: Tx, { digest, size }: FileRef): Promise<void> {
  await db
    .insertInto('files')
    .values({ digest, size })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ created_at: sql`now()` }))
    .execute();
}

export const findFile = (db: Db | Tx, digest: Buffer): Promise<FileRef | undefined> =>
  db.selectFrom('files').where('digest', '=', digest).select(['digest', 'size']).executeTakeFirst();

/** Returns the digests of one group, in lower-case hex, that have a row. */
export async function listDigests(db: Db, group: number): Promise<string[]> {
  // A range, which the primary key supports. The last group ends after every digest.
  const end = group === 255 ? Buffer.alloc(33, 255) : Buffer.from([group + 1]);
  const { rows } = await sql<{ digest: string }>`
    select encode(digest, 'hex') as digest from files
    where digest >= ${Buffer.from([group])} and digest < ${end}`.execute(db);
  return rows.map(({ digest }) => digest);
}

/** Deletes up to `limit` rows that nothing has used for a day. Returns their number. */
export async function deleteUnused(db: Tx, limit: number): Promise<number> {
  const unused = await db
    .selectFrom('files')
    .where(isUnused)
    .select('digest')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  if (unused.length === 0) return 0;
  const digests = unused.map(({ digest }) => digest);
  // A statement of its own: its snapshot includes uses that were committed while the first one waited for the lock.
  await db.deleteFrom('files').where('digest', 'in', digests).where(isUnused).execute();
  return unused.length;
}
