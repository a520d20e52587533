import type { Db } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { sealHash, signatureOf } from './chain.ts';
import * as queries from './sealing.queries.ts';

/** How often each instance looks for entries that are in no seal. */
const LOOK_MS = 2000;

/** Entries of one seal, so that sealing what a large import wrote never takes long at once. */
const MOST = 5000;

type Parts = { db: Db; secrets: Secrets; log: Log };

/**
 * Seals audit entries in batches after they were written, so that no writer queues for the chain (product.md
 * section 9). Of several instances one at a time does it. Each seal is also a line in the program's log: a copy of
 * the end of the chain that lies outside the database.
 */
export function createSealing({ db, secrets, log }: Parts) {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  /** Seals at most one batch. False: there was not a whole one left. */
  const sealBatch = (): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      if (!(await queries.lockSealing(tx))) return false;
      const end = await queries.chainEnd(tx);
      const number = end.number + 1;
      const { entries, digest, horizon } = await queries.sealEntries(tx, number, end.horizon, MOST);
      if (digest === null) return false;
      const seal = { number, hash: sealHash(end.hash, number, digest), key_id: secrets.keyId };
      const signature = signatureOf(secrets, 'audit_seals', seal);
      await queries.insertSeal(tx, { ...seal, signature, entries, horizon });
      await queries.moveHead(tx, { ...seal, signature: signatureOf(secrets, 'audit_head', seal) });
      log.info({ seal: number, entries, hash: seal.hash.toString('hex') }, 'audit sealed');
      return entries === MOST;
    });

  async function sealAll(): Promise<void> {
    while (!stopping.signal.aborted && (await sealBatch()));
  }

  const look = (): void => {
    underWay = sealAll()
      .catch((error: Error) => log.warn({ reason: error.message }, 'audit entries are not sealed yet'))
      .finally(() => {
        if (!stopping.signal.aborted) timer = setTimeout(look, LOOK_MS);
      });
  };

  return {
    /** Seals what has been written so far. */
    sealAll,
    start: look,
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await underWay;
    },
  };
}
