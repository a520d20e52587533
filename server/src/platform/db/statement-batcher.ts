/** Whether the database rolled back the statement because of a constraint, a value, a lock, a timeout or a closed month. */
const isRolledBack = (error: unknown): boolean =>
  /^(22|23|40|55|57014|MC001)/.test((error as { code?: string }).code ?? '');

type Options<I> = {
  /** Maximum items of one statement. */
  maxItems?: number;
  /** Items of the same record are never in one statement, because the second must see the result of the first. */
  recordOf: (item: I) => string;
};

type Waiting<I, R> = { item: I; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Returns a function that batches small statements of the same form. Items that arrive while one is running share the
 * next statement, which costs little more than a single item; an item that arrives alone runs immediately. If the
 * database rolls back a statement with several items, each runs again alone and gets its own result or error.
 * Statements of a form run one at a time: two would each have half the items, and cost more in total.
 * @param run writes or reads these items, and returns one result for each in their order
 */
export function createStatementBatcher<I, R>(
  run: (items: readonly I[], form: string) => Promise<R[]>,
  { maxItems = 50, recordOf }: Options<I>,
): (form: string, item: I) => Promise<R> {
  /** Queued items by form, for forms with a running statement. */
  const queues = new Map<string, Waiting<I, R>[]>();

  async function runBatch(form: string, batch: Waiting<I, R>[]): Promise<void> {
    try {
      const results = await run(
        batch.map(({ item }) => item),
        form,
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length > 1 && isRolledBack(error)) for (const one of batch) await runBatch(form, [one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  /** Returns the first item of each record, up to the limit. */
  function selectBatch(waiting: Waiting<I, R>[]): Waiting<I, R>[] {
    const batch = new Map<string, Waiting<I, R>>();
    for (const one of waiting) {
      if (batch.size === maxItems) break;
      const record = recordOf(one.item);
      if (!batch.has(record)) batch.set(record, one);
    }
    return [...batch.values()];
  }

  function start(form: string, batch: Waiting<I, R>[]): void {
    void runBatch(form, batch).then(() => scheduleNext(form));
  }

  /** Starts the next statement after the event loop turns that deliver requests already received. */
  function scheduleNext(form: string, knownCount = 0): void {
    setImmediate(() => {
      const waiting = queues.get(form)!;
      if (waiting.length > knownCount && waiting.length < maxItems) scheduleNext(form, waiting.length);
      else if (waiting.length === 0) queues.delete(form);
      else {
        const batch = new Set(selectBatch(waiting));
        queues.set(
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
      const waiting = queues.get(form);
      if (waiting) waiting.push(one);
      else {
        queues.set(form, []);
        start(form, [one]);
      }
    });
}
