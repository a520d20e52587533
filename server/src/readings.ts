import type { BackupAlerts } from './features/backups/backup-alerts.service.ts';
import type { EmailSendingService } from './features/email-sending/email-sending.service.ts';
import { readQueues } from './features/jobs/jobs.service.ts';
import type { Db } from './platform/db/database.ts';
import { readOutdated, readVersion } from './platform/db/postgres-releases.ts';
import type { Replica } from './platform/db/replica.ts';
import type { Metrics } from './platform/metrics.ts';

type Parts = {
  db: Db;
  backupAlerts: Pick<BackupAlerts, 'readAges' | 'list'>;
  sending: Pick<EmailSendingService, 'readOutbox'>;
  openStreams: () => number;
};

/** Adds what features know to the metrics (docs/operating.md, Metrics). All instances read the same from the database. */
export function addReadings(metrics: Metrics, { db, backupAlerts, sending, openStreams }: Parts): void {
  metrics.add({
    name: 'live_connections',
    help: 'Open pages of this instance that receive live events',
    read: () => [{ value: openStreams() }],
  });
  metrics.add({
    name: 'queue_waiting',
    help: 'Jobs that wait for their time, a worker or a retry',
    labels: ['queue'],
    read: async () =>
      (await readQueues(db)).map(({ name, waiting }) => ({ labels: { queue: name }, value: waiting })),
  });
  metrics.add({
    name: 'queue_age_seconds',
    help: 'Time since the oldest waiting job was due',
    labels: ['queue'],
    read: async () =>
      (await readQueues(db)).map(({ name, age }) => ({ labels: { queue: name }, value: age })),
  });
  metrics.add({
    name: 'mail_waiting',
    help: 'Emails that are not sent yet',
    labels: ['status'],
    read: async () =>
      (await sending.readOutbox(db)).map(({ status, count }) => ({ labels: { status }, value: count })),
  });
  metrics.add({
    name: 'mail_age_seconds',
    help: 'Time since the oldest email that is not sent yet was due',
    read: async () => [{ value: Math.max(0, ...(await sending.readOutbox(db)).map(({ age }) => age)) }],
  });
  metrics.add({
    name: 'backup_age_seconds',
    help: 'Time since the newest good backup, its newest copy and the newest successful restore test. Without a backup or test since the scheduler was turned on, and absent while it is off; the copy is absent if none',
    labels: ['kind'],
    read: async () =>
      Object.entries(await backupAlerts.readAges()).flatMap(([kind, value]) =>
        value === null ? [] : [{ labels: { kind }, value }],
      ),
  });
  metrics.add({
    name: 'backup_alerts',
    help: 'What is wrong with backups now',
    labels: ['kind'],
    read: async () => (await backupAlerts.list(db)).map(({ kind }) => ({ labels: { kind }, value: 1 })),
  });
  metrics.add({
    name: 'postgresql_outdated',
    help: '1 if PostgreSQL is older than the newest minor release that this release of Forecourt knows',
    labels: ['version'],
    read: async () => {
      const outdated = await readOutdated(db);
      return [{ labels: { version: await readVersion(db) }, value: outdated === null ? 0 : 1 }];
    },
  });
}

/** Adds the state of the replica, as this instance sees it. */
export function addReplicaReadings(metrics: Metrics, replica: Pick<Replica, 'measure'>): void {
  metrics.add({
    name: 'replica_in_use',
    help: '1 if the replica serves reads, 0 while it is left out',
    read: async () => [{ value: (await replica.measure()).isInUse ? 1 : 0 }],
  });
  metrics.add({
    name: 'replica_lag_bytes',
    help: 'Bytes of the log that the replica had not replayed; absent while it is not reached',
    read: async () => {
      const { lagBytes } = await replica.measure();
      return lagBytes === undefined ? [] : [{ value: lagBytes }];
    },
  });
}
