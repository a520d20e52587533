import { setImmediate } from 'node:timers/promises';
import { errorsByField, type Issue } from '@forecourt/contract/validate';
import { sql } from 'kysely';
import type { Context } from './context.ts';
import { AppError, invalid } from './errors.ts';

/** Number of rows processed before a pause. A row may have 50 items, so more rows would block other requests. */
const ROWS_BETWEEN_PAUSES = 20;

/**
 * The interval at which a transaction runs a statement, because PostgreSQL ends one that is idle for 15 s, and the
 * pauses of a busy server can take that long.
 */
const ALIVE_MS = 100;

/** Maximum errors of an import; later rows are not read. */
const MAX_ERRORS = 1000;
const TOO_MANY =
  'These rows have more than 1,000 errors. The first 1,000 are marked; the rows after them were not checked.';

/** Iterates over many rows with pauses for other requests. The request's transaction stays alive. */
export async function* withPauses<T>(
  { db }: Pick<Context, 'db'>,
  rows: Iterable<T>,
): AsyncGenerator<[index: number, row: T]> {
  let index = 0;
  let aliveAt = performance.now();
  for (const row of rows) {
    yield [index, row];
    index += 1;
    if (index % ROWS_BETWEEN_PAUSES > 0) continue;
    await setImmediate();
    if (!db.isTransaction || performance.now() - aliveAt < ALIVE_MS) continue;
    await sql`select`.execute(db);
    aliveAt = performance.now();
  }
}

/**
 * Starts the work on each row without waiting for that on the others, and returns the results in order. If one fails,
 * it throws after all have ended, because no statement may run in a transaction that has ended.
 */
export async function startEach<T, R>(
  ctx: Pick<Context, 'db'>,
  rows: Iterable<T>,
  work: (row: T, index: number) => Promise<R>,
): Promise<R[]> {
  const begun: Promise<R>[] = [];
  try {
    for await (const [index, row] of withPauses(ctx, rows)) {
      const result = work(row, index);
      // It may fail during a pause, before anything waits for it: without a handler that ends the process.
      result.catch(() => {});
      begun.push(result);
    }
    return await Promise.all(begun);
  } finally {
    await Promise.allSettled(begun);
  }
}

/** Validates the rows of an import. Throws a 400 with their errors by field, such as `rows.3.customerName`. */
export async function readRows<I extends object, R extends object>(
  ctx: Pick<Context, 'db'>,
  field: string,
  inputs: readonly I[],
  read: (one: I, index: number) => R | { issues: Issue[] },
): Promise<R[]> {
  const rows: R[] = [];
  const wrong: Issue[] = [];
  for await (const [index, one] of withPauses(ctx, inputs)) {
    const result = read(one, index);
    if ('issues' in result) {
      const errors = Object.entries(errorsByField(result.issues));
      for (const [path, message] of errors) wrong.push({ path: [field, index, path], message });
    } else rows.push(result);
    if (wrong.length > MAX_ERRORS)
      throw new AppError('INVALID_REQUEST', { message: TOO_MANY, errors: errorsByField(wrong, MAX_ERRORS) });
  }
  if (wrong.length > 0) throw invalid(wrong, MAX_ERRORS);
  return rows;
}
