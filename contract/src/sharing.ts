import { z } from 'zod';
import { MAX_BULK_RECORDS } from './deal-limits.ts';
import { recordKinds } from './record-kinds.ts';
import { Id, Instant, Version, list, record, typedText } from './route.ts';

/** Share levels of a deal, in ascending order of rights (docs/product/sharing.md, Levels). */
export const DealShareLevel = z.enum(recordKinds.deal.levels);
/** Share levels of templates and items. */
export const ShareLevel = z.enum(recordKinds.item.levels);
/** Share levels of dealerships: View Only, Edit, Full Access. */
export const DealershipShareLevel = z.enum(recordKinds.dealership.levels);

const MAX_PEOPLE = 500;

/** The owner cannot be changed here but by a transfer of ownership. */
export const owned = { owner: Id, ownerName: z.string() };

/** One entry of a share list in a response. A caller without the right to share sees only their own entry. */
export const sharingEntry = <L extends z.ZodType>(level: L) =>
  z.strictObject({
    userId: Id,
    permissions: level,
    sharedAt: Instant,
    /** `email` is present only for administrators (docs/product/security.md, Email addresses of colleagues). */
    user: z.strictObject({ _id: Id, name: z.string(), email: z.string().optional() }).optional(),
  });

type Levels = { readonly [level: string]: string };

/** One entry in a request; the default level is the lowest. `sharedAt` and `user` are accepted and ignored. */
export const sharingInput = <L extends Levels>(level: z.ZodEnum<L>) =>
  list(
    z.strictObject({
      userId: Id,
      permissions: level.default(level.options[0]!),
      sharedAt: z.unknown().optional(),
      user: z.unknown().optional(),
    }),
    MAX_PEOPLE,
    `At most ${MAX_PEOPLE} people`,
  ).refine(
    (entries) => new Set(entries.map(({ userId }) => userId)).size === entries.length,
    'Each person can be named once',
  );

/**
 * Replaces the share list of a record; an empty list removes all shares. If `version` is sent and the list has changed
 * since, the response is 409 with the current record.
 */
export const sharingBody = <L extends Levels>(level: z.ZodEnum<L>) =>
  z.strictObject({ sharedWith: sharingInput(level), version: Version.optional() });

/** The records of a bulk call: all or none are changed. */
export const resourceIds = list(
  Id,
  MAX_BULK_RECORDS,
  `At most ${MAX_BULK_RECORDS.toLocaleString('en-AU')} at once`,
).min(1);

/** Adds or changes the shares of these users on many records. Shares of other users stay unchanged. */
export const bulkShareBody = <const K extends string, L extends Levels>(idsField: K, level: z.ZodEnum<L>) =>
  z.strictObject({
    [idsField]: resourceIds,
    sharedWith: sharingInput(level).refine((entries) => entries.length > 0, 'Please select a user'),
  } as { [key in K]: typeof resourceIds } & { sharedWith: ReturnType<typeof sharingInput<L>> });

const transfer = {
  targetUserId: Id,
  /** The previous owner keeps the edit level. */
  keepSharing: z.boolean().default(false),
  reason: typedText(400).default(''),
};

export const TransferBody = z.strictObject({ resourceIds, ...transfer });
/**
 * Versions that the caller saw, by id. With versions, rows that were changed or hidden since are skipped and missing in
 * the response; without them the call changes all rows or none. Undo sends them.
 */
export const seenVersions = record(Id, Version, MAX_BULK_RECORDS).optional();
/** As for other records, but bulk calls of deals name `ids` (docs/product/data-entry.md, Bulk actions). */
export const DealOwnerBody = z.strictObject({ ids: resourceIds, ...transfer, versions: seenVersions });

/**
 * Users whose share of deals is added or removed; other shares stay unchanged. With `versions` the call is an undo or
 * redo: it sends no notification, and a single row does not require bulkEdit.
 */
export const DealShareBody = z
  .strictObject({
    ids: resourceIds,
    sharedWith: sharingInput(DealShareLevel),
    unshare: list(Id, MAX_PEOPLE, `At most ${MAX_PEOPLE} people`).default([]),
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
