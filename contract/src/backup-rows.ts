import { z } from 'zod';
import { BackupName } from './backups.ts';
import { HistoryEntry, Month } from './deals.ts';
import { Accepted } from './jobs.ts';
import { Id, list, record, typedText, Version, type RouteTable } from './route.ts';

/** A search in a backup returns at most this many rows, and as many are copied at once. */
export const MAX_BACKUP_ROWS = 1000;

const BackupRowsFilter = z.strictObject({
  dealershipId: Id.optional(),
  month: Month.optional(),
  search: typedText(200).optional(),
});
export type BackupRowsFilter = z.infer<typeof BackupRowsFilter>;

/** A row of a backup, compared with the row of today. */
export const BackupRow = z.strictObject({
  _id: Id,
  /** The version of the row of today, also of a deleted one; null if there is none. */
  version: Version.nullable(),
  customerName: z.string(),
  dealershipName: z.string(),
  month: Month,
  /** `missing`: the row was deleted since. */
  state: z.enum(['missing', 'different', 'same']),
  /** The value today, and the one in the backup; of a missing row only the latter. */
  changes: HistoryEntry.shape.changes,
  /** Why the row cannot be copied, with a sentence; null if it can. */
  reason: z.string().nullable(),
});
export type BackupRow = z.infer<typeof BackupRow>;

const params = z.strictObject({ name: BackupName });

export const backupRowRoutes = {
  'POST /backups/:name/rows': {
    summary: `Searches the rows of a backup and compares them with those of today, at most ${MAX_BACKUP_ROWS}`,
    params,
    body: BackupRowsFilter,
    takesNoKey: 'It changes nothing and can be repeated.',
    later: true,
    response: z.union([z.strictObject({ items: z.array(BackupRow), total: z.int() }), Accepted]),
  },
  'POST /backups/:name/rows/copy': {
    summary:
      'Copies rows of a backup: missing rows are added or restored, different ones get the values of then',
    params,
    body: z.strictObject({
      rows: list(Id, MAX_BACKUP_ROWS, `At most ${MAX_BACKUP_ROWS.toLocaleString('en-AU')} rows at once`).min(
        1,
      ),
      /** Versions of a search, by id: a row that was changed since is refused. Without one, the copy replaces any. */
      versions: record(Id, Version.nullable(), MAX_BACKUP_ROWS).optional(),
    }),
    takesNoKey: 'A repeated copy changes nothing, because the rows are then as in the backup.',
    later: true,
    response: z.union([
      z.strictObject({
        /** The set of the copy, which can be taken back; null if nothing was changed. */
        changeSetId: Id.nullable(),
        /** Number of rows. */
        copied: z.int(),
        refused: z.array(z.strictObject({ dealId: Id, reason: z.string() })),
      }),
      Accepted,
    ]),
    changesDeals: 'itself',
  },
} as const satisfies RouteTable;
