/**
 * Tables that a restore leaves unchanged: data of this installation rather than of the company. Every other table is
 * restored. None of these may reference a restored table.
 */
const PRESERVED = new Set([
  'schema_migrations',
  'installation',
  'data_folder',
  'backups',
  'backup_settings',
  'backup_host_keys',
  'jobs',
  'recurring_jobs',
  'deal_part_changes',
  'download_tickets',
  'sign_in_failures',
  'rate_limit_events',
]);

/**
 * The audit log is also preserved and continued (docs/product/backups.md, Restore), unless this is a new installation
 * that takes over another: then the other's log is restored, and this installation's entries are appended.
 */
const AUDIT = new Set([
  'audit_entries',
  'audit_seals',
  'audit_seal_entries',
  'audit_head',
  'audit_redactions',
  'change_sets',
]);

/**
 * Tables that a backup must not revive (docs/product/security.md, A restore revives nothing that ended), although they
 * reference restored users: their current rows are kept for users that still exist. Sessions are ended as well.
 */
export const MERGED = ['sessions', 'password_links', 'email_verifications'] as const;

/** Like MERGED, but emptied: stored responses of undone requests, impersonations, and mailbox connections in progress. */
export const EMPTIED = ['idempotency_keys', 'impersonations', 'mailbox_connections'] as const;

/** Renamed tables, by the name in backups of earlier releases. */
const RENAMED: Record<string, string> = {
  audit_sealed: 'audit_seal_entries',
  audit_blankings: 'audit_redactions',
  counted_calls: 'rate_limit_events',
  viewings: 'impersonations',
};

/** Returns the tables whose rows are not read from the file, by their names in this and in earlier releases. */
export function skippedTables(bringsAudit: boolean): Set<string> {
  const tables = new Set<string>([...preservedTables(bringsAudit), ...MERGED, ...EMPTIED]);
  const former = Object.keys(RENAMED).filter((name) => tables.has(RENAMED[name]!));
  return new Set([...tables, ...former]);
}

export const preservedTables = (bringsAudit: boolean): Set<string> =>
  new Set([...PRESERVED, ...(bringsAudit ? [] : AUDIT)]);
