import { hash, randomBytes } from 'node:crypto';
import { stringify, v7 } from 'uuid';

/**
 * Returns a new UUIDv7, greater than all earlier ones of this process: lists order records of the same time by id.
 * Node's `randomUUIDv7` does not order ids of one millisecond.
 */
export const newId = (): string => v7();

/** Returns a secret for a browser: 256 bits, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Only hashes of clients' secrets are stored, so that a leaked database contains no usable token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Returns a UUIDv8 derived from the SHA-256 of these texts: the same texts give the same id. */
export function hashedId(...texts: string[]): string {
  const bytes = hash('sha256', JSON.stringify(texts), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return stringify(bytes);
}
