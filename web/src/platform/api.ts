import type { ResponseBody, RouteKey, RequestPart } from '@forecourt/contract/api';
import { ApiError, errorFromResponse, errorWithoutResponse, canPass } from './api-error.ts';
import { note } from './client-log.ts';
import { newChangeSet, type NewChangeSet } from './ids.ts';
import { takePrefetched } from './prefetched-responses.ts';
import { readStored, storageKeys } from './storage-keys.ts';
import { viewing } from './view-as.ts';

const BASE = '/api';

/** Time limit of a call with all its attempts, in milliseconds (docs/product/limits.md, Calls and bodies). */
const TIMEOUT_MS = 15_000;

/** Waits before a read is retried after a transient failure, in milliseconds. */
const RETRY_WAITS_MS = [1000, 2000];

/** One part of a call's input: absent, optional when all its members are, else required. */
type Given<K extends RouteKey, P extends 'params' | 'query' | 'body'> = [RequestPart<K, P>] extends [
  undefined,
]
  ? unknown
  : object extends RequestPart<K, P>
    ? { [part in P]?: RequestPart<K, P> }
    : { [part in P]: RequestPart<K, P> };

type Sending = {
  /** Cancels the call: its promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** A call without a user action: it does not extend the session (docs/product/people-and-permissions.md, Sessions). */
  background?: boolean;
  /** Sends the request even while the page is unloading. */
  keepalive?: boolean;
  /** The same key and body return the first result again for 24 h. See `newKey()` in ids.ts. */
  idempotencyKey?: string;
  /** The change set of a write to deals; default: a set of its own. */
  changeSet?: NewChangeSet;
  /** Timeout below 15 s, in milliseconds. */
  timeoutMs?: number;
  /** Disables the retries of a read: the caller retries. */
  once?: boolean;
};

export type CallOptions<K extends RouteKey> = Given<K, 'params'> &
  Given<K, 'query'> &
  Given<K, 'body'> &
  Sending;

type Loose = Sending & {
  changeSet: NewChangeSet;
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
};

/** The parts of a call that depend on the reason of a change in a closed month. */
type Adjustable = Pick<Loose, 'changeSet' | 'body' | 'background'>;
/** Returns why money changes in a closed month; null: it does not change. */
type AdjustmentHandler = (error: ApiError, changeSet: NewChangeSet) => Promise<string | null>;

/** Page-wide handlers for some refusals; see session.ts and app/navigation.ts. */
type RefusalHandler = (error: ApiError, token: string | null) => void;
const refusalHandlers: Record<
  'unauthorised' | 'passwordChange' | 'twoStepSetup' | 'viewEnded',
  RefusalHandler
> & { monthClosed: AdjustmentHandler } = {
  monthClosed: () => Promise.resolve(null),
  unauthorised: () => undefined,
  passwordChange: () => undefined,
  twoStepSetup: () => undefined,
  viewEnded: () => undefined,
};

/**
 * Sets the handlers for a 401 (other than a failed sign-in), for a 403 that requires a new password or the setup of
 * two-step sign-in, and for one that ends viewing as another user. That for a closed month returns the reason with which
 * a call is repeated.
 */
export function setRefusalHandlers(handlers: Partial<typeof refusalHandlers>): void {
  Object.assign(refusalHandlers, handlers);
}

/** Returns the address with its parameters and query filled in. Undefined query values are left out. */
export function addressOf(path: string, params: Loose['params'] = {}, query: Loose['query'] = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ).toString();
  return BASE + filled + (search === '' ? '' : `?${search}`);
}

/** Returns the headers of every request to the server, streams included. */
export function requestHeaders(token: string | null): Record<string, string> {
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(viewing === null ? {} : { 'x-view-as': viewing.id }),
  };
}

/**
 * Calls the server: `call('PUT /dealerships/:id', { params: { id }, body })`. Input and result are typed by the
 * contract. Rejects with an `ApiError` only, or with the reason of the caller's `signal`. A read that fails
 * transiently is retried within the same time limit. While viewing as another user, every write is refused before it
 * is sent.
 */
export async function call<K extends RouteKey>(
  route: K,
  ...[callOptions]: object extends CallOptions<K> ? [CallOptions<K>?] : [CallOptions<K>]
): Promise<ResponseBody<K>> {
  const options: Loose = { changeSet: newChangeSet('bulk'), ...callOptions };
  if (viewing !== null && !isRead(route)) throw await viewOnly();
  return adjusting(options, (request) => attempt(route, request));
}

/**
 * Runs work that may change money of closed months. If a month refuses it, runs it again with the reason; rejects with the
 * refusal if the user gives none. `call` does so by itself; this is for work that is refused after its call has returned.
 */
export async function adjusting<O extends Adjustable, R>(
  options: O,
  run: (options: O) => Promise<R>,
): Promise<R> {
  try {
    return await run(options);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== 'MONTH_CLOSED' || options.background) throw thrown;
    const adjustmentReason = await refusalHandlers.monthClosed(thrown, options.changeSet);
    if (adjustmentReason === null) throw thrown;
    return run({ ...options, body: { ...(options.body as object | undefined), adjustmentReason } });
  }
}

const isRead = (route: RouteKey): boolean => route.startsWith('GET ');

/** Sends a call, a read again after transient failures. Returns the body of the response. */
async function attempt<K extends RouteKey>(route: K, options: Loose): Promise<ResponseBody<K>> {
  const { signal, timeoutMs = TIMEOUT_MS, once } = options;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const end = performance.now() + timeoutMs;
  const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  const waits = isRead(route) && !once ? RETRY_WAITS_MS : [];
  try {
    for (let count = 0; ; count += 1) {
      try {
        return (await send(route, options, either)) as ResponseBody<K>;
      } catch (thrown) {
        signal?.throwIfAborted();
        const error = logged(route, asApiError(thrown, limit.signal.aborted));
        const wait = waits[count] ?? Infinity;
        if (!canPass(error) || performance.now() + wait >= end) throw error;
        await pause(wait, signal);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Sends one attempt. Returns the body of the response. */
async function send(route: RouteKey, options: Loose, signal: AbortSignal): Promise<unknown> {
  const [method, path] = route.split(' ') as [string, string];
  const { params, query, body, background, keepalive, idempotencyKey, changeSet } = options;
  const token = readStored(storageKeys.token);
  const address = addressOf(path, params, query);
  const startedAt = performance.now();
  const prefetched = method === 'GET' ? takePrefetched(address, token, signal) : undefined;
  const response = await (prefetched ??
    fetch(address, {
      method,
      headers: {
        ...requestHeaders(token),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(background ? { 'x-background': '1' } : {}),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(method === 'GET' ? {} : { 'x-change-set': changeSet }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      ...(keepalive && { keepalive }),
      signal,
    }));
  note('debug', `${route} ${response.status} in ${Math.round(performance.now() - startedAt)} ms`);
  if (!response.ok) throw refusal(errorFromResponse(response.status, await readJson(response)), token);
  return response.status === 204 ? undefined : await response.json();
}

/** Resolves after this time. Rejects with the signal's reason as soon as it is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => reject(signal.reason as unknown));
  });
}

function asApiError(thrown: unknown, timedOut: boolean): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return thrown instanceof SyntaxError ? errorFromResponse(500, null) : errorWithoutResponse(timedOut);
}

/** Logs a refusal (4xx) as a warning and any other failure as an error. */
function logged(route: string, error: ApiError): ApiError {
  const level = error.status >= 400 && error.status < 500 ? 'warn' : 'error';
  note(level, `${route} ${error.status} ${error.code}: ${error.message}`, error.requestId);
  return error;
}

async function viewOnly(): Promise<ApiError> {
  // The module is not part of the first load, because it has the messages of all codes.
  const { errorCodes } = await import('@forecourt/contract/errors');
  const { status, message } = errorCodes.VIEW_ONLY;
  return new ApiError(status, message, 'VIEW_ONLY', { message });
}

/** A 401 that does not concern the session. */
const isFailedSignIn = ({ code }: ApiError): boolean =>
  code === 'SIGN_IN_FAILED' || code === 'TWO_STEP_REQUIRED' || code === 'TWO_STEP_FAILED';

/** Runs the page-wide handler of this refusal and returns the error. */
export function refusal(error: ApiError, token: string | null): ApiError {
  if (error.status === 401 && !isFailedSignIn(error)) refusalHandlers.unauthorised(error, token);
  if (error.status === 403 && error.requiresPasswordChange) refusalHandlers.passwordChange(error, token);
  if (error.code === 'TWO_STEP_SETUP_REQUIRED') refusalHandlers.twoStepSetup(error, token);
  if (error.code === 'VIEW_ENDED') refusalHandlers.viewEnded(error, token);
  return error;
}

/** Returns the parsed body, or undefined where it is not JSON: a proxy's own error page, for example. */
async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
