import type { ErrorBody, ErrorCode } from '@forecourt/contract/errors';

/** What went wrong before a server could say anything, beside the server's own codes. */
type ClientCode = 'TIMEOUT' | 'NETWORK' | 'UNREADABLE';

/**
 * Every failed call, ready to be shown. `message` is what a person reads; `errors` maps a form field to its
 * message; `current` is the record as it is now (with 409); `status` is 0 where no answer came.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | ClientCode;
  readonly details: string | undefined;
  readonly errors: Readonly<Record<string, string>>;
  readonly current: unknown;
  readonly requestId: string | undefined;
  readonly requiresPasswordChange: boolean;

  constructor(status: number, message: string, code: ErrorCode | ClientCode, body: Partial<ErrorBody> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = body.details;
    this.errors = body.errors ?? {};
    this.current = body.current;
    this.requestId = body.requestId;
    this.requiresPasswordChange = body.requiresPasswordChange === true;
  }
}

/** Words for an answer that brought none (spec section 8, interceptor). */
function fallback(status: number, body: Partial<ErrorBody>): string {
  switch (status) {
    case 400:
      return body.details ?? 'Invalid request';
    case 401:
      return 'Session expired. Please log in again.';
    case 403:
      return body.requiresPasswordChange ? 'Password change required' : 'Access denied';
    case 404:
      return 'Resource not found';
    case 500:
      return 'Server error. Please try again later.';
    default:
      return `Error: ${status}`;
  }
}

/**
 * Translates an answer that is no success. The server's message is preferred whenever present (spec section 8).
 * @param body the parsed answer; anything that is not our error body counts as no words at all
 */
export function errorFromAnswer(status: number, body: unknown): ApiError {
  const known = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  const message = typeof known.message === 'string' && known.message !== '' ? known.message : undefined;
  return new ApiError(status, message ?? fallback(status, known), known.code ?? 'UNREADABLE', known);
}

/** Translates a call that got no answer: our time limit, or no connection. */
export function errorWithoutAnswer(timedOut: boolean): ApiError {
  return timedOut
    ? new ApiError(0, 'Request timeout. Please try again.', 'TIMEOUT')
    : new ApiError(0, 'Network error. Please check your connection.', 'NETWORK');
}

/** The words for anything that was thrown. What is not an `ApiError` is our own fault and says so calmly. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof ApiError ? thrown.message : 'Something went wrong. Please try again.';
}
