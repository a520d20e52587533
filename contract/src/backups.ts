import { z } from 'zod';
import { Accepted, DownloadTicket } from './jobs.ts';
import { Id, Instant, plainText, typedLines, typedText, wholeList, type RouteTable } from './route.ts';

/** The only names that a backup can have; they are looked up, never joined to a path (security.md J1). */
export const BackupName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/);

export { UPLOAD_ENDINGS } from './backup-endings.ts';

/** By the beginning of the name: `auto_backup_`, `pre_restore_`, or anything else (spec.md section 3). */
export const BackupType = z.enum(['automatic', 'preRestore', 'manual']);
export type BackupType = z.infer<typeof BackupType>;

/**
 * Who made it: this installation, another one (or this one with another key), or nobody known, since the file
 * carries no signature, as with pg_dump.
 */
export const BackupSignature = z.enum(['own', 'foreign', 'unsigned']);
export type BackupSignature = z.infer<typeof BackupSignature>;

export const Backup = z.strictObject({
  name: z.string(),
  /** A label, never a path of the server. */
  path: z.string(),
  type: BackupType,
  /** Bytes of the file; 0 while it is being made. */
  size: z.int(),
  createdAt: Instant,
  /** It is being made: nothing can be done with it yet. */
  pending: z.boolean(),
  /** How far a pending one is (`GET /jobs/:id`). */
  jobId: Id.nullable(),
  signature: BackupSignature.nullable(),
  /** The release that wrote it, as the number of its last migration; null: not known. */
  schemaVersion: z.int().nullable(),
  /** Rows of all tables together; null: not known. */
  rows: z.int().nullable(),
  /** The whole file was read back and is what was written. */
  verifiedAt: Instant.nullable(),
  /** It was restored into a scratch schema and compared: 'proven restorable'. */
  provenAt: Instant.nullable(),
  /** What is wrong with it, in words for people; null: nothing known. */
  problem: z.string().nullable(),
  /** The file lies in DATA_DIR; otherwise only the remote copy is left (keepLocalCopies off). */
  isLocal: z.boolean(),
  /** The copy on the SSH server: none meant, on its way, verified there, or failed and tried again. */
  remote: z.enum(['none', 'waiting', 'copied', 'failed']),
  remoteProblem: z.string().nullable(),
});
export type Backup = z.infer<typeof Backup>;

/** Kinds of records that a person recognises, in the words of the product. */
export const BackupKind = z.enum([
  'deals',
  'dealerships',
  'templates',
  'items',
  'statuses',
  'users',
  'emails',
]);

/** What a restore would do to one kind of record. What was deleted and can be brought back counts as gone. */
export const RestoreCount = z.strictObject({
  kind: BackupKind,
  inBackup: z.int(),
  now: z.int(),
  /** In the backup and not here. */
  comesBack: z.int(),
  /** Here and not in the backup. */
  disappears: z.int(),
  /** In both, and different. */
  changes: z.int(),
});
export type RestoreCount = z.infer<typeof RestoreCount>;

export const RestoreCheck = z.strictObject({
  name: z.string(),
  createdAt: Instant.nullable(),
  schemaVersion: z.int(),
  /** It was written by an older release and is brought to this one. */
  isOlder: z.boolean(),
  signature: BackupSignature,
  /** What has to be typed to restore it without the key that it was signed with; null: nothing. */
  confirmName: z.string().nullable(),
  counts: z.array(RestoreCount),
  /** People who may not sign in now and could after the restore. */
  reactivated: z.array(z.strictObject({ name: z.string(), email: z.string() })),
});
export type RestoreCheck = z.infer<typeof RestoreCheck>;

/** Proof for a backup of another installation: its SECRET_KEY (base64), or its name typed. */
export const RestoreBody = z
  .strictObject({ secretKey: z.string().max(100).optional(), confirmName: typedText(200).optional() })
  .optional();
export type RestoreBody = z.infer<typeof RestoreBody>;

export const RestoreResult = z.strictObject({
  /** The backup of what was there until now. */
  preRestoreBackup: z.string(),
  /** Rows that were brought back, of all tables together. */
  rows: z.int(),
  /** Messages that wait until an administrator releases them. */
  parkedEmails: z.int(),
  /** Stored passwords and keys could not be opened and have to be typed again. */
  notConfigured: z.boolean(),
});
export type RestoreResult = z.infer<typeof RestoreResult>;

export const SchedulerStatus = z.strictObject({
  isRunning: z.boolean(),
  nextRun: Instant.nullable(),
  /** Names of what is being made just now. */
  activeTasks: z.array(z.string()),
  /** Why the newest automatic backup could not be made, in words for people; null: it could. */
  problem: z.string().nullable(),
});
export type SchedulerStatus = z.infer<typeof SchedulerStatus>;

const isHost = (text: string) =>
  text === '' || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) || /^[0-9a-f:]+$/i.test(text);

/** The defaults and limits of spec.md sections 3 and 5. What has to be filled in when enabled, the service checks. */
const ssh = {
  enabled: z.boolean().default(false),
  host: typedText(253).refine(isHost, 'Must be a host name or an address').default(''),
  port: z.int().min(1, 'Must be from 1 to 65535').max(65_535, 'Must be from 1 to 65535').default(22),
  username: typedText(120).default(''),
  authMethod: z.enum(['privateKey', 'password']).default('privateKey'),
  /** In full, or below the folder in which a sign-in begins. */
  remotePath: typedText(400)
    .refine((text) => !text.startsWith('~'), 'Must be a whole path, or one below the folder of the sign-in')
    .default(''),
  keepLocalCopies: z.boolean().default(true),
  /** Seconds. */
  connectionTimeout: z
    .int()
    .min(5, 'Must be from 5 to 300 seconds')
    .max(300, 'Must be from 5 to 300 seconds')
    .default(30),
  /** How the names of copies begin: several installations may share one folder. */
  serverName: typedText(40)
    .refine(
      (text) => text === '' || /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text),
      'Must be letters, digits, dots, hyphens and underscores',
    )
    .default(''),
};

export const SshSettings = z.strictObject({
  ...ssh,
  /** Secrets are written only: these tell whether there is one. */
  hasPrivateKey: z.boolean(),
  hasPassphrase: z.boolean(),
  hasPassword: z.boolean(),
  /** The pinned key of the host, as `SHA256:…`; null before the first connection. */
  hostKey: z.string().nullable(),
  lastVerified: Instant.nullable(),
});
export type SshSettings = z.infer<typeof SshSettings>;

/** Left out or blank, a secret stays what it is while host, port and username do (security.md F2). */
export const SshSettingsInput = z.strictObject({
  ...ssh,
  privateKey: typedLines(20_000).optional(),
  passphrase: plainText(1000).optional(),
  password: plainText(1000).optional(),
});
export type SshSettingsInput = z.infer<typeof SshSettingsInput>;

export const SshSettingsTest = SshSettingsInput.extend({
  /** The fingerprint that the person has seen and accepts, where the host shows another key than the pinned one. */
  acceptHostKey: z.string().max(100).optional(),
});
export type SshSettingsTest = z.infer<typeof SshSettingsTest>;

/** The step at which a connection test ended: `errors.step` of its 400, with `details` in words. */
export const SshStep = z.enum(['name', 'connection', 'hostKey', 'signIn', 'folder', 'write']);
export type SshStep = z.infer<typeof SshStep>;

const sshComputed = ['hasPrivateKey', 'hasPassphrase', 'hasPassword', 'hostKey', 'lastVerified'];

const params = z.strictObject({ name: BackupName });

export const backupRoutes = {
  'GET /backups': {
    summary: 'The backups, newest first, those being made among them',
    response: wholeList(Backup),
  },
  'POST /backups': {
    summary: 'Begins a manual backup and answers it as pending',
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
    summary: 'Takes a backup file (multipart, field backup) once its content is recognised as one',
    upload: 'backup',
    secret: true,
    later: true,
    status: 201,
    response: z.union([z.strictObject({ filename: z.string(), size: z.int() }), Accepted]),
  },
  'POST /backups/:name/check': {
    summary: 'Reads a whole backup and tells what a restore would bring back, remove and change',
    params,
    secret: true,
    later: true,
    response: z.union([RestoreCheck, Accepted]),
  },
  'POST /backups/:name/restore': {
    summary: 'Replaces everything with what a backup holds; what is there now becomes a backup first',
    params,
    body: RestoreBody,
    secret: true,
    later: true,
    response: z.union([RestoreResult, Accepted]),
  },
  'DELETE /backups/:name': {
    summary: 'Deletes a backup; one of the last three verified, or a pre-restore one, only with confirm=true',
    params,
    query: z.strictObject({ confirm: z.literal('true').optional() }),
    status: 204,
  },
  'GET /backups/parked-mail': {
    summary: 'How many messages wait since a restore',
    response: z.strictObject({ total: z.int() }),
  },
  'POST /backups/parked-mail/release': {
    summary: 'Lets the messages go out that wait since a restore',
    response: z.strictObject({ total: z.int() }),
  },
  'POST /backups/parked-mail/discard': {
    summary: 'Cancels the messages that wait since a restore',
    response: z.strictObject({ total: z.int() }),
  },
  'GET /backups/scheduler/status': {
    summary: 'Whether hourly backups are on, and when the next one begins',
    response: SchedulerStatus,
  },
  'POST /backups/scheduler/start': { summary: 'Turns hourly backups on', response: SchedulerStatus },
  'POST /backups/scheduler/stop': { summary: 'Turns hourly backups off', response: SchedulerStatus },
  'POST /backups/scheduler/trigger': {
    summary: 'Makes an automatic backup now, besides the hourly ones',
    response: SchedulerStatus,
  },
  'GET /backups/ssh-settings': {
    summary: 'Where copies of backups go, without its secrets',
    response: SshSettings,
  },
  'POST /backups/ssh-settings': {
    summary: 'Saves where copies of backups go',
    body: SshSettingsInput,
    computed: sshComputed,
    secret: true,
    response: SshSettings,
  },
  'POST /backups/ssh-settings/test': {
    summary:
      'Connects, makes the folder where it is missing, writes and removes a small file; names the step that failed',
    body: SshSettingsTest,
    computed: sshComputed,
    secret: true,
    response: z.strictObject({ message: z.string(), details: z.string(), hostKey: z.string() }),
  },
} as const satisfies RouteTable;
