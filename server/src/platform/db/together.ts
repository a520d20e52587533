/** What a database says when it has undone a statement: a constraint, a value, a lock, a time limit. */
const isUndone = (error: unknown): boolean =>
  /^(22|23|40|55|57014)/.test((error as { code?: string }).code ?? '');

type Options<I> = {
  /** What one statement takes at most. */
  most?: number;
  /** Two of the same record never go together: the second is to see what the first has done. */
  recordOf: (item: I) => string;
};

type Waiting<I, R> = { item: I; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Small statements of the same form that come while one is under way go together, in one statement: it costs little more
 * than one of them alone. Whoever comes when nobody is there goes at once, so nobody waits to be joined. Where a
 * statement of several is refused and undone, each goes alone and gets its own answer.
 *
 * One statement of a form at a time: two would each take half as many, and cost more than they win.
 * @param run writes or reads these, and answers for each of them in their order
 */
export function createTogether<I, R>(
  run: (items: readonly I[], form: string) => Promise<R[]>,
  { most = 50, recordOf }: Options<I>,
): (form: string, item: I) => Promise<R> {
  /** Who waits, by the form of the statement that is under way. */
  const lines = new Map<string, Waiting<I, R>[]>();

  async function go(form: string, batch: Waiting<I, R>[]): Promise<void> {
    try {
      const results = await run(
        batch.map(({ item }) => item),
        form,
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length > 1 && isUndone(error)) for (const one of batch) await go(form, [one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  /** The first of each record, as many as may go. */
  function next(waiting: Waiting<I, R>[]): Waiting<I, R>[] {
    const batch = new Map<string, Waiting<I, R>>();
    for (const one of waiting) {
      if (batch.size === most) break;
      const record = recordOf(one.item);
      if (!batch.has(record)) batch.set(record, one);
    }
    return [...batch.values()];
  }

  function start(form: string, batch: Waiting<I, R>[]): void {
    void go(form, batch).then(() => goOn(form));
  }

  /**
   * The next statement takes who is there when every request that has arrived is read: one turn of the event loop, and
   * another as long as it brings more.
   */
  function goOn(form: string, known = 0): void {
    setImmediate(() => {
      const waiting = lines.get(form)!;
      if (waiting.length > known && waiting.length < most) goOn(form, waiting.length);
      else if (waiting.length === 0) lines.delete(form);
      else {
        const batch = new Set(next(waiting));
        lines.set(
          form,
          waiting.filter((one) => !batch.has(one)),
        );
        start(form, [...batch]);
      }
    });
  }

  return (form, item) =>
    new Promise((resolve, reject) => {
      const one = { item, resolve, reject };
      const waiting = lines.get(form);
      if (waiting) waiting.push(one);
      else {
        lines.set(form, []);
        start(form, [one]);
      }
    });
}
