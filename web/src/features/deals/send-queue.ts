/** Why a row is to be sent, which decides how soon. */
export type Lane =
  /** Somebody typed it: before all that wait. */
  | 'typed'
  /** One of many new rows: many in one request, and one request after the other, in the order of the paste. */
  | 'new'
  /** One of many changes. */
  | 'change';

/** Lets rows be sent a few at a time, so that a thousand pasted ones neither flood the server nor block typing. */
export interface SendQueue {
  readonly add: (rows: readonly (readonly [key: string, lane: Lane])[]) => void;
  /** Forgets who waits. Rows on their way go on. */
  readonly clear: () => void;
  /** When the row is not on its way any more. */
  readonly settled: (key: string) => Promise<void>;
}

/** A browser opens six connections to a server: these leave room for the live events and for whoever looks around. */
const AT_ONCE = 4;

/**
 * @param send some rows; it never rejects
 * @param together how many new rows go in one request
 */
export function createSendQueue(
  send: (keys: readonly string[]) => Promise<void>,
  together: number,
  atOnce = AT_ONCE,
): SendQueue {
  const running = new Map<string, Promise<void>>();
  let requests = 0;
  /** Asked for again while they were on their way. */
  const again = new Set<string>();
  const waiting = { typed: new Set<string>(), new: new Set<string>(), change: new Set<string>() };
  let newOnes = false;

  const mayGo = (lane: Lane): boolean =>
    waiting[lane].size > 0 && requests < atOnce && !(lane === 'new' && newOnes);

  function next(): void {
    for (const lane of ['typed', 'new', 'change'] as const) {
      while (mayGo(lane)) {
        const keys = [...waiting[lane]].slice(0, lane === 'new' ? together : 1);
        for (const key of keys) for (const others of Object.values(waiting)) others.delete(key);
        const sent = run(keys, lane);
        for (const key of keys) running.set(key, sent);
      }
    }
  }

  async function run(keys: readonly string[], lane: Lane): Promise<void> {
    requests += 1;
    if (lane === 'new') newOnes = true;
    await send(keys);
    requests -= 1;
    if (lane === 'new') newOnes = false;
    for (const key of keys) {
      running.delete(key);
      if (again.delete(key)) waiting.typed.add(key);
    }
    next();
  }

  return {
    add(rows) {
      for (const [key, lane] of rows) {
        if (running.has(key)) again.add(key);
        else waiting[lane].add(key);
      }
      next();
    },
    clear() {
      for (const keys of Object.values(waiting)) keys.clear();
      again.clear();
    },
    settled: (key) => running.get(key) ?? Promise.resolve(),
  };
}
