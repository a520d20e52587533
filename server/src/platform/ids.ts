import { hash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * Returns a new record id: UUIDv7, greater than every earlier one of this process. Lists break ties of time by id;
 * `randomUUIDv7` of Node does not order the ids of one millisecond.
 */
export const newId = (): string => v7();

/** Returns a secret for a browser: 256 bit, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Hashes a secret of a client: a leaked database contains no usable token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
