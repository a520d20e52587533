import type { Ability } from '@forecourt/contract/route';
import { audit, auditMany } from '../audit.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../http/context.ts';
import { AppError, invalidField } from '../http/errors.ts';
import { requireAbility } from '../http/policy.ts';
import { notify } from '../notify.ts';
import {
  isSameSharing,
  presentAccess,
  recordedShares,
  type GivenShare,
  type AccessFields,
} from './access.ts';
import { fieldsOf, requireActive } from './active-people.ts';
import { levelFor, type Shareable } from './levels.ts';
import type { Change, Records } from './records.ts';
import { markChanged, putShares, removeShares, type StoredShare } from './shares.queries.ts';
import { transferOwnership, type Transfer } from './transfer.ts';

/** Maximum shares written by one request: 10,000 records with ten users each. */
const MAX_SHARES = 100_000;

type Row = AccessFields & { id: string; version: number };

/** The sharing fields of an ordinary write; omitted fields stay unchanged. */
type SharingInput<K extends Shareable> = {
  sharedWith?: readonly GivenShare<K>[] | undefined;
  owner?: string | undefined;
};

type Unsharing = {
  /** Users who lose their share; none of them may also receive one. */
  unshare?: readonly string[] | undefined;
  /** Whether this is an undo or redo, which notifies nobody. */
  isStep?: boolean;
};

/** Sharing and ownership transfer for every kind of record (docs/product/sharing.md). */
export function createSharing<K extends Shareable, R extends Row, A>(
  kind: K,
  records: Records<R, A>,
  abilities: (viewer: Viewer, row: R) => { share: Ability; transfer: Ability },
) {
  return {
    /** Replaces the list of shares. Throws CONFLICT if it was changed since `version`. */
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
     * Adds shares or changes their level, and removes those of `unshare`; other shares stay unchanged. All records or
     * none are changed. A user who owns a record is skipped for it.
     */
    async add(
      ctx: Context,
      ids: string[],
      sharedWith: readonly GivenShare<K>[],
      { unshare = [], isStep = false }: Unsharing = {},
    ): Promise<A[]> {
      if (ids.length * (sharedWith.length + unshare.length) > MAX_SHARES) {
        throw invalidField('sharedWith', 'Too many at once: choose fewer people or fewer records');
      }
      return inTransaction(ctx, async (inner) => {
        const rows = await records.locked(inner, ids);
        for (const row of rows) requireAbility(abilities(ctx.viewer, row).share);
        const ends = new Set(unshare);
        const changes = rows
          .map((row) => ({
            row,
            added: missingShares(kind, row, sharedWith),
            ended: row.shares.filter(({ userId }) => ends.has(userId)),
          }))
          .filter(({ added, ended }) => added.length + ended.length > 0);
        // A user who has been deactivated keeps a share until it is removed.
        const gaining = new Set(changes.flatMap(({ added }) => usersOf(added)));
        const chosen = fieldsOf(usersOf(sharedWith), userField, (id) => gaining.has(id));
        await requireActive(inner.db, chosen, isStep ? inactiveShare : undefined);
        if (changes.length > 0) {
          const by = ctx.viewer.userId;
          const allAdded = changes.flatMap(({ added }) => added);
          await removeShares(
            inner.db,
            kind,
            changes.flatMap(({ row, ended }) => ended.map(({ userId }) => ({ recordId: row.id, userId }))),
          );
          await putShares(inner.db, kind, allAdded, by);
          if (!isStep) await notifyShared(inner, kind, allAdded);
          const versions = await markChanged(
            inner.db,
            kind,
            changes.map(({ row }) => row.id),
            by,
          );
          await auditMany(
            inner,
            `${kind}.shared`,
            changes.map(({ row, added, ended }) => ({
              recordId: row.id,
              version: versions.get(row.id)!,
              before: { sharedWith: recordedShares(kind, row.shares) },
              after: { sharedWith: recordedShares(kind, mergeShares(row.shares, added, ended)) },
            })),
          );
        }
        return (await records.load(inner, ids)).map((row) => records.present(ctx.viewer, row));
      });
    },

    /** Transfers all records or none. Returns the records that the viewer still sees. */
    transfer: (ctx: Context, ids: string[], transfer: Transfer): Promise<A[]> =>
      inTransaction(ctx, async (inner) => {
        const rows = await records.locked(inner, ids);
        for (const row of rows) requireAbility(abilities(ctx.viewer, row).transfer);
        await transferOwnership(inner, kind, ids, transfer, records.setOwner);
        return (await records.find(inner, ids)).map((row) => records.present(ctx.viewer, row));
      }),

    /** Adds the shares of a record that was just inserted, and audits it with these fields. Returns the record. */
    async created(ctx: TxContext, id: string, input: SharingInput<K>, fields: object): Promise<R> {
      const shared = await this.applyInput(ctx, await records.loadOne(ctx, id), input);
      const row = await records.loadOne(ctx, id);
      await audit(ctx, `${kind}.created`, id, {
        version: row.version,
        after: { ...fields, ...shared?.after },
      });
      return row;
    },

    /**
     * Validates the sharing fields of an ordinary write: a viewer who may share replaces the list; others may only send
     * it unchanged (docs/product/security.md, Shares change only by sharing). The caller increments the version.
     */
    async applyInput(
      ctx: TxContext,
      row: R,
      { sharedWith, owner }: SharingInput<K>,
    ): Promise<Change | undefined> {
      if (owner !== undefined && owner !== row.owner_id) {
        throw invalidField('owner', 'Transfer it to change its owner');
      }
      if (sharedWith === undefined) return undefined;
      const { share } = abilities(ctx.viewer, row);
      if (share === true) return replaceShares(ctx, kind, row, sharedWith);
      if (isSameSharing(presentAccess(ctx.viewer, kind, row).sharedWith, sharedWith)) return undefined;
      throw new AppError('INSUFFICIENT_PERMISSIONS', {
        details: share,
        errors: { sharedWith: 'You may not change who this is shared with' },
      });
    },
  };
}

/** Returns undefined if nothing changes. The caller has locked the record. */
async function replaceShares<K extends Shareable>(
  ctx: TxContext,
  kind: K,
  row: Row,
  shares: readonly GivenShare<K>[],
): Promise<Change | undefined> {
  const before = recordedShares(kind, row.shares);
  if (isSameSharing(before, shares)) return undefined;
  const ownerAt = shares.findIndex(({ userId }) => userId === row.owner_id);
  if (ownerAt >= 0) throw invalidField(userField(ownerAt), `${row.owner_name} is the owner`);
  const added = missingShares(kind, row, shares);
  // A user who has been deactivated keeps a share until it is removed.
  const chosen = new Set(usersOf(added));
  await requireActive(
    ctx.db,
    fieldsOf(usersOf(shares), userField, (id) => chosen.has(id)),
  );
  const gone = row.shares.filter(({ userId }) => !shares.some((entry) => entry.userId === userId));
  await removeShares(
    ctx.db,
    kind,
    gone.map(({ userId }) => ({ recordId: row.id, userId })),
  );
  await putShares(ctx.db, kind, added, ctx.viewer.userId);
  await notifyShared(ctx, kind, added);
  const after = recordedShares(
    kind,
    shares.map(({ userId, permissions }) => ({ userId, level: levelFor(kind, permissions) })),
  );
  return { before: { sharedWith: before }, after: { sharedWith: after } };
}

/** Notifies users of shared deals. Records of other kinds are few, and visible in lists. */
async function notifyShared(ctx: TxContext, kind: Shareable, added: readonly StoredShare[]): Promise<void> {
  if (kind === 'deal') await notify(ctx.db, 'shared', ctx.viewer.userId, added);
}

/** Returns the requested shares that a record lacks, or has at another level. */
function missingShares<K extends Shareable>(
  kind: K,
  row: Row,
  requested: readonly GivenShare<K>[],
): StoredShare[] {
  const levels = new Map(row.shares.map(({ userId, level }) => [userId, level]));
  return requested
    .map(({ userId, permissions }) => ({ recordId: row.id, userId, level: levelFor(kind, permissions) }))
    .filter(({ userId, level }) => userId !== row.owner_id && levels.get(userId) !== level);
}

type Entry = Pick<StoredShare, 'userId' | 'level'>;

const mergeShares = (shares: readonly Entry[], added: readonly Entry[], ended: readonly Entry[]): Entry[] => [
  ...shares.filter(({ userId }) => ![...added, ...ended].some((entry) => entry.userId === userId)),
  ...added,
];

/** The message for an undo or redo, in which the user chooses nobody. */
const inactiveShare = (name = 'Somebody who had a share'): string =>
  `${name} is no longer active. Share the rows again with the others.`;

const usersOf = (shares: readonly { userId: string }[]): string[] => shares.map(({ userId }) => userId);

/** The field of the request with the user of a share. */
const userField = (index: number): string => `sharedWith.${index}.userId`;
