import type { BackupAlert, BackupAlertKind } from '@forecourt/contract/backup-alerts';
import { BACKUP_OVERDUE_HOURS } from '@forecourt/contract/backup-limits';
import type { CopyDestination } from '@forecourt/contract/copy-destination';
import { linkBase, type Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { defineJob, IDLE, type JobDefinition, type RunResult } from '../../platform/define-job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import { retryMail } from '../../platform/mail/retry-mail.ts';
import type { SystemMail, SystemMessage } from '../../platform/mail/system-mail.ts';
import { readViewers } from '../../platform/viewers.ts';
import { notifyAdmins } from '../notifications/admin-notices.service.ts';
import { causeOf, findAlerts } from './backup-alerts.policy.ts';
import { readBackupAges, readBackupState, recordWatch } from './backup-alerts.queries.ts';

const CHECK_MS = 60_000;
const QUEUE = 'backup-mail';

/** A mail to an administrator about alerts. Its id is that of the first notification. */
type AlertJob = { userId: string; notificationId: string; alerts: readonly BackupAlert[]; tries?: number };

type Parts = {
  db: Db;
  config: Config;
  jobs: Jobs;
  log: Log;
  /** Undefined if no mail server is configured. */
  mail: SystemMail | undefined;
};

/** Notifies administrators of what is wrong with backups (docs/product/backups.md, Alerts). */
export function createBackupAlerts({ db, config, jobs, log, mail }: Parts) {
  const list = async (tx: Db | Tx): Promise<BackupAlert[]> => findAlerts(await readBackupState(tx));

  /** Notifies of each cause once, and again after a day, by whichever instance is first. */
  async function check(): Promise<RunResult> {
    await recordWatch(db);
    const alerts = await list(db);
    if (alerts.length === 0) return IDLE;
    await db.transaction().execute(async (tx) => {
      const mails = new Map<string, AlertJob & { alerts: BackupAlert[] }>();
      for (const alert of alerts) {
        for (const [userId, notificationId] of await notifyAdmins(tx, alert.kind, causeOf(alert))) {
          const job = mails.getOrInsertComputed(userId, () => ({ userId, notificationId, alerts: [] }));
          job.alerts.push(alert);
        }
      }
      if (mail) for (const job of mails.values()) await jobs.enqueue(tx, QUEUE, job);
    });
    return undefined;
  }

  async function send(server: SystemMail, job: AlertJob, signal: AbortSignal): Promise<void> {
    const [person] = await readViewers(db, [job.userId]);
    if (person?.role !== 'admin') return;
    try {
      await server.send(compose(person, job, config), signal);
    } catch (error) {
      await retryMail({ jobs, db, log }, { queue: QUEUE, job, userId: job.userId, error });
    }
  }

  const watch = defineJob({ name: 'backup-watch', schedule: { everyMs: CHECK_MS }, run: check });
  const sending =
    mail &&
    defineJob<AlertJob>({
      name: QUEUE,
      concurrency: 1,
      run: (job, signal) => send(mail, job, signal),
    });
  return {
    list,
    check,
    readAges: () => readBackupAges(db),
    watch,
    mailJobs: (sending ? [sending] : []) satisfies JobDefinition[],
  };
}

export type BackupAlerts = ReturnType<typeof createBackupAlerts>;

const TEXTS: Record<BackupAlertKind, string> = {
  backupFailed: 'The last automatic backup failed',
  restoreTestFailed: 'The last restore test failed',
  backupCopyFailed: 'A backup could not be copied to another place',
  backupOverdue: `There has been no good backup for more than ${BACKUP_OVERDUE_HOURS} hours`,
};

const COPY_TEXTS: Record<CopyDestination, string> = {
  ssh: 'A backup could not be copied by SSH',
  s3: 'A backup could not be copied to S3',
};

function lineOf({ kind, destination, problem }: BackupAlert): string {
  const text = destination ? COPY_TEXTS[destination] : TEXTS[kind];
  return problem === null ? `- ${text}.` : `- ${text}: ${problem}`;
}

function compose(
  person: { name: string; email: string },
  { notificationId, alerts }: AlertJob,
  config: Config,
): SystemMessage {
  const parts = [
    `Hello ${person.name},`,
    `the backups of Forecourt at ${config.COMPANY_NAME} need you:`,
    alerts.map(lineOf).join('\n'),
    `Earlier backups are kept. Reasons and settings: ${linkBase(config)}/settings/backups`,
    'While this lasts, you get a mail about it once a day.',
  ];
  return {
    id: notificationId,
    to: person.email,
    subject: `Backups need attention: ${config.COMPANY_NAME}`,
    text: `${parts.join('\n\n')}\n`,
  };
}
