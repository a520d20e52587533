/** Why a row is sent, which decides its priority. */
export type Lane =
  /** Edited by a user; sent first. */
  | 'typed'
  /** One of many new rows, which are sent in batches, one request at a time, in the order of the paste. */
  | 'new'
  /** One of many changes. */
  | 'change';

/** A browser opens six connections to a server; two remain for live events and other requests. */
const CONCURRENCY = 4;

/**
 * Limits requests in flight, so that a thousand pasted rows neither flood the server nor delay typing.
 * @param send sends rows; never rejects
 * @param batchSize number of new rows per request
 */
export function createSendQueue(
  send: (keys: readonly string[]) => Promise<void>,
  batchSize: number,
  concurrency = CONCURRENCY,
) {
  const running = new Map<string, Promise<void>>();
  let requests = 0;
  /** Rows added again while they were in flight. */
  const queuedAgain = new Set<string>();
  const waiting = { typed: new Set<string>(), new: new Set<string>(), change: new Set<string>() };
  let isSendingNew = false;

  const canSend = (lane: Lane): boolean =>
    waiting[lane].size > 0 && requests < concurrency && !(lane === 'new' && isSendingNew);

  function sendNext(): void {
    for (const lane of ['typed', 'new', 'change'] as const) {
      while (canSend(lane)) {
        const keys = [...waiting[lane]].slice(0, lane === 'new' ? batchSize : 1);
        for (const key of keys) for (const other of Object.values(waiting)) other.delete(key);
        const sent = run(keys, lane);
        for (const key of keys) running.set(key, sent);
      }
    }
  }

  async function run(keys: readonly string[], lane: Lane): Promise<void> {
    requests += 1;
    if (lane === 'new') isSendingNew = true;
    await send(keys);
    requests -= 1;
    if (lane === 'new') isSendingNew = false;
    for (const key of keys) {
      running.delete(key);
      if (queuedAgain.delete(key)) waiting.typed.add(key);
    }
    sendNext();
  }

  return {
    add(rows: readonly (readonly [key: string, lane: Lane])[]): void {
      for (const [key, lane] of rows) {
        if (running.has(key)) queuedAgain.add(key);
        else waiting[lane].add(key);
      }
      sendNext();
    },
    /** Removes waiting rows. Requests in flight continue. */
    clear(): void {
      for (const keys of Object.values(waiting)) keys.clear();
      queuedAgain.clear();
    },
    /** Resolves when the row is not in flight. */
    whenSettled: (key: string): Promise<void> => running.get(key) ?? Promise.resolve(),
  };
}
