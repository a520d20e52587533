import type { ErrorBody, ErrorCode, FieldConflict } from '@forecourt/contract/errors';
import { errorCatalogue, refusals } from './error-catalogue.ts';

const messages = errorCatalogue.interceptor;

/** Codes of failures without a response, in addition to the server's codes. */
type ClientCode = 'TIMEOUT' | 'NETWORK' | 'UNREADABLE';

/**
 * The error of every failed call. `message` is shown to the user; `errors` maps a form field to its message; `current`
 * is the current record (with 409); `status` is 0 without a response.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | ClientCode;
  readonly details: string | undefined;
  /** The row into which this one was merged, with 404. */
  readonly mergedInto: string | undefined;
  /** The month, and who may change it, with MONTH_CLOSED. */
  readonly closedMonth: { readonly month: string; readonly askWhom: readonly string[] } | undefined;
  readonly errors: Readonly<Record<string, string>>;
  readonly current: unknown;
  /** The fields that were changed in the meantime, and who changed them, with 409. */
  readonly conflicts: readonly FieldConflict[];
  readonly requestId: string | undefined;
  readonly requiresPasswordChange: boolean;
  /** False if `message` is the fallback for the status (docs/product/screens.md, Failed calls). */
  readonly hasServerMessage: boolean;

  constructor(status: number, message: string, code: ErrorCode | ClientCode, body: Partial<ErrorBody> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    const { details } = body;
    if (typeof details === 'string') this.details = details;
    else if (details && 'mergedInto' in details) this.mergedInto = details.mergedInto;
    else this.closedMonth = details;
    this.errors = body.errors ?? {};
    this.current = body.current;
    this.conflicts = body.conflicts ?? [];
    this.requestId = body.requestId;
    this.requiresPasswordChange = body.requiresPasswordChange === true;
    this.hasServerMessage = isText(body.message);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The message for an error response without one (docs/product/screens.md, Failed calls). */
function fallback(status: number, body: Partial<ErrorBody>): string {
  switch (status) {
    case 400:
      return isText(body.details) ? body.details : messages.badRequest;
    case 401:
      return messages.unauthorised;
    case 403:
      return body.requiresPasswordChange ? messages.passwordChange : messages.forbidden;
    case 404:
      return messages.notFound;
    case 500:
      return messages.serverError;
    default:
      return messages.other(status);
  }
}

/**
 * Returns the error of a response with a failure status, with the server's message if there is one
 * (docs/product/screens.md, Failed calls).
 * @param body the parsed body; another shape than `ErrorBody` counts as empty
 */
export function errorFromResponse(status: number, body: unknown): ApiError {
  const errorBody = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  const message = isText(errorBody.message) ? errorBody.message : fallback(status, errorBody);
  return new ApiError(status, message, errorBody.code ?? 'UNREADABLE', errorBody);
}

/** Returns the error of a call without a response: a timeout, or no connection. */
export function errorWithoutResponse(timedOut: boolean): ApiError {
  return timedOut
    ? new ApiError(0, messages.timeout, 'TIMEOUT')
    : new ApiError(0, messages.noAnswer, 'NETWORK');
}

/** Whether the same call may succeed later: after a timeout, offline, or while server or database are down. */
export const canPass = (thrown: unknown): boolean =>
  thrown instanceof ApiError && [0, 502, 503, 504].includes(thrown.status);

/** The message of a failure, and its reason if it is different. */
export type FailureText = { readonly message: string; readonly reason?: string };

/**
 * Returns the text of any thrown value: the server's message if there is one, otherwise the fallback, with the message
 * of the status as the reason (docs/product/screens.md, Failed calls).
 */
export function failureText(thrown: unknown, fallback?: string): FailureText {
  if (!(thrown instanceof ApiError)) return { message: fallback ?? OWN_FAULT };
  if (fallback === undefined) return { message: thrown.message };
  return thrown.hasServerMessage
    ? { message: thrown.message }
    : { message: fallback, reason: thrown.message };
}

/** Returns the same for a failed change: a refusal has a reason, since the screen had offered the change. */
export function changeFailureText(thrown: unknown, fallback?: string): FailureText {
  const text = failureText(thrown, fallback);
  return isDenied(thrown) ? { ...text, reason: deniedReason(thrown.details) } : text;
}

/** Whether the refusal has no more than the general message. */
const isDenied = (thrown: unknown): thrown is ApiError =>
  thrown instanceof ApiError &&
  thrown.code === 'INSUFFICIENT_PERMISSIONS' &&
  thrown.message === messages.forbidden;

const deniedReason = (reason = ''): string =>
  `${refusals.reasons[reason] ?? refusals.otherReason} ${refusals.next}`;

const OWN_FAULT = 'Something went wrong. Please try again.';

/** Returns the text of a failed change as one line. */
export function messageOf(thrown: unknown, fallback?: string): string {
  const { message, reason } = changeFailureText(thrown, fallback);
  return reason === undefined ? message : `${message.replace(/\.$/, '')}. ${reason}`;
}
