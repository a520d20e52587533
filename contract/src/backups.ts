import { z } from 'zod';
import { BackupAlert } from './backup-alerts.ts';
import { S3Settings, S3SettingsInput, S3SettingsTest, s3Computed } from './backup-s3.ts';
import { CopyDestination } from './copy-destination.ts';
import { Accepted, DownloadTicket } from './jobs.ts';
import { kindsWith } from './record-kinds.ts';
import {
  Id,
  Instant,
  Version,
  plainText,
  typedLines,
  typedText,
  wholeList,
  wholeNumber,
  type RouteTable,
} from './route.ts';

/**
 * The only valid form of a backup name. Names are looked up and never joined to a path (docs/product/security.md, Names
 * of backups are looked up).
 */
export const BackupName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/);

export { UPLOAD_ENDINGS } from './backup-endings.ts';

/**
 * Derived from the start of the name: `auto_backup_`, `pre_restore_`, or any other (docs/product/backups.md, What a
 * backup is).
 */
export const BackupType = z.enum(['automatic', 'preRestore', 'manual']);
export type BackupType = z.infer<typeof BackupType>;

/** Which installation signed the backup: this one with its current key, another (or another key), or none (pg_dump). */
export const BackupSignature = z.enum(['own', 'foreign', 'unsigned']);
export type BackupSignature = z.infer<typeof BackupSignature>;

/** A copy of a backup at a destination: being made, verified, or failed and retried. */
export const BackupCopy = z.strictObject({
  destination: CopyDestination,
  state: z.enum(['waiting', 'copied', 'failed']),
  /** Why the last attempt failed, for display. */
  problem: z.string().nullable(),
});
export type BackupCopy = z.infer<typeof BackupCopy>;

export const Backup = z.strictObject({
  name: z.string(),
  /** A label for display, never a path on the server. */
  path: z.string(),
  type: BackupType,
  /** File size in bytes; 0 while the backup is being created. */
  size: z.int(),
  createdAt: Instant,
  /** The backup is still being created and cannot be used. */
  pending: z.boolean(),
  /** The job that creates or fetches it (`GET /jobs/:id`). */
  jobId: Id.nullable(),
  signature: BackupSignature.nullable(),
  /** Number of the last migration of the release that wrote it; null: unknown. */
  schemaVersion: z.int().nullable(),
  /** Total rows of all tables; null: unknown. */
  rows: z.int().nullable(),
  /** Time of the last complete read whose checksum matched. */
  verifiedAt: Instant.nullable(),
  /** Time of the last restore test, in a scratch schema compared with the file ("proven restorable"). */
  provenAt: Instant.nullable(),
  /** Description for display; null if no problem is known. */
  problem: z.string().nullable(),
  /** The file is in DATA_DIR. Otherwise only copies exist (keepLocalCopies off). */
  isLocal: z.boolean(),
  /** At most one copy for each destination. */
  copies: z.array(BackupCopy),
  /** The file in DATA_DIR is missing or damaged, and there is a verified copy. */
  isFetchable: z.boolean(),
  isFetching: z.boolean(),
});
export type Backup = z.infer<typeof Backup>;

/** The effect of a restore on one record kind. Deleted records that can still be restored count as absent. */
export const RestoreCount = z.strictObject({
  kind: z.enum(kindsWith('compared').map(({ compared }) => compared)),
  inBackup: z.int(),
  now: z.int(),
  /** Number of records that exist only in the backup. */
  comesBack: z.int(),
  /** Number of records that exist only in the current data. */
  disappears: z.int(),
  /** Number of records whose values differ. */
  changes: z.int(),
});
export type RestoreCount = z.infer<typeof RestoreCount>;

export const RestoreCheck = z.strictObject({
  name: z.string(),
  createdAt: Instant.nullable(),
  schemaVersion: z.int(),
  /** Written by an older release and migrated during the restore. */
  isOlder: z.boolean(),
  signature: BackupSignature,
  /** The name to type if the backup was not signed by this installation; null if no confirmation is required. */
  confirmName: z.string().nullable(),
  /** Number of files that it names and that are neither on this server nor in the backup. */
  missingFiles: z.int(),
  counts: z.array(RestoreCount),
  /** Users who cannot sign in now but could after the restore. */
  reactivated: z.array(z.strictObject({ name: z.string(), email: z.string() })),
});
export type RestoreCheck = z.infer<typeof RestoreCheck>;

export const RestoreBody = z
  .strictObject({
    /** The SECRET_KEY (base64) of the other installation that made the backup, or its name. */
    secretKey: z.string().max(100).optional(),
    confirmName: typedText(200).optional(),
    /** Restores the backup although some of its files are missing. */
    withoutFiles: z.boolean().optional(),
  })
  .optional();
export type RestoreBody = z.infer<typeof RestoreBody>;

export const RestoreResult = z.strictObject({
  /** Name of the backup of the current data, created before the restore. */
  preRestoreBackup: z.string(),
  /** Number of restored rows of all tables. */
  rows: z.int(),
  /** Number of messages held until an administrator releases them. */
  heldEmails: z.int(),
  /** Stored passwords and keys could not be decrypted and must be entered again. */
  notConfigured: z.boolean(),
});
export type RestoreResult = z.infer<typeof RestoreResult>;

export const SchedulerStatus = z.strictObject({
  isRunning: z.boolean(),
  nextRun: Instant.nullable(),
  /** Names of the backups being created. */
  activeTasks: z.array(z.string()),
  /** What is wrong with backups now; empty if nothing is. */
  alerts: z.array(BackupAlert),
});
export type SchedulerStatus = z.infer<typeof SchedulerStatus>;

const isHost = (text: string) =>
  text === '' || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) || /^[0-9a-f:]+$/i.test(text);

/** Defaults and limits (docs/product/backups.md, SSH settings). The service checks which fields are required. */
const ssh = {
  enabled: z.boolean().default(false),
  host: typedText(253).refine(isHost, 'Must be a host name or an address').default(''),
  port: wholeNumber(1, 65_535, 'Must be from 1 to 65535').default(22),
  username: typedText(120).default(''),
  authMethod: z.enum(['privateKey', 'password']).default('privateKey'),
  /** Absolute, or relative to the folder in which an SSH session of this user starts. */
  remotePath: typedText(400)
    .refine((text) => !text.startsWith('~'), 'Must be a whole path, or one below the folder of the sign-in')
    .default(''),
  keepLocalCopies: z.boolean().default(true),
  /** In seconds. */
  connectionTimeout: wholeNumber(5, 300, 'Must be from 5 to 300 seconds').default(30),
  /** Prefix of the names of the copies: several installations can share one folder. */
  serverName: typedText(40)
    .refine(
      (text) => text === '' || /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text),
      'Must be letters, digits, dots, hyphens and underscores',
    )
    .default(''),
};

export const SshSettings = z.strictObject({
  ...ssh,
  /** Secrets are write-only. The `has…` flags show whether one is stored. */
  hasPrivateKey: z.boolean(),
  hasPassphrase: z.boolean(),
  hasPassword: z.boolean(),
  /** The pinned host key as `SHA256:…`; null before the first connection. */
  hostKey: z.string().nullable(),
  lastVerified: Instant.nullable(),
  version: Version,
});
export type SshSettings = z.infer<typeof SshSettings>;

/**
 * A secret that is omitted or blank stays unchanged if host, port and username stay the same (docs/product/security.md,
 * Stored passwords stay with their server).
 */
export const SshSettingsInput = z.strictObject({
  ...ssh,
  privateKey: typedLines(20_000).optional(),
  passphrase: plainText(1000).optional(),
  password: plainText(1000).optional(),
  version: Version.optional(),
});
export type SshSettingsInput = z.infer<typeof SshSettingsInput>;

export const SshSettingsTest = SshSettingsInput.omit({ version: true }).extend({
  /** The fingerprint that the administrator accepts if the host presents a key other than the pinned one. */
  acceptHostKey: z.string().max(100).optional(),
});
export type SshSettingsTest = z.infer<typeof SshSettingsTest>;

/** The step at which a connection test ended: `errors.step` of the 400 response; `details` describes it. */
export const SshStep = z.enum(['name', 'connection', 'hostKey', 'signIn', 'folder', 'write']);
export type SshStep = z.infer<typeof SshStep>;

const sshComputed = ['hasPrivateKey', 'hasPassphrase', 'hasPassword', 'hostKey', 'lastVerified'];

const params = z.strictObject({ name: BackupName });

export const backupRoutes = {
  'GET /backups': {
    summary: 'The backups, newest first, including pending ones',
    response: wholeList(Backup),
  },
  'POST /backups': {
    summary: 'Starts a manual backup and returns it as pending',
    status: 201,
    response: Backup,
  },
  'GET /backups/:name': { summary: 'The file of a backup', params, download: true },
  'POST /backups/:name/download-ticket': {
    summary: 'A URL for this one file that works once, for 60 s',
    params,
    secret: true,
    response: DownloadTicket,
  },
  'POST /backups/upload': {
    summary: 'Adds an uploaded backup file (multipart, field backup) after verifying its content',
    upload: 'backup',
    takesNoKey: 'A file of this size is not read twice. Please look at the list of backups.',
    later: true,
    status: 201,
    response: z.union([z.strictObject({ filename: z.string(), size: z.int() }), Accepted]),
  },
  'POST /backups/:name/check': {
    summary: 'Reads a whole backup and returns what a restore would add, remove and change',
    params,
    takesNoKey: 'It changes nothing and can be repeated.',
    later: true,
    response: z.union([RestoreCheck, Accepted]),
  },
  'POST /backups/:name/fetch': {
    summary: 'Fetches the file of a backup from its copy, verified by size and checksum',
    params,
    takesNoKey: 'A second fetch of a backup is refused while one runs. Please look at the list of backups.',
    later: true,
    response: z.union([z.strictObject({ name: z.string(), size: z.int() }), Accepted]),
  },
  'POST /backups/:name/restore': {
    summary: 'Replaces all data with a backup, after a backup of the current data',
    params,
    body: RestoreBody,
    takesNoKey: 'A restore ends every session and key. Please look at the list of backups.',
    later: true,
    response: z.union([RestoreResult, Accepted]),
  },
  'DELETE /backups/:name': {
    summary: 'Deletes a backup; one of the last three verified, or a pre-restore one, only with confirm=true',
    params,
    query: z.strictObject({ confirm: z.literal('true').optional() }),
    status: 204,
  },
  'GET /backups/held-mail': {
    summary: 'The number of messages held after a restore or because they are overdue',
    response: z.strictObject({ total: z.int() }),
  },
  'POST /backups/held-mail/release': {
    summary: 'Releases the messages held after a restore or because they are overdue',
    response: z.strictObject({ total: z.int() }),
  },
  'POST /backups/held-mail/discard': {
    summary: 'Cancels the messages held after a restore or because they are overdue',
    response: z.strictObject({ total: z.int() }),
  },
  'GET /backups/scheduler/status': {
    summary: 'Whether hourly backups are on, and the time of the next one',
    response: SchedulerStatus,
  },
  'POST /backups/scheduler/start': { summary: 'Turns hourly backups on', response: SchedulerStatus },
  'POST /backups/scheduler/stop': { summary: 'Turns hourly backups off', response: SchedulerStatus },
  'POST /backups/scheduler/trigger': {
    summary: 'Creates an automatic backup now, in addition to the hourly ones',
    response: SchedulerStatus,
  },
  'GET /backups/ssh-settings': {
    summary: 'The SSH server for copies of backups, without its secrets',
    response: SshSettings,
  },
  'POST /backups/ssh-settings': {
    summary: 'Saves the SSH server for copies of backups',
    body: SshSettingsInput,
    computed: sshComputed,
    secret: true,
    response: SshSettings,
  },
  'POST /backups/ssh-settings/test': {
    summary:
      'Connects, makes the folder where it is missing, writes and removes a small file; names the step that failed',
    body: SshSettingsTest,
    computed: [...sshComputed, 'version'],
    takesNoKey: 'A connection test can be repeated.',
    response: z.strictObject({ message: z.string(), details: z.string(), hostKey: z.string() }),
  },
  'GET /backups/s3-settings': {
    summary: 'The S3 bucket for copies of backups, without its secret',
    response: S3Settings,
  },
  'POST /backups/s3-settings': {
    summary: 'Saves the S3 bucket for copies of backups',
    body: S3SettingsInput,
    computed: s3Computed,
    secret: true,
    response: S3Settings,
  },
  'POST /backups/s3-settings/test': {
    summary: 'Lists the bucket, writes, reads and removes a small object; names the step that failed',
    body: S3SettingsTest,
    computed: [...s3Computed, 'version'],
    takesNoKey: 'A connection test can be repeated.',
    response: z.strictObject({ message: z.string(), details: z.string() }),
  },
} as const satisfies RouteTable;
