import { api, type RouteKey } from '@forecourt/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newToken, tokenHash } from '../../src/platform/ids.ts';
import { testApp, type Reply, type TestApp } from '../app.ts';
import { expectations, OPEN, openBodies, type Expectation } from './expectations.ts';
import { KEPT_OUT, makePersonas, type Persona } from './personas.ts';
import { createWorld, MAILBOX, type Records, type World } from './world.ts';

let server: TestApp;
let personas: Persona[];
let world: World;
beforeAll(async () => {
  server = await testApp({}, { demoMail: MAILBOX });
  personas = await makePersonas(server);
  world = await createWorld(server, personas);
  await world.restrict();
}, 60_000);
afterAll(async () => {
  await world.close();
  await server.close();
});

const fill = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => params[name]!);

/** Another session of the same person, for calls that end theirs. Who is not let in has none to lose. */
async function anotherSession({ name, userId, headers, token }: Persona): Promise<string | undefined> {
  if (userId === null || headers || KEPT_OUT[name]?.status === 401) return token;
  const fresh = newToken();
  const from = server.db.selectFrom('sessions').selectAll().where('user_id', '=', userId);
  const session = await from.orderBy('created_at').limit(1).executeTakeFirstOrThrow();
  await server.db
    .insertInto('sessions')
    .values({ ...session, id: newId(), token_hash: tokenHash(fresh) })
    .execute();
  return fresh;
}

/** What is to happen: `may`, `bad input`, the code of who does not even get in, or any refusal. */
function expectedOf(key: RouteKey, expectation: Expectation, { name, headers }: Persona): string {
  const keptOut = KEPT_OUT[name];
  if (keptOut && !(expectation.beforeEntry && keptOut.status === 403))
    return `${keptOut.status} ${keptOut.code}`;
  if (headers && !key.startsWith('GET ')) return '403 VIEW_ONLY';
  if (expectation.badInputFor?.(name)) return 'bad input';
  return expectation.may(name) ? 'may' : 'refused';
}

/** Refusals that have nothing to do with rights: who got as far as these was let in. */
const LET_IN = new Set([
  'WRONG_PASSWORD',
  'SEND_REFUSED',
  'MAIL_SERVER_REFUSED',
  'SSH_SERVER_REFUSED',
  'IN_USE',
  'BACKUP_BUSY',
  'UNSUPPORTED_TYPE',
]);

/** What has happened, in the same words; anything else is told as it is. */
function seenIn({ status, body }: Reply, expected: string): string {
  const answer = `${status} ${body?.code}`;
  if (expected === answer) return expected;
  if (expected === 'may' && (status < 300 || LET_IN.has(body?.code))) return 'may';
  if (expected === 'bad input' && status === 400) return 'bad input';
  if (expected === 'refused' && [403, 404].includes(status) && !LET_IN.has(body?.code)) return 'refused';
  return `${answer} ${body?.details ?? ''}`;
}

async function makeCall(key: RouteKey, expectation: Expectation, persona: Persona, records: Records) {
  const [method, path] = key.split(' ') as [string, string];
  const params = expectation.params?.(records) ?? {};
  return server.call(`${method} ${fill(path, params)}`, {
    token: expectation.ownSession ? await anotherSession(persona) : persona.token,
    headers: persona.headers ?? {},
    ...(expectation.body && { body: expectation.body(records) }),
  });
}

/** Ids of nothing. */
const nowhere = (): Records => {
  const entries = Object.keys(world.records).map((field) => [field, newId()]);
  return Object.fromEntries(entries) as Records;
};

/** Whether a refusal differs from that for a record that does not exist, to somebody who may not see it. */
async function tellsOfExistence(key: RouteKey, expectation: Expectation, persona: Persona): Promise<boolean> {
  const reading = `GET /${key.split('/')[1]}/:id`;
  const mayRead = (expectations as Record<string, Expectation>)[reading]?.may(persona.name);
  if (mayRead || expectation.knownTo?.(persona.name)) return false;
  const [real, absent] = [
    await makeCall(key, expectation, persona, world.records),
    await makeCall(key, expectation, persona, nowhere()),
  ];
  const told = ({ status, body }: Reply) => JSON.stringify([status, { ...body, requestId: undefined }]);
  return told(real) !== told(absent);
}

test('the matrix has every call of the product', () => {
  expect([...Object.keys(expectations), ...OPEN].sort()).toEqual(Object.keys(api).sort());
});

test('the matrix has many personas, and no two of one name', () => {
  expect(personas.length).toBeGreaterThan(50);
  expect(new Set(personas.map(({ name }) => name)).size).toBe(personas.length);
});

describe('who may call', () => {
  test.each(Object.entries(expectations) as [RouteKey, Expectation][])(
    '%s',
    { timeout: 60_000 },
    async (key, expectation) => {
      const changesRecords = !key.startsWith('GET ') && (expectation.params ?? expectation.body?.length);
      const expected = Object.fromEntries(
        personas.map((persona) => [persona.name, expectedOf(key, expectation, persona)]),
      );
      const seen: typeof expected = {};
      const isAllowed = ({ name }: Persona) => expected[name] === 'may';
      const call = async (persona: Persona, records: Records) => {
        const reply = await makeCall(key, expectation, persona, records);
        seen[persona.name] = seenIn(reply, expected[persona.name]!);
      };

      const before = await world.digest();
      for (const persona of personas.filter((persona) => !isAllowed(persona))) {
        const { name } = persona;
        await call(persona, world.records);
        if (expected[name] === 'refused' && (await tellsOfExistence(key, expectation, persona)))
          seen[name] += ', and it tells that there is such a record';
      }
      // Of all of them at once: to look at every table before and after each call takes longer than all else.
      expect(await world.digest(), 'what refused calls have changed').toEqual(before);

      for (const persona of personas.filter(isAllowed))
        await call(persona, changesRecords ? await world.makeRecords() : world.records);
      expect(seen).toEqual(expected);
    },
  );

  test.each(OPEN)('%s is open, and answers everybody alike', async (key) => {
    const body = openBodies[key];
    const answers = new Set<string>();
    for (const persona of personas.slice(0, 25)) {
      const [method, path] = key.split(' ') as [string, string];
      const reply = await server.call(`${method} ${fill(path, { ticket: newToken() })}`, {
        token: persona.token,
        ...(body && { body: body() }),
      });
      expect(reply.status, persona.name).toBeLessThan(500);
      answers.add(JSON.stringify([reply.status, { ...reply.body, requestId: undefined }]));
    }
    expect([...answers]).toHaveLength(1);
  });
});
