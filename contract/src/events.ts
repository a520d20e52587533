import type { ErrorCode } from './errors.ts';
import type { UserPermissions } from './permissions.ts';

/** What an event tells about: which kind of record, which one, and the version it has now. */
export type LiveEvent = {
  /** Its audit entry's; 0 for a notification, which has none. After a connection was away a client loads anew; nothing is sent twice. */
  id: string;
  entity:
    | 'deal'
    | 'deal-view'
    | 'dealership'
    | 'email-template'
    | 'email'
    | 'user'
    | 'permissions'
    | 'session'
    | 'email-settings'
    | 'item'
    | 'status'
    | 'setting'
    | 'notification'
    | 'backup';
  recordId: string;
  action: 'created' | 'updated' | 'deleted';
  version: number | null;
};

/** Sent to a person's own pages when a piece of work that they began went on: `GET /jobs/{id}` tells how far. */
export type LiveJob = { jobId: string };

/** Ends a live connection; `code` is that of the answer a new request would get. */
export type LiveEnd = { code: ErrorCode };

/** Sent to a person's own pages when what they may do has changed: their whole record as it is now. */
export type LivePermissions = UserPermissions;
