/** Days after which an automatic backup is deleted. */
export const BACKUP_RETENTION_DAYS = 7;
