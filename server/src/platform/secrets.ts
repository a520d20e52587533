import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, folderFailure } from './data-dir.ts';
import { tokenHash } from './ids.ts';
import type { SealedPlace } from './sealed-columns.ts';
import { StartError } from './start-error.ts';

type Place = { table: string; column: string; recordId: string };

export type Secrets = {
  /** Encrypts with AES-256-GCM: `v1.<key id>.<nonce>.<tag>.<ciphertext>` in base64url. */
  seal(plain: string, place: SealedPlace): string;
  /** Decrypts. Returns null if the value was encrypted with another key, which callers treat as 'not configured'. */
  open(sealed: string, place: SealedPlace): string | null;
  /** Returns a keyed hash, equal for the same text and place, to recognise a secret without storing it. */
  fingerprint(plain: string, place: Place): string;
  /** Identifies the key without revealing anything about it. */
  keyId: string;
};

const associated = (place: Place, keyId: string) =>
  Buffer.from([place.table, place.column, place.recordId, keyId].join('\0'));

export function createSecrets(key: Buffer): Secrets {
  const keyId = createHash('sha256')
    .update('forecourt key id\0')
    .update(key)
    .digest('base64url')
    .slice(0, 12);
  return {
    keyId,
    fingerprint: (plain, place) =>
      createHmac('sha256', key)
        .update(associated(place, 'fingerprint'))
        .update('\0')
        .update(plain)
        .digest('base64url'),
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated(place, keyId));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'));
      return ['v1', keyId, ...parts].join('.');
    },
    open(sealed, place) {
      const [format, sealedBy, ...parts] = sealed.split('.');
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (format !== 'v1' || !sealedBy || !nonce || !tag || !text) return null;
      if (!timingSafeEqual(tokenHash(sealedBy), tokenHash(keyId))) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
        decipher.setAAD(associated(place, keyId)).setAuthTag(tag);
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** File name of the key in DATA_DIR. */
export const KEY_FILE = 'secret.key';

/** Returns `SECRET_KEY`, otherwise the key in DATA_DIR; undefined if there is none. Writes nothing. */
export async function findKey(
  dataDir: string,
  fromEnvironment: string | undefined,
): Promise<Buffer | undefined> {
  return fromEnvironment ? Buffer.from(fromEnvironment, 'base64') : readKey(dataDir, KEY_FILE);
}

/** Returns undefined if there is no such file. */
export async function readKey(dataDir: string, name: string): Promise<Buffer | undefined> {
  const file = join(dataDir, name);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw folderFailure(error, file);
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32)
    throw new StartError(`${file} is not a key of 32 bytes in base64; restore it from a copy`);
  return key;
}

/** Returns a new key, stored in DATA_DIR, or the existing one. */
export async function createKey(
  dataDir: string,
  name = KEY_FILE,
  key: Buffer = randomBytes(32),
): Promise<Buffer> {
  await createFile(dataDir, name, `${key.toString('base64')}\n`);
  return (await readKey(dataDir, name))!;
}
