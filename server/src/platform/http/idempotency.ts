import { hash } from 'node:crypto';
import type { RouteContract } from '@forecourt/contract/route';
import type { FastifyRequest } from 'fastify';
import { sql, type SqlBool } from 'kysely';
import { affectsRows, type Db, type Tx } from '../db/database.ts';
import { defineJob } from '../define-job.ts';
import type { Secrets } from '../secrets.ts';
import { inTransaction, type Context, type Viewer } from './context.ts';
import { AppError, invalidField } from './errors.ts';
import type { SmallFile } from './files.ts';
import { permissionsDigestOf } from './permissions-digest.ts';

/**
 * The idempotency key of a request, and a keyed digest of the request: a plain digest would permit guessing a password.
 * `sealed` encrypts a response that contains a secret.
 */
export type Claim = {
  key: string;
  requestHash: Buffer;
  sealed?: { seal: (answer: string) => string; open: (sealed: string) => string | null };
};

/** A stored response, or the ids of its records, with the permissions of its user at that time. */
type StoredResponse<T> = { rights: string } & (
  | { answer: T | null }
  | { sealed: string }
  | { recordIds: string[] }
);

/** Returns the ids of the records in a response: a single record (which may contain items), or a list. */
const recordIdsOf = (response: unknown): string[] => {
  const { _id, items } = response as { _id?: string; items?: { _id: string }[] };
  return _id === undefined ? items!.map((item) => item._id) : [_id];
};

const minuteAgo = sql<string>`now() - interval '1 minute'`;

const dayAgo = sql<string>`now() - interval '24 hours'`;

/** Returns false if the key exists. A second request waits until the first has committed or failed. */
async function insertKey(
  tx: Tx,
  values: { user_id: string; key: string; request_hash: Buffer },
): Promise<boolean> {
  return tx
    .insertInto('idempotency_keys')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ request_hash: values.request_hash, response: null, created_at: sql`now()` })
        .where('idempotency_keys.created_at', '<', dayAgo),
    )
    .$call(affectsRows);
}

/** The columns of input rows that `keysOf` reads, with their types; null without a key. */
export const KEY_COLUMNS = { key: 'text', requestHash: 'text', rights: 'text' } as const;

export type KeyValues = { key: string; requestHash: string; rights: string };

export const keyValues = (viewer: Viewer, claim: Claim | null): KeyValues | null =>
  claim && {
    key: claim.key,
    requestHash: claim.requestHash.toString('hex'),
    rights: permissionsDigestOf(viewer),
  };

/** Inserts the keys of the input rows in `permitted`, within the statement that writes these rows. */
export const keysOf = sql`
  insert into idempotency_keys (user_id, key, request_hash, response)
  select "userId", key, decode("requestHash", 'hex'), jsonb_build_object('rights', rights, 'recordIds', jsonb_build_array(id))
  from permitted where key is not null
  on conflict do nothing
  returning (response #>> '{recordIds,0}')::uuid as id`;

/**
 * Whether a row of `permitted` has no key, or a key that `keysOf` has inserted for this row: requests with one key may
 * be in the same statement.
 */
export const isKeyNew = sql<SqlBool>`(permitted.key is null or permitted.id in (select id from keys))`;

/** Number of keys deleted per statement. */
const REMOVED_AT_ONCE = 10_000;

/** Removes the keys that are older than a day. */
export const createKeyCleanUp = (db: Db) =>
  defineJob({
    name: 'request-keys',
    schedule: { cron: '15 * * * *' },
    async run(signal) {
      for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE && !signal.aborted;) {
        const { numDeletedRows } = await db
          .deleteFrom('idempotency_keys')
          .where((eb) => {
            const old = eb
              .selectFrom('idempotency_keys')
              .select(['user_id', 'key'])
              .where('created_at', '<', dayAgo)
              .limit(REMOVED_AT_ONCE);
            return eb(eb.refTuple('user_id', 'key'), 'in', old.$asTuple('user_id', 'key'));
          })
          .executeTakeFirstOrThrow();
        count = Number(numDeletedRows);
      }
    },
  });

/** Returns the Idempotency-Key of a write, or null. Throws INVALID_REQUEST if invalid or not accepted here. */
export function keyOf(request: FastifyRequest, { takesNoKey }: RouteContract): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !request.viewer || request.method === 'GET') return null;
  if (takesNoKey) {
    throw invalidField('Idempotency-Key', `This call takes no Idempotency-Key. ${takesNoKey}`);
  }
  if (typeof key !== 'string' || !/^[\w.:-]{1,200}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'Must be 1 to 200 letters, digits, dots, colons or dashes');
  }
  return key;
}

/**
 * Returns the claim of a request: a digest of method, address, body and file. Without `adjustmentReason`, so that a call
 * that a closed month refused, which stored nothing, is repeated with its key.
 */
export function claimOf(
  key: string,
  request: FastifyRequest,
  file: SmallFile | undefined,
  { secrets, isSecret }: { secrets: Secrets; isSecret: boolean },
): Claim {
  const recordId = `${request.viewer?.userId}:${key}`;
  const placeOf = <C extends string>(column: C) => ({ table: 'idempotency_keys' as const, column, recordId });
  const content = file?.content && hash('sha256', file.content);
  const parts = [
    request.method,
    request.url,
    withoutReason(request.body) ?? null,
    file ? [file.filename, content] : null,
  ];
  return {
    key,
    requestHash: Buffer.from(
      secrets.fingerprint(JSON.stringify(parts), placeOf('request_hash')),
      'base64url',
    ),
    ...(isSecret && {
      sealed: {
        seal: (answer) => secrets.seal(answer, placeOf('response')),
        open: (sealed) => secrets.open(sealed, placeOf('response')),
      },
    }),
  };
}

function withoutReason(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('adjustmentReason' in body)) return body;
  const { adjustmentReason: _reason, ...rest } = body;
  // A call without a body of its own has none.
  return Object.keys(rest).length > 0 ? rest : null;
}

/**
 * Returns a function that runs a request. Concurrent repetitions with its key share the result; otherwise each would
 * wait for the key with a connection of its own, until the pool is exhausted.
 */
export function createSharedRuns() {
  const running = new Map<string, Promise<unknown>>();
  return async <T>(viewer: Viewer | null, claim: Claim | null, run: () => Promise<T>): Promise<T> => {
    if (!claim || !viewer) return run();
    const name = JSON.stringify([viewer.userId, keyValues(viewer, claim)]);
    return running.getOrInsertComputed(name, () => run().finally(() => running.delete(name))) as Promise<T>;
  };
}

/**
 * Deletes responses with secrets, but not their keys. Also used by a rotation of the key, after which a repeated
 * request has another digest: it is refused with KEY_REUSED.
 */
export const eraseSecrets = (tx: Tx) =>
  tx
    .updateTable('idempotency_keys')
    .set({ response: null })
    .where(sql<boolean>`response ? 'sealed'`);

const secretExpired = () =>
  new AppError('KEY_REUSED', {
    message: 'This was done. Its answer holds a secret, which is shown again for one minute only.',
  });

/**
 * Runs work once for its Idempotency-Key (docs/product/api.md, Idempotency). The key, the effect and the response are
 * committed in one transaction, so that a retry after any failure finds all of them or none. Throws KEY_REUSED when the
 * key belongs to another request. Stored for 24 h, a response with a secret for a minute. Work without a key runs
 * without storing anything.
 * @param reread returns the response from its records; without it the response is stored
 */
export async function once<T>(
  ctx: Context<Viewer | null>,
  claim: Claim | null,
  work: (ctx: Context<Viewer | null>) => Promise<T>,
  reread?: (ctx: Context, recordIds: readonly string[]) => Promise<T>,
): Promise<T> {
  const { viewer } = ctx;
  if (!claim || !viewer) return work(ctx);
  const { key, requestHash, sealed } = claim;
  const rights = permissionsDigestOf(viewer);

  return inTransaction(ctx, async (inner) => {
    const isFirst = await insertKey(inner.db, { user_id: viewer.userId, key, request_hash: requestHash });
    if (sealed) await eraseSecrets(inner.db).where('created_at', '<', minuteAgo).execute();
    const row = inner.db
      .selectFrom('idempotency_keys')
      .where('user_id', '=', viewer.userId)
      .where('key', '=', key);
    if (!isFirst) {
      const first = await row.select(['request_hash', 'response']).executeTakeFirstOrThrow();
      if (!first.request_hash.equals(requestHash)) throw new AppError('KEY_REUSED');
      const stored = first.response as StoredResponse<T> | null;
      if (!stored) throw secretExpired();
      // The stored response may contain data that the user may no longer see.
      if (stored.rights !== rights) {
        throw new AppError('KEY_REUSED', {
          message: 'This was saved. What you may do has changed since: please load the page again.',
        });
      }
      if ('recordIds' in stored) return reread!({ ...inner, viewer }, stored.recordIds);
      if ('answer' in stored) return (stored.answer ?? undefined) as T;
      const answer = sealed?.open(stored.sealed);
      if (!answer) throw secretExpired();
      return JSON.parse(answer) as T;
    }
    const result = await work(inner);
    const content = reread ? { recordIds: recordIdsOf(result) } : { answer: result ?? null };
    const stored: StoredResponse<T> = {
      rights,
      ...(sealed ? { sealed: sealed.seal(JSON.stringify(result)) } : content),
    };
    await inner.db
      .updateTable('idempotency_keys')
      .set({ response: JSON.stringify(stored) })
      .where('user_id', '=', viewer.userId)
      .where('key', '=', key)
      .execute();
    return result;
  });
}
