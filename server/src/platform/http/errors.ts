import { errorCodes, type ErrorBody, type ErrorCode } from '@forecourt/contract/errors';
import { errorsByField, type Issue } from '@forecourt/contract/validate';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unusableReason } from '../data-dir.ts';
import { isConnectionError, isReadOnlyError } from '../db/connection-errors.ts';
import { StallError, type Stall } from '../db/stalls.ts';
import { isSpaceError } from '../disk-space.ts';
import { S3Failure } from '../s3/s3-failure.ts';

type Details = Partial<Omit<ErrorBody, 'code'>> & { retryAfterSeconds?: number };

/** An expected error that is shown to the user. Every other error becomes SERVER_ERROR and is logged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? errorCodes[code].message);
    this.code = code;
    this.details = details;
  }

  /** The details if there are any, because they are more specific than the message. */
  get reason(): string {
    const { details } = this.details;
    return typeof details === 'string' ? details : this.message;
  }
}

/** Returns a 400 that names each invalid field, up to `maxFields`. */
export function invalid(issues: readonly Issue[], maxFields?: number): AppError {
  const errors = errorsByField(issues, maxFields);
  const [field, message] = Object.entries(errors)[0] ?? [];
  return new AppError('INVALID_REQUEST', { ...(field && { details: `${field}: ${message}` }), errors });
}

/** Returns a 400 about one field, for rules that only a service can check. */
export const invalidField = (field: string, message: string) => invalid([{ path: [field], message }]);

/**
 * Returns FOLDER_UNUSABLE with the reason if a file could not be read or written, UNAVAILABLE if a bucket could not;
 * undefined for other errors.
 */
export function folderError(error: unknown): AppError | undefined {
  if (error instanceof S3Failure)
    return new AppError('UNAVAILABLE', {
      message: `The store of files cannot be used. ${error.message} Nothing was changed; please try again in a moment.`,
    });
  const reason = unusableReason(error);
  if (reason === undefined) return undefined;
  return new AppError('FOLDER_UNUSABLE', {
    message: `The data folder of the server cannot be used: ${reason}. Nothing was changed; make DATA_DIR writable and try again.`,
  });
}

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
};

/**
 * PostgreSQL's errors for invalid input values: too long, out of range, an invalid date, a wrong type, or a character
 * that text cannot contain.
 */
const BAD_VALUES = new Set(['22001', '22003', '22007', '22008', '22021', '22P02', '22P05', '22P03']);

export type Diagnosis = {
  /** Whether an error was caused by a full disk, also if the database only closed the connection. */
  isCausedByFullDisk(error: Error, isConnectionLost: boolean): Promise<boolean>;
  /** Whether a newer release has changed the database so that this one cannot use it. */
  isReplaced(): Promise<boolean>;
};

/** PostgreSQL was busy, or a newer release has just migrated it: it rolled back the statement or refused the connection. */
const isBusy = (code: string | undefined): boolean => /^(0A|40|53|55|57014)/.test(code ?? '');

export const READ_ONLY = 'The database is read-only.';
export const REPLACED = 'The server is being updated.';
export const STALLED: Record<Stall, string> = {
  silent: 'The database does not respond.',
  unconfirmed: 'The standby of the database does not respond.',
};

/** Returns why nothing can be written, or that the database does not respond. */
function describe(error: Error & { code?: string }): string {
  if (error instanceof StallError) return STALLED[error.stall];
  if (isReadOnlyError(error)) return READ_ONLY;
  return isBusy(error.code) ? 'The database is busy.' : 'The database cannot be reached.';
}

/** PostgreSQL's error codes have five characters: class and condition. */
const isFromDatabase = (error: Error & { code?: string }): boolean => /^[0-9A-Z]{5}$/.test(error.code ?? '');

/** Returns a record that was looked up. Throws NOT_FOUND if there is none. */
export function requireFound<T>(record: T): NonNullable<T> {
  if (!record) throw new AppError('NOT_FOUND');
  return record;
}

export const unavailable = (message: string): AppError =>
  new AppError('UNAVAILABLE', { retryAfterSeconds: 2, message });

async function toAppError(
  error: FastifyError | Error,
  request: FastifyRequest,
  health: Diagnosis,
): Promise<AppError> {
  if (error instanceof AppError) return error;
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  const fastifyCode = FASTIFY_CODES[code ?? ''];
  if (fastifyCode) return new AppError(fastifyCode);
  if (statusCode >= 400 && statusCode < 500) {
    const isJson = code?.startsWith('FST_ERR_CTP') || error instanceof SyntaxError;
    const form = isJson ? 'JSON' : code?.startsWith('FST_MP_') ? 'multipart' : undefined;
    return new AppError('INVALID_REQUEST', form ? { details: `The body is not valid ${form}` } : {});
  }
  const unusable = folderError(error);
  if (unusable) {
    request.log.error({ reason: error.message }, 'data folder unusable');
    return unusable;
  }
  const isConnectionLost = isConnectionError(error);
  const isRead = request.method === 'GET';
  const isRolledBack =
    isSpaceError(error) ||
    isBusy(code) ||
    isReadOnlyError(error) ||
    (error instanceof StallError && !error.wasSent);
  // The connection may have broken after the commit, so the outcome is unknown.
  const unknown = 'It is not known whether this was saved; please check before you try again.';
  if (await health.isCausedByFullDisk(error, isConnectionLost)) {
    request.log.error({ reason: error.message }, 'disk full');
    return new AppError(
      'NO_SPACE',
      isRead || isRolledBack ? {} : { message: `The disk is full. ${unknown}` },
    );
  }
  if (isConnectionLost) {
    request.log.error({ reason: error.message }, 'database away');
    return unavailable(
      isRead || isRolledBack
        ? `${describe(error)} ${isRead ? '' : 'Nothing was saved. '}Please try again in a moment.`
        : `${describe(error)} ${unknown}`,
    );
  }
  if (isFromDatabase(error) && (await health.isReplaced()))
    return unavailable(`${REPLACED} ${isRead ? '' : 'Nothing was saved. '}Please try again in a moment.`);
  // A referenced record was deleted in the meantime, or was never checked.
  if (code === '23503') {
    request.log.warn({ route: request.routeOptions.url, err: withoutValues(error) }, 'reference refused');
    return new AppError('CONFLICT', {
      message: 'Something that this needs was removed in the meantime. Please load the page again.',
    });
  }
  // A value that the contract should have refused. Other errors of class 22, such as a division by zero, are bugs.
  if (BAD_VALUES.has(code ?? '')) {
    request.log.error({ route: request.routeOptions.url, err: withoutValues(error) }, 'value not validated');
    return new AppError('INVALID_REQUEST');
  }
  request.log.error({ route: request.routeOptions.url, err: withoutValues(error) }, 'request failed');
  return new AppError('SERVER_ERROR');
}

/**
 * Returns an error without values for the log: PostgreSQL's `detail` and `where` quote user input, and so do the
 * messages of class 22, which are also the start of the stack.
 */
export function withoutValues(error: Error): object {
  const { code, constraint, routine } = error as Error & Record<'code' | 'constraint' | 'routine', unknown>;
  const isAboutValue = String(code).startsWith('22');
  const message = isAboutValue ? 'invalid value' : error.message;
  const stack = isAboutValue ? error.stack?.slice(error.stack.indexOf('\n    at ') + 1) : error.stack;
  return { message, code, constraint, routine, stack };
}

/** Sends status and message of the code, with the request id, which the log entry contains too. */
export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const { retryAfterSeconds, ...details } = error.details;
  if (retryAfterSeconds) void reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
  const body: ErrorBody = {
    message: error.message,
    code: error.code,
    ...details,
    requestId: reply.request.id,
  };
  return reply
    .status(errorCodes[error.code].status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);
}

export function handleErrors(app: FastifyInstance, health: Diagnosis): void {
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) =>
    sendError(reply, await toAppError(error, request, health)),
  );
}
