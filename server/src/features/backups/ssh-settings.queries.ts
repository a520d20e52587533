import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { HostKey } from './ssh-failure.ts';

export const findSettings = (db: Db | Tx) =>
  db.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow();

export type SettingsRow = Awaited<ReturnType<typeof findSettings>>;

export const lockSettings = (db: Tx): Promise<SettingsRow> =>
  db.selectFrom('backup_settings').selectAll().forUpdate().executeTakeFirstOrThrow();

type SshColumn = Extract<keyof SettingsRow, `ssh_${string}`>;
type Computed = 'ssh_enabled_at' | 'ssh_verified' | 'ssh_verified_at' | 'ssh_version';
type Saved = Pick<SettingsRow, Exclude<SshColumn, Computed>>;

/** Only backups created after copying was turned on are copied. */
export async function saveSettings(db: Tx, settings: Saved, isEnabled: boolean): Promise<void> {
  const enabledAt = isEnabled ? sql<string>`coalesce(ssh_enabled_at, now())` : null;
  await db
    .updateTable('backup_settings')
    .set({ ...settings, ssh_enabled_at: enabledAt, ssh_version: sql`ssh_version + 1` })
    .execute();
}

/** Stores the fingerprint of settings that have just passed a test. */
export async function recordVerified(db: Db | Tx, fingerprint: string): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ ssh_verified: fingerprint, ssh_verified_at: sql`now()` })
    .execute();
}

/** Replaces the fingerprint of settings that passed an earlier test. */
export async function replaceFingerprint(db: Tx, fingerprint: string | null): Promise<void> {
  await db.updateTable('backup_settings').set({ ssh_verified: fingerprint }).execute();
}

export const findHostKey = async (db: Db | Tx, host: string, port: number): Promise<string | null> =>
  (
    await db
      .selectFrom('backup_host_keys')
      .select('fingerprint')
      .where('host', '=', host.toLowerCase())
      .where('port', '=', port)
      .executeTakeFirst()
  )?.fingerprint ?? null;

export async function pinHostKey(db: Tx, host: string, port: number, key: HostKey): Promise<void> {
  const { algorithm, fingerprint } = key;
  await db
    .insertInto('backup_host_keys')
    .values({ host: host.toLowerCase(), port, algorithm, fingerprint })
    .onConflict((conflict) =>
      conflict.columns(['host', 'port']).doUpdateSet({ algorithm, fingerprint, pinned_at: sql`now()` }),
    )
    .execute();
}
