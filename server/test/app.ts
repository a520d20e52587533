import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApp, type AppDeps } from '../src/app.ts';
import { createClock } from '../src/platform/clock.ts';
import { readConfig, type Config } from '../src/platform/config.ts';
import { newId, newToken, tokenHash } from '../src/platform/ids.ts';
import { claimInstallation } from '../src/platform/installation.ts';
import { startJobs } from '../src/platform/jobs.ts';
import { openNotices } from '../src/platform/live/notices.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { insertPerson, type Account, type NewPerson } from './people.ts';

export const TEST_KEY = Buffer.alloc(32, 7);

type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** The body as tests look into it: they assert what is in there. */
// eslint-disable-next-line typescript/no-explicit-any -- tests assert the shape
export type Reply = { status: number; body: any; headers: LightMyRequestResponse['headers'] };

export type TestApp = TestDatabase & {
  app: FastifyInstance;
  /** Its DATA_DIR, made by whatever writes there first and removed at the end. */
  dataDir: string;
  /** Calls `'METHOD /path'` below /api. */
  call(route: string, call?: Call): Promise<Reply>;
  /** A person with a live session. */
  person(person?: NewPerson): Promise<Person>;
};

export type Person = Account & { token: string };

/** JSON as what it says; anything else, such as a file, as text. */
function readBody(response: LightMyRequestResponse): unknown {
  if (response.body === '') return undefined;
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return isJson ? response.json() : response.body;
}

/** The real app on a real database of its own, with answers checked against the contract. */
export async function testApp(
  changes: Partial<Config> = {},
  parts: Pick<AppDeps, 'answerMs' | 'mailProviders' | 'demoMail'> = {},
): Promise<TestApp> {
  const database = await testDatabase();
  const { db, connection } = database;
  const log = createLog('silent');
  const dataDir = join(tmpdir(), `forecourt-app-${newId()}`);
  const config: Config = { ...readConfig({ DATA_DIR: dataDir }), ...changes };
  const notices = openNotices(connection, log);
  const jobs = await startJobs(connection, log);
  const secrets = createSecrets(TEST_KEY);
  await claimInstallation(db, secrets);
  const app = await buildApp({
    config,
    clock: createClock(config.TIME_ZONE),
    db,
    connection,
    jobs,
    log,
    notices,
    secrets,
    webRoot: '/nonexistent',
    checkAnswers: true,
    ...parts,
  });
  await app.ready();

  return {
    ...database,
    app,
    dataDir: config.DATA_DIR,
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
        body: readBody(response),
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
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
