import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';

/** Returns a new record id: UUIDv7, which sorts by time of creation. */
export const newId = (): string => randomUUIDv7();

/** Returns a secret for a browser: 256 bit, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Hashes a secret of a client: a leaked database contains no usable token. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
