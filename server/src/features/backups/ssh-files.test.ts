import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openFaultyLine } from '../../../test/faulty-line.ts';
import { openSshHost } from '../../../test/ssh-host.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import type { LocalFile } from './copy-destination.ts';
import { getFile, createRemoteFolder, putFile, checkWritable } from './ssh-files.ts';
import { openSshSession, type SshAccount, type SshSession } from './ssh-session.ts';

const outbound = createOutbound({ HOST: '127.0.0.1', PORT: 1, STRICT_OUTBOUND: false });
const SIZE = 300_000;

const host = await openSshHost();
const line = await openFaultyLine(host.port);
const local = await mkdtemp(join(tmpdir(), 'backup-'));
const content = randomBytes(SIZE);
const file = await localFile('backup.sql.gz', content);
afterEach(async () => {
  line.fail(undefined);
  await host.limitFiles(undefined);
  for (const name of await readdir(host.folder)) await rm(join(host.folder, name), { recursive: true });
});
afterAll(async () => {
  await line.close();
  await host.close();
  await rm(local, { recursive: true, force: true });
});

async function localFile(name: string, bytes: Buffer): Promise<LocalFile> {
  const path = join(local, name);
  await writeFile(path, bytes);
  return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const account = (): SshAccount => ({
  host: '127.0.0.1',
  port: line.port,
  username: host.username,
  credentials: { privateKey: host.privateKey, passphrase: host.passphrase },
  timeoutSeconds: 20,
});

async function inSession<R>(work: (session: SshSession) => Promise<R>, responseTimeoutMs = 20_000) {
  using session = await openSshSession({
    outbound,
    account: account(),
    isExpected: () => true,
    responseTimeoutMs,
  });
  return await work(session);
}

const put = (which = file, folder = host.folder, responseTimeoutMs?: number) =>
  inSession((session) => putFile(session, folder, 'backup.sql.gz', which), responseTimeoutMs);
const there = () => readdir(host.folder);
const kept = () => readFile(join(host.folder, 'backup.sql.gz'));

describe('a file', () => {
  test('a file copied by SSH is uploaded completely under its name, and nothing else is', async () => {
    await put();
    expect(await there()).toEqual(['backup.sql.gz']);
    expect((await kept()).equals(content)).toBe(true);
  });

  test.each([0, 1, 32_768, 32_769])('a file copied by SSH of %i bytes is uploaded', async (size) => {
    const bytes = randomBytes(size);
    await put(await localFile('small', bytes));
    expect((await kept()).equals(bytes)).toBe(true);
  });

  test('a file copied by SSH that exists already is not sent again', async () => {
    await put();
    const once = line.bytes();
    await put();
    expect(line.bytes() - once).toBeLessThan(once * 0.75);
    expect(await there()).toEqual(['backup.sql.gz']);
  });

  test('a file copied by SSH never replaces another file of its name', async () => {
    await writeFile(join(host.folder, 'backup.sql.gz'), 'of another installation');
    await expect(put()).rejects.toMatchObject({
      step: 'write',
      message: 'Another file has this name in the folder already. Choose another Server Name.',
    });
    expect(String(await kept())).toBe('of another installation');
  });

  test('a file copied by SSH with a wrong checksum is not renamed to its final name', async () => {
    const rotten = { ...(await localFile('rotten', randomBytes(1000))), sha256: file.sha256 };
    await expect(put(rotten)).rejects.toMatchObject({ step: 'write' });
    expect(await there()).toEqual([]);
  });

  test('a file copied by SSH removes leftovers of its own earlier attempts only', async () => {
    const others = ['.backup.sql.gz.0123456789ab.part.txt', '.other.sql.gz.0123456789ab.part', 'notes.part'];
    for (const name of ['.backup.sql.gz.0123456789ab.part', ...others])
      await writeFile(join(host.folder, name), 'x');
    await put();
    expect((await there()).sort()).toEqual([...others, 'backup.sql.gz'].sort());
  });

  test('a file copied by SSH requires its folder: a copy creates none', async () => {
    const missing = join(host.folder, 'not mounted');
    await expect(put(file, missing)).rejects.toMatchObject({ step: 'folder' });
    await writeFile(join(host.folder, 'a file'), '');
    await expect(put(file, join(host.folder, 'a file'))).rejects.toMatchObject({
      step: 'folder',
    });
    expect(await there()).toEqual(['a file']);
  });
});

/** Downloads a remote file into a new local file. */
async function get(names: string[], wanted = file, size = SIZE, responseTimeoutMs?: number) {
  const path = join(local, randomBytes(6).toString('hex'));
  const paths = names.map((name) => join(host.folder, name));
  let received = 0;
  await inSession(
    (session) =>
      getFile(session, paths, { path, sha256: wanted.sha256, size }, (bytes) => (received = bytes)),
    responseTimeoutMs,
  );
  return { received, mode: (await stat(path)).mode & 0o777, bytes: await readFile(path) };
}
const remote = (name: string, bytes: Buffer) => writeFile(join(host.folder, name), bytes);

describe('a downloaded file', () => {
  test.each([0, 1, 32_768, 32_769, SIZE])(
    'a file downloaded by SSH of %i bytes is complete, and readable by its user only',
    async (size) => {
      const bytes = content.subarray(0, size);
      await remote('copy', bytes);
      const got = await get(['copy'], await localFile('small', bytes), size);
      expect(got.bytes.equals(bytes)).toBe(true);
      expect(got).toMatchObject({ received: size, mode: 0o600 });
    },
  );

  test('a file downloaded by SSH is the first that exists of several paths', async () => {
    await remote('second', content);
    await remote('third', randomBytes(10));
    expect((await get(['first', 'second', 'third'])).bytes.equals(content)).toBe(true);
  });

  test('a file downloaded by SSH fails with the names of all paths when none exists', async () => {
    await expect(get(['a', join('no folder', 'b')])).rejects.toMatchObject({
      step: 'read',
      message: `The copy is not on the server. Looked for: ${host.folder}/a, ${host.folder}/no folder/b.`,
    });
  });

  test('a file downloaded by SSH of another size is not read, and neither is a folder', async () => {
    await remote('longer', Buffer.concat([content, content]));
    await mkdir(join(host.folder, 'folder'));
    for (const name of ['longer', 'folder']) {
      line.fail(undefined);
      await expect(get([name])).rejects.toMatchObject({
        step: 'read',
        message: `The file on the server is not the copy that was made: ${join(host.folder, name)}.`,
      });
      expect(line.bytes()).toBeLessThan(SIZE / 2);
    }
  });

  test('a file downloaded by SSH with other content is rejected', async () => {
    const altered = Buffer.from(content);
    altered[SIZE - 1]! ^= 1;
    await remote('altered', altered);
    await expect(get(['altered'])).rejects.toMatchObject({
      step: 'read',
      message: expect.stringContaining('altered'),
    });
  });

  // Root may read every file.
  test.skipIf(process.getuid?.() === 0)(
    'a file downloaded by SSH without read permission names the missing permission',
    async () => {
      await remote('secret', content);
      await chmod(join(host.folder, 'secret'), 0o000);
      await expect(get(['secret'])).rejects.toMatchObject({
        step: 'read',
        message: 'The user may not read the copy. Check its rights on the server.',
      });
    },
  );

  test('a file downloaded by SSH is never written through a link, or over another file', async () => {
    await remote('copy', content);
    const [target, link] = [join(local, 'target'), join(local, 'link')];
    await writeFile(target, 'as it was');
    await symlink(target, link);
    for (const path of [target, link]) {
      const into = inSession((session) =>
        getFile(session, [join(host.folder, 'copy')], { path, sha256: file.sha256, size: SIZE }),
      );
      await expect(into).rejects.toMatchObject({ code: 'EEXIST' });
    }
    expect(await readFile(target, 'utf8')).toBe('as it was');
  });

  test.each<[string, () => unknown]>([
    ['the line breaks', () => line.fail({ fault: 'broken', afterBytes: SIZE / 2 })],
    ['the line falls silent', () => line.fail({ fault: 'silent', afterBytes: SIZE / 2 })],
    ['a bit is flipped on the line', () => line.fail({ fault: 'garbled', afterBytes: SIZE / 2 })],
    ['the server dies', () => line.fail({ fault: () => host.killSession(), afterBytes: SIZE / 2 })],
  ])('a file downloaded by SSH fails where %s', async (fault, provoke) => {
    await remote('copy', content);
    provoke();
    const responseTimeoutMs = fault === 'the line falls silent' ? 300 : undefined;
    await expect(get(['copy'], file, SIZE, responseTimeoutMs)).rejects.toMatchObject({
      step: 'connection',
      message: expect.stringMatching(/\.$/),
    });
  });

  test('a file downloaded by SSH fails when it is truncated meanwhile', async () => {
    // More than is requested ahead.
    const long = randomBytes(4_000_000);
    await remote('copy', long);
    line.fail({ fault: () => truncate(join(host.folder, 'copy'), 2_000_000), afterBytes: SIZE });
    const wanted = await localFile('long', long);
    await expect(get(['copy'], wanted, long.length)).rejects.toMatchObject({ step: 'read' });
  });
});

describe('a folder', () => {
  test('a folder of the SSH server is created with its parents, once', async () => {
    const folder = join(host.folder, 'office', 'backups');
    expect(await inSession((session) => createRemoteFolder(session, folder))).toBe(true);
    expect(await inSession((session) => createRemoteFolder(session, `${folder}/`))).toBe(false);
    await inSession((session) => checkWritable(session, folder));
    expect(await readdir(folder)).toEqual([]);
  });

  test('a folder of the SSH server can be a link to one', async () => {
    await mkdir(join(host.folder, 'disk'));
    await symlink(join(host.folder, 'disk'), join(host.folder, 'link'));
    await put(file, join(host.folder, 'link'));
    expect(await readdir(join(host.folder, 'disk'))).toEqual(['backup.sql.gz']);
  });
});

/** Interrupts a copy in every way, at chosen points (docs/product/security.md, Copies are whole or absent). */
describe('after any fault the name exists with the complete file or not at all', () => {
  const isLong = process.env.LONG_TESTS === '1';
  const POINTS = 20;
  const points = isLong ? Array.from({ length: POINTS }, (_, index) => index + 1) : [4, 10, 17];
  let wholeWay: number;
  beforeAll(async () => {
    line.fail(undefined);
    await put();
    wholeWay = line.bytes();
  });

  const faults = {
    'the line breaks': (afterBytes: number) => line.fail({ fault: 'broken', afterBytes }),
    'the line falls silent': (afterBytes: number) => line.fail({ fault: 'silent', afterBytes }),
    'a bit is flipped on the line': (afterBytes: number) => line.fail({ fault: 'garbled', afterBytes }),
    'the server dies': (afterBytes: number) =>
      line.fail({ fault: () => host.killSession().catch(() => {}), afterBytes }),
    "the server's disk is full": (_: number, point: number) =>
      host.limitFiles(Math.floor(((SIZE / 1024) * (point - 1)) / POINTS)),
  };

  for (const [fault, provoke] of Object.entries(faults)) {
    test.each(points)(
      `${fault}, at point %i of ${POINTS}, leaves the complete file under its name or none`,
      async (point) => {
        await rm(join(host.folder, 'backup.sql.gz'), { force: true });
        await provoke(Math.floor((wholeWay * point) / (POINTS + 1)), point);
        // A silent server is detected only by time.
        const responseTimeoutMs = fault === 'the line falls silent' ? 300 : undefined;
        const failure = await put(file, host.folder, responseTimeoutMs).then(
          () => undefined,
          (error: unknown) => error,
        );
        const names = (await there()).filter((name) => !name.startsWith('.'));
        // The lost message may be the response to the rename.
        if (names.length > 0) expect((await kept()).equals(content)).toBe(true);
        else
          expect(failure).toMatchObject({ step: expect.any(String), message: expect.stringMatching(/\.$/) });

        line.fail(undefined);
        await host.limitFiles(undefined);
        await put();
        expect(await there()).toEqual(['backup.sql.gz']);
        expect((await kept()).equals(content)).toBe(true);
      },
    );
  }
});
