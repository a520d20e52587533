import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { buildApp } from '../src/app.ts';
import { createClock } from '../src/platform/clock.ts';
import { readConfig, type Config } from '../src/platform/config.ts';
import { newId } from '../src/platform/ids.ts';
import { claimInstallation } from '../src/platform/installation.ts';
import { startJobs } from '../src/platform/jobs/jobs.ts';
import { openEventBus } from '../src/platform/live/event-bus.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { start } from '../src/run.ts';
import type { AppDeps } from '../src/services.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { insertPerson, insertSession, type Account, type NewPerson } from './people.ts';
import { settingsOf } from './process.ts';

const WEB_ROOT = join(import.meta.dirname, '../../web/dist');

export const TEST_KEY = Buffer.alloc(32, 7);

type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** The response body, untyped because tests assert its shape. */
// eslint-disable-next-line typescript/no-explicit-any -- tests assert the shape
export type Reply = { status: number; body: any; headers: LightMyRequestResponse['headers'] };

export type TestApp = TestDatabase & {
  app: FastifyInstance;
  /** The app's DATA_DIR, created by the first write and removed at the end. */
  dataDir: string;
  /** Calls `'METHOD /path'` below /api. */
  call(route: string, call?: Call): Promise<Reply>;
  /** Creates a user with a live session. */
  person(person?: NewPerson): Promise<Person>;
};

export type Person = Account & { token: string };

/** Parses JSON; returns any other body, such as a file, as text. */
function readBody(response: LightMyRequestResponse): unknown {
  if (response.body === '') return undefined;
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return isJson ? response.json() : response.body;
}

/** Creates the real app on a new database, or on the given one. Responses are validated against the contract. */
export async function testApp(
  changes: Partial<Config> = {},
  {
    database: given,
    ...parts
  }: Pick<
    AppDeps,
    'responseMs' | 'mailProviders' | 'demoMail' | 'onReplaced' | 'metrics' | 'store' | 'read'
  > & {
    database?: TestDatabase;
  } = {},
): Promise<TestApp> {
  const database = given ?? (await testDatabase());
  const { db, stall, connection } = database;
  const log = createLog('silent');
  const dataDir = join(tmpdir(), `forecourt-app-${newId()}`);
  const config: Config = { ...readConfig({ DATA_DIR: dataDir }), ...changes };
  const eventBus = openEventBus(connection, log);
  const jobs = await startJobs(connection, log);
  const secrets = createSecrets(TEST_KEY);
  await claimInstallation(db, secrets);
  const app = await buildApp({
    config,
    clock: createClock(config.TIME_ZONE),
    db,
    stall,
    connection,
    jobs,
    log,
    eventBus,
    secrets,
    webRoot: '/nonexistent',
    validateResponses: true,
    // Requests wait for their work on slow machines too, unless the test is about the 202 after 10 s.
    responseMs: 3_600_000,
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
      const token = await insertSession(db, account.id);
      return { ...account, token };
    },
    async close() {
      await app.close();
      await jobs.stop();
      await eventBus.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the whole program, as a process of `startServer` does, in the process of the test. Most tests of the browser need
 * no other process, which takes 1.5 s of processor time to load what this one has loaded already.
 */
export async function startInProcess(
  dataDir: string,
  environment: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const running = new AsyncDisposableStack();
  const config = readConfig({ ...settingsOf(dataDir), ...environment });
  try {
    const { address } = await start(config, WEB_ROOT, running, createLog('silent'));
    return { url: address, stop: () => running.disposeAsync() };
  } catch (failure) {
    await running.disposeAsync();
    throw failure;
  }
}
