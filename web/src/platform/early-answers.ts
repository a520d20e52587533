/** A call that public/start.js has made before the page's scripts were there. */
type EarlyAnswer = {
  readonly answer: Promise<Response>;
  readonly token: string;
  readonly abort: (reason: unknown) => void;
};

declare global {
  interface Window {
    /** By address; there is none for whoever is signed out. */
    earlyAnswers?: Map<string, EarlyAnswer>;
  }
}

/**
 * The answer to a call that is under way since the page began, once, as if it were made now; undefined: there is none.
 * @param signal cancels it
 */
export function takeEarly(
  address: string,
  token: string | null,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const early = window.earlyAnswers?.get(address);
  window.earlyAnswers?.delete(address);
  if (early === undefined || early.token !== token) return undefined;
  const abort = (): void => early.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return early.answer;
}

/** Drops what nobody has taken: it gets old. */
export function dropEarly(): void {
  delete window.earlyAnswers;
}
