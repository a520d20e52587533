import type { UsedSpace } from '@forecourt/contract/deal-attachments';
import { RESTORABLE_DAYS } from '@forecourt/contract/deal-limits';
import { EXPORT_RETENTION_DAYS } from '@forecourt/contract/export-limits';
import type {
  JobQueue,
  JobSummary,
  OutdatedDatabase,
  RecurringJob,
  RecurringJobName,
} from '@forecourt/contract/jobs';
import { formatBusinessDate, formatCount, formatSize } from '../platform/formats.ts';

const recurring: Record<RecurringJobName, { name: string; what: string }> = {
  'hourly-backup': {
    name: 'Hourly backup',
    what: 'Creates a backup at every full hour, and tests one each night',
  },
  'backup-copies': { name: 'Copies of backups', what: 'Copies new backups to the SSH server and to S3' },
  'backup-clean-up': {
    name: 'Clean-up of backups',
    what: 'Removes unfinished backups, and lists files that were put into the folder',
  },
  'backup-watch': {
    name: 'Watch over backups',
    what: 'Notifies administrators of failed backups, restore tests and copies',
  },
  'file-clean-up': {
    name: 'Clean-up of files',
    what: 'Removes the content of files that no record, export or backup uses',
  },
  'file-move': {
    name: 'Move of files',
    what: 'Moves files of an earlier release from the database to the data folder',
  },
  'deleted-rows': {
    name: 'Deleted rows',
    what: `Removes rows permanently ${RESTORABLE_DAYS} days after their deletion`,
  },
  'change-sets': { name: 'Counts of changes', what: 'Counts the rows of the latest changes' },
  'deal-sums': { name: 'Sums of deals', what: 'Adds the latest changes to the stored sums' },
  'audit-seals': { name: 'Audit log', what: 'Seals new entries' },
  'export-clean-up': {
    name: 'Clean-up of exports',
    what: `Removes exports after ${EXPORT_RETENTION_DAYS} days`,
  },
  'overdue-mail': { name: 'Overdue email', what: 'Queues email again after a server stopped' },
  'request-keys': { name: 'Idempotency keys', what: 'Removes the keys of requests after 24 hours' },
  'interrupted-work': { name: 'Interrupted work', what: 'Ends work whose server stopped' },
  'disk-space': { name: 'Disk space', what: 'Notifies administrators when the disk is almost full' },
};

const queues: Record<JobQueue, string> = {
  mail: 'Email',
  'password-links': 'Password links and invitations',
  'mention-mail': 'Email about mentions',
  'backup-mail': 'Email about backups',
};

/** Returns the name of recurring work, a queue or a kind of job as its screen shows it. */
export const workName = (name: string): string =>
  recurring[name as RecurringJobName]?.name ?? queues[name as JobQueue] ?? texts.kinds[name] ?? name;

export const texts = {
  title: 'Background Work',
  note: 'What runs now, what runs next, and what failed.',
  loadFailed: 'Background work could not be loaded',

  space: ({ name, used, limit }: UsedSpace) =>
    name === null
      ? `The files of all rows use ${formatSize(used)} of ${formatSize(limit)} (FILES_TOTAL). Files above that limit are refused.`
      : `The files that ${name} attached to rows use ${formatSize(used)} of ${formatSize(limit)} (FILES_PER_PERSON). Files above that limit are refused.`,

  outdatedDatabase: ({ version, newest, releasedOn }: OutdatedDatabase) =>
    `The database runs PostgreSQL ${version}, which is older than ${newest} of ${formatBusinessDate(releasedOn)}. Updates fix vulnerabilities: install it on the server and restart Forecourt.`,

  jobs: 'Started by people',
  what: 'What',
  who: 'Started by',
  program: 'The program itself',
  started: 'Started',
  state: 'State',
  empty: 'Nothing was started in the last 7 days',
  emptyNext: 'Backups, restores, exports and imports are listed here while they run and for 7 days.',
  kinds: {
    backup: 'Backup',
    upload: 'Upload of a backup',
    check: 'Check before a restore',
    'backup-rows': 'Rows of a backup',
    restore: 'Restore',
    fetch: 'Fetch of a backup',
    export: 'Export',
    import: 'Import of deals',
    statements: 'Sending of statements',
    'move-files': 'Move of files to the data folder',
  } as Readonly<Record<string, string>>,
  steps: {
    reading: 'Reading the data',
    verifying: 'Reading the file back',
    inspecting: 'Inspecting the file',
    loading: 'Loading the file',
    comparing: 'Comparing the data',
    preparing: 'Preparing',
    preRestore: 'Creating a backup of the current data',
    swapping: 'Replacing the data',
    fetching: 'Fetching the file',
    rows: 'Writing rows',
    statements: 'Creating the files',
    writing: 'Writing rows',
    moving: 'Moving files',
  } as Readonly<Record<string, string>>,
  statuses: {
    running: 'Running',
    succeeded: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  } satisfies Record<JobSummary['status'], string>,
  progressOf: (name: string) => `Progress: ${name}`,
  countOf: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
  percent: (percent: number) => `${percent}%`,

  cancel: (name: string, by: string) => `Cancel: ${name} (${by})`,
  cancelTitle: (name: string) => `Cancel: ${name}`,
  cancelWhat: {
    import: 'None of its rows are imported. What was there before is kept.',
    export: 'Its file is removed, also the part that is written. Finished exports are kept.',
    backup: 'Its file is removed. Earlier backups are kept.',
    upload: 'The uploaded file is removed. Other backups are kept.',
    check: 'The check changes nothing. The backup is kept.',
    'backup-rows': 'No row is copied. The backup is kept.',
    fetch: 'The part that was fetched is removed. The copy it was fetched from is kept.',
    'move-files':
      'Files that were moved stay there, and the others can be opened as before. Run now continues the move.',
  } as Readonly<Record<string, string>>,
  cancelWho: (name: string) => `If ${name} has the page open, it shows who cancelled the work.`,
  cancelSubmit: 'Cancel the work',
  cancelNot: 'Let it run',
  cancelled: (name: string) => `Cancelled: ${name}`,
  cancelFailed: 'The work could not be cancelled',

  recurringTitle: 'Repeated by the program',
  recurring,
  lastRun: 'Last run',
  nextRun: 'Next run',
  off: 'Off',
  recurringStatuses: {
    waiting: 'Not run yet',
    running: 'Running',
    succeeded: 'Done',
    failed: 'Failed',
  } satisfies Record<RecurringJob['status'], string>,
  noRecurring: 'This server repeats nothing',
  run: (name: string) => `Run now: ${name}`,
  runAgain: (name: string) => `Try again now: ${name}`,
  begun: (name: string) => `Started: ${name}`,
  runFailed: 'The work could not be started',

  queuesTitle: 'Queues',
  queues,
  queue: 'Queue',
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  noQueues: 'No queues',
  failedTitle: 'Failed jobs of queues',
  failure: 'Failure',
  attempts: 'Attempts',
  failedAt: 'Failed',
  noFailed: 'No failed jobs',
  noFailedNext: 'A job is listed here after its last attempt has failed.',
  retry: (queue: string) => `Try again now: ${queue}`,
  retried: 'The job is queued again',
  retryFailed: 'The job could not be queued again',
} as const;
