import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';

/** A new record id: UUIDv7, so that ids made later sort later. */
export const newId = (): string => randomUUIDv7();

/** A secret for a person's browser: 256 bit, URL-safe. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** How secrets that somebody else holds are kept: a database that leaks signs nobody in. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');
