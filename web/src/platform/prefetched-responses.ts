/** A request that public/start.js sends before the page's scripts are loaded. */
type PrefetchedResponse = {
  readonly response: Promise<Response>;
  readonly token: string;
  readonly abort: (reason: unknown) => void;
};

declare global {
  interface Window {
    /** The responses by URL; empty if the user is signed out. */
    prefetchedResponses?: Map<string, PrefetchedResponse>;
  }
}

/**
 * Returns and removes the prefetched response of this URL; undefined if there is none for this token.
 * @param signal aborts the request
 */
export function takePrefetched(
  address: string,
  token: string | null,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const prefetched = window.prefetchedResponses?.get(address);
  window.prefetchedResponses?.delete(address);
  if (prefetched === undefined || prefetched.token !== token) return undefined;
  const abort = (): void => prefetched.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return prefetched.response;
}

/** Drops unused responses before they become stale. */
export function dropPrefetched(): void {
  delete window.prefetchedResponses;
}
