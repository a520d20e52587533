import fs, { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFile, prepareDataDir } from './data-dir.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'data-dir-'));
});
afterEach(() => rm(root, { recursive: true }));

test('the start creates DATA_DIR and its parents for their owner only, and leaves it empty', async () => {
  const folder = join(root, 'a', 'b');
  await prepareDataDir(folder);
  await prepareDataDir(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['below /proc', () => '/proc/forecourt/data', 'no folder can be made in /proc.'],
  ['in place of a file', () => join(root, 'file'), 'a file is in the way.'],
  ['below a file', () => join(root, 'file', 'data'), 'a file is in the way.'],
  ['by a link to nothing', () => join(root, 'dangling'), 'a file is in the way.'],
  ['below a link to nothing', () => join(root, 'dangling', 'data'), 'a file is in the way.'],
  ['by links in a circle', () => join(root, 'circle', 'data'), 'its links lead in a circle.'],
  ['with a name too long', () => join(root, 'x'.repeat(300)), 'its name is too long.'],
])('the start rejects a DATA_DIR %s in one line', async (_case, path, reason) => {
  await writeFile(join(root, 'file'), '');
  await symlink(join(root, 'missing'), join(root, 'dangling'));
  await symlink(join(root, 'circle'), join(root, 'circle'));
  await expect(prepareDataDir(path())).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(new RegExp(`^The data folder .* cannot be used: ${reason}$`)),
  });
});

test.skipIf(process.getuid?.() === 0)('the start rejects a DATA_DIR without write permission', async () => {
  await mkdir(join(root, 'theirs'));
  await chmod(join(root, 'theirs'), 0o555);
  await expect(prepareDataDir(join(root, 'theirs'))).rejects.toThrow('this user has no permission there.');
});

test.each([undefined, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
  'a file of DATA_DIR is created once, for its owner only, where a hard link fails with %s',
  async (code) => {
    const links = vi.spyOn(fs, 'link');
    if (code) links.mockRejectedValue(Object.assign(new Error(code), { code }));
    syncBuiltinESMExports();
    try {
      await createFile(root, 'id', 'first');
      await createFile(root, 'id', 'second');
      expect(links).toHaveBeenCalledTimes(2);
    } finally {
      links.mockRestore();
      syncBuiltinESMExports();
    }
    expect(await readFile(join(root, 'id'), 'utf8')).toBe('first');
    expect((await stat(join(root, 'id'))).mode & 0o777).toBe(0o600);
    expect(await readdir(root)).toEqual(['id']);
  },
);
