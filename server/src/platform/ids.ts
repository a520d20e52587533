import { hash, randomBytes } from 'node:crypto';
import { stringify, v7 } from 'uuid';

/**
 * Returns a new record id: UUIDv7, greater than every earlier one of this process. Lists break ties of time by id;
 * `randomUUIDv7` of Node does not order the ids of one millisecond.
 */
export const newId = (): string => v7();

/** Returns a secret for a browser: 256 bit, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Hashes a secret of a client: a leaked database contains no usable token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Returns the id that these texts always have: UUIDv8, from their SHA-256. */
export function hashedId(...texts: string[]): string {
  const bytes = hash('sha256', JSON.stringify(texts), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return stringify(bytes);
}
