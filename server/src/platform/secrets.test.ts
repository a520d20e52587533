import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey, createSecrets, findKey } from './secrets.ts';

const key = Buffer.alloc(32, 1);
const place = { table: 'email_settings', column: 'smtp_password', recordId: 'a' } as const;

describe('a sealed secret', () => {
  const secrets = createSecrets(key);

  test('a sealed secret decrypts at its place with its key', () => {
    expect(secrets.open(secrets.seal('pässword', place), place)).toBe('pässword');
  });

  test('a sealed secret differs each time and never contains its text', () => {
    const [first, second] = [secrets.seal('hidden', place), secrets.seal('hidden', place)];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.split('.').at(-1)!, 'base64url').toString()).not.toContain('hidden');
  });

  test('a sealed secret does not decrypt at another place or with another key', () => {
    const sealed = secrets.seal('hidden', place);
    expect(secrets.open(sealed, { ...place, recordId: 'b' })).toBeNull();
    expect(createSecrets(Buffer.alloc(32, 2)).open(sealed, place)).toBeNull();
  });

  test('a sealed secret does not decrypt after any change of nonce, tag or text, nor from invalid input', () => {
    const sealed = secrets.seal('hidden', place).split('.');
    for (const part of [2, 3, 4]) {
      const bytes = Buffer.from(sealed[part]!, 'base64url');
      bytes[0]! ^= 1;
      const changed = sealed.with(part, bytes.toString('base64url')).join('.');
      expect(secrets.open(changed, place)).toBeNull();
    }
    expect(secrets.open('rubbish', place)).toBeNull();
  });
});

describe('the key in DATA_DIR', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('the key in DATA_DIR is created once, readable by its owner only, also by ten concurrent starts', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(folder)));
    expect(new Set(keys.map(String)).size).toBe(1);
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret.key']);
    expect(await findKey(folder, undefined)).toEqual(keys[0]);
  });

  test('the key in DATA_DIR is not created by a lookup', async () => {
    expect(await findKey(folder, undefined)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  test('the key in DATA_DIR is rejected when damaged, and not replaced', async () => {
    await writeFile(join(folder, 'secret.key'), 'half a k');
    await expect(findKey(folder, undefined)).rejects.toThrow('is not a key of 32 bytes');
  });
});
