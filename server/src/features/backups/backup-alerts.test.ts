import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { openMailServer, readMail } from '../../../test/smtp.ts';
import { readConfig } from '../../platform/config.ts';
import type { Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { findAlerts, type BackupState } from './backup-alerts.policy.ts';
import { createBackupAlerts } from './backup-alerts.service.ts';
import { addCopy } from './backups.fixture.ts';
import { claimCopy, copyDone, markElsewhere, releaseCopy } from './copies.queries.ts';

const mail = await openMailServer({ password: 'right' });
const SMTP_URL = `smtp://desk:right@127.0.0.1:${mail.port}?from=desk@shine.example`;
const variables = { SMTP_URL, PUBLIC_URL: 'https://forecourt.example/', COMPANY_NAME: 'Shine' };
const server = await testApp(variables);
const [config, log] = [readConfig(variables), createLog('silent')];
const jobs = await startJobs(server.connection, log);
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
const bea = await server.person({ role: 'admin', name: 'Bea Admin' });
const kim = await server.person({ name: 'Kim Clerk' });
afterAll(async () => {
  await jobs.stop();
  await server.close();
  await mail.close();
});
beforeEach(async () => {
  await server.db.deleteFrom('notifications').execute();
  await server.db.deleteFrom('backups').execute();
  await setSchedule({ scheduler_running: true, last_problem: null, restore_test_problem: null });
  await runFor(1);
});

const setSchedule = (changes: object) => server.db.updateTable('backup_settings').set(changes).execute();
const addBackup = (changes: object) =>
  server.db
    .insertInto('backups')
    .values({
      id: newId(),
      name: 'auto_backup_1.sql.gz',
      origin: 'made',
      finished_at: sql<string>`now()`,
      verified_at: sql<string>`now()`,
      ...changes,
    })
    .execute();
/** Stores what instances store that run for some hours until some minutes ago. */
const runFor = (hours: number, minutesAgo = 0) =>
  setSchedule({
    watched_at: sql`now() - make_interval(mins => ${minutesAgo})`,
    watched_since: sql`now() - make_interval(hours => ${hours}, mins => ${minutesAgo})`,
  });
/** One check of an instance that has just started. */
const check = (sendsMail = false) =>
  createBackupAlerts({
    db: server.db,
    config,
    jobs,
    log,
    // The worker of the app sends what is queued.
    mail: sendsMail ? { send: async () => {}, close: () => {} } : undefined,
  }).check();
const kindsOf = async (person: { token: string }): Promise<string[]> =>
  (await server.call('GET /notifications', { token: person.token })).body.items
    .map(({ kind }: { kind: string }) => kind)
    .toSorted();
const alerts = async () =>
  (await server.call('GET /backups/scheduler/status', { token: ada.token })).body.alerts;

describe('what is wrong', () => {
  const state: BackupState = {
    now: '2026-11-21T12:00:00Z',
    scheduler_running: true,
    running_since: '2026-11-01T00:00:00Z',
    last_problem: null,
    restore_test_problem: null,
    copy_problems: [],
    newest_good: '2026-11-21T08:59:00Z',
    watched_since: '2026-11-01T00:00:00Z',
  };
  test.each<[string, Partial<BackupState>, string[]]>([
    ['a backup of three hours ago', { newest_good: '2026-11-21T09:00:00Z' }, []],
    ['an older one', {}, ['backupOverdue']],
    ['an older one, after a start two hours ago', { watched_since: '2026-11-21T10:00:00Z' }, []],
    ['an older one, and a scheduler turned on since', { running_since: '2026-11-21T10:00:00Z' }, []],
    ['none in a new installation', { newest_good: null, running_since: '2026-11-21T10:00:00Z' }, []],
    ['none for weeks', { newest_good: null }, ['backupOverdue']],
    ['a scheduler that is off', { scheduler_running: false, last_problem: 'x' }, []],
    [
      'several failures',
      {
        newest_good: '2026-11-21T11:00:00Z',
        last_problem: 'x',
        restore_test_problem: 'y',
        copy_problems: [{ destination: 's3', problem: 'z' }],
      },
      ['backupFailed', 'restoreTestFailed', 'backupCopyFailed'],
    ],
  ])('the alerts of %s', (_name, changes, kinds) => {
    expect(findAlerts({ ...state, ...changes }).map(({ kind }) => kind)).toEqual(kinds);
  });
});

test('backups are overdue after three hours without a good one while instances run, however often these are killed; a start after a weekend is no alert', async () => {
  await setSchedule({ running_since: sql`now() - interval '3 days'` });
  await runFor(3, 59);
  await check();
  expect(await kindsOf(ada)).toEqual(['backupOverdue']);
  await server.db.deleteFrom('notifications').execute();
  await runFor(3, 61);
  expect(await alerts()).toEqual([]);
  await check();
  await check();
  expect(await kindsOf(ada)).toEqual([]);
  // Of a clock that was ahead.
  await runFor(9, -600);
  await check();
  expect(await kindsOf(ada)).toEqual([]);
  const { rows } =
    await sql`select from backup_settings where watched_at <= now() and watched_since <= now()`.execute(
      server.db,
    );
  expect(rows).toHaveLength(1);
});

test('a backup counts as good if it is verified and its file or a copy exists, also if files that it names are missing', async () => {
  await setSchedule({ running_since: sql`now() - interval '1 day'` });
  await runFor(99);
  await check();
  expect(await kindsOf(ada)).toEqual(['backupOverdue']);
  await server.db.deleteFrom('notifications').execute();
  await addBackup({ name: 'a', verified_at: null });
  await addBackup({ name: 'b', verified_at: null, problem: 'It is damaged.' });
  await addBackup({ name: 'c', is_local: false });
  await addBackup({ name: 'd', origin: 'uploaded' });
  await check();
  expect(await kindsOf(ada)).toEqual(['backupOverdue']);
  await server.db.deleteFrom('notifications').execute();
  await addBackup({ name: 'e', is_local: false });
  await addCopy(server.db, { name: 'e' });
  await check();
  expect(await kindsOf(ada)).toEqual([]);
  await server.db.deleteFrom('backups').where('name', '=', 'e').execute();
  await addBackup({ name: 'f', problem: '1 of its files is missing on this server.' });
  await check();
  expect(await kindsOf(ada)).toEqual([]);
});

test('a failed backup copy raises an alert only if it failed while copies were turned on', async () => {
  await addBackup({});
  await addCopy(server.db, { state: 'failed', problem: 'The server is away.' });
  expect(await alerts()).toEqual([]);
  await setSchedule({ ssh_enabled_at: sql`now() - interval '1 hour'` });
  expect(await alerts()).toEqual([
    { kind: 'backupCopyFailed', destination: 'ssh', problem: 'The server is away.' },
  ]);
  await setSchedule({ ssh_enabled_at: sql`now() + interval '1 hour'` });
  expect(await alerts()).toEqual([]);
  await setSchedule({ ssh_enabled_at: null });
});

test('administrators are told of a copy whose process was killed, also during its next attempt, and not of a copy that is made again because its destination was changed', async () => {
  await setSchedule({ ssh_enabled_at: sql`now() - interval '1 hour'` });
  await addBackup({});
  const claim = () => claimCopy(server.db, 'ssh', { since: '2026-11-01T00:00:00Z', leaseSeconds: 60 });
  const inTransaction = (work: (tx: Tx) => Promise<unknown>) => server.db.transaction().execute(work);
  await claim();
  expect(await alerts()).toEqual([]);
  await server.db
    .updateTable('backup_copies')
    .set({ leased_until: sql`now() - interval '1 s'` })
    .execute();
  const second = await claim();
  const problem =
    'The copy was interrupted: the program ended, for example because memory ran out, or lost the database.';
  expect(await alerts()).toEqual([{ kind: 'backupCopyFailed', destination: 'ssh', problem }]);
  await releaseCopy(server.db, second!);
  const third = await claim();
  expect(await alerts()).toEqual([{ kind: 'backupCopyFailed', destination: 'ssh', problem }]);
  await inTransaction((tx) => copyDone(tx, third!, 'a'));
  expect(await alerts()).toEqual([]);
  await inTransaction((tx) => markElsewhere(tx, 'ssh', 'It is elsewhere.'));
  expect(await claim()).toMatchObject({ attempt: 5 });
  expect(await alerts()).toEqual([]);
  await setSchedule({ ssh_enabled_at: null });
});

test('each active administrator is notified of each cause once by any number of instances, and again after a day', async () => {
  await setSchedule({ last_problem: 'The disk is full.' });
  await Promise.all([check(), check(), check()]);
  await check();
  expect(await kindsOf(ada)).toEqual(['backupFailed']);
  await setSchedule({ last_problem: 'Another reason.', restore_test_problem: 'It is damaged.' });
  await check();
  const three = ['backupFailed', 'backupFailed', 'restoreTestFailed'];
  expect(await kindsOf(ada)).toEqual(three);
  expect(await kindsOf(bea)).toEqual(three);
  expect(await kindsOf(kim)).toEqual([]);
  await setSchedule({ last_problem: 'The disk is full.' });
  await check();
  expect(await kindsOf(ada)).toEqual(three);
  await server.db
    .updateTable('notifications')
    .set({ occurred_at: sql`now() - interval '25 hours'` })
    .where('kind', '=', 'backupFailed')
    .execute();
  await check();
  expect(await kindsOf(ada)).toEqual(['backupFailed', ...three]);
});

test('administrators are notified once of two failures whose reasons differ only in numbers and times', async () => {
  for (const last_problem of [
    'The backup that began on 1 May 2026 at 12:03 was interrupted, after 2 of 30 files: auto_backup_7.sql.gz.',
    'The backup that began on 12 May 2026 at 9:15 was interrupted, after 11 of 30 files: auto_backup_8.sql.gz.',
  ]) {
    await setSchedule({ last_problem });
    await check();
  }
  expect(await kindsOf(ada)).toEqual(['backupFailed']);
});

test('failed copies to S3 are told while copies by SSH fail too, each with its destination', async () => {
  await setSchedule({
    ssh_enabled_at: sql`now() - interval '1 hour'`,
    s3_enabled_at: sql`now() - interval '1 hour'`,
  });
  await addBackup({});
  const problem = 'The file here is not the one that was listed.';
  await addCopy(server.db, { state: 'failed', problem });
  await check();
  expect(await kindsOf(ada)).toEqual(['backupCopyFailed']);
  await addCopy(server.db, { state: 'failed', problem, destination: 's3' });
  const arrived = mail.arrived.length;
  await check(true);
  await check(true);
  expect(await kindsOf(ada)).toEqual(['backupCopyFailed', 'backupCopyFailed']);
  expect(await alerts()).toEqual(
    ['ssh', 's3'].map((destination) => ({ kind: 'backupCopyFailed', destination, problem })),
  );
  await mail.whenArrived(arrived + 2);
  const { text } = await readMail(mail.arrived.at(-1)!);
  expect(text).toContain(`- A backup could not be copied to S3: ${problem}`);
  expect(text).not.toContain('SSH');
  await setSchedule({ ssh_enabled_at: null, s3_enabled_at: null });
});

test('administrators get one mail about all that is wrong, with the reasons and a link', async () => {
  await setSchedule({ last_problem: 'The disk is full.', restore_test_problem: 'It is damaged.' });
  const arrived = mail.arrived.length;
  await check(true);
  await mail.whenArrived(arrived + 2);
  await check(true);
  const [first, ...others] = await Promise.all(mail.arrived.slice(arrived).map(readMail));
  expect(others).toHaveLength(1);
  expect(first!.subject).toBe('Backups need attention: Shine');
  expect(first!.text).toContain('- The last automatic backup failed: The disk is full.');
  expect(first!.text).toContain('- The last restore test failed: It is damaged.');
  expect(first!.text).toContain('https://forecourt.example/settings/backups');
  const recipients = mail.arrived
    .slice(arrived)
    .map(({ envelope }) => envelope.to.join())
    .toSorted();
  expect(recipients).toEqual([ada.email, bea.email].toSorted());
});
