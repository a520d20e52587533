import type { MailProvider } from '@forecourt/contract/email-settings';
import { sql } from 'kysely';
import { affectsRows, secondsFromNow, type Db, type Tx } from '../../platform/db/database.ts';

/** How long after a passed test the same settings count as verified when they are saved. */
const PASSED_SECONDS = 3600;

const people = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .leftJoin('email_settings as settings', 'settings.user_id', 'users.id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.role',
      'users.is_active',
      'settings.smtp_host',
      'settings.smtp_port',
      'settings.smtp_secure',
      'settings.smtp_user',
      'settings.smtp_password',
      'settings.smtp_from_email',
      'settings.provider',
      'settings.refresh_token',
      'settings.last_verified',
      'settings.pause_reason',
      'settings.version',
      // Identifies the saved settings, unlike the version, which starts at 1 again after a new connection.
      sql<string | null>`settings.updated_at::text`.as('saved_at'),
    ]);

/** Returns a user with their settings; the columns of the settings are null if there are none. */
export const findPerson = (db: Db | Tx, userId: string) =>
  people(db).where('users.id', '=', userId).executeTakeFirst();

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

export async function lockPerson(db: Tx, userId: string): Promise<PersonRow | undefined> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  // A statement of its own: a single one would return the settings as they were before it waited for the lock.
  return findPerson(db, userId);
}

export const listPeople = (db: Db | Tx) =>
  people(db)
    .where('users.is_active', '=', true)
    .orderBy(sql`users.name collate "en-AU-x-icu"`)
    .orderBy('users.id')
    .execute();

export type SettingsColumns = {
  smtp_host: string;
  smtp_port: number;
  smtp_secure: boolean;
  smtp_user: string;
  smtp_from_email: string;
  last_verified: string | null;
} & (
  | { smtp_password: string; provider: null; refresh_token: null }
  | { smtp_password: null; provider: MailProvider; refresh_token: string }
);

/** Saves settings. Clears a pause, and also `last_verified` unless these settings passed a test. */
export async function saveSettings(db: Tx, userId: string, columns: SettingsColumns): Promise<void> {
  await db
    .insertInto('email_settings')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        ...columns,
        pause_reason: null,
        version: sql`email_settings.version + 1`,
        updated_at: sql`now()`,
      }),
    )
    .execute();
}

export const deleteSettings = (db: Tx, userId: string): Promise<boolean> =>
  db.deleteFrom('email_settings').where('user_id', '=', userId).$call(affectsRows);

/** Updates settings that were not saved again since. */
const updateUnchanged = (db: Tx, userId: string, savedAt: string) =>
  db.updateTable('email_settings').where('user_id', '=', userId).where('updated_at', '=', savedAt);

/** Has no effect if the settings were saved again since the test. */
export const markVerified = (db: Tx, userId: string, savedAt: string): Promise<boolean> =>
  updateUnchanged(db, userId, savedAt)
    .set({ last_verified: sql`now()`, pause_reason: null })
    .$call(affectsRows);

/** Pauses a user's mail once, unless the settings were saved since the rejection. Returns their version. */
export const pause = async (
  db: Tx,
  userId: string,
  savedAt: string,
  because: string,
): Promise<number | undefined> =>
  (
    await updateUnchanged(db, userId, savedAt)
      .set({ pause_reason: because, last_verified: null })
      .where('pause_reason', 'is', null)
      .returning('version')
      .executeTakeFirst()
  )?.version;

/** Records that settings passed a test of the caller. Deletes older tests. */
export async function recordPassedTest(db: Db | Tx, userId: string, fingerprint: string): Promise<void> {
  await db
    .insertInto('email_verifications')
    .values({ user_id: userId, verified_fingerprint: fingerprint })
    .execute();
  await db
    .deleteFrom('email_verifications')
    .where('user_id', '=', userId)
    .where('created_at', '<', secondsFromNow(-PASSED_SECONDS))
    .execute();
}

export async function forgetPassedTests(db: Tx): Promise<void> {
  await db
    .updateTable('email_verifications')
    .set({ verified_fingerprint: null })
    .where('verified_fingerprint', 'is not', null)
    .execute();
}

/** Returns when these settings passed a test of the caller within the last hour; null if they did not. */
export const passedAt = async (db: Tx, userId: string, fingerprint: string): Promise<string | null> =>
  (
    await db
      .selectFrom('email_verifications')
      .where('user_id', '=', userId)
      .where('verified_fingerprint', '=', fingerprint)
      .where('created_at', '>', secondsFromNow(-PASSED_SECONDS))
      .orderBy('created_at', 'desc')
      .select('created_at')
      .executeTakeFirst()
  )?.created_at ?? null;

export const databaseTime = async (db: Db | Tx): Promise<string> =>
  (await db.selectNoFrom(sql<string>`now()`.as('now')).executeTakeFirstOrThrow()).now;
