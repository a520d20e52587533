/**
 * Every error code with its HTTP status and default message. Screens show the same message (docs/product/screens.md,
 * Failed calls).
 */
export const errorCodes = {
  INVALID_REQUEST: { status: 400, message: 'Invalid request' },
  WRONG_PASSWORD: { status: 400, message: 'Your current password is incorrect' },
  MAIL_SERVER_REFUSED: { status: 400, message: 'Failed to verify SMTP connection' },
  SSH_SERVER_REFUSED: { status: 400, message: 'Connection test failed' },
  S3_REFUSED: { status: 400, message: 'Connection test failed' },
  LINK_INVALID: { status: 400, message: 'This link is no longer valid. Please ask for a new one.' },
  SEND_REFUSED: { status: 400, message: 'Failed to send email' },
  NOT_SIGNED_IN: { status: 401, message: 'Session expired. Please log in again.' },
  SIGN_IN_FAILED: { status: 401, message: 'Email or password is incorrect' },
  TWO_STEP_REQUIRED: { status: 401, message: 'Enter the code of your authenticator app' },
  TWO_STEP_FAILED: { status: 401, message: 'This code is not correct. Wait for the next one and try again.' },
  INSUFFICIENT_PERMISSIONS: { status: 403, message: 'Access denied' },
  ADMIN_REQUIRED: { status: 403, message: 'Admin access required' },
  PASSWORD_CHANGE_REQUIRED: { status: 403, message: 'Password change required' },
  TWO_STEP_SETUP_REQUIRED: { status: 403, message: 'Two-step sign-in must be set up first' },
  VIEW_ONLY: { status: 403, message: 'You are looking at this as somebody else. Nothing can be changed.' },
  VIEW_ENDED: { status: 403, message: 'Viewing as somebody else has ended' },
  MONTH_CLOSED: { status: 403, message: 'This month is closed' },
  NOT_FOUND: { status: 404, message: 'Resource not found' },
  CONFLICT: { status: 409, message: 'Somebody else changed this in the meantime' },
  IN_USE: { status: 409, message: 'This is still in use' },
  LAST_ADMIN: { status: 409, message: 'There must be at least one active administrator' },
  ALREADY_SENT: { status: 409, message: 'This email has been sent before' },
  BACKUP_BUSY: {
    status: 409,
    message: 'A backup is being made or restored just now. Please try again when it is done.',
  },
  BACKUP_NEEDED: { status: 409, message: 'Confirm that this backup is to be deleted' },
  BACKUP_NOT_FETCHABLE: { status: 409, message: 'There is no copy of this backup to fetch' },
  BACKUP_FOREIGN: { status: 409, message: 'This backup was made by another installation' },
  BACKUP_INCOMPLETE: { status: 409, message: 'Files of this backup are missing' },
  BACKUP_UNREADABLE: { status: 400, message: 'This file is not a backup that can be restored' },
  CANCELLED: { status: 409, message: 'This work was cancelled. Nothing was changed.' },
  KEY_REUSED: { status: 409, message: 'This Idempotency-Key was used for another request' },
  TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_TYPE: { status: 415, message: 'Bodies must be JSON' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please wait and try again.' },
  SERVER_ERROR: { status: 500, message: 'Server error. Please try again later.' },
  NO_SPACE: {
    status: 507,
    message: 'The disk is full. Nothing was changed; make room and try again.',
  },
  FOLDER_UNUSABLE: { status: 507, message: 'The data folder of the server cannot be used' },
  UNAVAILABLE: {
    status: 503,
    message: 'The database cannot be reached. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** A field that another user changed since the caller read it. */
export type FieldConflict = {
  field: string;
  /** The user's name at the time of the change. */
  byName: string;
  /** ISO 8601. */
  at: string;
};

/** The body of every error response (docs/product/api.md, Errors). */
export type ErrorBody = {
  message: string;
  code: ErrorCode;
  /**
   * An additional sentence for display; of a row that was merged, the row that survived; of a closed month, the people
   * who may change it.
   */
  details?: string | { mergedInto: string } | { month: string; askWhom: readonly string[] };
  /** Messages by field, for forms. Nested fields are joined with dots: `contacts.0.email`. */
  errors?: Record<string, string>;
  /** Set if the user must go to /change-password. */
  requiresPasswordChange?: true;
  /** With 409: the current record. */
  current?: unknown;
  /** With 409 about fields: the change of each conflicting field, if its author is known. */
  conflicts?: readonly FieldConflict[];
  /** Id of this request in the server's log. */
  requestId?: string;
};
