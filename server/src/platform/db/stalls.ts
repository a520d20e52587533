/** A statement without a response for this long after its limit ends with its connection. */
export const GRACE_MS = 3000;
/** How often the sessions that wait for a standby are read again. */
const CHECK_MS = 1000;

/** `silent`: a statement gets no response. `unconfirmed`: what is committed waits for a standby that does not respond. */
export type Stall = 'silent' | 'unconfirmed';

const REASONS: Record<Stall, string> = {
  silent: 'no response from the database',
  unconfirmed: 'the standby of the database does not confirm commits',
};

/** The error of a statement without a response, or of a write that was not sent because none is confirmed. */
export class StallError extends Error {
  readonly code = 'ETIMEDOUT';
  readonly stall: Stall;
  readonly wasSent: boolean;
  constructor(stall: Stall, wasSent: boolean) {
    super(REASONS[stall]);
    this.stall = stall;
    this.wasSent = wasSent;
  }
}

/** Statements whose commit waits for a standby, except those that set `synchronous_commit` themselves. */
const isWrite = (text: string): boolean =>
  /\b(insert\s+into|update|delete\s+from|for\s+(key\s+)?share)\b/i.test(text) &&
  !text.includes('synchronous_commit');

/**
 * Ends what PostgreSQL does not end at its own limit: a statement whose server has died without closing the connection,
 * and a commit that waits for a lost standby. Such a commit continues to wait in a session of its own, so that further
 * writes are refused until none waits: the sessions would become more than the server has.
 * @param limitMs the `statement_timeout` of the connections; 0: no statement is limited
 * @param findUnconfirmed returns the sessions whose commit has waited for a standby for at least this long
 */
export function createStallWatch(
  limitMs: number,
  findUnconfirmed: (waitedMs: number) => Promise<readonly number[]>,
) {
  const overdue = new Set<object>();
  let isUnconfirmed = false;
  let timer: NodeJS.Timeout | undefined;

  const check = async (): Promise<readonly number[]> => {
    const pids = await findUnconfirmed(limitMs / 2).catch(() => undefined);
    // Without an answer nothing is known to have changed.
    if (pids) isUnconfirmed = pids.length > 0;
    if (isUnconfirmed && !timer) {
      timer = setTimeout(() => {
        timer = undefined;
        void check();
      }, CHECK_MS).unref();
    }
    return pids ?? [];
  };

  return {
    /** Runs a statement of the session `pid`. Throws a `StallError`, which `destroy` must reject the statement with. */
    async run<T>(
      { pid, text, destroy }: { pid: number; text: string; destroy: (error: StallError) => void },
      work: () => Promise<T>,
    ): Promise<T> {
      if (isUnconfirmed && isWrite(text)) throw new StallError('unconfirmed', false);
      if (limitMs === 0) return work();
      const statement = {};
      let waiting = setTimeout(() => {
        overdue.add(statement);
        waiting = setTimeout(() => destroy(new StallError('silent', true)), GRACE_MS);
        void check().then((pids) => {
          if (overdue.has(statement) && pids.includes(pid)) destroy(new StallError('unconfirmed', true));
        });
      }, limitMs);
      try {
        return await work();
      } finally {
        clearTimeout(waiting);
        overdue.delete(statement);
      }
    },

    /** Returns why requests cannot be served now. */
    current: (): Stall | undefined =>
      isUnconfirmed ? 'unconfirmed' : overdue.size > 0 ? 'silent' : undefined,

    close: (): void => clearTimeout(timer),
  };
}

export type StallWatch = ReturnType<typeof createStallWatch>;
