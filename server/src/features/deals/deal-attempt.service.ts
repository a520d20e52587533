import type { Db, Tx } from '../../platform/db/database.ts';
import { createTogether } from '../../platform/db/together.ts';
import type { DealRow, InScope } from './deals.queries.ts';

type Run<A> = (db: Db | Tx, scope: InScope, attempts: readonly A[]) => Promise<(DealRow | undefined)[]>;
type Asked<A> = { db: Db; scope: InScope; attempt: A };

/**
 * Writes rows of many people, who all see the same rows, with few statements; in a transaction each by itself. What one
 * statement takes has the same form, such as the same fields.
 */
export function createAttempts<A extends { id: string }>(
  run: Run<A>,
  formOf: (attempt: A) => unknown = () => null,
): (db: Db | Tx, scope: InScope, attempt: A) => Promise<DealRow | undefined> {
  const together = createTogether<Asked<A>, DealRow | undefined>(
    (asked) =>
      run(
        asked[0]!.db,
        asked[0]!.scope,
        asked.map(({ attempt }) => attempt),
      ),
    { recordOf: ({ attempt }) => attempt.id },
  );
  return async (db, scope, attempt) =>
    db.isTransaction
      ? (await run(db, scope, [attempt]))[0]
      : together(JSON.stringify([formOf(attempt), scope]), { db, scope, attempt });
}
