import { api, type ResponseBody, type RouteKey } from '@forecourt/contract/api';
import { errorCodes, type ErrorBody, type ErrorCode } from '@forecourt/contract/errors';
import type { RouteContract } from '@forecourt/contract/route';
import { vi } from 'vitest';

/** A request as the stubbed server received it. */
type Received = {
  readonly route: RouteKey;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Headers;
};

type Handlers = {
  [K in RouteKey]?: (request: Received) => ResponseBody<K> | Response | Promise<ResponseBody<K> | Response>;
};

/** Returns the server's response for this error code. */
export function refusalOf(code: ErrorCode, more: Partial<ErrorBody> = {}): Response {
  const { status, message } = errorCodes[code];
  return Response.json({ message, code, ...more } satisfies ErrorBody, { status });
}

/** Each call that changes deals may have a reason besides the body of its contract. */
const withoutReason = (body: unknown): unknown => {
  const { adjustmentReason: _, ...rest } = (body ?? {}) as Record<string, unknown>;
  return body === undefined ? undefined : rest;
};

/** Paths without parameters first: `/deals/:id` also matches `/deals/summary`. */
const routes = Object.entries(api)
  .toSorted(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')))
  .map(([key, contract]) => {
    const [method, path] = key.split(' ') as [string, string];
    const pattern = new RegExp(`^/api${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    return { key: key as RouteKey, method, pattern, contract: contract as RouteContract };
  });

/** One live connection that the page has opened. */
type LiveConnection = {
  readonly address: string;
  readonly headers: Headers;
  readonly isClosed: () => boolean;
  readonly send: (event: string, data: unknown) => void;
  readonly end: () => void;
};

/**
 * For tests: stubs `fetch` with these handlers. Requests and responses are validated against the contract; a route
 * without a handler is unreachable. `GET /events` opens a connection; `connect` refuses it by returning a response.
 */
export function stubServer(handlers: Handlers, connect: () => Response | null = () => null) {
  const requests: Received[] = [];
  const connections: LiveConnection[] = [];

  function open(address: string, headers: Headers, signal: AbortSignal | null | undefined): Response {
    const refused = connect();
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    let isClosed = refused !== null;
    const stream = new ReadableStream<Uint8Array>({
      start: (given) => void (controller = given),
      cancel: () => void (isClosed = true),
    });
    signal?.addEventListener('abort', () => {
      if (!isClosed) controller.error(signal.reason);
      isClosed = true;
    });
    const text = new TextEncoder();
    connections.push({
      address,
      headers,
      isClosed: () => isClosed,
      send: (event, data) =>
        controller.enqueue(text.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
      end: () => controller.close(),
    });
    return refused ?? new Response(stream);
  }

  async function fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, 'http://test');
    const headers = new Headers(init.headers);
    if (url.pathname === '/api/events') return open(address, headers, init.signal);
    const method = init.method ?? 'GET';
    const route = routes.find((each) => each.method === method && each.pattern.test(url.pathname));
    const handler = route && handlers[route.key];
    if (!handler) throw new TypeError(`Failed to fetch ${method} ${address}`);
    const { contract, key, pattern } = route;
    const query = Object.fromEntries(url.searchParams);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    contract.query?.parse(query);
    contract.body?.parse(contract.changesDeals ? withoutReason(body) : body);
    const request = { route: key, params: pattern.exec(url.pathname)?.groups ?? {}, query, body, headers };
    requests.push(request);
    const answer = await (handler as (request: Received) => unknown)(request);
    if (answer instanceof Response) return answer;
    if (!contract.response) return new Response(null, { status: contract.status ?? 204 });
    return Response.json(contract.response.parse(answer), { status: contract.status ?? 200 });
  }

  vi.stubGlobal('fetch', fetch);
  return {
    /** Received requests, oldest first. */
    requests,
    /** Returns how often a route was called. */
    count: (route: RouteKey): number => requests.filter((request) => request.route === route).length,
    connections,
  };
}
