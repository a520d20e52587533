import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from './ids.ts';
import { StartError } from './start-error.ts';

/** Where a secret stands. It is bound to that place: moved to another row or column it does not open. */
type SecretPlace = { table: string; column: string; recordId: string };

export type Secrets = {
  /** Encrypts with AES-256-GCM. Shape: `v1.<key id>.<nonce>.<tag>.<ciphertext>`, base64url. */
  seal(plain: string, place: SecretPlace): string;
  /** Decrypts. `null` where the key is another one: the caller treats that as 'not configured'. */
  open(sealed: string, place: SecretPlace): string | null;
  /** Recognises a secret later without keeping it: the same text at the same place gives the same answer. */
  fingerprint(plain: string, place: SecretPlace): string;
  /** Tells two keys apart without telling anything about them. */
  keyId: string;
};

const associated = (place: SecretPlace, keyId: string) =>
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
      if (!timingSafeEqual(hashOf(sealedBy), hashOf(keyId))) return null;
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

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * The key of `SECRET_KEY`, else the one in DATA_DIR, made there once. Written to a name of its own and
 * linked into place, so that two first starts agree on one key and a crash leaves no half of one.
 */
export async function loadKey(dataDir: string, fromEnvironment: string | undefined): Promise<Buffer> {
  if (fromEnvironment) return Buffer.from(fromEnvironment, 'base64');
  const file = join(dataDir, 'secret.key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = join(dataDir, `.secret.key.${newId()}`);
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (key.length !== 32)
    throw new StartError(`${file} is not a key of 32 bytes in base64; restore it from a copy`);
  return key;
}
