import { z } from 'zod';
import { MOST_AT_ONCE } from './deal-limits.ts';
import { Id, Instant, Version, typedText } from './route.ts';

/** The levels of a share on a deal, in the order of what they allow (spec.md section 3). */
export const DealShareLevel = z.enum(['view', 'write']);
/** The levels on templates and items. */
export const ShareLevel = z.enum(['read', 'write']);
/** The levels on dealerships: View Only, Edit, Full Access. */
export const DealershipShareLevel = z.enum(['read', 'write', 'admin']);

/** Any of the words of the API for a level; inside there is one list of levels. */
export type AnyShareLevel = z.infer<typeof DealershipShareLevel> | z.infer<typeof DealShareLevel>;

/** More people than have accounts are never named. */
const MAX_PEOPLE = 500;

/** Whose a record is: computed, changed by handing it over. */
export const owned = { owner: Id, ownerName: z.string() };

/** One sharing entry as answers carry it. Without the right to share, a viewer sees their own entry alone. */
export const sharingEntry = <L extends z.ZodType>(level: L) =>
  z.strictObject({
    userId: Id,
    permissions: level,
    sharedAt: Instant,
    /** `email` for administrators only (security.md C5). */
    user: z.strictObject({ _id: Id, name: z.string(), email: z.string().optional() }).optional(),
  });

/** One entry as it is sent. `sharedAt` and `user` may come back and are ignored. */
export const sharingInput = <L extends z.ZodType>(level: L) =>
  z
    .array(
      z.strictObject({
        userId: Id,
        permissions: level,
        sharedAt: z.unknown().optional(),
        user: z.unknown().optional(),
      }),
    )
    .max(MAX_PEOPLE, `At most ${MAX_PEOPLE} people`)
    .refine(
      (entries) => new Set(entries.map(({ userId }) => userId)).size === entries.length,
      'Each person can be named once',
    );

/**
 * Replaces who a record is shared with; an empty list ends all sharing. With the `version` that the caller saw,
 * a list that somebody else has changed since is not overwritten: 409 with the record as it is.
 */
export const sharingBody = <L extends z.ZodType>(level: L) =>
  z.strictObject({ sharedWith: sharingInput(level), version: Version.optional() });

/** The records of a call about many: every one is checked, and it is all of them or none. */
export const resourceIds = z.array(Id).min(1).max(MOST_AT_ONCE, 'At most 10,000 at once');

/** Adds or changes the named people on many records and leaves the others as they are. */
export const bulkShareBody = <const K extends string, L extends z.ZodType>(idsField: K, level: L) =>
  z.strictObject({
    [idsField]: resourceIds,
    sharedWith: sharingInput(level).refine((entries) => entries.length > 0, 'Please select a user'),
  } as { [key in K]: typeof resourceIds } & { sharedWith: ReturnType<typeof sharingInput<L>> });

const transfer = {
  targetUserId: Id,
  /** The owner until now keeps the edit level. */
  keepSharing: z.boolean().default(false),
  reason: typedText(400).default(''),
};

/** Makes somebody else the owner of records. */
export const TransferBody = z.strictObject({ resourceIds, ...transfer });
/**
 * The versions that the caller saw, by id: rows that have another one by now, or are out of sight, are then left alone
 * and missing in the answer, where otherwise it is all of them or none. This is how a step is taken back.
 */
export const seenVersions = z.record(Id, Version).optional();
/** The same for deals, whose bulk calls name `ids` (product.md section 4). */
export const DealOwnerBody = z.strictObject({ ids: resourceIds, ...transfer, versions: seenVersions });

/**
 * Who gets a share of deals, and who loses theirs; the others keep what they have. With `versions` a step is taken back
 * or done again: nobody is told of it anew, and for one row bulkEdit is not needed.
 */
export const DealShareBody = z
  .strictObject({
    ids: resourceIds,
    sharedWith: sharingInput(DealShareLevel),
    unshare: z.array(Id).max(MAX_PEOPLE, `At most ${MAX_PEOPLE} people`).default([]),
    versions: seenVersions,
  })
  .refine(({ sharedWith, unshare }) => sharedWith.length + unshare.length > 0, {
    path: ['sharedWith'],
    message: 'Please select a user',
  })
  .refine(({ sharedWith, unshare }) => !sharedWith.some(({ userId }) => unshare.includes(userId)), {
    path: ['unshare'],
    message: 'Each person can be named once',
  });
