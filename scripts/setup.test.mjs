import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildWeb, isBuilt } from './build-web.mjs';
import { findChromium } from './chromium.mjs';
import { fingerprint } from './fingerprint.mjs';
import { findReason } from './problem.mjs';
import { runExclusively } from './setup-lock.mjs';
import { countTests, slowestFiles } from './test-count.mjs';

const packages = join(import.meta.dirname, '..', 'node_modules');
let root;

function write(path, text) {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'setup test '));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a fingerprint changes with a content, a name and a new file, and with nothing else', () => {
  write('web/a.ts', 'one');
  write('web/deep/b.ts', 'two');
  const before = fingerprint(root, ['web', 'absent.md']);
  write('web/a.ts', 'one');
  write('web/dist/out.js', 'made');
  write('web/node_modules/x.js', 'installed');
  expect(fingerprint(root, ['web', 'absent.md'])).toBe(before);
  write('web/a.ts', 'eno');
  expect(fingerprint(root, ['web', 'absent.md'])).not.toBe(before);
  write('web/a.ts', 'one');
  write('absent.md', '');
  expect(fingerprint(root, ['web', 'absent.md'])).not.toBe(before);
  rmSync(join(root, 'absent.md'));
  rmSync(join(root, 'web/deep/b.ts'));
  write('web/deep/c.ts', 'two');
  expect(fingerprint(root, ['web', 'absent.md'])).not.toBe(before);
});

test('the web is built once and after a change, and a failed build keeps the previous one and stays stale', async () => {
  symlinkSync(packages, join(root, 'node_modules'));
  write('web/index.html', '<script type="module" src="/main.js"></script>');
  write('web/main.js', 'console.log("first")');
  const shown = () => readFileSync(join(root, 'web/dist/index.html'), 'utf8');

  expect(isBuilt(root)).toBe(false);
  await buildWeb(root, process.execPath);
  expect(isBuilt(root)).toBe(true);
  const first = shown();

  write('web/main.js', 'console.log("second")');
  expect(isBuilt(root)).toBe(false);
  await buildWeb(root, process.execPath);
  expect(isBuilt(root)).toBe(true);
  const second = shown();
  expect(second).not.toBe(first);

  write('web/index.html', '<script type="module" src="/absent.js"></script>');
  await expect(buildWeb(root, process.execPath)).rejects.toThrow('could not be built');
  expect(shown()).toBe(second);
  expect(isBuilt(root)).toBe(false);
});

test('two simultaneous set-ups are serialised', async () => {
  const seen = [];
  const work = (name) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
  };
  await Promise.all([runExclusively(root, work('a')), runExclusively(root, work('b'))]);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('the lock of a killed set-up is taken over once the tool that it started has ended', async () => {
  const lock = new URL('setup-lock.mjs', import.meta.url).href;
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { spawn } from 'node:child_process';
     import { runExclusively } from ${JSON.stringify(lock)};
     await runExclusively(process.argv[1], async (addHolder) => {
       const tool = spawn('sleep', ['60']);
       addHolder(tool.pid);
       console.log(tool.pid);
       await new Promise(() => setInterval(() => {}, 1000));
     });`,
    root,
  ]);
  const [tool] = await once(holder.stdout.setEncoding('utf8'), 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  let taken = false;
  const next = runExclusively(root, async () => (taken = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toBe(false);
  process.kill(Number(tool), 'SIGKILL');
  await next;
  expect(taken).toBe(true);
  expect(existsSync(join(root, '.cache', 'setup.lock'))).toBe(false);
});

test('a signal ends the program that a script runs, and then the script', async () => {
  const module = new URL('run.mjs', import.meta.url).href;
  const script = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { run } from ${JSON.stringify(module)};
     await run([process.execPath, '-e', 'setInterval(() => console.log(process.pid), 100)'], { stdio: 'inherit' });`,
  ]);
  const [output] = await once(script.stdout.setEncoding('utf8'), 'data');
  const tool = Number.parseInt(output, 10);
  script.kill('SIGTERM');
  const [, signal] = await once(script, 'exit');
  expect(signal).toBe('SIGTERM');
  // Throws if the program has ended.
  const end = () => process.kill(tool, 'SIGKILL');
  expect(end).toThrow('ESRCH');
});

test('reasons are found in errors and in the output of tools', () => {
  expect(findReason(Object.assign(new Error('no'), { code: 'EROFS' }))).toBe('that disk is read-only');
  expect(findReason('npm error code ENOSPC')).toBe('the disk is full');
  expect(findReason('npm error code EAI_AGAIN')).toContain('no network?');
  expect(findReason(new TypeError('a mistake'))).toBeUndefined();
});

test('a run without tests, with a broken file or an error outside tests is a failure', () => {
  expect(countTests({ numPassedTests: 3, numFailedTests: 1, testResults: [] }, 1)).toEqual({
    passed: 3,
    failed: 1,
  });
  expect(countTests({ numPassedTests: 3, numFailedTests: 0, testResults: [] }, 0)).toEqual({
    passed: 3,
    failed: 0,
  });
  expect(
    countTests({ numPassedTests: 3, testResults: [{ status: 'failed', assertionResults: [] }] }, 1).failed,
  ).toBe(1);
  expect(countTests({ numPassedTests: 3, testResults: [] }, 1).failed).toBe(1);
  expect(countTests({ numPassedTests: 0, testResults: [] }, 0).failed).toBe(1);
  expect(countTests(undefined, 0).failed).toBe(1);
});

test('the slowest files are listed, and those over the time budget are marked', () => {
  const testResults = Array.from({ length: 100 }, (_, index) => ({
    name: `/clone/file-${index}.test.ts`,
    startTime: 0,
    endTime: index === 7 ? 9000 : 1000,
  }));
  const lines = slowestFiles({ testResults }, '/clone', 2);
  expect(lines).toEqual([
    '    9.0 s  file-7.test.ts   over its budget of 4.3 s',
    expect.stringMatching(/^ {4}1\.0 s {2}file-\d+\.test\.ts$/),
  ]);
  expect(slowestFiles(undefined, '/clone')).toEqual([]);
});

test('a browser is taken from CHROMIUM_PATH or PATH, the lightest first', () => {
  write('bin/chromium', '');
  expect(findChromium({ PATH: join(root, 'bin') })).toBe(join(root, 'bin', 'chromium'));
  expect(findChromium({ CHROMIUM_PATH: join(root, 'bin', 'chromium') })).toBe(join(root, 'bin', 'chromium'));
  expect(() => findChromium({ CHROMIUM_PATH: join(root, 'none') })).toThrow('does not exist');
  write('bin/chromium-headless-shell', '');
  expect(findChromium({ PATH: join(root, 'bin') })).toBe(join(root, 'bin', 'chromium-headless-shell'));
});
