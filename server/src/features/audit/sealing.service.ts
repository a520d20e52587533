import type { Db } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/define-job.ts';
import { wasLogSealed, recordLogSealed } from '../../platform/installation.ts';
import type { Log } from '../../platform/log.ts';
import type { Rotation } from '../../platform/reseal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { sealHash, signatureOf } from './chain.ts';
import * as queries from './sealing.queries.ts';
import { readHead } from './verification.queries.ts';

/** The interval at which each instance checks for unsealed entries. */
const CHECK_MS = 2000;

/** Maximum entries of one seal, to limit the time that sealing takes after a large import. */
const BATCH_SIZE = 5000;

type Parts = { db: Db; secrets: Secrets; log: Log };

/**
 * Seals audit entries in batches after they were written, so that writers do not wait for each other
 * (docs/product/audit.md, Verification). One instance seals at a time. Each seal is also written to the program's log:
 * a copy of the head outside the database.
 */
export function createSealing({ db, secrets, log }: Parts) {
  /** The snapshot at which all entries were sealed. */
  let completeAt: string | undefined;

  /** Seals at most one batch. Returns whether it was full, so that more entries may exist. */
  const sealBatch = (): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const { isLocked, visible } = await queries.lockSealing(tx);
      if (!isLocked || visible === completeAt) return false;
      const end = await queries.chainEnd(tx);
      // An emptied log continues with a gap, which verification reports from then on.
      const isEmptied = end.number === 0 && (await wasLogSealed(tx, secrets));
      const number = end.number + (isEmptied ? 2 : 1);
      const { entries, digest, horizon } = await queries.sealEntries(tx, number, end.horizon, BATCH_SIZE);
      if (digest === null) {
        completeAt = visible;
        return false;
      }
      const seal = { number, hash: sealHash(end.hash, number, digest), key_id: secrets.keyId };
      const signature = signatureOf(secrets, 'audit_seals', seal);
      await queries.insertSeal(tx, { ...seal, signature, entries, horizon });
      await queries.moveHead(tx, { ...seal, signature: signatureOf(secrets, 'audit_head', seal) });
      await recordLogSealed(tx, secrets);
      log.info({ seal: number, entries, hash: seal.hash.toString('hex') }, 'audit sealed');
      return entries === BATCH_SIZE;
    });

  async function sealAll(signal?: AbortSignal): Promise<void> {
    for (;;) {
      if (signal?.aborted || !(await sealBatch())) return;
    }
  }

  return {
    sealAll,
    job: defineJob({
      name: 'audit-seals',
      schedule: { everyMs: CHECK_MS },
      run: sealAll,
    }),
  };
}

/** Number of seals updated by one statement of a rotation. */
const SIGNED_AT_ONCE = 10_000;

/**
 * Signs the seals of the former key with the new key. Seals with an invalid signature get the id of the new key but not
 * a new signature, so that verification still reports them. Returns the number of both.
 */
export async function resignSeals({ tx, from, to }: Rotation): Promise<{ signed: number; invalid: number }> {
  const total = { signed: 0, invalid: 0 };
  const renew = (
    table: 'audit_seals' | 'audit_head',
    seal: { number: number; hash: Buffer; signature: string },
  ): { number: number; signature: string } => {
    const isValid = seal.signature === signatureOf(from, table, seal);
    if (table === 'audit_seals') total[isValid ? 'signed' : 'invalid'] += 1;
    return { number: seal.number, signature: isValid ? signatureOf(to, table, seal) : seal.signature };
  };
  let after = 0;
  for (;;) {
    const seals = await queries.readSigned(tx, from.keyId, after, SIGNED_AT_ONCE);
    if (seals.length === 0) break;
    await queries.replaceSignatures(
      tx,
      to.keyId,
      seals.map((seal) => renew('audit_seals', seal)),
    );
    after = seals.at(-1)!.number;
  }
  const head = await readHead(tx);
  if (head?.key_id === from.keyId) {
    const { number, hash } = head;
    await queries.moveHead(tx, { hash, key_id: to.keyId, ...renew('audit_head', { ...head, number }) });
  }
  return total;
}
