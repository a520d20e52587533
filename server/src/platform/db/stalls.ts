/** The connection of a statement without a response is closed this long after the statement's timeout. */
export const GRACE_MS = 3000;
/** The interval at which sessions that wait for a standby are read. */
const CHECK_MS = 1000;

/** `silent`: a statement gets no response. `unconfirmed`: commits wait for a standby that does not respond. */
export type Stall = 'silent' | 'unconfirmed';

const REASONS: Record<Stall, string> = {
  silent: 'no response from the database',
  unconfirmed: 'the standby of the database does not confirm commits',
};

/** The error of a statement without a response, or of a write that was refused because no write is confirmed. */
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

/** Writes whose commit waits for a standby, except statements that set `synchronous_commit` themselves. */
const isWrite = (text: string): boolean =>
  /\b(insert\s+into|update|delete\s+from|for\s+(key\s+)?share)\b/i.test(text) &&
  !text.includes('synchronous_commit');

const mayWaitForStandby = (text: string): boolean => text === 'commit' || isWrite(text);

/**
 * Ends statements that PostgreSQL's own timeouts do not end: one whose server has died without closing the connection,
 * and a commit that waits for a lost standby. Such a commit continues to wait in its session, so further writes are
 * refused until none waits; otherwise they would occupy all sessions of the server.
 * @param limitMs the `statement_timeout` of the connections; 0 for no limit
 * @param isCommitWaiting returns whether a commit of any instance has waited for a standby for at least this long
 */
export function createStallWatch(limitMs: number, isCommitWaiting: (waitedMs: number) => Promise<boolean>) {
  const overdue = new Set<object>();
  let isUnconfirmed = false;
  let timer: NodeJS.Timeout | undefined;

  const check = async (): Promise<boolean> => {
    const isWaiting = await isCommitWaiting(limitMs / 2).catch(() => undefined);
    // Without a response the state is unchanged.
    isUnconfirmed = isWaiting ?? isUnconfirmed;
    if (isUnconfirmed && !timer) {
      timer = setTimeout(() => {
        timer = undefined;
        void check();
      }, CHECK_MS).unref();
    }
    return isWaiting ?? false;
  };

  return {
    /** Runs a statement. Throws a `StallError`, with which `destroy` must reject the statement. */
    async run<T>(
      { text, destroy }: { text: string; destroy: (error: StallError) => void },
      work: () => Promise<T>,
    ): Promise<T> {
      if (isUnconfirmed && isWrite(text)) throw new StallError('unconfirmed', false);
      if (limitMs === 0) return work();
      const statement = {};
      let waiting = setTimeout(() => {
        overdue.add(statement);
        waiting = setTimeout(() => destroy(new StallError('silent', true)), GRACE_MS);
        void check().then((isWaiting) => {
          if (overdue.has(statement) && isWaiting && mayWaitForStandby(text))
            destroy(new StallError('unconfirmed', true));
        });
      }, limitMs);
      try {
        return await work();
      } finally {
        clearTimeout(waiting);
        overdue.delete(statement);
      }
    },

    /** Returns why requests currently cannot be served. */
    current: (): Stall | undefined =>
      isUnconfirmed ? 'unconfirmed' : overdue.size > 0 ? 'silent' : undefined,

    close: (): void => clearTimeout(timer),
  };
}

export type StallWatch = ReturnType<typeof createStallWatch>;
