/**
 * Every code that an error answer can carry, with its status and its words where the server has nothing
 * better to say. The words are those of spec.md section 8.
 */
export const errorCodes = {
  INVALID_REQUEST: { status: 400, message: 'Invalid request' },
  WRONG_PASSWORD: { status: 400, message: 'Your current password is incorrect' },
  MAIL_SERVER_REFUSED: { status: 400, message: 'Failed to verify SMTP connection' },
  SEND_REFUSED: { status: 400, message: 'Failed to send email' },
  NOT_SIGNED_IN: { status: 401, message: 'Session expired. Please log in again.' },
  SIGN_IN_FAILED: { status: 401, message: 'Email or password is incorrect' },
  INSUFFICIENT_PERMISSIONS: { status: 403, message: 'Access denied' },
  ADMIN_REQUIRED: { status: 403, message: 'Admin access required' },
  PASSWORD_CHANGE_REQUIRED: { status: 403, message: 'Password change required' },
  NOT_FOUND: { status: 404, message: 'Resource not found' },
  CONFLICT: { status: 409, message: 'Somebody else changed this in the meantime' },
  IN_USE: { status: 409, message: 'This is still in use' },
  KEY_REUSED: { status: 409, message: 'This Idempotency-Key was used for another request' },
  TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_TYPE: { status: 415, message: 'Bodies must be JSON' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please wait and try again.' },
  SERVER_ERROR: { status: 500, message: 'Server error. Please try again later.' },
  UNAVAILABLE: {
    status: 503,
    message: 'The database cannot be reached. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** The body of every answer that is not a success (product.md section 3). */
export type ErrorBody = {
  message: string;
  code: ErrorCode;
  /** A sentence more, for people. */
  details?: string;
  /** Field to message, for forms. Nested fields are joined with dots: `contacts.0.email`. */
  errors?: Record<string, string>;
  /** Set where the way on is /change-password. */
  requiresPasswordChange?: true;
  /** With 409: the record as it is now. */
  current?: unknown;
  /** The id under which the server's log knows this request. */
  requestId?: string;
};
