import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { SettingsRow } from './ssh-settings.queries.ts';

export { findSettings, lockSettings, type SettingsRow } from './ssh-settings.queries.ts';

type S3Column = Extract<keyof SettingsRow, `s3_${string}`>;
type Computed = 's3_enabled_at' | 's3_verified' | 's3_verified_at' | 's3_version';

/** Only backups created after copying was turned on are copied. */
export async function saveSettings(
  db: Tx,
  settings: Pick<SettingsRow, Exclude<S3Column, Computed>>,
  isEnabled: boolean,
): Promise<void> {
  const enabledAt = isEnabled ? sql<string>`coalesce(s3_enabled_at, now())` : null;
  await db
    .updateTable('backup_settings')
    .set({ ...settings, s3_enabled_at: enabledAt, s3_version: sql`s3_version + 1` })
    .execute();
}

/** Stores the fingerprint of settings that have just passed a test. */
export async function recordVerified(db: Tx, fingerprint: string): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ s3_verified: fingerprint, s3_verified_at: sql`now()` })
    .execute();
}

/** Replaces the fingerprint of settings that passed an earlier test. */
export async function replaceFingerprint(db: Tx, fingerprint: string | null): Promise<void> {
  await db.updateTable('backup_settings').set({ s3_verified: fingerprint }).execute();
}
