import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const ADMIN = { email: 'admin@example.com', password: 'a long enough password' };
const MAIN = join(import.meta.dirname, '../src/main.ts');

export type ServerProcess = {
  url: string;
  child: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Ends it without warning and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null>;
};

/** Starts the real program on a free port, as `npm start` does, and resolves once it serves. Rejects with its last words. */
export async function startServer(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const gone = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const ready = /Forecourt is ready: (\S+)/.exec(printed);
        if (ready) resolve(ready[1]!);
      });
    }
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${printed}`)));
  });
  return {
    url,
    child,
    output: () => printed,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await gone) as [number | null];
      return code;
    },
  };
}

/** Calls the API of a running server as a browser would. Rejects when no answer comes. */
export async function callServer(url: string, route: string, token?: string, body?: unknown) {
  const [method, path] = route.split(' ') as [string, string];
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
}

export const signInAsAdmin = async (url: string): Promise<string> =>
  (await callServer(url, 'POST /auth/login', undefined, ADMIN)).body.token;
