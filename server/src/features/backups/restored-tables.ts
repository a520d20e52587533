/**
 * What a restore leaves as it is: what belongs to this installation and not to the company's work. Every other
 * table comes from the backup. None of these may refer to a table that does.
 */
const KEPT = new Set([
  'schema_migrations',
  'installation',
  'backups',
  'backup_settings',
  'backup_host_keys',
  'jobs',
  'download_tickets',
  'sign_in_failures',
  'counted_calls',
]);

/**
 * The audit log is kept and continued as well (product.md section 10), unless this installation is a new one that
 * takes over the work of another: then the other's log comes along, and is continued by what was written here.
 */
const AUDIT = new Set(['audit_entries', 'audit_seals', 'audit_sealed', 'audit_head', 'audit_blankings']);

/**
 * What a backup must not bring back to life (security.md J7), though it refers to people who come from there:
 * it stays as it is now, of the people who are still there. Sessions end besides.
 */
export const CARRIED = ['sessions', 'password_links', 'email_verifications'] as const;

/**
 * The same, and nothing of it stays: answers to calls whose effect is gone, looks at the product as somebody else, and
 * mailboxes that somebody is connecting just now.
 */
export const EMPTIED = ['idempotency_keys', 'viewings', 'mailbox_connections'] as const;

/** Tables whose rows a restore does not take from the file. */
export const notTaken = (bringsAudit: boolean): Set<string> =>
  new Set([...KEPT, ...(bringsAudit ? [] : AUDIT), ...CARRIED, ...EMPTIED]);

/** Tables that are not replaced. */
export const notReplaced = (bringsAudit: boolean): Set<string> =>
  new Set([...KEPT, ...(bringsAudit ? [] : AUDIT)]);
