/** Days after which an automatic backup is deleted. */
export const BACKUP_RETENTION_DAYS = 7;

/** Administrators are alerted if the newest good backup is older. */
export const BACKUP_OVERDUE_HOURS = 3;
