import { createHash } from 'node:crypto';
import type { Secrets } from '../../platform/secrets.ts';

/** What a seal is made of: the seal before it, its own number, and the digests of its entries. */
export const sealHash = (before: Buffer, number: number, digest: Buffer): Buffer =>
  createHash('sha256').update(before).update(`\0${number}\0`).update(digest).digest();

/**
 * Signs a seal, or the end of the chain, with SECRET_KEY: whoever has only the database cannot make one. The two
 * differ, so that the one cannot be made of the other.
 */
export const signatureOf = (
  secrets: Secrets,
  table: 'audit_seals' | 'audit_head',
  { number, hash }: { number: number; hash: Buffer },
): string =>
  secrets.fingerprint(hash.toString('base64'), { table, column: 'signature', recordId: String(number) });
