import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../src/app.ts';
import { createClock } from '../src/platform/clock.ts';
import { readConfig, type Config } from '../src/platform/config.ts';
import { newId, newToken, tokenHash } from '../src/platform/ids.ts';
import { startJobs } from '../src/platform/jobs.ts';
import { openNotices } from '../src/platform/live/notices.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { insertPerson, type Account, type NewPerson } from './people.ts';

const TEST_KEY = Buffer.alloc(32, 7);

type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** The body as tests look into it: they assert what is in there. */
// eslint-disable-next-line typescript/no-explicit-any -- tests assert the shape
export type Reply = { status: number; body: any; headers: LightMyRequestResponse['headers'] };

export type TestApp = TestDatabase & {
  app: FastifyInstance;
  /** Calls `'METHOD /path'` below /api. */
  call(route: string, call?: Call): Promise<Reply>;
  /** A person with a live session. */
  person(person?: NewPerson): Promise<Person>;
};

export type Person = Account & { token: string };

/** The real app on a real database of its own, with answers checked against the contract. */
export async function testApp(changes: Partial<Config> = {}): Promise<TestApp> {
  const database = await testDatabase();
  const { db, connection } = database;
  const log = createLog('silent');
  const config: Config = { ...readConfig({}), ...changes };
  const notices = openNotices(connection, log);
  const jobs = await startJobs(connection, log);
  const app = await buildApp({
    config,
    clock: createClock(config.TIME_ZONE),
    db,
    jobs,
    log,
    notices,
    secrets: createSecrets(TEST_KEY),
    webRoot: '/nonexistent',
    checkAnswers: true,
  });
  await app.ready();

  return {
    ...database,
    app,
    async call(route, { token, body, headers = {} } = {}) {
      const [method, path] = route.split(' ') as ['GET', string];
      const response = await app.inject({
        method,
        url: `/api${path}`,
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      return {
        status: response.statusCode,
        body: response.body === '' ? undefined : response.json(),
        headers: response.headers,
      };
    },
    async person(person) {
      const account = await insertPerson(db, person);
      const token = newToken();
      await db
        .insertInto('sessions')
        .values({
          id: newId(),
          token_hash: tokenHash(token),
          user_id: account.id,
          user_agent: 'test',
          ip: '127.0.0.1',
          expires_at: new Date(Date.now() + 3_600_000),
        })
        .execute();
      return { ...account, token };
    },
    async close() {
      await app.close();
      await jobs.stop();
      await notices.close();
      await database.close();
    },
  };
}
