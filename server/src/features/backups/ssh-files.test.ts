import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openFaultyLine, type FaultyLine } from '../../../test/faulty-line.ts';
import { openSshHost } from '../../../test/ssh-host.ts';
import type { SshHost } from '../../../test/sshd.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { makeFolder, putFile, tryWriting, type LocalFile } from './ssh-files.ts';
import { openSshSession, type SshAccount, type SshSession } from './ssh-session.ts';

const outbound = createOutbound({ HOST: '127.0.0.1', PORT: 1, STRICT_OUTBOUND: false });
const SIZE = 300_000;

let host: SshHost;
let line: FaultyLine;
let local: string;
let file: LocalFile;
let content: Buffer;
beforeAll(async () => {
  host = await openSshHost();
  line = await openFaultyLine(host.port);
  local = await mkdtemp(join(tmpdir(), 'backup-'));
  content = randomBytes(SIZE);
  file = await localFile('backup.sql.gz', content);
});
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
  proof: { privateKey: host.privateKey, passphrase: host.passphrase },
  timeoutSeconds: 20,
});

async function inSession<R>(work: (session: SshSession) => Promise<R>, answerMs = 20_000) {
  const session = await openSshSession({ outbound, account: account(), isExpected: () => true, answerMs });
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

const put = (which = file, folder = host.folder, answerMs?: number) =>
  inSession((session) => putFile(session, folder, 'backup.sql.gz', which), answerMs);
const there = () => readdir(host.folder);
const kept = () => readFile(join(host.folder, 'backup.sql.gz'));

describe('a file', () => {
  test('arrives whole under its name, and nothing else does', async () => {
    let sent = 0;
    await inSession((session) =>
      putFile(session, host.folder, 'backup.sql.gz', file, (bytes) => (sent = bytes)),
    );
    expect(await there()).toEqual(['backup.sql.gz']);
    expect((await kept()).equals(content)).toBe(true);
    expect(sent).toBe(SIZE);
  });

  test.each([0, 1, 32_768, 32_769])('of %i bytes arrives', async (size) => {
    const bytes = randomBytes(size);
    await put(await localFile('small', bytes));
    expect((await kept()).equals(bytes)).toBe(true);
  });

  test('that is there already is not sent again', async () => {
    await put();
    const once = line.bytes();
    await put();
    expect(line.bytes() - once).toBeLessThan(once * 0.75);
    expect(await there()).toEqual(['backup.sql.gz']);
  });

  test('never takes the place of another one of its name', async () => {
    await writeFile(join(host.folder, 'backup.sql.gz'), 'of another installation');
    await expect(put()).rejects.toMatchObject({
      step: 'write',
      message: 'Another file has this name in the folder already. Choose another Server Name.',
    });
    expect(String(await kept())).toBe('of another installation');
  });

  test('that is not what its checksum says gets no name there', async () => {
    const rotten = { ...(await localFile('rotten', randomBytes(1000))), sha256: file.sha256 };
    await expect(put(rotten)).rejects.toMatchObject({ step: 'write' });
    expect(await there()).toEqual([]);
  });

  test('sweeps up what an earlier try of its own left, and nothing of others', async () => {
    const others = ['.backup.sql.gz.0123456789ab.part.txt', '.other.sql.gz.0123456789ab.part', 'notes.part'];
    for (const name of ['.backup.sql.gz.0123456789ab.part', ...others])
      await writeFile(join(host.folder, name), 'x');
    await put();
    expect((await there()).sort()).toEqual([...others, 'backup.sql.gz'].sort());
  });

  test('needs its folder: a copy makes none', async () => {
    const missing = join(host.folder, 'not mounted');
    await expect(put(file, missing)).rejects.toMatchObject({ step: 'folder' });
    await writeFile(join(host.folder, 'a file'), '');
    await expect(put(file, join(host.folder, 'a file'))).rejects.toMatchObject({
      step: 'folder',
    });
    expect(await there()).toEqual(['a file']);
  });
});

describe('a folder', () => {
  test('is made with those above it, once', async () => {
    const folder = join(host.folder, 'office', 'backups');
    expect(await inSession((session) => makeFolder(session, folder))).toBe(true);
    expect(await inSession((session) => makeFolder(session, `${folder}/`))).toBe(false);
    await inSession((session) => tryWriting(session, folder));
    expect(await readdir(folder)).toEqual([]);
  });

  test('can be a link to one', async () => {
    await mkdir(join(host.folder, 'disk'));
    await symlink(join(host.folder, 'disk'), join(host.folder, 'link'));
    await put(file, join(host.folder, 'link'));
    expect(await readdir(join(host.folder, 'disk'))).toEqual(['backup.sql.gz']);
  });
});

/** Every way for a copy to be cut short, at chosen points of its way (security.md L10). */
describe('whatever happens on the way, the name is there with the whole file or not at all', () => {
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
    test.each(points)(`${fault}, at point %i of ${POINTS}`, async (point) => {
      await rm(join(host.folder, 'backup.sql.gz'), { force: true });
      await provoke(Math.floor((wholeWay * point) / (POINTS + 1)), point);
      // Of a silent server only time tells.
      const answerMs = fault === 'the line falls silent' ? 300 : undefined;
      const failure = await put(file, host.folder, answerMs).then(
        () => undefined,
        (error: unknown) => error,
      );
      const names = (await there()).filter((name) => !name.startsWith('.'));
      // The answer to the rename may be what was lost.
      if (names.length > 0) expect((await kept()).equals(content)).toBe(true);
      else expect(failure).toMatchObject({ step: expect.any(String), message: expect.stringMatching(/\.$/) });

      line.fail(undefined);
      await host.limitFiles(undefined);
      await put();
      expect(await there()).toEqual(['backup.sql.gz']);
      expect((await kept()).equals(content)).toBe(true);
    });
  }
});
