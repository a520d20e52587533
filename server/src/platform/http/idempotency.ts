import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { inTransaction, type Context, type Viewer } from './context.ts';
import { AppError, invalidField } from './errors.ts';

/**
 * Runs a request once for its Idempotency-Key (product.md section 3): the key, the effect and the answer are
 * one transaction, so that a repeat after any failure either finds all of them or none. The same key with
 * another request is a 409. Kept for 24 h. Requests without a key run as they are, and so do secret ones: neither
 * their bodies nor their answers may lie in a table.
 */
export async function once<T>(
  ctx: Context<Viewer | null>,
  request: FastifyRequest,
  isSecret: boolean,
  work: (ctx: Context<Viewer | null>) => Promise<T>,
): Promise<T> {
  const { viewer } = ctx;
  const key = request.headers['idempotency-key'];
  if (key === undefined || !viewer || isSecret || request.method === 'GET') return work(ctx);
  if (typeof key !== 'string' || !/^[\w.:-]{1,200}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'Must be 1 to 200 letters, digits, dots, colons or dashes');
  }
  const requestHash = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null]))
    .digest();

  return inTransaction(ctx, async (inner) => {
    await inner.db
      .deleteFrom('idempotency_keys')
      .where('user_id', '=', viewer.userId)
      .where('created_at', '<', sql<string>`now() - interval '24 hours'`)
      .execute();
    // A second request with the same key waits here until the first has committed or failed.
    const inserted = await inner.db
      .insertInto('idempotency_keys')
      .values({ user_id: viewer.userId, key, request_hash: requestHash })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst();
    const row = inner.db
      .selectFrom('idempotency_keys')
      .where('user_id', '=', viewer.userId)
      .where('key', '=', key);
    if (!inserted) {
      const first = await row.select(['request_hash', 'response']).executeTakeFirstOrThrow();
      if (!first.request_hash.equals(requestHash)) throw new AppError('KEY_REUSED');
      return (first.response ?? undefined) as T;
    }
    const result = await work(inner);
    await inner.db
      .updateTable('idempotency_keys')
      .set({ response: result === undefined ? null : JSON.stringify(result) })
      .where('user_id', '=', viewer.userId)
      .where('key', '=', key)
      .execute();
    return result;
  });
}
