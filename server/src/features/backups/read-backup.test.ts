import { chmod, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createSecrets } from '../../platform/secrets.ts';
import { bzip2Bomb } from './backups.fixture.ts';
import { gzipInto } from './gzip-worker.ts';
import { inspectScript, measureFile, openScript, type Task, type ThreadMessage } from './read-backup.ts';
import { StallError } from './script-reader.ts';
import { provesDamage, verifyBackup } from './verify-backup.ts';

const MiB = 2 ** 20;
const COPY = 'COPY forecourt."users" ("id") FROM stdin;\n';
const OPTIONS = { totalLimit: 2 ** 40 };

const folder = await mkdtemp(join(tmpdir(), 'reading-'));
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Returns this thread's share of the processor time of this process. Elapsed time would depend on other processes. */
async function threadShareOf(work: () => Promise<unknown>): Promise<number> {
  const before = { thread: process.threadCpuUsage(), all: process.cpuUsage() };
  await work();
  const { user, system } = process.threadCpuUsage(before.thread);
  const all = process.cpuUsage(before.all);
  return (user + system) / (all.user + all.system);
}

describe('a decompression bomb', () => {
  test.each<[string, () => Buffer]>([
    ['gzip', () => gzipSync(Buffer.concat([Buffer.from(COPY), Buffer.alloc(8 * MiB, '\n')]), { level: 9 })],
    ['bzip2', () => bzip2Bomb(1)],
  ])(
    'a decompression bomb is rejected in %s at the limit, while this thread is free',
    async (packing, make) => {
      const path = await fileOf(packing, make());
      const share = await threadShareOf(() =>
        expect(inspectScript(path, { ...OPTIONS, freeBytes: 4 * MiB })).rejects.toThrow(
          'The unpacked file is larger than any backup can be.',
        ),
      );
      expect(share).toBeLessThan(0.5);
    },
  );
});

test('a compressor whose write failed is not terminated: Node aborts the process if it is just created', async () => {
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  const path = await fileOf('existing', 'x');
  async function* pieces() {
    for (let count = 0; count < 10; count += 1) yield Buffer.alloc(1000);
  }
  await expect(gzipInto(path, pieces())).rejects.toMatchObject({ code: 'EEXIST' });
  expect(terminate).not.toHaveBeenCalled();
  expect(await readFile(path, 'utf8')).toBe('x');
});

test('the reader of backups sends no more chunks than requested, plus those sent ahead', async () => {
  const path = await fileOf('large', `${COPY}${'x\n'.repeat(4 * MiB)}`);
  await using file = await open(path);
  const { size } = await file.stat();
  const task = { ...OPTIONS, kind: 'stream', fd: file.fd, size, freeBytes: size } satisfies Task;
  const worker = new Worker(new URL('./read-backup.worker.ts', import.meta.url), { workerData: task });
  let pieces = 0;
  worker.on('message', (message: ThreadMessage) => (pieces += 'piece' in message ? 1 : 0));
  try {
    for (const expected of [2, 3, 4]) {
      await expect.poll(() => pieces).toBe(expected);
      // Meanwhile another thread has read the whole file.
      await measureFile(path);
      expect(pieces).toBe(expected);
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      worker.postMessage(null);
    }
  } finally {
    await worker.terminate();
  }
});

test('the reader of backups ends a stalled thread, and the process that it waits for', async () => {
  const bin = await mkdtemp(join(folder, 'bin-'));
  const pidFile = join(bin, 'pid');
  await writeFile(
    join(bin, 'pg_restore'),
    `#!/bin/sh\necho $$ > '${pidFile}.part'\nmv '${pidFile}.part' '${pidFile}'\nexec sleep 600\n`,
  );
  await chmod(join(bin, 'pg_restore'), 0o755);
  vi.stubEnv('PATH', bin + delimiter + process.env.PATH);
  try {
    const path = await fileOf('dump', 'PGDMP and nothing else');
    await expect(inspectScript(path, { ...OPTIONS, stallMs: 1500 })).rejects.toThrow(StallError);
    // A slow machine has not started it.
    const pid = await readFile(pidFile, 'utf8').catch(() => 'none');
    // A process that has ended has no command line.
    await expect.poll(() => readFile(`/proc/${pid.trim()}/cmdline`, 'utf8').catch(() => '')).toBe('');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the reader of backups rejects more tables than any backup has', async () => {
  const tables = Array.from(
    { length: 1001 },
    (_, number) => `COPY forecourt.t${number} (id) FROM stdin;\n\\.\n`,
  );
  const path = await fileOf('tables', tables.join(''));
  await expect(inspectScript(path, OPTIONS)).rejects.toThrow('It has more tables than any backup.');
});

test('the reader of backups follows no link', async () => {
  await fileOf('secret', COPY);
  const link = join(folder, 'link');
  await symlink(join(folder, 'secret'), link);
  const reads = [
    () => measureFile(link),
    () => inspectScript(link, OPTIONS),
    () => openScript(link, OPTIONS).next(),
  ];
  for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the error of a backup that takes too long to read differs from the error of a backup that is cut off', async () => {
  const secrets = createSecrets(Buffer.alloc(32));
  const errorOf = (path: string, stallMs?: number): Promise<unknown> =>
    verifyBackup(path, { ...OPTIONS, migrations: [], secrets, ...(stallMs && { stallMs }) }).catch(
      (error: unknown) => error,
    );
  const path = await fileOf('slow', gzipSync(COPY));
  const [slow, cutOff] = [await errorOf(path, 1), await errorOf(path)];
  expect(slow).toMatchObject({ code: 'BACKUP_UNREADABLE', reason: expect.stringContaining('nothing came') });
  expect(cutOff).toMatchObject({ code: 'BACKUP_UNREADABLE' });
  expect([slow, cutOff].map(provesDamage)).toEqual([false, true]);
});
