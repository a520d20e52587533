import { api, type RouteKey } from '@forecourt/contract/api';
import type { FlagKey } from '@forecourt/contract/permission-needs';
import { afterAll, describe, expect, test } from 'vitest';
import { newId, newToken } from '../../src/platform/ids.ts';
import { testApp, type Reply } from '../app.ts';
import { expectations, OPEN, openBodies, type Expectation } from './expectations.ts';
import { anotherSession, REJECTED, makePersonas, makeTwins, type Persona } from './personas.ts';
import { createWorld, MAILBOX, type Records } from './world.ts';

const server = await testApp({}, { demoMail: MAILBOX });
const personas = await makePersonas(server);
const world = await createWorld(server, personas);
await world.restrict();
afterAll(async () => {
  await world.close();
  await server.close();
});

const fill = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => params[name]!);

/**
 * Returns the expected result: `may`, `bad input`, the code that blocks the persona before authorisation, or `refused`.
 */
function expectedOf(key: RouteKey, expectation: Expectation, { name, headers }: Persona): string {
  const keptOut = REJECTED[name];
  if (keptOut && !expectation.openBefore?.includes(keptOut.code)) return `${keptOut.status} ${keptOut.code}`;
  if (headers && (!key.startsWith('GET ') || expectation.isDownload)) return '403 VIEW_ONLY';
  if (expectation.badInputFor?.(name)) return 'bad input';
  return expectation.may(name) ? 'may' : 'refused';
}

/** Refusals after authorisation: a persona that gets one of these may make the call. */
const LET_IN = new Set([
  'WRONG_PASSWORD',
  'SEND_REFUSED',
  'MAIL_SERVER_REFUSED',
  'SSH_SERVER_REFUSED',
  'S3_REFUSED',
  'IN_USE',
  'BACKUP_BUSY',
  'BACKUP_NOT_FETCHABLE',
  'UNSUPPORTED_TYPE',
]);

/** Returns the actual result in the terms of `expectedOf`, or status, code and details if it is none of these. */
function actualOf({ status, body }: Reply, expected: string): string {
  const response = `${status} ${body?.code}`;
  if (expected === response) return expected;
  if (expected === 'may' && (status < 300 || LET_IN.has(body?.code))) return 'may';
  if (expected === 'bad input' && status === 400) return 'bad input';
  if (expected === 'refused' && [403, 404].includes(status) && !LET_IN.has(body?.code)) return 'refused';
  return `${response} ${body?.details ?? ''}`;
}

async function makeCall(key: RouteKey, expectation: Expectation, persona: Persona, records: Records) {
  const [method, path] = key.split(' ') as [string, string];
  const params = expectation.params?.(records) ?? {};
  const query = expectation.query ? `?${expectation.query}` : '';
  return server.call(`${method} ${fill(path, params)}${query}`, {
    token: expectation.ownSession ? await anotherSession(server, persona) : persona.token,
    headers: persona.headers ?? {},
    ...(expectation.body && { body: expectation.body(records) }),
  });
}

/** Returns ids that do not exist. */
const nowhere = (): Records => {
  const entries = Object.keys(world.records).map((field) => [field, newId()]);
  return Object.fromEntries(entries) as Records;
};

/** Whether calls of a route name a record, in the path or in the body. */
const namesRecords = ({ params, body }: Expectation): boolean => params !== undefined || !!body?.length;

/** Whether a refusal reveals that a record exists to a persona who may not see it. */
async function revealsExistence(
  refusal: Reply,
  key: RouteKey,
  expectation: Expectation,
  persona: Persona,
): Promise<boolean> {
  if (!namesRecords(expectation)) return false;
  const reading = `GET /${key.split('/')[1]}/:id`;
  const canRead = (expectations as Record<string, Expectation>)[reading]?.may(persona.name);
  if (canRead || expectation.knownTo?.(persona.name)) return false;
  const absent = await makeCall(key, expectation, persona, nowhere());
  const comparable = ({ status, body }: Reply) => JSON.stringify([status, { ...body, requestId: undefined }]);
  return comparable(refusal) !== comparable(absent);
}

test('the matrix has every route of the contract', () => {
  expect([...Object.keys(expectations), ...OPEN].sort()).toEqual(Object.keys(api).sort());
});

test('the matrix has more than 50 personas with distinct names', () => {
  expect(personas.length).toBeGreaterThan(50);
  expect(new Set(personas.map(({ name }) => name)).size).toBe(personas.length);
});

describe('permissions by route', () => {
  test.each(Object.entries(expectations) as [RouteKey, Expectation][])(
    'the route %s allows each person what the table says',
    async (key, expectation) => {
      const changesRecords = !key.startsWith('GET ') && namesRecords(expectation);
      const expected = Object.fromEntries(
        personas.map((persona) => [persona.name, expectedOf(key, expectation, persona)]),
      );
      const seen: typeof expected = {};
      const isAllowed = ({ name }: Persona) => expected[name] === 'may';
      const call = async (persona: Persona, records: Records) => {
        const reply = await makeCall(key, expectation, persona, records);
        seen[persona.name] = actualOf(reply, expected[persona.name]!);
        return reply;
      };

      const before = await world.digest();
      for (const persona of personas.filter((persona) => !isAllowed(persona))) {
        const { name } = persona;
        const reply = await call(persona, world.records);
        if (expected[name] === 'refused' && (await revealsExistence(reply, key, expectation, persona)))
          seen[name] += ', and it reveals that the record exists';
      }
      // Compares once for all refused personas: reading every table around each call would take longer than everything
      // else.
      expect(await world.digest(), 'changes by refused calls').toEqual(before);

      for (const persona of personas.filter(isAllowed))
        await call(persona, changesRecords ? await world.makeRecords() : world.records);
      expect(seen).toEqual(expected);
    },
  );

  test.each<FlagKey[][]>([[[]], [['pages.dataEntry']]])(
    'flags without the flags they require change no response, with only %j',
    async (has) => {
      const twins = await makeTwins(server, has);
      for (const [key, expectation] of Object.entries(expectations) as [RouteKey, Expectation][]) {
        const [idle, none] = await Promise.all(
          twins.map(async (twin) => {
            const { status, body } = await makeCall(key, expectation, twin, world.records);
            return { status, code: body?.code, details: body?.details };
          }),
        );
        expect(idle, key).toEqual(none);
      }
    },
  );

  test.each(OPEN)('%s is public and returns the same response to everyone', async (key) => {
    const body = openBodies[key];
    const responses = new Set<string>();
    for (const persona of personas.slice(0, 25)) {
      const [method, path] = key.split(' ') as [string, string];
      const reply = await server.call(`${method} ${fill(path, { ticket: newToken() })}`, {
        token: persona.token,
        ...(body && { body: body() }),
      });
      expect(reply.status, persona.name).toBeLessThan(500);
      responses.add(JSON.stringify([reply.status, { ...reply.body, requestId: undefined }]));
    }
    expect([...responses]).toHaveLength(1);
  });
});
