/** What a database says when it has undone a statement: a constraint, a value, a lock, a time limit. */
const isUndone = (error: unknown): boolean =>
  /^(22|23|40|55|57014)/.test((error as { code?: string }).code ?? '');

type Options<I> = {
  /** Statements of one form that run at the same time: as many as keep the cores busy. */
  atOnce?: number;
  /** What one statement takes at most. */
  most?: number;
  /** Two of the same record never go together: the second is to see what the first has done. */
  recordOf: (item: I) => string;
};

type Waiting<I, R> = { item: I; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Small writes of the same form that come while others are under way go together, in one statement: it costs little more
 * than one of them alone. Whoever comes when nobody is there goes at once, so nobody waits to be joined. Where a
 * statement of several is refused and undone, each goes alone and gets its own answer.
 * @param run writes these, and answers for each of them in their order
 */
export function createTogether<I, R>(
  run: (items: readonly I[], form: string) => Promise<R[]>,
  { atOnce = 2, most = 50, recordOf }: Options<I>,
): (form: string, item: I) => Promise<R> {
  const lines = new Map<string, { waiting: Waiting<I, R>[]; running: number }>();

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

  function start(form: string): void {
    const line = lines.get(form)!;
    while (line.running < atOnce && line.waiting.length > 0) {
      const batch = next(line.waiting);
      const going = new Set(batch);
      line.waiting = line.waiting.filter((one) => !going.has(one));
      line.running += 1;
      void go(form, batch).then(() => {
        line.running -= 1;
        if (line.running === 0 && line.waiting.length === 0) lines.delete(form);
        else start(form);
      });
    }
  }

  return (form, item) =>
    new Promise((resolve, reject) => {
      const line = lines.get(form) ?? { waiting: [], running: 0 };
      lines.set(form, line);
      line.waiting.push({ item, resolve, reject });
      start(form);
    });
}
