import { createHash } from 'node:crypto';
import type { Secrets } from '../../platform/secrets.ts';

/** Returns the hash of a seal: over the previous seal, its own number, and the digest of its entries. */
export const sealHash = (before: Buffer, number: number, digest: Buffer): Buffer =>
  createHash('sha256').update(before).update(`\0${number}\0`).update(digest).digest();

/**
 * Signs a seal, or the end of the chain, with SECRET_KEY: the database alone is not enough to forge one. The two
 * signatures differ, so that one cannot be reused as the other.
 */
export const signatureOf = (
  secrets: Secrets,
  table: 'audit_seals' | 'audit_head',
  { number, hash }: { number: number; hash: Buffer },
): string =>
  secrets.fingerprint(hash.toString('base64'), { table, column: 'signature', recordId: String(number) });
