/**
 * Tables that a restore does not change, because their data belongs to the installation and not to the company. None of
 * them may reference a restored table.
 */
const PRESERVED = new Set([
  'schema_migrations',
  'installation',
  'data_folder',
  'backups',
  'backup_copies',
  'backup_settings',
  'backup_host_keys',
  'jobs',
  'recurring_jobs',
  'download_tickets',
  'sign_in_failures',
  'rate_limit_events',
]);

/**
 * The audit log is also preserved and continued (docs/product/backups.md, Restore), unless a new installation takes
 * over another one: then the other's log is restored and this installation's entries are appended.
 */
const AUDIT = new Set([
  'audit_entries',
  'audit_seals',
  'audit_seal_entries',
  'audit_head',
  'audit_redactions',
  'audit_counts',
  'audit_people',
  'change_sets',
]);

/**
 * Tables of which current rows are preserved for users that still exist, although they reference restored users: a
 * backup must not revive rows that have ended (docs/product/security.md, A restore revives nothing that ended).
 * Sessions are ended as well.
 */
export const MERGED = ['sessions', 'password_links', 'email_verifications'] as const;

/**
 * Tables emptied by a restore: responses of undone requests, impersonations, unfinished mailbox connections, and
 * exports, which are part of no backup.
 */
export const EMPTIED = [
  'idempotency_keys',
  'impersonations',
  'mailbox_connections',
  'exports',
  'export_chunks',
] as const;

/** New names of tables by their names in backups of earlier releases. */
const RENAMED: Record<string, string> = {
  audit_sealed: 'audit_seal_entries',
  audit_blankings: 'audit_redactions',
  counted_calls: 'rate_limit_events',
  viewings: 'impersonations',
  export_pieces: 'export_chunks',
};

/** Returns the tables whose rows are skipped in the file, by their names in this and earlier releases. */
export function skippedTables(bringsAudit: boolean): Set<string> {
  const tables = new Set<string>([...preservedTables(bringsAudit), ...MERGED, ...EMPTIED]);
  const former = Object.keys(RENAMED).filter((name) => tables.has(RENAMED[name]!));
  return new Set([...tables, ...former]);
}

export const preservedTables = (bringsAudit: boolean): Set<string> =>
  new Set([...PRESERVED, ...(bringsAudit ? [] : AUDIT)]);
