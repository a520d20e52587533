/** Maximum wait for a connection while none becomes free (docs/product/security.md, Slow or locked database). */
export const WAIT_MS = 2000;
/** Maximum total wait, also for a new connection: a busy machine is slow. */
export const BUSY_WAIT_MS = 5000;
/** The interval at which running statements are checked while callers wait for a connection. */
const CHECK_MS = 100;
/** A statement that runs for less than this is not stuck: row locks of ordinary writes last milliseconds. */
const STUCK_MS = 50;

/** A session that waits for a lock of another one. `table` is the locked table, if it is a table. */
export type LockWait = { pid: number; table: string | null };

type Caller = { resolve: () => void; timer: NodeJS.Timeout };

/** The lock timeout error of PostgreSQL. */
class LockedError extends Error {
  readonly code = '55P03';
  constructor() {
    super('canceling statement due to lock timeout: others wait for the same lock');
  }
}

/**
 * Limits the connections in use, so that statements waiting for a lock never use all of them. If all `size` are in use
 * and at least half of them wait for locks, `spare` more connections serve other work; new statements on the locked
 * tables fail at once with a lock timeout.
 * @param findLockWaits returns which of these sessions wait for a lock of a session that serves no request
 */
export function createConnectionSlots(
  size: number,
  spare: number,
  findLockWaits: (pids: readonly number[]) => Promise<readonly LockWait[]>,
  waitMs = WAIT_MS,
) {
  const callers: Caller[] = [];
  const running = new Map<number, { text: string; since: number }>();
  /** The waiting sessions, their statements, and the locked tables; undefined while few or none wait. */
  let locked: { pids: Set<number>; texts: ReadonlySet<string>; tables: RegExp | undefined } | undefined;
  let inUse = 0;
  let lastFreeAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const isFree = (): boolean => inUse < size + (locked ? spare : 0);

  function serveCallers(): void {
    while (callers.length > 0 && isFree()) {
      const caller = callers.shift()!;
      clearTimeout(caller.timer);
      lastFreeAt = performance.now();
      inUse += 1;
      caller.resolve();
    }
  }

  function scheduleCheck(): void {
    if (closed || timer || (callers.length === 0 && !locked)) return;
    timer = setTimeout(() => {
      void check().then(() => {
        timer = undefined;
        serveCallers();
        scheduleCheck();
      });
    }, CHECK_MS);
    timer.unref();
  }

  async function check(): Promise<void> {
    const before = performance.now() - STUCK_MS;
    const stuck = new Map([...running].filter(([, { since }]) => since < before));
    if (stuck.size * 2 < size) {
      locked = undefined;
      return;
    }
    const lockWaits = await findLockWaits([...stuck.keys()]).catch(() => []);
    // Sessions that have continued since do not wait.
    const waits = lockWaits.filter(({ pid }) => running.get(pid) === stuck.get(pid));
    if (waits.length * 2 < size) {
      locked = undefined;
      return;
    }
    const tables = [...new Set(waits.map(({ table }) => table))].filter((table) => table !== null);
    locked = {
      pids: new Set(waits.map(({ pid }) => pid)),
      texts: new Set(waits.map(({ pid }) => stuck.get(pid)!.text)),
      tables:
        tables.length > 0
          ? new RegExp(String.raw`\b(from|join|into|update)\s+"?(${tables.join('|')})\b`, 'i')
          : undefined,
    };
  }

  return {
    /** Resolves once a connection may be used; `release` frees it. */
    acquire(): Promise<void> {
      if (callers.length === 0 && isFree()) {
        inUse += 1;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const from = performance.now();
        const waitOrFail = (): void => {
          const restMs = Math.min(lastFreeAt + waitMs, from + BUSY_WAIT_MS) - performance.now();
          if (restMs > 0) {
            caller.timer = setTimeout(waitOrFail, restMs);
            return;
          }
          callers.splice(callers.indexOf(caller), 1);
          reject(new Error('timeout exceeded when trying to connect'));
        };
        const caller = { resolve, timer: setTimeout(waitOrFail, waitMs) };
        callers.push(caller);
        scheduleCheck();
      });
    },
    /** The number of callers that wait. */
    waiting: (): number => callers.length,
    release(): void {
      inUse -= 1;
      serveCallers();
    },
    /** Runs a statement of the session `pid`. Throws `LockedError` if too many wait for the lock that it needs. */
    async run<T>(pid: number, text: string, work: () => Promise<T>): Promise<T> {
      if (locked && inUse > size && (locked.texts.has(text) || locked.tables?.test(text))) {
        throw new LockedError();
      }
      running.set(pid, { text, since: performance.now() });
      try {
        return await work();
      } finally {
        running.delete(pid);
        // Accepts statements again as soon as the lock is released, without waiting for the next check.
        if (locked?.pids.delete(pid) && locked.pids.size * 2 < size) locked = undefined;
      }
    },
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}

export type ConnectionSlots = ReturnType<typeof createConnectionSlots>;
