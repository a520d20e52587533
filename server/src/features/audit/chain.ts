import { createHash } from 'node:crypto';
import type { Secrets } from '../../platform/secrets.ts';

/** Returns the hash of a seal: of the previous hash, its own number, and the digest of its entries. */
export const sealHash = (before: Buffer, number: number, digest: Buffer): Buffer =>
  createHash('sha256').update(before).update(`\0${number}\0`).update(digest).digest();

/**
 * Signs a seal, or the head of the chain, with SECRET_KEY, so that nobody can forge one with access to the database
 * only. The two kinds of signatures differ: one cannot be reused as the other.
 */
export const signatureOf = (
  secrets: Secrets,
  table: 'audit_seals' | 'audit_head',
  { number, hash }: { number: number; hash: Buffer },
): string =>
  secrets.fingerprint(hash.toString('base64'), { table, column: 'signature', recordId: String(number) });
