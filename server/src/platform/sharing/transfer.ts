import { auditMany } from '../audit.ts';
import type { TxContext } from '../http/context.ts';
import { notify } from '../notify.ts';
import { recordedShares } from './access.ts';
import { requireActive } from './active-people.ts';
import type { Shareable } from './levels.ts';
import type { SetOwner } from './records.ts';
import { findAccess, lockRecordsOwnedBy, markChanged, putShares, removeShares } from './shares.queries.ts';

export type Transfer = {
  targetUserId: string;
  /** Whether the former owner gets a share with edit rights. */
  keepSharing: boolean;
  reason: string;
};

/**
 * Transfers records to another user: records with these ids, which the caller has locked, or all records of one kind
 * that a user owns, without deleted deals. The new owner's share is removed; the former owner gets a share with edit
 * rights or none (docs/product/security.md, A transfer needs owner or administrator). Each record gets an audit entry
 * with the reason. Returns the number of transferred records, without those that the target already owned. The caller
 * checks permissions. Throws a 400 about `targetUserId` unless the target is active. `setOwner` writes the owner of a
 * kind with fields that depend on it.
 */
export async function transferOwnership(
  ctx: TxContext,
  kind: Shareable,
  which: readonly string[] | { ownedBy: string },
  { targetUserId, keepSharing, reason }: Transfer,
  setOwner?: SetOwner,
): Promise<number> {
  const { db, viewer } = ctx;
  await requireActive(db, { targetUserId });
  const ids = 'ownedBy' in which ? await lockRecordsOwnedBy(db, kind, which.ownedBy) : which;
  const records = (await findAccess(db, kind, ids)).filter(({ owner_id }) => owner_id !== targetUserId);
  if (records.length === 0) return 0;

  const ends = records.flatMap(({ id, owner_id }) => [
    { recordId: id, userId: targetUserId },
    { recordId: id, userId: owner_id },
  ]);
  await removeShares(db, kind, ends);
  const formerShares = records.map(({ id, owner_id }) => ({
    recordId: id,
    userId: owner_id,
    level: 'edit' as const,
  }));
  if (keepSharing) await putShares(db, kind, formerShares, viewer.userId);
  const recordIds = records.map(({ id }) => id);
  const changes = records.map(({ id, owner_id, shares }) => {
    const others = shares.filter(({ userId }) => userId !== targetUserId && userId !== owner_id);
    const former = keepSharing ? [{ userId: owner_id, level: 'edit' as const }] : [];
    return {
      recordId: id,
      before: { owner: owner_id, sharedWith: recordedShares(kind, shares) },
      after: { owner: targetUserId, sharedWith: recordedShares(kind, [...others, ...former]), reason },
    };
  });
  if (setOwner) await setOwner(ctx, changes, targetUserId);
  else {
    const versions = await markChanged(db, kind, recordIds, viewer.userId, targetUserId);
    await auditMany(
      ctx,
      `${kind}.transferred`,
      changes.map((change) => ({ ...change, version: versions.get(change.recordId)! })),
    );
  }
  if (kind === 'deal') {
    const concerns = recordIds.map((recordId) => ({ userId: targetUserId, recordId }));
    await notify(db, 'transferred', viewer.userId, concerns);
  }
  return records.length;
}
