import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ADMIN = { email: 'admin@example.com', password: 'a long enough password' };
const ROOT = join(import.meta.dirname, '../..');
/** A run of tests that is killed leaves no server. */
const FOLLOW_PARENT = `--import=${new URL('../../scripts/follow-parent.mjs', import.meta.url).href}`;

/** Returns the settings of a server of the tests. */
export const settingsOf = (dataDir: string) => ({
  PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
});

export type ServerProcess = {
  url: string;
  child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** Kills the process and waits until it has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
};

/**
 * Starts the real program on a free port, as `npm start` does. Resolves once it serves requests; rejects with its
 * output.
 * @param launcher precedes the program on the command line and executes it
 * @param root folder of another release (`releases.ts`)
 */
export async function startServer(
  dataDir: string,
  environment: Record<string, string> = {},
  launcher: readonly string[] = [],
  root = ROOT,
): Promise<ServerProcess> {
  const main = join(root, 'server/src/main.mjs');
  const [program, ...args] = [...launcher, process.execPath, FOLLOW_PARENT, main];
  const child = spawn(program!, args, {
    env: {
      PATH: process.env.PATH,
      // Compiled modules halve the start time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settingsOf(dataDir),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  // A long log is not searched again for each line.
  let isReady = false;
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (isReady) return;
        const ready = /Forecourt is ready: (\S+)/.exec(printed);
        if (!ready) return;
        isReady = true;
        resolve(ready[1]!);
      });
    }
    // At 'exit', a part of the output may still be unread.
    child.on('close', (code) => reject(new Error(`exit ${code}: ${printed}`)));
  });
  return {
    url,
    child,
    output: () => printed,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

/** Calls the API of a running server as a browser does. Rejects without a response. */
export async function callServer(
  url: string,
  route: string,
  token?: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const [method, path] = route.split(' ') as [string, string];
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/**
 * Turns the schedule of a server off: it would create a backup at a full hour and test it by a restore at night, also
 * while a test creates its own.
 */
export const stopSchedule = (url: string, token: string) =>
  callServer(url, 'POST /backups/scheduler/stop', token);

export const signInAsAdmin = async (url: string): Promise<string> =>
  (await callServer(url, 'POST /auth/login', undefined, ADMIN)).body.token;
