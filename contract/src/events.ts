import type { ErrorCode } from './errors.ts';

/** What an event tells about: which kind of record, which one, and the version it has now. */
export type LiveEvent = {
  /** Its audit entry's. After a connection was away a client loads anew; nothing is sent twice. */
  id: string;
  entity: 'deal' | 'dealership' | 'email-template' | 'email' | 'user' | 'email-settings';
  recordId: string;
  action: 'created' | 'updated' | 'deleted';
  version: number | null;
};

/** Ends a live connection; `code` is that of the answer a new request would get. */
export type LiveEnd = { code: ErrorCode };
