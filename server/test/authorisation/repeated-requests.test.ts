import { api, type RouteKey } from '@forecourt/contract/api';
import type { RouteContract } from '@forecourt/contract/route';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { NO_LIMITS, openDatabase, type Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { testApp, type Reply, type TestApp } from '../app.ts';
import { countWaiting } from '../block-inserts.ts';
import { testDatabase } from '../database.ts';
import { pngOf } from '../images.ts';
import { uploadFile } from '../uploads.ts';
import { expectations, OPEN, type Expectation } from './expectations.ts';
import { anotherSession, makePersonas } from './personas.ts';
import { createWorld } from './world.ts';

/** Two instances with a pool each on one database, which waits without a limit for what a test locks. */
const database = await testDatabase(NO_LIMITS);
const { connection } = database;
const opened = (pool: Database) => ({ ...pool, connection, close: async () => {} });
const ownPool = openDatabase(connection, createLog('silent'), 6, 60_000, NO_LIMITS);
const first = await testApp({}, { database: opened(database) });
const second = await testApp({ DATA_DIR: first.dataDir }, { database: opened(ownPool) });
const instances = [first, second] as const;
const personas = await makePersonas(first);
const world = await createWorld(first, personas);
afterAll(async () => {
  await world.close();
  for (const instance of instances) await instance.close();
  await ownPool.close();
  await database.close();
});

const MAY: readonly string[] = ['administrator', 'owner'];

/** Returns the body of an order, which names all records of the list; the matrix names one and is refused. */
async function orderOf(key: RouteKey): Promise<{ ids: string[] }> {
  const list = key.replace('POST', 'GET').replace('/reorder', '');
  const { token } = personas.find(({ name }) => name === MAY[0])!;
  const { body } = await instances[0].call(list, { token: token! });
  return { ids: body.items.map(({ _id }: { _id: string }) => _id) };
}
const isOrder = (key: RouteKey): boolean => key.endsWith('/reorder');

const personaOf = (key: RouteKey): string | undefined => {
  const { may } = (expectations as Record<string, Expectation>)[key]!;
  return isOrder(key) ? MAY[0] : MAY.find(may);
};

/** Routes without an Idempotency-Key, and the one that ends the session of its repetitions. */
const withoutKey = new Set<string>([...OPEN, 'POST /auth/logout']);
const routes = (Object.entries(api) as [RouteKey, RouteContract][]).filter(
  ([key, { takesNoKey }]) =>
    !key.startsWith('GET ') && takesNoKey === undefined && !withoutKey.has(key) && personaOf(key),
);

/** What the matrix refuses after authorisation: no template has a recipient, a row has the dealership, and a backup runs. */
const REFUSED: Partial<Record<RouteKey, string>> = {
  'DELETE /dealerships/:id': 'IN_USE',
  'POST /email-templates/:templateId/send': 'SEND_REFUSED',
  'POST /deals/:id/email': 'SEND_REFUSED',
  'POST /deals/bulk/email/review': 'SEND_REFUSED',
  'POST /deals/bulk/email': 'SEND_REFUSED',
  'POST /backups': 'BACKUP_BUSY',
  'POST /backups/scheduler/trigger': 'BACKUP_BUSY',
};

/** A call that changes the rights of its caller, for which no response is repeated. */
const CHANGES_RIGHTS: RouteKey = 'POST /custom-fields';

type Sender = { token: string; send: (instance: TestApp) => Promise<Reply> };

async function senderOf(key: RouteKey, { upload }: RouteContract): Promise<Sender> {
  const expectation = (expectations as Record<string, Expectation>)[key]!;
  const changesRecords = expectation.params ?? expectation.body?.length;
  const records = changesRecords ? await world.makeRecords() : world.records;
  const persona = personas.find(({ name }) => name === personaOf(key))!;
  // A session that no instance has cached: the records have a new custom field, which is one of the rights.
  const token = (await anotherSession(instances[0], persona))!;
  const params = expectation.params?.(records) ?? {};
  const [method, path] = key.split(' ') as [string, string];
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name]!);
  const body = isOrder(key) ? await orderOf(key) : expectation.body?.(records);
  const idempotencyKey = newId();
  const send = (instance: TestApp): Promise<Reply> =>
    upload === undefined
      ? instance.call(`${method} ${url}`, {
          token,
          headers: { 'idempotency-key': idempotencyKey },
          ...(body && { body }),
        })
      : uploadFile(instance, { token }, url, pngOf(2, 2), {
          field: upload,
          filename: 'a.png',
          idempotencyKey,
        });
  return { token, send };
}

/** Returns the response that a job has in place of its request. */
async function outcomeOf(reply: Reply, token: string): Promise<Reply> {
  if (reply.status !== 202) return reply;
  const job = () => instances[0].call(`GET /jobs/${reply.body.jobId}`, { token });
  await expect.poll(async () => (await job()).body.status).toBe('succeeded');
  return { ...reply, status: 201, body: (await job()).body.result };
}

const contentOf = ({ status, body }: Reply) => ({ status, body: { ...body, requestId: undefined } });

test.each(routes)(
  '%s: requests with one Idempotency-Key on two instances, beside writers and while the database stalls, have one effect and one response',
  async (key, contract) => {
    const { token, send } = await senderOf(key, contract);
    const writer = await anotherSession(
      instances[0],
      personas.find(({ name }) => name === 'owner')!,
    );
    const write = (instance: TestApp) =>
      instance.call('POST /deals', {
        token: writer,
        body: { dealershipId: world.records.dealershipId, customerName: 'Beside' },
      });
    const sent = await database.db.transaction().execute(async (tx) => {
      await sql`lock table idempotency_keys in exclusive mode`.execute(tx);
      const requests = instances.map((instance) => ({
        others: [write(instance), write(instance)],
        repeats: [send(instance), send(instance), send(instance)],
      }));
      await expect.poll(() => countWaiting(tx), { interval: 10 }).toBeGreaterThan(1);
      return requests;
    });
    for (const { status } of await Promise.all(sent.flatMap(({ others }) => others)))
      expect(status).toBe(201);
    const replies = await Promise.all(sent.flatMap(({ repeats }) => repeats));
    const outcomes = await Promise.all(replies.map((reply) => outcomeOf(reply, token)));

    const answered = outcomes.filter(({ body }) => key !== CHANGES_RIGHTS || body.code !== 'KEY_REUSED');
    const [first] = answered as [Reply];
    expect(answered.map(contentOf)).toEqual(answered.map(() => contentOf(first)));
    expect(first.body?.code).toBe(REFUSED[key]);
    const requestIds = replies.map(({ headers }) => String(headers['x-request-id']));
    const audited = database.db.selectFrom('audit_entries').where('request_id', 'in', requestIds);
    const writers = await audited.select('request_id').distinct().execute();
    expect(writers.length).toBeLessThan(2);

    // A refused request stores no key.
    if (REFUSED[key]) return;
    const later = await send(instances[1]);
    if (key === CHANGES_RIGHTS) expect(later.body.code).toBe('KEY_REUSED');
    else expect(contentOf(later)).toEqual(contentOf(first));
  },
);
