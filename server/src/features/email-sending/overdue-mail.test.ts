import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { insertPerson } from '../../../test/people.ts';
import { openMailServer, type MailServer } from '../../../test/smtp.ts';
import { newId } from '../../platform/ids.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { openWorker } from './delivery.fixture.ts';
import * as queries from './delivery.queries.ts';
import * as add from './outgoing.fixture.ts';

let mail: MailServer;
let sender: add.Sender;
const closes: (() => Promise<void>)[] = [];
const database = await testDatabase();
await database.db.insertInto('installation').values({ id: newId(), key_check: 'sealed' }).execute();
afterAll(() => database.close());
beforeEach(async () => {
  mail = await openMailServer({ password: 'right' });
  sender = await add.addSender(database, mail.port);
});
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
  await mail.close();
  await database.db.deleteFrom('emails').execute();
});

const ago = (time: string) => sql<string>`now() - ${time}::interval`;
const ahead = (time: string) => sql<string>`now() + ${time}::interval`;
const addEmail = (changes: object) => add.addEmail(database, sender, changes);
const read = (id: string) =>
  database.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Sets the last time at which an instance delivered mail. */
const lastAlive = (at: ReturnType<typeof ago> | null) =>
  database.db.updateTable('installation').set({ mail_heartbeat_at: at }).execute();

function openInstance() {
  const worker = openWorker(database.connection, { sweepMs: 50 });
  closes.push(() => worker.close());
  return worker;
}

/** Starts instances of the program concurrently. */
async function start(count = 1): Promise<void> {
  const instances = Array.from({ length: count }, openInstance);
  for (const { delivery } of instances) {
    const jobs = await startJobs(database.connection, createLog('silent'));
    closes.push(() => jobs.stop());
    await delivery.start(jobs);
  }
}

describe('at the start after a long stop', () => {
  test.each([
    ['three days', ago('3 days')],
    ['a time that no release before this one noted', null],
  ])('the start after a long stop of %s holds overdue messages and sends none of them', async (_, alive) => {
    await lastAlive(alive);
    const held = await Promise.all([
      addEmail({ next_attempt_at: ago('3 days'), cancellable_until: ago('3 days') }),
      addEmail({ next_attempt_at: ago('61 minutes'), status: 'retrying', attempts: 2 }),
      addEmail({
        next_attempt_at: ago('2 days'),
        status: 'sending',
        attempts: 1,
        leased_until: ago('2 days'),
      }),
    ]);
    const due = await addEmail({ next_attempt_at: ago('59 minutes') });
    const planned = await addEmail({ next_attempt_at: ahead('3 hours'), status: 'retrying', attempts: 5 });
    await start(2);
    await expect.poll(async () => (await read(due)).status).toBe('sent');
    for (const [place, status] of ['queued', 'retrying', 'retrying'].entries()) {
      const heldAt = expect.any(String);
      const waits = { held_at: heldAt, hold_reason: 'overdue', leased_until: null };
      expect(await read(held[place]!)).toMatchObject({ status, ...waits, cancellable_until: null });
      const entries = await database.db
        .selectFrom('audit_entries')
        .select(['action', 'after'])
        .where('record_id', '=', held[place]!)
        .execute();
      // Two instances started at once; one of them held the email.
      expect(entries).toEqual([
        { action: 'email.updated', after: { held: true, because: 'overdue', status } },
      ]);
    }
    expect(await read(planned)).toMatchObject({ status: 'retrying', held_at: null });
    expect(mail.accepted).toHaveLength(1);
  });

  test('the start after a long stop notifies each active administrator once of all held messages, and of none without any', async () => {
    const person = (role: 'admin' | 'user') => insertPerson(database.db, { role });
    const [ada, ben, retired] = [await person('admin'), await person('admin'), await person('admin')];
    await person('user');
    await database.db.updateTable('users').set({ is_active: false }).where('id', '=', retired.id).execute();
    const readNotifications = () =>
      database.db
        .selectFrom('notifications')
        .where('kind', '=', 'mailHeld')
        .orderBy('user_id')
        .select(['user_id', 'count', 'created_by', 'read_at'])
        .execute();
    await database.db.deleteFrom('notifications').execute();
    await lastAlive(ago('2 days'));
    const ids = [ago('1 day'), ago('2 days'), ago('3 days')];
    for (const next_attempt_at of ids) await addEmail({ next_attempt_at });
    await start(2);
    await expect.poll(readNotifications).toHaveLength(2);
    const notification = { count: 3, created_by: null, read_at: null };
    expect(await readNotifications()).toEqual(
      [ada, ben]
        .map(({ id }) => ({ user_id: id, ...notification }))
        .sort((a, b) => (a.user_id < b.user_id ? -1 : 1)),
    );
    const due = await addEmail({});
    await expect.poll(async () => (await read(due)).status).toBe('sent');
    expect(await readNotifications()).toHaveLength(2);
  });

  test('no worker leases an overdue message before it is held', async () => {
    await lastAlive(ago('2 hours'));
    const id = await addEmail({ next_attempt_at: ago('2 hours') });
    await openInstance().drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'queued', attempts: 0 });
  });

  test('a message sent while the database was unavailable remains sent', async () => {
    await lastAlive(ago('2 hours'));
    const id = await addEmail({
      next_attempt_at: ago('2 hours'),
      status: 'sending',
      attempts: 1,
      lease_token: 7,
    });
    await database.db.transaction().execute(queries.holdOverdue);
    const outcome = { status: 'sent', answer: '250 ok' } as const;
    const email = await read(id);
    await database.db
      .transaction()
      .execute((tx) => queries.finish(tx, [{ email, outcome, isUnknown: false }]));
    expect(await read(id)).toMatchObject({ status: 'sent', held_at: null, hold_reason: null });
  });
});

test('a message that waited while an instance was running is sent at the start, at any age', async () => {
  await lastAlive(ago('50 minutes'));
  const id = await addEmail({ next_attempt_at: ago('3 days') });
  await start();
  await expect.poll(async () => (await read(id)).status).toBe('sent');
});

test('instances record that they deliver mail', async () => {
  await lastAlive(ago('3 days'));
  await start();
  const seconds = async () =>
    (
      await database.db
        .selectFrom('installation')
        .select(sql<number>`extract(epoch from now() - mail_heartbeat_at)::float8`.as('ago'))
        .executeTakeFirstOrThrow()
    ).ago;
  await expect.poll(seconds).toBeLessThan(60);
});
