import type { Answer, RouteKey, Sent } from '@forecourt/contract/api';
import { errorCodes } from '@forecourt/contract/errors';
import { ApiError, errorFromAnswer, errorWithoutAnswer } from './api-error.ts';
import { note } from './client-log.ts';
import { takeEarly } from './early-answers.ts';
import { readStored, storageKeys } from './storage-keys.ts';
import { viewing } from './view-as.ts';

/** Base path of every call (spec section 7). */
const BASE = '/api';

/** Time limit of a call in milliseconds (spec section 9). */
const TIMEOUT_MS = 15_000;

/** One part of what a call takes: absent, optional when everything in it is, else required. */
type Given<K extends RouteKey, P extends 'params' | 'query' | 'body'> = [Sent<K, P>] extends [undefined]
  ? unknown
  : object extends Sent<K, P>
    ? { [part in P]?: Sent<K, P> }
    : { [part in P]: Sent<K, P> };

export type CallOptions<K extends RouteKey> = Given<K, 'params'> &
  Given<K, 'query'> &
  Given<K, 'body'> & {
    /** Cancels the call: its promise rejects with the signal's own reason. */
    signal?: AbortSignal;
    /** A call that nobody asked for: it does not keep the session alive (product section 7). */
    background?: boolean;
    /** Goes out also when the page is being left. */
    keepalive?: boolean;
    /** The same key and body answer the first result again, for 24 h. See `newKey()` in ids.ts. */
    idempotencyKey?: string;
    /** A shorter limit than 15 s, in milliseconds. */
    timeoutMs?: number;
  };

type Loose = {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  background?: boolean;
  keepalive?: boolean;
  idempotencyKey?: string;
  timeoutMs?: number;
};

/** What must happen in the whole page when one answer says so; see session.ts and app/navigation.ts. */
type Consequence = (error: ApiError, token: string | null) => void;
const consequences: Record<'unauthorised' | 'passwordChange' | 'twoStepSetup' | 'viewEnded', Consequence> = {
  unauthorised: () => undefined,
  passwordChange: () => undefined,
  twoStepSetup: () => undefined,
  viewEnded: () => undefined,
};

/**
 * Says what follows a 401 (other than a failed sign-in), a 403 that asks for a new password or for two-step
 * sign-in to be set up, and one that ends looking at the product as somebody else.
 */
export function setConsequences(given: Partial<typeof consequences>): void {
  Object.assign(consequences, given);
}

/** The path with its parameters and query filled in. Undefined query values are left out. */
export function addressOf(path: string, params: Loose['params'] = {}, query: Loose['query'] = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ).toString();
  return BASE + filled + (search === '' ? '' : `?${search}`);
}

/** The headers that every request to the server carries, streams included. */
export function requestHeaders(token: string | null): Record<string, string> {
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(viewing === null ? {} : { 'x-view-as': viewing.id }),
  };
}

/**
 * Calls the server: `call('PUT /dealerships/:id', { params: { id }, body })`. What it takes and answers is the
 * contract's. Rejects with an `ApiError` and with nothing else, unless the caller's own `signal` cancelled it.
 * While the product is looked at as somebody else, what would change anything is refused before it is sent.
 */
export async function call<K extends RouteKey>(
  route: K,
  ...[given]: object extends CallOptions<K> ? [CallOptions<K>?] : [CallOptions<K>]
): Promise<Answer<K>> {
  const [method, path] = route.split(' ') as [string, string];
  const { params, query, body, signal, background, keepalive, idempotencyKey, timeoutMs }: Loose =
    given ?? {};
  if (viewing !== null && method !== 'GET') throw viewOnly();
  const token = readStored(storageKeys.token);
  const limit = AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS);
  const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  const address = addressOf(path, params, query);
  const begun = performance.now();
  try {
    const early = method === 'GET' ? takeEarly(address, token, either) : undefined;
    const answer = await (early ??
      fetch(address, {
        method,
        headers: {
          ...requestHeaders(token),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(background ? { 'x-background': '1' } : {}),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        ...(keepalive && { keepalive }),
        signal: either,
      }));
    note('debug', `${route} ${answer.status} in ${Math.round(performance.now() - begun)} ms`);
    if (!answer.ok) throw refusal(errorFromAnswer(answer.status, await readJson(answer)), token);
    if (answer.status === 204) return undefined as Answer<K>;
    return (await answer.json()) as Answer<K>;
  } catch (thrown) {
    if (signal?.aborted && !(thrown instanceof ApiError)) throw signal.reason;
    throw noted(route, asApiError(thrown, limit.aborted));
  }
}

function asApiError(thrown: unknown, timedOut: boolean): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return thrown instanceof SyntaxError ? errorFromAnswer(500, null) : errorWithoutAnswer(timedOut);
}

/** What a person did wrong, or may not do, is a warning; what should not happen is an error. */
function noted(route: string, error: ApiError): ApiError {
  const level = error.status >= 400 && error.status < 500 ? 'warn' : 'error';
  note(level, `${route} ${error.status} ${error.code}: ${error.message}`, error.requestId);
  return error;
}

const viewOnly = (): ApiError => {
  const { status, message } = errorCodes.VIEW_ONLY;
  return new ApiError(status, message, 'VIEW_ONLY', { message });
};

/** A 401 that says nothing about the session. */
const isFailedSignIn = ({ code }: ApiError): boolean =>
  code === 'SIGN_IN_FAILED' || code === 'TWO_STEP_REQUIRED' || code === 'TWO_STEP_FAILED';

/** Runs what one refusal means for the whole page and hands it on. */
export function refusal(error: ApiError, token: string | null): ApiError {
  if (error.status === 401 && !isFailedSignIn(error)) consequences.unauthorised(error, token);
  if (error.status === 403 && error.requiresPasswordChange) consequences.passwordChange(error, token);
  if (error.code === 'TWO_STEP_SETUP_REQUIRED') consequences.twoStepSetup(error, token);
  if (error.code === 'VIEW_ENDED') consequences.viewEnded(error, token);
  return error;
}

/** The parsed body, or null where it is none: a proxy's own error page, for example. */
async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
