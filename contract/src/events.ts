import type { Deal } from './deals.ts';
import type { ErrorCode } from './errors.ts';
import type { UserPermissions } from './permissions.ts';
import type { KindWith } from './record-kinds.ts';

/**
 * A change of one record: its kind, id and current version. A null version means that the representation changed
 * without a new version, for example when an email about the deal was delivered.
 */
export type LiveEvent = {
  /**
   * Id of the audit entry; 0 for events without one (notifications, start and end of a job). Events are not replayed: a
   * client reloads after a lost connection.
   */
  id: string;
  entity: KindWith<'live'> | 'notification';
  /** Of comments and attachments: the deal. */
  recordId: string;
  action: 'created' | 'updated' | 'deleted';
  version: number | null;
  /**
   * Of deals: the row after the change or a later one, as the receiver may see it, like the response of
   * `GET /deals/{id}`. Absent in changes of more than `MAX_EVENT_ROWS` rows at once.
   */
  row?: Deal;
};

/** Progress of a job, sent to the pages of the user who started it. See `GET /jobs/{id}`. */
export type LiveJob = { jobId: string };

/** Ends a live connection; `code` is the error that a new request would return. */
export type LiveEnd = { code: ErrorCode };

/** The complete current record, sent to a user's pages when their permissions change. */
export type LivePermissions = UserPermissions;
