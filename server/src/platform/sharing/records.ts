import type { Ability } from '@forecourt/contract/route';
import { audit } from '../audit.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../http/context.ts';
import { AppError } from '../http/errors.ts';
import { requireAbility } from '../http/policy.ts';
import type { Shareable } from './levels.ts';
import { lockRecords } from './shares.queries.ts';

type Row = { id: string; version: number };

type Kind<R, A> = {
  entity: Shareable;
  /** Returns the records that the viewer may see. */
  find: (ctx: Context, ids: string[]) => Promise<R[]>;
  /** Returns the error for records that the viewer may not see; default: NOT_FOUND. */
  missing?: (ctx: Context, ids: string[]) => Promise<AppError>;
  present: (viewer: Viewer, row: R) => A;
  setOwner?: SetOwner;
};

/** Sets the owner of locked records and fields that depend on it, with these audit entries. */
export type SetOwner = (
  ctx: TxContext,
  changes: readonly (Change & { recordId: string })[],
  ownerId: string,
) => Promise<void>;

export const pick = <R, K extends keyof R>(record: R, fields: readonly K[]): Pick<R, K> =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<R, K>;

export type Change = { before: object; after: object };

/** `version` is the one that the caller saw; undefined accepts any. */
type ChangeOptions<R> = { action: string; allowed: (row: R) => Ability; version: number | undefined };

export type Records<R extends Row, A> = ReturnType<typeof createRecords<R, A>>;

/** Loads and changes records of a kind that has owners (docs/product/api.md, Versions and conflicts). */
export function createRecords<R extends Row, A>(kind: Kind<R, A>) {
  const { entity, find, missing = async () => new AppError('NOT_FOUND'), present } = kind;

  /** Throws NOT_FOUND, or the error of `missing`, unless the viewer may see all records. */
  async function load(ctx: Context, ids: string[]): Promise<R[]> {
    const rows = await find(ctx, ids);
    if (rows.length < new Set(ids).size) throw await missing(ctx, ids);
    return rows;
  }

  /** Locks before it reads, because authorisation must use the committed state after the wait. */
  async function locked(ctx: TxContext, ids: string[]): Promise<R[]> {
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
     * Changes one record. Throws NOT_FOUND unless the viewer may see it, the error of `allowed` unless they may change
     * it, and CONFLICT with the current record if `version` is outdated. `write` returns the changed fields, or
     * undefined if nothing was written, which is not audited.
     */
    change: (
      ctx: Context,
      id: string,
      { action, allowed, version }: ChangeOptions<R>,
      write: (ctx: TxContext, row: R) => Promise<Change | undefined>,
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
        await audit(inner, `${entity}.${action}`, id, { version: after.version, ...change });
        return present(ctx.viewer, after);
      }),
  };
}
