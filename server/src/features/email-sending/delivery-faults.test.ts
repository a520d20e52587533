import tls from 'node:tls';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_CERTIFICATE } from '../../../test/certificate.ts';
import { testDatabase } from '../../../test/database.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { openSmtpLine, SMTP_POINTS, type SmtpLine, type SmtpPoint } from '../../../test/smtp-line.ts';
import { messageIds, openMailServer, readMail, type MailServer, type Received } from '../../../test/smtp.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { SMTP_LIMITS } from '../../platform/mail/smtp.ts';
import { openWorker, startWorker } from './delivery.fixture.ts';
import { MAIL_QUEUE } from './delivery.ts';
import { addEmails, addSender, type Sender } from './outgoing.fixture.ts';
import { messageOf } from './random-message.fixture.ts';

const [MAILS, KILLS] = process.env.LONG_TESTS ? [1000, 300] : [48, 12];
/** Messages queued when a worker starts: more than it sends before it is killed. */
const WAITING = 40;

let plain: MailServer;
let encrypted: MailServer;
let lines: SmtpLine[];
const trusted = tls.getCACertificates('default');
tls.setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
const database = await testDatabase();
afterAll(async () => {
  await database.close();
  tls.setDefaultCACertificates(trusted);
});
beforeEach(async () => {
  lines = [];
  plain = await openMailServer({ password: 'right' });
  encrypted = await openMailServer({ password: 'right', offersStartTls: true });
});
afterEach(async () => {
  for (const line of lines) await line.close();
  await plain.close();
  await encrypted.close();
});

/** Creates a sender whose conversations can be cut at this point. */
async function senderBy(point: SmtpPoint): Promise<Sender & { line: SmtpLine }> {
  const line = await openSmtpLine((point === 'STARTTLS' ? encrypted : plain).port);
  lines.push(line);
  return { ...(await addSender(database, line.port)), line };
}

const accepted = (): Received[] => [...plain.accepted, ...encrypted.accepted];

function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Returns the contents of stored messages, and accepted copies that differ. */
async function compareAll() {
  const written = new Map(
    (await database.db.selectFrom('emails').selectAll().execute()).map((email) => [email.message_id, email]),
  );
  const received = await Promise.all(accepted().map(readMail));
  for (const mail of received) {
    const email = written.get(mail.messageId ?? '');
    expect({
      from: mail.from,
      to: mail.to?.map(({ address }) => address),
      cc: mail.cc?.map(({ address }) => address) ?? [],
      subject: mail.subject,
      html: mail.html?.trimEnd(),
      text: mail.text?.trimEnd(),
    }).toEqual({
      from: { name: email?.from_name, address: email?.from_address },
      to: email?.to_addresses,
      cc: email?.cc_addresses,
      subject: email?.subject,
      html: email?.html,
      text: email?.body_text,
    });
  }
  const copies = countOf(messageIds(accepted()));
  return {
    written,
    copies,
    lost: [...written.keys()].filter((id) => !copies.has(id)),
    unsent: [...written.values()].filter(({ status }) => status !== 'sent'),
  };
}

test(
  `${MAILS} messages, their conversations cut at ${SMTP_POINTS.length} points: each arrives, word for word, and twice only where its answer was lost`,
  { timeout: 300_000 + MAILS * 500 },
  async () => {
    const random = seededRandom('mail cuts');
    const cuts = new Map<SmtpPoint, number>(SMTP_POINTS.map((point) => [point, 0]));
    const each = Math.ceil(MAILS / SMTP_POINTS.length);
    const senders: Sender[] = [];
    for (const point of SMTP_POINTS) {
      const { line, ...sender } = await senderBy(point);
      senders.push(sender);
      await addEmails(
        database,
        sender,
        Array.from({ length: each }, () => messageOf(random)),
      );
      line.watch((here) => {
        const count = cuts.get(point)!;
        // Certain at first; not always, since each cut postpones the sender.
        if (here !== point || count > each / 3 || (count > 0 && random() > 0.4)) return undefined;
        cuts.set(point, count + 1);
        return 'cut';
      });
    }

    const jobs = await startJobs(database.connection, createLog('silent'));
    const worker = openWorker(
      database.connection,
      { retrySeconds: [0.05], sweepMs: 200 },
      { ...SMTP_LIMITS, idleMs: 20 },
    );
    const left = async () =>
      (
        await database.db
          .selectFrom('emails')
          .where('status', '<>', 'sent')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count;
    try {
      await worker.delivery.start(jobs);
      for (const { senderId } of senders) await jobs.enqueue(database.db, MAIL_QUEUE, { senderId });
      // The end of a conversation occurs when nothing is left to send.
      const isOver = async () => (await left()) === 0 && cuts.get('QUIT')! > 0;
      await expect.poll(isOver, { timeout: 120_000 + MAILS * 400, interval: 100 }).toBe(true);
    } finally {
      await worker.close();
      await jobs.stop();
    }

    const { written, copies, lost, unsent } = await compareAll();
    expect(lost).toEqual([]);
    expect(unsent).toEqual([]);
    expect(written.size).toBe(each * SMTP_POINTS.length);
    const { senderId } = senders[SMTP_POINTS.indexOf('dot')]!;
    const isUnanswered = (id: string) => written.get(id)?.sender_id === senderId;
    const twice = [...copies].filter(([, count]) => count > 1);
    expect(twice.filter(([id]) => !isUnanswered(id))).toEqual([]);
    expect(accepted()).toHaveLength(written.size + cuts.get('dot')!);
    expect([...cuts].filter(([, count]) => count === 0)).toEqual([]);
    process.stdout.write(
      `mail cuts: ${written.size} messages, ${[...cuts].map(([point, count]) => `${point} ${count}`).join(', ')}; 0 lost, ${twice.length} twice\n`,
    );
  },
);

test(
  `a worker killed with -9 ${KILLS} times while it sends: nothing is lost, and twice arrives only what it could not write down`,
  { timeout: 300_000 + KILLS * 2000 },
  async () => {
    await database.db.deleteFrom('emails').execute();
    const random = seededRandom('mail kills');
    const senders = new Map<SmtpPoint, Awaited<ReturnType<typeof senderBy>>>();
    for (const point of ['STARTTLS', 'dot'] as const) senders.set(point, await senderBy(point));
    const senderFor = (point: SmtpPoint) => senders.get(point === 'STARTTLS' ? point : 'dot')!;
    /** How often each message was in flight when its worker was killed. */
    const inFlight = new Map<string, number>();
    const kills = new Map<SmtpPoint, number>(SMTP_POINTS.map((point) => [point, 0]));

    const waiting = async (sender: Sender, status: string) =>
      database.db
        .selectFrom('emails')
        .where('sender_id', '=', sender.senderId)
        .where('status', '=', status)
        .select('message_id')
        .execute();

    /** Runs a worker until it reaches the point for the nth time, and kills it there. */
    async function killAt(point: SmtpPoint, nth: number, worker: ReturnType<typeof startWorker>) {
      const sender = senderFor(point);
      // The end of a conversation occurs when nothing is left to send.
      const missing = (point === 'QUIT' ? 3 : WAITING) - (await waiting(sender, 'queued')).length;
      if (missing > 0) {
        await addEmails(
          database,
          sender,
          Array.from({ length: missing }, () => messageOf(random)),
        );
      }
      const over = Promise.withResolvers<boolean>();
      let reached = 0;
      sender.line.watch((here) => {
        if (here === point && ++reached === nth) {
          void worker.kill();
          over.resolve(true);
        }
        return undefined;
      });
      worker.start();
      if (point !== 'QUIT') void worker.drained.then(() => over.resolve(false));
      const isThere = await over.promise;
      await worker.kill();
      sender.line.watch(() => undefined);
      for (const { message_id: id } of await waiting(sender, 'sending'))
        inFlight.set(id, (inFlight.get(id) ?? 0) + 1);
      if (isThere) kills.set(point, kills.get(point)! + 1);
    }

    const plan = Array.from({ length: KILLS }, (_, round) => SMTP_POINTS[round % SMTP_POINTS.length]!);
    const start = (point: SmtpPoint | undefined) =>
      point && startWorker(database.connection, senderFor(point).senderId);
    let next = start(plan[0]);
    for (const [round, point] of plan.entries()) {
      const worker = next!;
      // The next one starts meanwhile.
      next = start(plan[round + 1]);
      const most =
        { connected: 5, greeted: 5, EHLO: 5, STARTTLS: 5, AUTH: 5, QUIT: 1 }[point as string] ?? 15;
      await killAt(point, 1 + Math.floor(random() * most), worker);
    }

    const last = openWorker(database.connection, { leaseSeconds: 5 });
    try {
      await expect
        .poll(
          async () => {
            for (const { senderId } of senders.values()) await last.drain(senderId);
            const rows = await Promise.all([...senders.values()].map((sender) => waiting(sender, 'sent')));
            return rows.flat().length;
          },
          { interval: 50 },
        )
        .toBe((await database.db.selectFrom('emails').select('id').execute()).length);
    } finally {
      await last.close();
    }
    const { written, copies, lost, unsent } = await compareAll();
    expect(lost).toEqual([]);
    expect(unsent).toEqual([]);
    const tooOften = [...copies].filter(([id, count]) => count > 1 + (inFlight.get(id) ?? 0));
    expect(tooOften).toEqual([]);
    const all = [...kills.values()].reduce((sum, count) => sum + count, 0);
    expect(all).toBe(KILLS);
    const twice = [...copies.values()].filter((count) => count > 1).length;
    process.stdout.write(`mail kills: ${all} kills, ${written.size} messages, 0 lost, ${twice} twice\n`);
  },
);
