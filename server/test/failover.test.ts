import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/platform/db/database.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { addDealership, addTemplate } from './builders.ts';
import { makeDataFolder } from './data-folder.ts';
import { openCluster, type Cluster } from './patroni.ts';
import { ADMIN, callServer, startServer } from './process.ts';
import { seededRandom } from './seeded-random.ts';
import { messageIds, openMailServer } from './smtp.ts';

/** Rounds of each kind; `ROUNDS=100` for the figures of docs/reliability.md. */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const KINDS = (process.env.KINDS ?? 'switchover,kill,cut').split(',') as Kind[];
const WRITERS = 16;
const IMPORTED = 2000;
/** Writes must be acknowledged again after this time. */
const LIMIT_MS = 30_000;
/** What a client waits before it repeats a call, as a browser does. */
const REPEAT_MS = 200;

type Kind = 'switchover' | 'kill' | 'cut';
type Instance = { url: string; token: string };
/** When a write of an instance was last acknowledged, and the longest time without one in this round, in milliseconds. */
type Writes = { last: number; longestGap: number };

/** The state of the run that all clients share. */
const ending = new AbortController();
const faults = new Set<string>();
/** By the address of each instance: one that goes on does not hide one that waits. */
const writes = new Map<string, Writes>();
const longestGap = () => Math.max(...[...writes.values()].map((one) => one.longestGap));

/**
 * Repeats a call with its key while the database is away or its job runs, as a browser does. Returns the response;
 * records any other than success.
 */
async function call({ url, token }: Instance, route: string, body?: object, key: string = newId()) {
  for (;;) {
    const headers: Record<string, string> = key ? { 'idempotency-key': key.replaceAll(' ', '-') } : {};
    const reply = await callServer(url, route, token, body, headers).catch(() => undefined);
    const isDone = reply && reply.status !== 503 && !(reply.status === 202 && reply.body.jobId);
    if (isDone && reply.status >= 300) faults.add(`${route} ${reply.status} ${JSON.stringify(reply.body)}`);
    if (isDone) return reply;
    await pause(REPEAT_MS);
  }
}

/** Adds rows until the end. Returns the names of all acknowledged ones. */
async function write(instance: Instance, dealershipId: string, writer: number): Promise<string[]> {
  const names: string[] = [];
  const own = writes.get(instance.url) ?? { last: performance.now(), longestGap: 0 };
  writes.set(instance.url, own);
  while (!ending.signal.aborted) {
    const customerName = `Writer ${writer} row ${names.length}`;
    await call(instance, 'POST /deals', { dealershipId, customerName }, customerName);
    names.push(customerName);
    const now = performance.now();
    own.longestGap = Math.max(own.longestGap, now - own.last);
    own.last = now;
  }
  return names;
}

/** Waits until each instance has acknowledged another write. */
async function whenWritten(): Promise<void> {
  const since = performance.now();
  while ([...writes.values()].some(({ last }) => last < since)) await pause(10);
}

const events: Record<Kind, (cluster: Cluster, random: () => number) => Promise<void>> = {
  async switchover(cluster) {
    const { primary, standby } = await cluster.whenHealthy();
    await cluster.switchover(primary, standby);
    await whenWritten();
  },
  async kill(cluster) {
    const { primary } = await cluster.whenHealthy();
    await primary.kill();
    await whenWritten();
    await primary.start();
  },
  async cut(cluster) {
    const { primary } = await cluster.whenHealthy();
    primary.cut();
    // Responses that were on their way may still arrive.
    await pause(1000);
    await whenWritten();
    primary.mend();
  },
};

test.runIf(process.env.LONG_TESTS)(
  `two instances lose and double nothing in ${ROUNDS} failovers each of ${KINDS.join(', ')} under ${WRITERS} writers, mail and an import, and write again within 30 s`,
  { timeout: 120_000 + ROUNDS * KINDS.length * 120_000 },
  async () => {
    const random = seededRandom('failover');
    const folder = await makeDataFolder('failover-');
    await using open = new AsyncDisposableStack();
    open.defer(() => rm(folder, { recursive: true, force: true }));
    const cluster = open.adopt(await openCluster(folder), (one) => one.close());
    const mail = open.adopt(await openMailServer({ password: 'mail password' }), (one) => one.close());
    await cluster.administer("create role forecourt login password 'forecourt'");
    await cluster.administer('create database forecourt owner forecourt');
    const urls: string[] = [];
    for (const DATABASE_URL of [cluster.proxyUrl, cluster.hostsUrl]) {
      const environment = {
        DATABASE_URL,
        UNDO_SEND_SECONDS: '0',
        MAIL_PER_HOUR: '100000',
        LOG_LEVEL: 'error',
      };
      const server = open.adopt(
        await startServer(`${folder}/data`, environment),
        async (one) => void (await one.stop()),
      );
      server.child.on('exit', (code) => {
        if (!ending.signal.aborted)
          faults.add(`an instance ended with ${code}: ${server.output().slice(-3000)}`);
      });
      urls.push(server.url);
    }
    // A second sign-in would end the first session.
    const { token } = (await call({ url: urls[0]!, token: '' }, 'POST /auth/login', ADMIN, '')).body;
    const [viaProxy, viaHosts] = urls.map((url): Instance => ({ url, token })) as [Instance, Instance];
    await call(viaProxy, 'POST /backups/scheduler/stop');
    const me = await call(viaProxy, 'GET /auth/me');
    expect(me.status, [...faults].join('\n')).toBe(200);
    const { _id: adminId, email } = me.body.data.user;
    const settings = {
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      smtpSecure: false,
      smtpUser: 'kim',
      smtpFromEmail: 'kim@example.com',
      smtpPassword: 'mail password',
    };
    await call(viaProxy, `PUT /email-settings/user/${adminId}`, settings);
    const caller = {
      call: (route: string, { body }: { body: unknown }) => call(viaProxy, route, body as object),
    };
    const contact = { name: 'Sam', email: 'sam@dealer.example', templateName: 'Daily' };
    const templateId = await addTemplate(caller, viaProxy, { name: contact.templateName });
    const dealershipId = await addDealership(caller, viaProxy, {
      defaultEmailTemplateId: templateId,
      contacts: [contact],
    });

    expect([...faults].slice(0, 5)).toEqual([]);
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      write(writer % 2 === 0 ? viaProxy : viaHosts, dealershipId, writer),
    );
    const imports: string[] = [];
    const notes: string[] = [];
    for (const kind of KINDS) {
      const gaps: number[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        await cluster.whenHealthy();
        await whenWritten();
        for (const one of writes.values()) one.longestGap = 0;
        const name = `${kind} ${round}`;
        const rows = Array.from({ length: IMPORTED }, () => ({
          dealershipId,
          customerName: `Import ${name}`,
        }));
        const work = [
          call(viaHosts, 'POST /deals/import', { rows }, `import ${name}`),
          ...[1, 2, 3].map((number) =>
            call(
              number === 1 ? viaProxy : viaHosts,
              `POST /email-templates/${templateId}/send`,
              {
                dealershipId,
                variables: { customer: 'Ann' },
                note: { text: `Message ${name} ${number}` },
                again: true,
              },
              `mail ${name} ${number}`,
            ),
          ),
        ];
        imports.push(`Import ${name}`);
        notes.push(...[1, 2, 3].map((number) => `Message ${name} ${number}`));
        await pause(random() * 1500);
        await events[kind](cluster, random);
        await Promise.all(work);
        await whenWritten();
        gaps.push(longestGap());
        expect(longestGap(), name).toBeLessThan(LIMIT_MS);
        expect([...faults].slice(0, 5)).toEqual([]);
      }
      gaps.sort((a, b) => a - b);
      const seconds = [gaps[Math.floor(gaps.length / 2)]!, gaps.at(-1)!].map((ms) => (ms / 1000).toFixed(1));
      process.stdout.write(
        `failover ${kind}: ${ROUNDS} rounds, one of the instances without writes ${seconds[0]} s (median), ${seconds[1]} s (longest)\n`,
      );
    }
    ending.abort();
    const acknowledged = (await Promise.all(writers)).flat();

    await cluster.whenHealthy();
    const opened = openDatabase({ connectionString: cluster.hostsUrl }, createLog('silent'), 1);
    open.defer(() => opened.close());
    const { rows } = await sql<{ name: string; count: number }>`
      select customer_name as name, count(*) as count from deals group by customer_name`.execute(opened.db);
    const counts = new Map(rows.map(({ name, count }) => [name, count]));
    expect(acknowledged.filter((name) => counts.get(name) !== 1)).toEqual([]);
    expect(imports.filter((name) => counts.get(name) !== IMPORTED)).toEqual([]);
    // Nothing else was written: a row without an acknowledgement was repeated until it had one.
    expect(counts.size).toBe(acknowledged.length + imports.length);

    const missing = () => notes.filter((note) => !mail.accepted.some(({ raw }) => raw.includes(note)));
    /** The messages that have not arrived, as they are stored. */
    const stored = async () => {
      const patterns = missing().map((note) => `%${note}%`);
      if (patterns.length === 0) return [];
      const { rows: left } = await sql`
        select body_text, status, answer, attempts, created_at, next_attempt_at, hold_reason from emails
        where body_text like any(${patterns}::text[])`.execute(opened.db);
      return left.length > 0 ? left : patterns;
    };
    await expect.poll(stored, { timeout: 120_000, interval: 1000 }).toEqual([]);
    const copies = mail.accepted.length - new Set(messageIds(mail.accepted)).size;
    expect(new Set(messageIds(mail.accepted)).size).toBe(notes.length);
    process.stdout.write(
      `failover: ${acknowledged.length} rows, ${imports.length} imports and ${notes.length} messages acknowledged, 0 lost, 0 doubled; ${copies} messages sent again with their Message-ID (${email}); ${cluster.rebuilt()} times a server was built anew\n`,
    );
  },
);
