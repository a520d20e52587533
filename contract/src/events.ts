import type { ErrorCode } from './errors.ts';
import type { UserPermissions } from './permissions.ts';
import type { KindWith } from './record-kinds.ts';

/**
 * A change of one record: its kind, id and current version. Null: the record's representation changed without a new
 * version, for example a deal whose email was delivered.
 */
export type LiveEvent = {
  /**
   * Id of the audit entry; 0 for a notification and for a job that started or ended, which have none. After a lost connection the client reloads; events are
   * not replayed.
   */
  id: string;
  entity: KindWith<'live'> | 'notification';
  /** Of comments and attachments: the deal. */
  recordId: string;
  action: 'created' | 'updated' | 'deleted';
  version: number | null;
};

/** Progress of a job, sent to the pages of the user who started it. See `GET /jobs/{id}`. */
export type LiveJob = { jobId: string };

/** Ends a live connection; `code` is the error that a new request would return. */
export type LiveEnd = { code: ErrorCode };

/** Sent to a user's pages when their permissions change: the whole current record. */
export type LivePermissions = UserPermissions;
