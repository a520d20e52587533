import type { Created } from '@forecourt/contract/deal-create';
import { NewDeal, type Deal } from '@forecourt/contract/deals';
import { validate } from '@forecourt/contract/validate';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../../platform/http/context.ts';
import { AppError, invalid } from '../../../platform/http/errors.ts';
import { keyValues, type Claim } from '../../../platform/http/idempotency.ts';
import { withPauses } from '../../../platform/http/many-rows.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { wholeList } from '../../../platform/http/whole-list.ts';
import { newId } from '../../../platform/ids.ts';
import type { Records } from '../../../platform/sharing/records.ts';
import type { CustomFieldDefinition } from '../../custom-fields/custom-fields.service.ts';
import { flat, hiddenIn, pick, present, refuseHidden } from '../deals.fields.ts';
import { canAdd, ownedBy, visible } from '../deals.policy.ts';
import type { DealRow, InScope } from '../deals.queries.ts';
import { refuseDeletedChoices, type DealParts } from './change-deals.service.ts';
import {
  attemptInserts,
  DRAFT_KEY,
  idsByDraftKey,
  insertDeals,
  type NewRow,
  type Writer,
} from './create-deals.queries.ts';
import { newRowReader, withoutComputed, type ReadRow } from './new-rows.service.ts';
import {
  createFastWriter,
  DEALERSHIP_KEY,
  ITEM_KEY,
  namedSetOf,
  STATUS_KEY,
} from './write-statements.queries.ts';

type Parts = DealParts & {
  records: Records<DealRow, Deal>;
  inScope: (viewer: Viewer) => InScope;
};
type Given = { key: string; deal: object };
type AddOptions = {
  isWhole: boolean;
  fields?: readonly string[];
  onWritten?: (written: number) => void;
};

/**
 * Constraints that fail if another request used the same key first or deleted a referenced record. All rows are then
 * checked again, so that each gets its own error.
 */
const RETRYABLE_CONSTRAINTS = new Set<unknown>([DRAFT_KEY, DEALERSHIP_KEY, STATUS_KEY, ITEM_KEY]);
const failsByConstraint = (error: unknown): boolean =>
  RETRYABLE_CONSTRAINTS.has((error as { constraint?: unknown }).constraint);
const ATTEMPTS = 4;

/** Rows per statement. */
const PART = 2000;

/** Creates one row or many, with the same validation and the same statement (docs/product/data-entry.md, New rows). */
export function createDealCreation(parts: Parts) {
  const { records, settings, customFields, clock, inScope } = parts;
  const reader = (ctx: Context) => newRowReader(parts, ctx);

  const writerOf = async (ctx: Context): Promise<Writer> => ({
    actor: ctx,
    ownerId: ctx.viewer.userId,
    rates: await settings.commissionRates(ctx, ctx.viewer.userId),
  });

  /** Inserts rows and audits all fields or only `fields`. Returns whole rows if `isWhole`, otherwise only ids. */
  async function add(
    ctx: Context,
    rows: readonly (ReadRow & { id: string; draftKey?: string })[],
    { isWhole, fields, onWritten = () => {} }: AddOptions,
  ): Promise<DealRow[]> {
    const writer = await writerOf(ctx);
    const added: DealRow[] = [];
    for (let from = 0; from < rows.length; from += PART) {
      const part = rows.slice(from, from + PART).map((row): NewRow & { statusId: string } => {
        const { id: _id, statusId: _statusId, draftKey: _draftKey, ...values } = row;
        const read = flat(values);
        const named = fields && [...fields.filter((field) => field !== 'custom'), ...Object.keys(row.custom)];
        return { ...row, after: named ? pick(read, named) : read };
      });
      added.push(...(await insertDeals(ctx.db, writer, part, isWhole)));
      onWritten(from + part.length);
    }
    return added;
  }

  const writeFast = createFastWriter(attemptInserts, ({ by }) => namedSetOf(by.actor));

  /**
   * Inserts a row in one statement, without first reading the values that the viewer may choose. Returns undefined if
   * these are needed, to insert the row or to report its errors, or if a key exists.
   * @param after the values of the audit entry, whose status the statement sets
   */
  async function attempt(
    ctx: Context,
    input: NewDeal,
    { after, ...keys }: Pick<NewRow, 'after' | 'draftKey' | 'claim'>,
  ): Promise<Deal | undefined> {
    const { viewer } = ctx;
    const { month = clock.businessMonth(), dealershipId, status, items, custom, ...values } = input;
    const scope = inScope(viewer);
    const createdOn = clock.businessDate();
    const row = { ...ownedBy(viewer), id: '', statusId: '', dealershipId, month, createdOn };
    if (canAdd(viewer) !== true || items || hiddenIn(viewer, input) || !visible.matches(scope, row))
      return undefined;
    if (custom || (await customFields.definitions(ctx.db)).some(setsNewRows)) return undefined;
    const by = await writerOf(ctx);
    try {
      const written = { ...values, ...keys, id: newId(), dealershipId, status, month, by, after };
      const inserted = await writeFast(ctx.db, scope, written);
      return inserted && present(viewer, inserted);
    } catch (error) {
      if (failsByConstraint(error)) return undefined;
      throw error;
    }
  }

  async function addEach(ctx: TxContext, inputs: readonly Given[]): Promise<Created[]> {
    const keys = inputs.map(({ key }) => key);
    const ids = await idsByDraftKey(ctx.db, ctx.viewer.userId, keys);
    const refusals = new Map<string, AppError>();
    const read = await reader(ctx);
    const good: (ReadRow & { draftKey: string })[] = [];
    const fresh = new Map(inputs.filter(({ key }) => !ids.has(key)).map((one) => [one.key, one]));
    for await (const [, [key, { deal }]] of withPauses(ctx, fresh)) {
      const result = read(deal);
      if ('row' in result) good.push({ ...result.row, draftKey: key });
      else refusals.set(key, 'refusal' in result ? result.refusal : invalid(result.issues));
    }
    const newIds = good.map(newId).toSorted();
    const rows = good.map((row, index) => ({ ...row, id: newIds[index]! }));
    const existingRows = ids.size > 0 ? await records.find(ctx, [...ids.values()]) : [];
    const added = await add(ctx, rows, { isWhole: true });
    for (const { id, draftKey } of rows) ids.set(draftKey, id);

    const rowsById = new Map([...existingRows, ...added].map((row) => [row.id, row]));
    return keys.map((key) => {
      const row = rowsById.get(ids.get(key) ?? '');
      if (row) return { key, deal: present(ctx.viewer, row) };
      return { key, refusal: refusalOf(refusals.get(key) ?? deletedSinceError()) };
    });
  }

  async function addUntilDone(ctx: Context, inputs: readonly Given[]): Promise<Created[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inTransaction(ctx, (inner) => addEach(inner, inputs));
      } catch (error) {
        if (!failsByConstraint(error) || ctx.db.isTransaction || attempt === ATTEMPTS) throw error;
      }
    }
  }

  return {
    reader,
    add,

    /** Creates a row owned by the viewer in one statement with its key; see `attempt`. */
    attemptOne: (ctx: Context, input: NewDeal, claim: Claim | null): Promise<Deal | undefined> =>
      attempt(ctx, input, { after: input, claim: keyValues(ctx.viewer, claim) }),

    /** Creates the only row of a request without a key in one statement; see `attempt`. */
    async attemptEach(ctx: Context, [row, ...others]: readonly Given[], claim: Claim | null) {
      if (claim || others.length > 0) return undefined;
      const { data } = validate(NewDeal, withoutComputed(row!.deal));
      if (!data) return undefined;
      const { month = clock.businessMonth(), saleAmount = null } = data;
      const after = { ...data, status: '', month, saleAmount, items: [] };
      const added = await attempt(ctx, data, { after, draftKey: row!.key });
      return added && wholeList([{ key: row!.key, deal: added }]);
    },

    /**
     * Creates a row owned by the viewer. Throws a 400 that names the invalid fields, or a 403 with the
     * reason.
     */
    one: async (ctx: Context, input: NewDeal): Promise<Deal> => {
      requireAbility(canAdd(ctx.viewer));
      refuseHidden(ctx.viewer, input);
      const result = (await reader(ctx))(input);
      if ('issues' in result) throw invalid(result.issues);
      if ('refusal' in result) throw result.refusal;
      const fields = [...Object.keys(input), ...(input.items ? ['saleAmount'] : [])];
      const rows = [{ ...result.row, id: newId() }];
      const [row] = await refuseDeletedChoices(add(ctx, rows, { isWhole: true, fields }));
      return present(ctx.viewer, row!);
    },

    /**
     * Creates rows independently of each other. A row that exists with the same key is returned in its current state.
     * Throws only errors that concern all rows (docs/product/data-entry.md, Nothing typed is lost).
     */
    each: async (ctx: Context, inputs: readonly Given[]): Promise<{ items: Created[]; total: number }> => {
      requireAbility(canAdd(ctx.viewer));
      return wholeList(await refuseDeletedChoices(addUntilDone(ctx, inputs)));
    },
  };
}

export type DealCreation = ReturnType<typeof createDealCreation>;

/** Whether a new row may get another value than the one in the request, or be refused without one. */
const setsNewRows = ({ isRequired, defaultValue }: CustomFieldDefinition): boolean =>
  isRequired || defaultValue !== null;

const deletedSinceError = () =>
  new AppError('NOT_FOUND', { message: 'This row was saved, and somebody has deleted or moved it since.' });

function refusalOf({ code, message, details: { details, errors } }: AppError) {
  const text = typeof details === 'string' ? details : undefined;
  return { code, message, ...(text && { details: text }), ...(errors && { errors }) };
}
