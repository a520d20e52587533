import type { Ability } from '@forecourt/contract/route';
import { audit } from './audit.ts';
import type { Tx } from './db/database.ts';
import { inTransaction, type Context, type Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
import { requireAbility } from './http/policy.ts';
import type { Shareable } from './sharing/levels.ts';
import { lockRecords } from './sharing/shares.queries.ts';

/** A use case in its transaction. */
export type Writing = Context & { db: Tx };

type Row = { id: string; version: number };

type Kind<R, A> = {
  entity: Shareable;
  /** Those of these records that the viewer sees. */
  find: (ctx: Context, ids: string[]) => Promise<R[]>;
  present: (viewer: Viewer, row: R) => A;
  ownerSet?: OwnerSet;
};

/**
 * Writes what else becomes different in records that are given this owner, in the same transaction and without
 * counting them as changed. Answers what that was, by id.
 */
export type OwnerSet = (
  ctx: Writing,
  ids: readonly string[],
  ownerId: string,
) => Promise<Map<string, Change>>;

/** The fields that a change concerns, as they were and as they are. */
export type Change = { before: object; after: object };

export type Records<R extends Row, A> = ReturnType<typeof createRecords<R, A>>;

/** How every kind of record that belongs to somebody is loaded and changed (product.md section 3). */
export function createRecords<R extends Row, A>(kind: Kind<R, A>) {
  const { entity, find, present } = kind;

  /** Throws NOT_FOUND unless the viewer sees all of them. */
  async function load(ctx: Context, ids: string[]): Promise<R[]> {
    const rows = await find(ctx, ids);
    if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    return rows;
  }

  /** Locked first and read then: what is judged is what others have left, not what they were waiting to change. */
  async function locked(ctx: Writing, ids: string[]): Promise<R[]> {
    await lockRecords(ctx.db, entity, ids);
    return load(ctx, ids);
  }

  const loadOne = async (ctx: Context, id: string): Promise<R> => (await load(ctx, [id]))[0]!;

  return {
    ...kind,
    load,
    loadOne,
    locked,

    /**
     * Changes one record: the viewer must see it, `allowed` must let them, and `version`, where it is named, must
     * still be the record's; else CONFLICT with the record as it is. `write` changes what differs and says what
     * that was, or undefined: then nothing is changed, and nothing audited.
     */
    change: (
      ctx: Context,
      id: string,
      {
        action,
        allowed,
        version,
      }: {
        action: string;
        allowed: (row: R) => Ability;
        version: number | undefined;
      },
      write: (ctx: Writing, row: R) => Promise<Change | undefined>,
    ): Promise<A> =>
      inTransaction(ctx, async (inner) => {
        const row = (await locked(inner, [id]))[0]!;
        requireAbility(allowed(row));
        if (version !== undefined && version !== row.version) {
          throw new AppError('CONFLICT', { current: present(ctx.viewer, row) });
        }
        const change = await write(inner, row);
        if (!change) return present(ctx.viewer, row);
        const after = await loadOne(inner, id);
        await audit(inner.db, ctx, {
          action: `${entity}.${action}`,
          entity,
          recordId: id,
          version: after.version,
          ...change,
        });
        return present(ctx.viewer, after);
      }),
  };
}
