import type { ErrorBody, ErrorCode, FieldConflict } from '@forecourt/contract/errors';
import { errorCatalogue } from '../texts/error-catalogue.ts';

const words = errorCatalogue.interceptor;

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
  /** With 409: who changed which field meanwhile. */
  readonly conflicts: readonly FieldConflict[];
  readonly requestId: string | undefined;
  readonly requiresPasswordChange: boolean;
  /** The message is the server's own; without one it is that of the interceptor (spec section 8). */
  readonly isSaid: boolean;

  constructor(status: number, message: string, code: ErrorCode | ClientCode, body: Partial<ErrorBody> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = body.details;
    this.errors = body.errors ?? {};
    this.current = body.current;
    this.conflicts = body.conflicts ?? [];
    this.requestId = body.requestId;
    this.requiresPasswordChange = body.requiresPasswordChange === true;
    this.isSaid = isText(body.message);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Words for an answer that brought none (spec section 8, interceptor). */
function fallback(status: number, body: Partial<ErrorBody>): string {
  switch (status) {
    case 400:
      return body.details ?? words.badRequest;
    case 401:
      return words.unauthorised;
    case 403:
      return body.requiresPasswordChange ? words.passwordChange : words.forbidden;
    case 404:
      return words.notFound;
    case 500:
      return words.serverError;
    default:
      return words.other(status);
  }
}

/**
 * Translates an answer that is no success. The server's message is preferred whenever present (spec section 8).
 * @param body the parsed answer; anything that is not our error body counts as no words at all
 */
export function errorFromAnswer(status: number, body: unknown): ApiError {
  const known = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  const message = isText(known.message) ? known.message : fallback(status, known);
  return new ApiError(status, message, known.code ?? 'UNREADABLE', known);
}

/** Translates a call that got no answer: our time limit, or no connection. */
export function errorWithoutAnswer(timedOut: boolean): ApiError {
  return timedOut ? new ApiError(0, words.timeout, 'TIMEOUT') : new ApiError(0, words.noAnswer, 'NETWORK');
}

/** What a person reads about a failure, and the reason below it where that is something else. */
export type FailureWords = { readonly message: string; readonly reason?: string };

/**
 * The words for anything that was thrown: the server's own where there are any, else the fallback of the store
 * with the interceptor's words as its reason (spec section 8).
 */
export function wordsFor(thrown: unknown, fallback?: string): FailureWords {
  if (fallback === undefined) return { message: messageOf(thrown) };
  if (!(thrown instanceof ApiError)) return { message: fallback };
  return thrown.isSaid ? { message: thrown.message } : { message: fallback, reason: thrown.message };
}

/**
 * The same in one line. What is not an `ApiError` is our own fault and says so calmly.
 */
export function messageOf(thrown: unknown, fallback?: string): string {
  if (fallback === undefined) {
    return thrown instanceof ApiError ? thrown.message : 'Something went wrong. Please try again.';
  }
  const { message, reason } = wordsFor(thrown, fallback);
  return reason === undefined ? message : `${message.replace(/\.$/, '')}. ${reason}`;
}
