import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createServer } from './server.ts';

let lines: { level: number; msg: string; route?: string; err?: { code?: string } }[];
lines = [];
const app: Awaited<ReturnType<typeof createServer>> = await createServer({
  log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  health: { isCausedByFullDisk: async () => false, isReplaced: async () => false },
  trustProxy: [],
  publicUrl: undefined,
});
app.post<{ Params: { code: string } }>('/fails/:code', ({ params: { code } }) => {
  throw Object.assign(new Error('as PostgreSQL says it'), { code, detail: 'Key (email)=(a@b.c)' });
});
afterAll(() => app.close());

const [WARN, ERROR] = [40, 50];

test.each([
  ['22P02', 400, 'INVALID_REQUEST', ERROR, 'value not validated'],
  ['22003', 400, 'INVALID_REQUEST', ERROR, 'value not validated'],
  ['22021', 400, 'INVALID_REQUEST', ERROR, 'value not validated'],
  ['22012', 500, 'SERVER_ERROR', ERROR, 'request failed'],
  ['23503', 409, 'CONFLICT', WARN, 'reference refused'],
  ['23505', 500, 'SERVER_ERROR', ERROR, 'request failed'],
  ['55P03', 503, 'UNAVAILABLE', ERROR, 'database away'],
])(
  'the error handler logs %s of PostgreSQL without values, and returns %i %s',
  async (code, status, name, level, msg) => {
    lines = [];
    const reply = await app.inject({ method: 'POST', url: `/fails/${code}` });
    expect([reply.statusCode, reply.json().code]).toEqual([status, name]);
    expect(lines).toMatchObject([{ level, msg }]);
    expect(JSON.stringify(lines)).not.toContain('a@b.c');
    // A message of class 22 quotes the value.
    expect(JSON.stringify(lines).includes('as PostgreSQL says it')).toBe(!code.startsWith('22'));
  },
);
