import type { Ability } from '@forecourt/contract/route';
import { auditMany } from '../audit.ts';
import { inTransaction, type Context, type Viewer } from '../http/context.ts';
import { AppError, invalid, invalidField } from '../http/errors.ts';
import { requireAbility } from '../http/policy.ts';
import { notify } from '../notify.ts';
import type { Change, Records, Writing } from '../records.ts';
import { isSameSharing, presentHeld, recordedShares, type GivenShare, type Held } from './held.ts';
import { levelFor, type Shareable } from './levels.ts';
import { activePeople, markChanged, putShares, removeShares, type StoredShare } from './shares.queries.ts';
import { transferOwnership, type Transfer } from './transfer.ts';

/** So many shares one call may write: 10,000 records with ten people each. */
const MAX_SHARES = 100_000;

type Row = Held & { id: string; version: number };

/** What an ordinary write says about sharing; both are left alone when left out. */
type Said<K extends Shareable> = {
  sharedWith?: readonly GivenShare<K>[] | undefined;
  owner?: string | undefined;
};

type Ending = {
  /** Who loses their share; others than those who get one. */
  unshare?: readonly string[] | undefined;
  /** Taken back or done again: nobody is told of it anew. */
  isStep?: boolean;
};

/** Sharing and handing over, once for every kind of record that knows it (spec.md section 6, product.md section 7). */
export function createSharing<K extends Shareable, R extends Row, A>(
  kind: K,
  records: Records<R, A>,
  abilities: (viewer: Viewer, row: R) => { share: Ability; transfer: Ability },
) {
  return {
    /** Replaces the whole list. Throws CONFLICT when it was changed since `version`. */
    replace: (
      ctx: Context,
      id: string,
      { sharedWith, version }: { sharedWith: readonly GivenShare<K>[]; version?: number | undefined },
    ): Promise<A> =>
      records.change(
        ctx,
        id,
        { action: 'shared', allowed: (row) => abilities(ctx.viewer, row).share, version },
        async (inner, row) => {
          const change = await replaceShares(inner, kind, row, sharedWith);
          if (change) await markChanged(inner.db, kind, [id], ctx.viewer.userId);
          return change;
        },
      ),

    /**
     * Adds the named people to records or changes their level, ends the shares of others, and leaves the rest; all
     * records or none. Whoever owns one of them has it already and is passed over there.
     */
    async add(
      ctx: Context,
      ids: string[],
      sharedWith: readonly GivenShare<K>[],
      { unshare = [], isStep = false }: Ending = {},
    ): Promise<A[]> {
      if (ids.length * (sharedWith.length + unshare.length) > MAX_SHARES) {
        throw invalidField('sharedWith', 'Too many at once: choose fewer people or fewer records');
      }
      return inTransaction(ctx, async (inner) => {
        const rows = await records.locked(inner, ids);
        for (const row of rows) requireAbility(abilities(ctx.viewer, row).share);
        await requireActive(inner, sharedWith, isStep ? HAS_LEFT : CHOOSE_ACTIVE);
        const ends = new Set(unshare);
        const changes = rows
          .map((row) => ({
            row,
            added: missing(kind, row, sharedWith),
            ended: row.shares.filter(({ userId }) => ends.has(userId)),
          }))
          .filter(({ added, ended }) => added.length + ended.length > 0);
        if (changes.length > 0) {
          const by = ctx.viewer.userId;
          const allAdded = changes.flatMap(({ added }) => added);
          await removeShares(
            inner.db,
            kind,
            changes.flatMap(({ row, ended }) => ended.map(({ userId }) => ({ recordId: row.id, userId }))),
          );
          await putShares(inner.db, kind, allAdded, by);
          if (!isStep) await tellOfShares(inner, kind, allAdded);
          const versions = await markChanged(
            inner.db,
            kind,
            changes.map(({ row }) => row.id),
            by,
          );
          await auditMany(
            inner.db,
            ctx,
            { action: `${kind}.shared`, entity: kind },
            changes.map(({ row, added, ended }) => ({
              recordId: row.id,
              version: versions.get(row.id)!,
              before: { sharedWith: recordedShares(kind, row.shares) },
              after: { sharedWith: recordedShares(kind, merged(row.shares, added, ended)) },
            })),
          );
        }
        return (await records.load(inner, ids)).map((row) => records.present(ctx.viewer, row));
      });
    },

    /** Gives records to somebody else; all or none. Answers those that the viewer still sees. */
    transfer: (ctx: Context, ids: string[], transfer: Transfer): Promise<A[]> =>
      inTransaction(ctx, async (inner) => {
        const rows = await records.locked(inner, ids);
        for (const row of rows) requireAbility(abilities(ctx.viewer, row).transfer);
        await transferOwnership(inner, kind, ids, transfer, records.ownerSet);
        return (await records.find(inner, ids)).map((row) => records.present(ctx.viewer, row));
      }),

    /**
     * What an ordinary write may say about whose a record is and who shares it: whoever may share replaces the
     * list; others may send back what they were answered (security.md C1). The caller marks the record as changed.
     */
    async said(ctx: Writing, row: R, { sharedWith, owner }: Said<K>): Promise<Change | undefined> {
      if (owner !== undefined && owner !== row.owner_id) {
        throw invalidField('owner', 'Hand it over to change whose it is');
      }
      if (sharedWith === undefined) return undefined;
      const { share } = abilities(ctx.viewer, row);
      if (share === true) return replaceShares(ctx, kind, row, sharedWith);
      if (isSameSharing(presentHeld(ctx.viewer, kind, row).sharedWith, sharedWith)) return undefined;
      throw new AppError('INSUFFICIENT_PERMISSIONS', {
        details: share,
        errors: { sharedWith: 'You may not change who this is shared with' },
      });
    },
  };
}

/** Makes this the list of a locked record. Undefined when it is that already. */
async function replaceShares<K extends Shareable>(
  ctx: Writing,
  kind: K,
  row: Row,
  wanted: readonly GivenShare<K>[],
): Promise<Change | undefined> {
  const before = recordedShares(kind, row.shares);
  if (isSameSharing(before, wanted)) return undefined;
  const ownerAt = wanted.findIndex(({ userId }) => userId === row.owner_id);
  if (ownerAt >= 0) throw invalidPerson(ownerAt, `${row.owner_name} is the owner`);
  const added = missing(kind, row, wanted);
  // Whoever was deactivated since may keep a share until somebody takes it away.
  await requireActive(ctx, wanted, CHOOSE_ACTIVE, new Set(added.map(({ userId }) => userId)));
  const gone = row.shares.filter(({ userId }) => !wanted.some((entry) => entry.userId === userId));
  await removeShares(
    ctx.db,
    kind,
    gone.map(({ userId }) => ({ recordId: row.id, userId })),
  );
  await putShares(ctx.db, kind, added, ctx.viewer.userId);
  await tellOfShares(ctx, kind, added);
  const after = recordedShares(
    kind,
    wanted.map(({ userId, permissions }) => ({ userId, level: levelFor(kind, permissions) })),
  );
  return { before: { sharedWith: before }, after: { sharedWith: after } };
}

/** Whoever gets a row to see is told; of other kinds of records there are few, which lists show. */
async function tellOfShares(ctx: Writing, kind: Shareable, added: readonly StoredShare[]): Promise<void> {
  if (kind === 'deal') await notify(ctx.db, 'shared', ctx.viewer.userId, added);
}

/** Of the wanted shares those that a record does not have, or not at this level. */
function missing<K extends Shareable>(kind: K, row: Row, wanted: readonly GivenShare<K>[]): StoredShare[] {
  const levels = new Map(row.shares.map(({ userId, level }) => [userId, level]));
  return wanted
    .map(({ userId, permissions }) => ({ recordId: row.id, userId, level: levelFor(kind, permissions) }))
    .filter(({ userId, level }) => userId !== row.owner_id && levels.get(userId) !== level);
}

type Entry = Pick<StoredShare, 'userId' | 'level'>;

const merged = (shares: readonly Entry[], added: readonly Entry[], ended: readonly Entry[]): Entry[] => [
  ...shares.filter(({ userId }) => ![...added, ...ended].some((entry) => entry.userId === userId)),
  ...added,
];

const CHOOSE_ACTIVE = 'Choose an active person';
/** Where nobody is choosing, but a step is taken back. */
const HAS_LEFT = 'Somebody who had a share is not active any more. Share the rows again with the others.';

/** Throws a 400 that names the first entry of somebody who is unknown or not active. */
async function requireActive(
  ctx: Writing,
  entries: readonly { userId: string }[],
  words: string,
  asked = new Set(entries.map(({ userId }) => userId)),
): Promise<void> {
  const active = await activePeople(ctx.db, [...asked]);
  const wrong = entries.findIndex(({ userId }) => asked.has(userId) && !active.has(userId));
  if (wrong >= 0) throw invalidPerson(wrong, words);
}

const invalidPerson = (index: number, message: string) =>
  invalid([{ path: ['sharedWith', index, 'userId'], message }]);
