import type { Db } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import * as queries from './delivery.queries.ts';

type Parts = { db: Db; log: Log; leaseSeconds: number; renewMs: number };

/**
 * The messages leased by this worker (docs/product/security.md, No message is lost or sent by two workers). Their
 * leases are renewed together.
 */
export function createLeases({ db, log, leaseSeconds, renewMs }: Parts) {
  type Lease = { email: queries.Claimed; lost: AbortController; released: PromiseWithResolvers<void> };
  const leased = new Map<string, Lease>();
  const taking = new Set<Promise<unknown>>();
  let renewing: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const renewing = [...leased.values()];
    const renewedIds = new Set(
      await queries.renew(
        db,
        renewing.map(({ email }) => email),
        leaseSeconds,
      ),
    );
    for (const { email, lost } of renewing) if (!renewedIds.has(email.id)) lost.abort();
  }

  async function claim(which: queries.Which, limit: number): Promise<queries.Claimed[]> {
    const taken = await queries.claim(db, which, limit, leaseSeconds);
    for (const email of taken)
      leased.set(email.id, { email, lost: new AbortController(), released: Promise.withResolvers() });
    if (leased.size > 0) {
      renewing ??= setInterval(() => {
        renew().catch((error: Error) => log.warn({ reason: error.message }, 'leases not renewed'));
      }, renewMs);
    }
    return taken;
  }

  return {
    /** Leases due messages, oldest first. */
    take(which: queries.Which, limit: number): Promise<queries.Claimed[]> {
      const claiming = claim(which, limit);
      taking.add(claiming);
      return claiming.finally(() => taking.delete(claiming));
    },

    /** Returns a signal that aborts when another worker leases the message. */
    lossOf: (email: queries.Claimed): AbortSignal => leased.get(email.id)!.lost.signal,

    /** Resolves when this worker has released a message, at once if it has no lease of it. */
    async whenReleased(id: string): Promise<void> {
      // The message may be part of a pending lease.
      await Promise.allSettled(taking);
      await leased.get(id)?.released.promise;
    },

    /** Ends the leases of messages whose outcome was written or that were returned to the queue. */
    release(emails: queries.Claimed[]): void {
      for (const { id } of emails) {
        leased.get(id)?.released.resolve();
        leased.delete(id);
      }
      if (leased.size > 0) return;
      clearInterval(renewing);
      renewing = undefined;
    },
  };
}
