import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../test/database.ts';
import { messageIds, openMailServer, readMail, type MailServer } from '../../../test/smtp.ts';
import { clientConfig } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { startJobs } from '../../platform/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { SMTP_LIMITS } from '../../platform/mail/smtp.ts';
import { openWorker, secrets } from './delivery.fixture.ts';

let database: TestDatabase;
let mail: MailServer;
const workers: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
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

function worker(...[times, limits]: [Parameters<typeof openWorker>[1]?, Parameters<typeof openWorker>[2]?]) {
  const opened = openWorker(database.connection, times, limits);
  workers.push(opened);
  return opened;
}

const sealed = (userId: string, password: string) =>
  secrets.seal(password, { table: 'email_settings', column: 'smtp_password', recordId: userId });

/** A person with a mail server and a dealership to write to. */
async function addSender(port = mail.port, password = 'right') {
  const { db } = database;
  const senderId = newId();
  await db
    .insertInto('users')
    .values({ id: senderId, name: 'Kim Novak', email: `${senderId}@example.com`, role: 'user' })
    .execute();
  await db
    .insertInto('email_settings')
    .values({
      user_id: senderId,
      smtp_host: '127.0.0.1',
      smtp_port: port,
      smtp_secure: false,
      smtp_user: 'kim',
      smtp_password: sealed(senderId, password),
      smtp_from_email: 'kim@example.com',
    })
    .execute();
  const dealershipId = newId();
  await db
    .insertInto('dealerships')
    .values({ id: dealershipId, name: 'Harbour', address: 'Pier', owner_id: senderId })
    .execute();
  return { senderId, dealershipId };
}

type Sender = Awaited<ReturnType<typeof addSender>>;

async function addEmail({ senderId, dealershipId }: Sender, changes: object = {}): Promise<string> {
  const id = newId();
  await database.db
    .insertInto('emails')
    .values({
      id,
      sender_id: senderId,
      dealership_id: dealershipId,
      template_name: 'Daily',
      template_version: 1,
      from_name: 'Kim Novak',
      from_address: 'kim@example.com',
      to_addresses: ['sam@dealer.example'],
      cc_addresses: [],
      subject: 'Hello',
      html: '<p>Hello</p>',
      body_text: 'Hello',
      message_id: `<${id}@example.com>`,
      search_text: '',
      status: 'queued',
      next_attempt_at: sql<string>`now()`,
      ...changes,
    })
    .execute();
  return id;
}

const read = (id: string) =>
  database.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Seconds from now to the next attempt, by the database's clock. */
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
  test('sends what is due and writes it down with its audit entry', async () => {
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

  test('leaves alone what is not due, cancelled, sent, or of somebody else', async () => {
    const sender = await addSender();
    await addEmail(sender, { next_attempt_at: sql`now() + interval '10 s'` });
    await addEmail(sender, { status: 'cancelled', next_attempt_at: null });
    await addEmail(sender, { status: 'sent', next_attempt_at: null });
    await addEmail(await addSender());
    await worker().drain(sender.senderId);
    expect(mail.arrived).toHaveLength(0);
  });

  test('an answer with an emoji where it is cut is written down', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next({ code: 250, words: `${'a'.repeat(295)}😀 tail` });
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent', answer: expect.stringMatching(/a😀$/u) });
  });

  test('an outcome that the database does not take is written down in our own words', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    await sql`alter table emails add constraint no_odd_words check (answer not like '%odd words%')`.execute(
      database.db,
    );
    mail.next({ code: 250, words: 'odd words' });
    await worker().drain(sender.senderId);
    await sql`alter table emails drop constraint no_odd_words`.execute(database.db);
    expect(await read(id)).toMatchObject({
      status: 'sent',
      attempts: 1,
      answer: 'The answer of the mail server could not be written down.',
    });
    expect(mail.arrived).toHaveLength(1);
  });

  test('without a mail server the message fails', async () => {
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

test('mail of a person who left goes nowhere', async () => {
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

describe('a server that does not take it', () => {
  test('a temporary refusal is tried again after a minute, with the same Message-ID', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next({ code: 451, words: 'greylisted' });
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

  test('a connection that ends before the answer is tried again, with the same Message-ID', async () => {
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

  test("a permanent refusal stops with the server's words on one line", async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next({ code: 554, words: 'no such\r\nmailbox here' });
    await worker().drain(sender.senderId);
    const { status, answer } = await read(id);
    expect(status).toBe('failed');
    expect(answer).toMatch(/^554.*no such.*mailbox here/);
    expect(answer).not.toMatch(/[\r\n]/);
  });

  test('after a day it is given up', async () => {
    const sender = await addSender();
    const id = await addEmail(sender, { created_at: sql`now() - interval '25 hours'` });
    mail.next({ code: 451, words: 'later' });
    await worker().drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'failed' });
  });

  test('one that is away is asked once, not for every message, and delays nobody else', async () => {
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

  test('a refused sign-in pauses the queue until the settings are saved again', async () => {
    const sender = await addSender(mail.port, 'wrong');
    const first = await addEmail(sender);
    const second = await addEmail(sender);
    const { drain } = worker();
    await drain(sender.senderId);
    expect([(await read(first)).status, (await read(second)).status]).toContain('retrying');
    const settings = () => database.db.selectFrom('email_settings').selectAll().executeTakeFirstOrThrow();
    expect(await settings()).toMatchObject({
      paused_because: expect.stringContaining('did not accept the username'),
    });
    expect(JSON.stringify(await Promise.all([read(first), settings()]))).not.toContain('banner-secret');

    const before = mail.connections();
    await makeDue(first);
    await drain(sender.senderId);
    expect(mail.connections()).toBe(before);

    await database.db
      .updateTable('email_settings')
      .set({ smtp_password: sealed(sender.senderId, 'right'), paused_because: null, version: 2 })
      .execute();
    await makeDue(first);
    await makeDue(second);
    await drain(sender.senderId);
    expect(mail.accepted).toHaveLength(2);
  });
});

describe('workers and each other', () => {
  test('several never send one message twice', async () => {
    const sender = await addSender();
    const ids = await Promise.all(Array.from({ length: 40 }, () => addEmail(sender)));
    const several = [worker(), worker(), worker()];
    await Promise.all(several.map(({ drain }) => drain(sender.senderId)));
    const seen = messageIds(mail.arrived).toSorted();
    expect(seen).toEqual(ids.map((id) => `<${id}@example.com>`).toSorted());
  });

  test('a lease that is renewed keeps others away from a slow message', async () => {
    const sender = await addSender();
    await addEmail(sender);
    mail.next('hang');
    const slow = worker({ leaseSeconds: 0.3, renewMs: 50 }, { ...SMTP_LIMITS, silenceMs: 700 });
    const over = new AbortController();
    const attempt = slow.drain(sender.senderId).finally(() => over.abort());
    await mail.whenArrived(1);
    const other = worker();
    let looks = 0;
    while (!over.signal.aborted) {
      await other.drain(sender.senderId);
      looks += 1;
    }
    await attempt;
    expect(looks).toBeGreaterThan(3);
    expect(mail.arrived).toHaveLength(1);
  });

  test('one that lost its lease writes nothing down', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next('hang');
    const slow = worker({ leaseSeconds: 0.1, renewMs: 60_000 }, { ...SMTP_LIMITS, silenceMs: 500 });
    const attempt = slow.drain(sender.senderId);
    await mail.whenArrived(1);
    const other = worker();
    while (mail.arrived.length < 2) await other.drain(sender.senderId);
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 2 });
    await attempt;
    expect(await read(id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(new Set(messageIds(mail.arrived)).size).toBe(1);
  });

  test('a message that was taken while the database was away is not sent again', async () => {
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

  test('a stop gives back what a server holds up', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next('hang');
    const stopped = worker({ stopMs: 50 });
    const attempt = stopped.drain(sender.senderId);
    await mail.whenArrived(1);
    await stopped.delivery.stop();
    await attempt;
    expect(await read(id)).toMatchObject({ status: 'retrying', leased_until: null });
  });

  test('kill -9 in the middle of a message: another takes it over, with the same Message-ID', async () => {
    const sender = await addSender();
    const id = await addEmail(sender);
    mail.next('hang');
    const input = JSON.stringify({ connection: database.connection, senderId: sender.senderId });
    const killed = spawn(process.execPath, [join(import.meta.dirname, 'delivery.fixture.ts'), input], {
      stdio: 'inherit',
    });
    const ended = once(killed, 'exit');
    await mail.whenArrived(1);
    killed.kill('SIGKILL');
    await ended;
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
    const id = await addEmail(sender, { created_at: sql`now() - interval '25 hours'` });
    await database.db.updateTable('email_settings').set({ paused_because: 'Wrong password.' }).execute();
    const jobs = await startJobs(database.connection, createLog('silent'));
    try {
      await worker({ sweepMs: 100 }).delivery.start(jobs);
      await expect.poll(async () => (await read(id)).status).toBe('failed');
    } finally {
      await jobs.stop();
    }
    expect(await read(id)).toMatchObject({ answer: 'Wrong password.' });
  });
});
