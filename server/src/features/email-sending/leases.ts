import type { Db } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import * as queries from './delivery.queries.ts';

type Parts = { db: Db; log: Log; leaseSeconds: number; renewMs: number };

/**
 * The messages that this worker has taken and that no other may take meanwhile (security.md L7). They are renewed
 * together for as long as there are any.
 */
export function createLeases({ db, log, leaseSeconds, renewMs }: Parts) {
  const held = new Map<string, { email: queries.Claimed; lost: AbortController }>();
  let renewing: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const asked = [...held.values()];
    const kept = new Set(
      await queries.renew(
        db,
        asked.map(({ email }) => email),
        leaseSeconds,
      ),
    );
    for (const { email, lost } of asked) if (!kept.has(email.id)) lost.abort();
  }

  return {
    /** Takes some of what is due, the longest waiting first. */
    async take(which: queries.Which, most: number): Promise<queries.Claimed[]> {
      const taken = await queries.claim(db, which, most, leaseSeconds);
      for (const email of taken) held.set(email.id, { email, lost: new AbortController() });
      if (held.size > 0) {
        renewing ??= setInterval(() => {
          renew().catch((error: Error) => log.warn({ reason: error.message }, 'leases not renewed'));
        }, renewMs);
      }
      return taken;
    },

    /** Aborted once another worker has this message. */
    lossOf: (email: queries.Claimed): AbortSignal => held.get(email.id)!.lost.signal,

    /** They were written down or given back. */
    release(emails: queries.Claimed[]): void {
      for (const { id } of emails) held.delete(id);
      if (held.size > 0) return;
      clearInterval(renewing);
      renewing = undefined;
    },
  };
}
