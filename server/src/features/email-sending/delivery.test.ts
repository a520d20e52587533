import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { messageIds, openMailServer, readMail, type MailServer } from '../../../test/smtp.ts';
import { clientConfig } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { openWorker, startWorker } from './delivery.fixture.ts';
import { TIMES } from './delivery.ts';
import { createLeases } from './leases.ts';
import * as add from './outgoing.fixture.ts';

let mail: MailServer;
const workers: { close(): Promise<void> }[] = [];
const database = await testDatabase();
afterAll(() => database.close());
beforeEach(async () => {
  mail = await openMailServer({ password: 'right' });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close();
  await mail.close();
  await database.db.deleteFrom('emails').execute();
  await database.db.deleteFrom('email_settings').execute();
});

function worker(times?: Parameters<typeof openWorker>[1]) {
  const opened = openWorker(database.connection, times);
  workers.push(opened);
  return opened;
}

const addSender = (port = mail.port, password?: string) => add.addSender(database, port, password);
const addEmail = (sender: add.Sender, changes?: object) => add.addEmail(database, sender, changes);

const read = (id: string) =>
  database.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Returns the seconds until the next attempt, by the database's clock. */
const waitOf = async (id: string) =>
  (
    await database.db
      .selectFrom('emails')
      .where('id', '=', id)
      .select(sql<number>`extract(epoch from next_attempt_at - now())::int`.as('seconds'))
      .executeTakeFirstOrThrow()
  ).seconds;
const makeDue = (id: string) =>
  database.db
    .updateTable('emails')
    .set({ next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .execute();

describe('an attempt', () => {
  test('an attempt of a message that its job has begun to deliver ends with that delivery', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    const permission = new AbortController();
    mail.next({ after: permission.signal });
    const { drain, delivery } = worker();
    const draining = drain(sender.senderId);
    await mail.whenArrived(1);
    const later = delivery.attempt(id).then(() => read(id));
    // More statements than an attempt without a message has.
    for (let count = 0; count < 10; count += 1) expect(await read(id)).toMatchObject({ status: 'sending' });
    permission.abort();
    expect(await later).toMatchObject({ status: 'sent', attempts: 1 });
    await draining;
  });

  test('a message whose sender cannot be read once it is leased, as during a switchover, returns to the queue', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    const away = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('The database is away'));
    const opened = openWorker(database.connection, {}, undefined, away);
    workers.push(opened);
    await opened.delivery.attempt(id);
    expect(await read(id)).toMatchObject({ status: 'queued', attempts: 0, leased_until: null });
    await opened.delivery.attempt(id);
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 1, fate_unknown: false });
  });

  test('an attempt of a message that is being leased waits for the end of that lease', async () => {
    const id = await addEmail(await addSender());
    const { db } = database;
    const leases = createLeases({ db, log: createLog('silent'), leaseSeconds: 30, renewMs: 8000 });
    const taking = leases.take({ id }, 1);
    const released = leases.whenReleased(id).then(() => 'released');
    const leased = await taking;
    expect(await Promise.race([released, read(id)])).toMatchObject({ status: 'sending' });
    leases.release(leased);
    expect(await released).toBe('released');
  });

  test('an attempt sends due messages and stores the outcome with its audit entry', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    await worker().drain(sender.senderId);
    expect(await readMail(mail.accepted[0]!)).toMatchObject({
      messageId: `<${id}@example.com>`,
      subject: 'Hello',
    });
    expect(await read(id)).toMatchObject({
      status: 'sent',
      attempts: 1,
      answer: expect.stringMatching(/^250 /),
      sent_at: expect.any(String),
      next_attempt_at: null,
      leased_until: null,
    });
    const entry = await database.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('record_id', '=', id)
      .executeTakeFirst();
    expect(entry).toMatchObject({ action: 'email.updated', actor_name: 'System', after: { status: 'sent' } });
  });

  test('an attempt ignores messages that are not due, cancelled, sent, held by a restore, or of another sender', async () => {
    const sender = await addSender();
    await addEmail(sender, { held_at: sql`now()` });
    await addEmail(sender, { next_attempt_at: sql`now() + interval '1 hour'` });
    await addEmail(sender, { status: 'cancelled', next_attempt_at: null });
    await addEmail(sender, { status: 'sent', next_attempt_at: null });
    await addEmail(await addSender());
    await worker().drain(sender.senderId);
    expect(mail.arrived).toHaveLength(0);
  });

  test('an attempt stores a response truncated at an emoji', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next({ code: 250, text: `${'a'.repeat(295)}😀 tail` });
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent', answer: expect.stringMatching(/a😀$/u) });
  });

  test('an attempt stores our own text for an outcome that the database rejects', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    await sql`alter table emails add constraint no_odd_words check (answer not like '%odd words%')`.execute(
      database.db,
    );
    mail.next({ code: 250, text: 'odd words' });
    await worker().drain(sender.senderId);
    await sql`alter table emails drop constraint no_odd_words`.execute(database.db);
    expect(await read(id)).toMatchObject({
      status: 'sent',
      attempts: 1,
      answer: 'The answer of the mail server could not be written down.',
    });
    expect(mail.arrived).toHaveLength(1);
  });

  test('an attempt of a planned message happens at its time, by the sweep alone', async () => {
    const sender = await addSender();
    const id = await addEmail(sender, { next_attempt_at: sql`now() + interval '700 ms'` });
    const { next_attempt_at: plannedAt } = await read(id);
    const jobs = await startJobs(database.connection, createLog('silent'));
    try {
      await worker({ sweepMs: 50 }).delivery.start(jobs);
      await expect.poll(async () => (await read(id)).status).toBe('sent');
    } finally {
      await jobs.stop();
    }
    const { sent_at: sentAt } = await read(id);
    expect(Date.parse(sentAt!)).toBeGreaterThanOrEqual(Date.parse(plannedAt!));
  });

  test('an attempt fails without a mail server', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    await database.db.deleteFrom('email_settings').execute();
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      answer: 'The mail server of the sender is not configured.',
    });
  });
});

test('a worker does not send mail of a deactivated user', async () => {
  const sender = await addSender();
  const id = await addEmail(sender);
  await database.db
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', sender.senderId)
    .execute();
  await worker().drain(sender.senderId);
  expect(await read(id)).toMatchObject({ status: 'failed', answer: 'The sender is no longer active.' });
  expect(mail.arrived).toHaveLength(0);
});

describe('a contact who was removed or deactivated while the message waited', () => {
  const recipients = {
    to_addresses: ['tess@dealer.example', 'Sam@Dealer.example'],
    cc_addresses: ['cam@x.example'],
  };

  test('a contact who was removed while a message waited gets no message; the other recipients do, and the log lists only those', async () => {
    const sender = await addSender();
    const id = await addEmail(sender, recipients);
    const { db } = database;
    await db.deleteFrom('contacts').where('email', '=', 'tess@dealer.example').execute();
    await db.updateTable('contacts').set({ active: false }).where('email', '=', 'cam@x.example').execute();
    await db
      .updateTable('contacts')
      .set({ email: 'sam@dealer.EXAMPLE' })
      .where('email', '=', 'Sam@Dealer.example')
      .execute();
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({
      status: 'sent',
      to_addresses: ['Sam@Dealer.example'],
      cc_addresses: [],
    });
    expect(mail.arrived.map(({ envelope }) => envelope.to)).toEqual([['Sam@dealer.example']]);
  });

  test('a message that waited fails if none of them is left, except for a copy to its sender', async () => {
    const sender = await addSender();
    const id = await addEmail(sender, recipients);
    const own = await addEmail(sender, { to_addresses: [`${sender.senderId}@EXAMPLE.com`] });
    await database.db.deleteFrom('contacts').execute();
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      answer: 'No recipient is an active contact of the dealership any more.',
      to_addresses: recipients.to_addresses,
    });
    expect((await read(own)).status).toBe('sent');
  });
});

describe('a server that rejects a message', () => {
  test('a server that rejects a message is retried after a minute with the same Message-ID after a temporary rejection', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next({ code: 451, text: 'greylisted' });
    const { drain } = worker();
    await drain(sender.senderId);
    expect(await read(id)).toMatchObject({
      status: 'retrying',
      attempts: 1,
      answer: expect.stringContaining('greylisted'),
    });
    expect(await waitOf(id)).toBeGreaterThan(55);
    await makeDue(id);
    await drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(messageIds(mail.arrived)).toEqual([`<${id}@example.com>`, `<${id}@example.com>`]);
  });

  test('a server that rejects a message is retried with the same Message-ID when the connection ends before the response', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next('drop');
    const { drain } = worker();
    await drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'retrying' });
    await makeDue(id);
    await drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent' });
    expect(new Set(messageIds(mail.arrived)).size).toBe(1);
  });

  test('a permanent rejection is final, with the server’s text on one line', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next({ code: 554, text: 'no such\r\nmailbox here' });
    await worker().drain(sender.senderId);
    const { status, answer } = await read(id);
    expect(status).toBe('failed');
    expect(answer).toMatch(/^554.*no such.*mailbox here/);
    expect(answer).not.toMatch(/[\r\n]/);
    const notifications = database.db.selectFrom('notifications').where('record_id', '=', id);
    expect(await notifications.select(['user_id', 'kind']).execute()).toEqual([
      { user_id: sender.senderId, kind: 'emailFailed' },
    ]);
  });

  describe('for some of its recipients', () => {
    const [tess, sam, cam] = ['tess@dealer.example', 'Sam@Dealer.example', 'cam@x.example'] as const;
    const recipients = { to_addresses: [tess, sam], cc_addresses: [cam] };
    const envelopes = () => mail.accepted.map(({ envelope }) => envelope.to);

    test('a server that rejects a message for some of its recipients gets it again for these alone, after a temporary rejection', async () => {
      const sender = await addSender();
      const id = await addEmail(sender, recipients);
      mail.refused.set(cam, { code: 450, text: 'greylisted' });
      const { drain } = worker();
      await drain(sender.senderId);
      expect(await read(id)).toMatchObject({
        status: 'retrying',
        delivered_to: [tess, sam],
        answer: expect.stringMatching(/^Delivered, but not to cam@x\.example: 450.*greylisted/),
      });
      mail.refused.clear();
      mail.next({ code: 451, text: 'later' });
      await makeDue(id);
      await drain(sender.senderId);
      expect(await read(id)).toMatchObject({
        status: 'retrying',
        delivered_to: [tess, sam],
        answer: expect.stringMatching(/^Delivered, but not to cam@x\.example: 451.*later/),
      });
      await makeDue(id);
      await drain(sender.senderId);
      expect(await read(id)).toMatchObject({ status: 'sent', ...recipients });
      expect(envelopes()).toEqual([[tess, 'Sam@dealer.example'], [cam]]);
      const mails = await Promise.all(mail.accepted.map(readMail));
      for (const one of mails) {
        expect(one.to?.map(({ address }) => address)).toEqual([tess, 'Sam@dealer.example']);
        expect(one.messageId).toBe(`<${id}@example.com>`);
      }
    });

    test('a server that rejects a message for some of its recipients fails with the names of these after a permanent rejection, and its retry is for them', async () => {
      const sender = await addSender();
      const id = await addEmail(sender, recipients);
      mail.refused.set(tess, { code: 550, text: 'no such user' });
      const { drain } = worker();
      await drain(sender.senderId);
      expect(await read(id)).toMatchObject({
        status: 'failed',
        sent_at: null,
        delivered_to: [sam, cam],
        answer: expect.stringMatching(/^Delivered, but not to tess@dealer\.example: 550.*no such user/),
      });
      const notifications = database.db.selectFrom('notifications').where('record_id', '=', id);
      expect(await notifications.select('kind').execute()).toEqual([{ kind: 'emailFailed' }]);
      mail.refused.clear();
      await database.db
        .updateTable('emails')
        .set({ status: 'queued', next_attempt_at: sql`now()` })
        .where('id', '=', id)
        .execute();
      await drain(sender.senderId);
      expect((await read(id)).status).toBe('sent');
      expect(envelopes()).toEqual([['Sam@dealer.example', cam], [tess]]);
    });

    test('a server that rejects a message for some of its recipients tries all of these again while one of the rejections is temporary', async () => {
      const sender = await addSender();
      const id = await addEmail(sender, recipients);
      mail.refused.set(tess, { code: 550, text: 'no such user' });
      mail.refused.set(cam, { code: 450, text: 'greylisted' });
      const { drain } = worker();
      await drain(sender.senderId);
      expect(await read(id)).toMatchObject({ status: 'retrying', delivered_to: [sam] });
      mail.refused.delete(cam);
      await makeDue(id);
      await drain(sender.senderId);
      expect(await read(id)).toMatchObject({ status: 'failed', delivered_to: [sam, cam] });
      expect(envelopes()).toEqual([['Sam@dealer.example'], [cam]]);
    });

    test('a server that rejects a message for some of its recipients is sent once these are no longer contacts', async () => {
      const sender = await addSender();
      const id = await addEmail(sender, recipients);
      mail.refused.set(cam, { code: 450, text: 'greylisted' });
      const { drain } = worker();
      await drain(sender.senderId);
      await database.db.deleteFrom('contacts').where('email', '=', cam).execute();
      await makeDue(id);
      await drain(sender.senderId);
      expect(await read(id)).toMatchObject({ status: 'sent', cc_addresses: [] });
      expect(mail.arrived).toHaveLength(1);
    });
  });

  test('a server that rejects a message is given up after a day', async () => {
    const sender = await addSender();
    const id = await addEmail(sender, { first_attempt_at: sql`now() - interval '25 hours'` });
    mail.next({ code: 451, text: 'later' });
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'failed' });
  });

  test('a server that rejects a message is contacted once while unreachable, not for every message, and delays no other sender', async () => {
    const away = await addSender(1);
    const ids = [await addEmail(away), await addEmail(away), await addEmail(away)];
    const { drain } = worker();
    await drain(away.senderId);
    await drain(away.senderId);
    const rows = await Promise.all(ids.map(read));
    expect(rows.map(({ status }) => status)).not.toContain('sent');
    expect(await Promise.all(ids.map(waitOf))).toSatisfy((waits: number[]) =>
      waits.every((seconds) => seconds > 50),
    );
    const other = await addSender();
    const id = await addEmail(other);
    await drain(other.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent' });
  });

  test('a server that rejects a message retries a message planned or held for days like any other', async () => {
    const sender = await addSender();
    const id = await addEmail(sender, { created_at: sql`now() - interval '9 days'` });
    mail.next({ code: 451, text: 'later' });
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'retrying', first_attempt_at: expect.any(String) });
  });

  test('a server that rejects a message pauses the queue after a rejected sign-in until the settings are saved again', async () => {
    const sender = await addSender(mail.port, 'wrong');
    const first = await addEmail(sender);
    const second = await addEmail(sender);
    const { drain } = worker();
    await drain(sender.senderId);
    expect([(await read(first)).status, (await read(second)).status]).toContain('retrying');
    const settings = () => database.db.selectFrom('email_settings').selectAll().executeTakeFirstOrThrow();
    expect(await settings()).toMatchObject({
      pause_reason: expect.stringContaining('did not accept the username'),
    });
    expect(JSON.stringify(await Promise.all([read(first), settings()]))).not.toContain('banner-secret');

    const before = mail.connections();
    await makeDue(first);
    await drain(sender.senderId);
    expect(mail.connections()).toBe(before);
    // Other senders do not wait for them.
    const other = await addSender();
    await addEmail(other);
    await drain(other.senderId);
    expect(mail.accepted).toHaveLength(1);

    await database.db
      .updateTable('email_settings')
      .set({ smtp_password: add.sealed(sender.senderId, 'right'), pause_reason: null, version: 2 })
      .where('user_id', '=', sender.senderId)
      .execute();
    await makeDue(first);
    await makeDue(second);
    await drain(sender.senderId);
    expect(mail.accepted).toHaveLength(3);
  });
});

describe('concurrent workers', () => {
  test('messages of a dead worker are leased again within a minute', () => {
    // A lease that has just started, a sweep that has just run, and a second until the job is fetched.
    expect(TIMES.leaseSeconds + TIMES.sweepMs / 1000 + 1).toBeLessThan(60);
    expect(TIMES.renewMs / 1000).toBeLessThan(TIMES.leaseSeconds / 2);
  });

  test('a worker returns leased but untried messages, without counting an attempt', async () => {
    const away = await addSender(1);
    const ids = await Promise.all(Array.from({ length: 12 }, () => addEmail(away)));
    await worker().drain(away.senderId);
    const rows = await Promise.all(ids.map(read));
    const tried = rows.filter(({ attempts }) => attempts > 0);
    expect(tried.length).toBeLessThanOrEqual(5);
    for (const row of rows)
      expect(row).toMatchObject({ status: row.attempts > 0 ? 'retrying' : 'queued', leased_until: null });
    expect(await Promise.all(ids.map(waitOf))).toSatisfy((waits: number[]) =>
      waits.every((seconds) => seconds > 50),
    );
  });

  test('several workers never send one message twice', async () => {
    const sender = await addSender();
    const ids = await Promise.all(Array.from({ length: 40 }, () => addEmail(sender)));
    const several = [worker(), worker(), worker()];
    await Promise.all(several.map(({ drain }) => drain(sender.senderId)));
    const seen = messageIds(mail.arrived).toSorted();
    expect(seen).toEqual(ids.map((id) => `<${id}@example.com>`).toSorted());
  });

  test('a renewed lease protects a slow message', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    const permission = new AbortController();
    mail.next({ after: permission.signal });
    const attempt = worker({ leaseSeconds: 3, renewMs: 100 }).drain(sender.senderId);
    await mail.whenArrived(1);
    const firstLease = Date.parse((await read(id)).leased_until!);
    const other = worker();
    const drainAgain = async () => {
      await other.drain(sender.senderId);
      return Date.now();
    };
    await expect.poll(drainAgain).toBeGreaterThan(firstLease);
    await other.drain(sender.senderId);
    expect(mail.arrived).toHaveLength(1);
    permission.abort();
    await attempt;
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 1 });
  });

  test('a worker without its lease writes no outcome', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    const retaken = new AbortController();
    mail.next({ after: retaken.signal, refusal: { code: 451, text: 'later' } });
    const attempt = worker({ leaseSeconds: 0.1, renewMs: 60_000 }).drain(sender.senderId);
    await mail.whenArrived(1);
    const other = worker();
    while (mail.arrived.length < 2) await other.drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 2 });
    retaken.abort();
    await attempt;
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(new Set(messageIds(mail.arrived)).size).toBe(1);
  });

  test('a message accepted while the database was unavailable is not sent again', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    const taken = new AbortController();
    mail.next({ after: taken.signal });
    const attempt = worker().drain(sender.senderId);
    await mail.whenArrived(1);

    const { name } = await database.db
      .selectNoFrom(sql<string>`current_database()`.as('name'))
      .executeTakeFirstOrThrow();
    const keeper = new pg.Client({ ...clientConfig(database.connection), database: 'postgres' });
    await keeper.connect();
    await keeper.query(`alter database ${name} with allow_connections false`);
    await keeper.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    taken.abort();
    await expect(read(id)).rejects.toBeInstanceOf(Error);
    await keeper.query(`alter database ${name} with allow_connections true`);
    await keeper.end();

    await attempt;
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(mail.arrived).toHaveLength(1);
  });

  test('a stop returns messages delayed by a server', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next('hang');
    const stopped = worker({ stopMs: 50 });
    const attempt = stopped.drain(sender.senderId);
    await mail.whenArrived(1);
    await stopped.delivery.stop();
    await attempt;
    expect(await read(id)).toMatchObject({ status: 'retrying', leased_until: null, fate_unknown: true });
  });

  test('a message of a worker that was lost while it sent it may have arrived, whatever the next attempt says', async () => {
    const sender = await addSender();
    const lost = { status: 'sending', attempts: 1, leased_until: sql`now() - interval '1 second'` };
    const id = await addEmail(sender, lost);
    mail.next({ code: 451, text: 'later' });
    const { drain } = worker();
    await drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'retrying', fate_unknown: true });
    await makeDue(id);
    await drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent', fate_unknown: false });
  });

  test('after kill -9 in the middle of a message another worker sends it with the same Message-ID', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next('hang');
    const killed = startWorker(database.connection, sender.senderId);
    killed.start();
    await mail.whenArrived(1);
    await killed.kill();
    expect(await read(id)).toMatchObject({ status: 'sending', attempts: 1 });

    const jobs = await startJobs(database.connection, createLog('silent'));
    try {
      await worker({ sweepMs: 100 }).delivery.start(jobs);
      await mail.whenArrived(2);
      await expect.poll(async () => (await read(id)).status).toBe('sent');
    } finally {
      await jobs.stop();
    }
    expect(messageIds(mail.arrived)).toEqual([`<${id}@example.com>`, `<${id}@example.com>`]);
  });

  test('messages of a paused queue are given up after a day', async () => {
    const sender = await addSender();
    const longAgo = { created_at: sql`now() - interval '9 days'` };
    const due = sql`now() - interval '25 hours'`;
    const id = await addEmail(sender, { ...longAgo, next_attempt_at: due });
    const unanswered = await addEmail(sender, { ...longAgo, next_attempt_at: due, fate_unknown: true });
    const planned = await addEmail(sender, { ...longAgo, next_attempt_at: sql`now() + interval '1 day'` });
    const held = await addEmail(sender, { ...longAgo, next_attempt_at: due, held_at: sql`now()` });
    const installation = { id: newId(), key_check: 'sealed', mail_heartbeat_at: sql<string>`now()` };
    await database.db.insertInto('installation').values(installation).execute();
    await database.db.updateTable('email_settings').set({ pause_reason: 'Wrong password.' }).execute();
    const jobs = await startJobs(database.connection, createLog('silent'));
    try {
      await worker({ sweepMs: 100 }).delivery.start(jobs);
      await expect.poll(async () => (await read(id)).status).toBe('failed');
    } finally {
      await jobs.stop();
    }
    expect(await read(id)).toMatchObject({ answer: 'Wrong password.' });
    expect(await read(unanswered)).toMatchObject({
      status: 'unconfirmed',
      answer: 'Wrong password. The mail server may have delivered it.',
    });
    expect([(await read(planned)).status, (await read(held)).status]).toEqual(['queued', 'queued']);
  });
});
