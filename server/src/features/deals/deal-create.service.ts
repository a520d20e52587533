import type { Created } from '@forecourt/contract/deal-create';
import type { Deal } from '@forecourt/contract/deals';
import type { Clock } from '../../platform/clock.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalid } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import type { Records, Writing } from '../../platform/records.ts';
import { refusingWhatIsGone } from './deal-change.service.ts';
import { DRAFT_KEY, idsByDraftKey } from './deal-create.queries.ts';
import { rowReader, type ReadRow } from './deal-import-row.ts';
import type { DealImport } from './deal-import.service.ts';
import { ITEM_KEY } from './deal-items.queries.ts';
import { canAdd, isWithin } from './deals.policy.ts';
import { DEALERSHIP_KEY, STATUS_KEY, type DealRow, type InScope } from './deals.queries.ts';
import { outOfSight } from './out-of-sight.ts';

type Parts = {
  records: Records<DealRow, Deal>;
  imports: Pick<DealImport, 'choicesFor' | 'write'>;
  clock: Clock;
  inScope: (viewer: Viewer) => InScope;
};
type Given = { key: string; deal: object };

/** Somebody else was faster with the same key, or removed what a row names: judged anew, each row gets its own word. */
const OVERTAKEN = new Set<unknown>([DRAFT_KEY, DEALERSHIP_KEY, STATUS_KEY, ITEM_KEY]);
const ATTEMPTS = 4;

/** Adds many rows as somebody types or pastes them (product.md section 4, Nothing typed is lost). */
export function createDealCreation({ records, imports, clock, inScope }: Parts) {
  /** Reads a row, or says why it is refused. */
  async function judge(ctx: Context): Promise<(given: Given) => ReadRow | AppError> {
    const read = rowReader(await imports.choicesFor(ctx));
    const scope = inScope(ctx.viewer);
    const createdOn = clock.businessDate();
    return ({ deal }) => {
      const result = read(deal);
      if ('issues' in result) return invalid(result.issues);
      return isWithin(scope, { ...result.row, id: '', createdOn }) ? result.row : outOfSight();
    };
  }

  async function addEach(ctx: Writing, given: readonly Given[]): Promise<Created[]> {
    const keys = given.map(({ key }) => key);
    const ids = await idsByDraftKey(ctx.db, ctx.viewer.userId, keys);
    const refusals = new Map<string, AppError>();
    const judged = await judge(ctx);
    const good: (ReadRow & { draftKey: string })[] = [];
    const fresh = new Map(given.filter(({ key }) => !ids.has(key)).map((one) => [one.key, one]));
    for (const [key, one] of fresh) {
      const result = judged(one);
      if (result instanceof AppError) refusals.set(key, result);
      else good.push({ ...result, draftKey: key });
    }
    const newIds = good.map(newId).toSorted();
    const rows = good.map((row, index) => ({ ...row, id: newIds[index]! }));
    if (rows.length > 0) await imports.write(ctx, rows);
    for (const { id, draftKey } of rows) ids.set(draftKey, id);

    const found = new Map((await records.find(ctx, [...ids.values()])).map((row) => [row.id, row]));
    return keys.map((key) => {
      const row = found.get(ids.get(key) ?? '');
      if (row) return { key, deal: records.present(ctx.viewer, row) };
      return { key, refusal: refusalOf(refusals.get(key) ?? goneSince()) };
    });
  }

  async function addUntilDone(ctx: Context, given: readonly Given[]): Promise<Created[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(ctx, (inner) => addEach(inner, given));
      } catch (error) {
        const { constraint } = error as { constraint?: unknown };
        if (!OVERTAKEN.has(constraint) || ctx.db.isTransaction || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Adds rows, each for itself. What was added before under the same key is answered as it is now. Throws only what
   * concerns all of them.
   */
  return (ctx: Context, given: readonly Given[]): Promise<Created[]> => {
    requireAbility(canAdd(ctx.viewer));
    return refusingWhatIsGone(addUntilDone(ctx, given));
  };
}

const goneSince = () =>
  new AppError('NOT_FOUND', { message: 'This row was saved, and somebody has deleted or moved it since.' });

function refusalOf({ code, message, details: { details, errors } }: AppError) {
  return { code, message, ...(details && { details }), ...(errors && { errors }) };
}
