import { errorCodes, type ErrorBody, type ErrorCode } from '@forecourt/contract/errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../db/away.ts';

type Details = Partial<Omit<ErrorBody, 'code'>> & { retryAfterSeconds?: number };

/** A refusal that a person is told about. Everything else that is thrown becomes SERVER_ERROR and is logged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? errorCodes[code].message);
    this.code = code;
    this.details = details;
  }
}

/** `contacts.0.email: Must be an email address` and the like, the first message of each field. */
export type Issue = { path: PropertyKey[]; message: string; code?: string; keys?: string[] };

/** Nobody reads more of them, and an answer must not grow with how much is wrong. */
const NAMED_FIELDS = 100;

/**
 * A 400 that names each field, or the first of them. Unknown fields are named too (product.md section 3).
 * @param most how many wrong fields are named
 */
export function invalid(issues: readonly Issue[], most = NAMED_FIELDS): AppError {
  const errors: Record<string, string> = {};
  for (const issue of issues.slice(0, most)) {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys?.slice(0, NAMED_FIELDS) ?? [])
        errors[path ? `${path}.${key}` : key] = 'Unknown field';
    } else errors[path || 'body'] ??= issue.message;
  }
  const [field, message] = Object.entries(errors)[0] ?? [];
  return new AppError('INVALID_REQUEST', { ...(field && { details: `${field}: ${message}` }), errors });
}

/** A 400 about one field, found by a rule that only the service knows. */
export const invalidField = (field: string, message: string) => invalid([{ path: [field], message }]);

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
};

function toAppError(error: FastifyError | Error, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  const known = FASTIFY_CODES[code ?? ''];
  if (known) return new AppError(known);
  if (statusCode >= 400 && statusCode < 500) {
    const isBody = code?.startsWith('FST_ERR_CTP') || error instanceof SyntaxError;
    return new AppError('INVALID_REQUEST', isBody ? { details: 'The body is not valid JSON' } : {});
  }
  if (isDatabaseAway(error)) {
    request.log.error({ reason: error.message }, 'database away');
    // The connection may have broken after the commit: nobody can know before they look.
    const message =
      'The database cannot be reached. It is not known whether this was saved; please check before you try again.';
    return new AppError('UNAVAILABLE', {
      retryAfterSeconds: 2,
      ...(request.method !== 'GET' && { message }),
    });
  }
  // Something that the request names was deleted while it ran.
  if (code === '23503') {
    return new AppError('CONFLICT', {
      message: 'Something that this needs was removed in the meantime. Please load the page again.',
    });
  }
  // What only PostgreSQL finds wrong with a value (class 22) is bad input all the same.
  if (code?.startsWith('22')) return new AppError('INVALID_REQUEST');
  request.log.error({ route: request.routeOptions.url, err: withoutValues(error) }, 'request failed');
  return new AppError('SERVER_ERROR');
}

/** An error as the log may have it: PostgreSQL's `detail` and `where` quote what people typed. */
export function withoutValues(error: Error): object {
  const { code, constraint, routine } = error as Error & Record<'code' | 'constraint' | 'routine', unknown>;
  return { message: error.message, code, constraint, routine, stack: error.stack };
}

/** Answers with the code's status and words; the request id leads from the answer to the log. */
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

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) =>
    sendError(reply, toAppError(error, request)),
  );
}
