import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { inTransaction, type Context, type Viewer } from './context.ts';
import { AppError, invalidField } from './errors.ts';
import { rightsOf } from './rights.ts';

/** A call that is to happen once: whose key it is, and the digest of what is asked. */
export type Claim = { key: string; requestHash: Buffer };

/** A first answer, with the rights that it was made for. */
type Kept<T> = { rights: string; answer: T | null };

const dayAgo = sql<string>`now() - interval '24 hours'`;

/**
 * Takes a key for a person; false where it is taken. A second request with the same key waits here until the first has
 * committed or failed. Removes some of what is more than a day old, of anybody: no write pays for a long past.
 */
async function takeKey(
  tx: Tx,
  taking: { user_id: string; key: string; request_hash: Buffer },
): Promise<boolean> {
  const { user_id, key } = taking;
  const taken = await tx
    .with('removed', (query) =>
      query.deleteFrom('idempotency_keys').where((eb) =>
        eb(
          eb.refTuple('user_id', 'key'),
          'in',
          eb
            .selectFrom('idempotency_keys')
            .select(['user_id', 'key'])
            .where('created_at', '<', dayAgo)
            // One statement cannot take a row away and put it back.
            .where((old) => old.not(old.and({ user_id, key })))
            .orderBy('created_at')
            .limit(100)
            .forUpdate()
            .skipLocked()
            .$asTuple('user_id', 'key'),
        ),
      ),
    )
    .insertInto('idempotency_keys')
    .values(taking)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ request_hash: taking.request_hash, response: null, created_at: sql`now()` })
        .where('idempotency_keys.created_at', '<', dayAgo),
    )
    .returning('key')
    .executeTakeFirst();
  return taken !== undefined;
}

/**
 * What a request's Idempotency-Key claims; null where it has none, and of secret requests: neither their bodies nor
 * their answers may lie in a table.
 */
export function claimOf(request: FastifyRequest, isSecret: boolean): Claim | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !request.viewer || isSecret || request.method === 'GET') return null;
  if (typeof key !== 'string' || !/^[\w.:-]{1,200}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'Must be 1 to 200 letters, digits, dots, colons or dashes');
  }
  const requestHash = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null]))
    .digest();
  return { key, requestHash };
}

/**
 * Runs work once for its Idempotency-Key (product.md section 3): the key, the effect and the answer are
 * one transaction, so that a repeat after any failure either finds all of them or none. The same key with
 * another request is a 409. Kept for 24 h. Work without a key runs as it is.
 */
export async function once<T>(
  ctx: Context<Viewer | null>,
  claim: Claim | null,
  work: (ctx: Context<Viewer | null>) => Promise<T>,
): Promise<T> {
  const { viewer } = ctx;
  if (!claim || !viewer) return work(ctx);
  const { key, requestHash } = claim;
  const rights = rightsOf(viewer);

  return inTransaction(ctx, async (inner) => {
    const isFirst = await takeKey(inner.db, { user_id: viewer.userId, key, request_hash: requestHash });
    const row = inner.db
      .selectFrom('idempotency_keys')
      .where('user_id', '=', viewer.userId)
      .where('key', '=', key);
    if (!isFirst) {
      const first = await row.select(['request_hash', 'response']).executeTakeFirstOrThrow();
      if (!first.request_hash.equals(requestHash)) throw new AppError('KEY_REUSED');
      const { rights: then, answer } = first.response as Kept<T>;
      // What was answered then may hold what this person may no longer see.
      if (then !== rights) {
        throw new AppError('KEY_REUSED', {
          message: 'This was saved. What you may do has changed since: please load the page again.',
        });
      }
      return (answer ?? undefined) as T;
    }
    const result = await work(inner);
    await inner.db
      .updateTable('idempotency_keys')
      .set({ response: JSON.stringify({ rights, answer: result ?? null } satisfies Kept<T>) })
      .where('user_id', '=', viewer.userId)
      .where('key', '=', key)
      .execute();
    return result;
  });
}
