import { isDeepStrictEqual } from 'node:util';
import type { RequestPart } from '@forecourt/contract/api';
import { MAX_BACKUP_ROWS, type BackupRow, type BackupRowsFilter } from '@forecourt/contract/backup-rows';
import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { DealItem } from '@forecourt/contract/deals';
import { changeSetId } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { inTransaction, type Context, type TxContext, type Viewer } from '../../../platform/http/context.ts';
import { newId } from '../../../platform/ids.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import type { SettingsService } from '../../settings/settings.service.ts';
import { createRevertCheck, type RevertNames } from '../changes/revert-check.service.ts';
import { isField, type RowPlan, type Values } from '../changes/revert-plan.ts';
import { writeRevert, type WriteParts } from '../changes/revert-write.service.ts';
import { listStatusNames } from '../changes/revert.queries.ts';
import { recorded, splitCustom } from '../deals.fields.ts';
import type { DealRow, InScope } from '../deals.queries.ts';
import { createChangePresenter } from '../history/deal-history.service.ts';
import type { FilterFor } from '../list/deal-filter.service.ts';
import { countMatching, readRows } from '../list/deal-list.queries.ts';
import { lockWithSurvivors } from '../merge/merged-rows.service.ts';
import { refuseDeletedChoices } from '../write/change-deals.service.ts';
import { insertDeals, type NewRow } from '../write/create-deals.queries.ts';
import * as queries from './backup-rows.queries.ts';

type Parts = WriteParts & {
  customFields: Pick<CustomFieldsService, 'definitionsInHistory' | 'checkedValue'>;
  settings: Pick<SettingsService, 'commissionRates'>;
  inScope: (viewer: Viewer) => InScope;
  filterFor: FilterFor;
};

type CopyBody = RequestPart<'POST /backups/:name/rows/copy', 'body'>;

export type BackupRows = ReturnType<typeof createBackupRows>;

/** What a copy does to one row. `row` of the plan is the one of the backup if the data has none. */
type Compared = { past: DealRow; isThere: boolean; plan: RowPlan };

/** Who sees a row is decided today: a copy revives no share. */
const isCopied = (field: string): boolean => isField(field) && field !== 'sharedWith';

const CHANGED = 'Somebody changed this row after the search. Search again.';
const UNKNOWN_FIELD = 'A custom field of this row no longer exists.';

const withoutEmpty = (value: unknown): unknown =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value;

/** Searches the rows of a backup and copies them into the data (docs/product/backups.md, Copying rows). */
export function createBackupRows(parts: Parts) {
  const { customFields, settings, inScope, filterFor } = parts;

  async function readNames(ctx: Context) {
    const statuses = await listStatusNames(ctx.db);
    return {
      custom: await customFields.definitionsInHistory(ctx.db, ctx.viewer),
      statusId: new Map(statuses.map(({ id, name }) => [name, id])),
      statusName: new Map([
        ...statuses.map(({ name }) => [name.toLowerCase(), name] as const),
        ...statuses.map(({ id, name }) => [id, name] as const),
      ]),
      dealerships: await queries.listNames(ctx.db, 'dealerships'),
      items: await queries.listNames(ctx.db, 'items'),
    };
  }
  type Names = RevertNames & Awaited<ReturnType<typeof readNames>>;

  /** Compares rows of a backup with the data. What no longer exists by id is found by name. */
  async function compare(ctx: Context, rows: readonly DealRow[], names: Names): Promise<Compared[]> {
    const today = await queries.findRows(
      ctx.db,
      rows.map(({ id }) => id),
    );
    const rowsById = new Map(today.map((row) => [row.id, row]));
    const all = rows.map((past): Compared => {
      const row = rowsById.get(past.id);
      return { past, isThere: row !== undefined, plan: planCopy(row, past, pastValues(past, names)) };
    });
    const isKnown = (field: string) => !isCustomKey(field) || names.custom.some(({ key }) => key === field);
    const check = await createRevertCheck(
      ctx,
      parts,
      names,
      all.map(({ plan }) => plan).filter(({ changes }) => changes.every(({ field }) => isKnown(field))),
    );
    return all.map((one) => {
      if (one.plan.effect === null) return one;
      const isWhole = one.plan.changes.every(({ field }) => isKnown(field));
      const reason = isWhole ? check(one.plan) : UNKNOWN_FIELD;
      return reason === null ? one : { ...one, plan: { ...one.plan, reason } };
    });
  }

  /** Inserts rows that the data does not have, each with the owner that it had. */
  async function insert(ctx: TxContext, missing: readonly Compared[], { statusId }: Names): Promise<void> {
    for (const [ownerId, rows] of Map.groupBy(missing, ({ past }) => past.owner_id)) {
      const by = { actor: ctx, ownerId, rates: await settings.commissionRates(ctx, ownerId) };
      const inserted = rows.map(({ past, plan }) => {
        const values = Object.fromEntries(plan.changes.map(({ field, target }) => [field, target]));
        const { owner: _owner, commissionRate: _rate, ...after } = values;
        const row = { ...splitCustom(after), after, id: past.id };
        return { ...row, statusId: statusId.get(String(values.status))! } as NewRow & { statusId: string };
      });
      await refuseDeletedChoices(insertDeals(ctx.db, by, inserted, false));
    }
    await queries.completeRows(
      ctx.db,
      missing.map(({ past }) => past),
    );
  }

  return {
    /** Returns the newest rows of a backup that match, compared with those of today. */
    async search(
      ctx: Context,
      backup: Tx,
      filter: BackupRowsFilter,
    ): Promise<{ items: BackupRow[]; total: number }> {
      const scope = inScope(ctx.viewer);
      const narrowed = { ...filterFor(ctx.viewer, filter), ids: undefined };
      const page = { after: undefined, limit: MAX_BACKUP_ROWS };
      const rows = await readRows(backup, scope, narrowed, page);
      const names = await readNames(ctx);
      const compared = await compare(ctx, rows, names);
      const values = compared.map(({ plan: { changes } }) => ({
        now: Object.fromEntries(changes.map(({ field, now }) => [field, now])),
        target: Object.fromEntries(changes.map(({ field, target }) => [field, target])),
      }));
      const every = values.flatMap(({ now, target }) => [now, target]);
      const present = await createChangePresenter(ctx, scope, names.custom, every);
      const items = compared.map(({ past, isThere, plan: { row, effect, reason } }, index): BackupRow => ({
        _id: past.id,
        version: isThere ? row.version : null,
        customerName: past.customer_name,
        dealershipName: past.dealership_name,
        month: past.month,
        state: effect === null ? 'same' : effect === 'restored' ? 'missing' : 'different',
        changes: present(row, values[index]!.now, values[index]!.target),
        reason,
      }));
      return { items, total: await countMatching(backup, scope, narrowed) };
    },

    /** Copies these rows of a backup in one transaction, as one change set. Ids that the backup lacks are ignored. */
    async copy(ctx: Context, backup: Tx, { rows: ids, versions = {} }: CopyBody) {
      const filter = { ...filterFor(ctx.viewer, {}), ids: [...ids] };
      const page = { after: undefined, limit: MAX_BACKUP_ROWS };
      const rows = await readRows(backup, inScope(ctx.viewer), filter, page);
      const changeSet = { kind: 'backup', key: newId(), isNamed: true } as const;
      return inTransaction({ ...ctx, origin: { ...ctx.origin, changeSet } }, async (inner) => {
        await lockWithSurvivors(inner.db, ids);
        const names = await readNames(inner);
        const compared = (await compare(inner, rows, names)).map(refuseChanged(versions));
        const able = compared.filter(({ plan }) => plan.effect !== null && plan.reason === null);
        const missing = able.filter(({ isThere }) => !isThere);
        await insert(inner, missing, names);
        // What an insert decides itself, such as the commission rate, gets the values of the backup.
        const added = await compare(
          inner,
          missing.map(({ past }) => past),
          names,
        );
        const plans = [...able.filter(({ isThere }) => isThere), ...added].map(({ plan }) => plan);
        await writeRevert(inner, parts, names, plans);
        return {
          changeSetId: able.length > 0 ? changeSetId(ctx.viewer.userId, changeSet) : null,
          copied: able.length,
          refused: compared.flatMap(({ past, plan: { reason } }) =>
            reason === null ? [] : { dealId: past.id, reason },
          ),
        };
      });
    },
  };
}

/** Returns a function that refuses a row that would change, and has another version than this search found. */
const refuseChanged =
  (versions: NonNullable<CopyBody['versions']>) =>
  (one: Compared): Compared => {
    const { past, isThere, plan } = one;
    const seen = versions[past.id];
    const isAsSeen = seen === undefined || seen === (isThere ? plan.row.version : null);
    return isAsSeen || plan.effect === null ? one : { ...one, plan: { ...plan, reason: CHANGED } };
  };

/** Returns the fields of a row of a backup, with the names and ids of today. */
function pastValues(
  past: DealRow,
  {
    statusName,
    dealerships,
    items,
  }: { statusName: ReadonlyMap<string, string> } & Record<
    'dealerships' | 'items',
    Awaited<ReturnType<typeof queries.listNames>>
  >,
): Values {
  const idToday = ({ ids, idOf }: typeof items, id: string, name: string): string =>
    ids.has(id) ? id : (idOf.get(name.toLowerCase()) ?? id);
  return {
    ...recorded(past),
    status: statusName.get(past.status_id) ?? statusName.get(past.status.toLowerCase()) ?? past.status,
    dealershipId: idToday(dealerships, past.dealership_id, past.dealership_name),
    items: past.items.map((line: DealItem) => ({ ...line, itemId: idToday(items, line.itemId, line.name) })),
  };
}

/** Returns what a copy does to a row; `row` is undefined if the data does not have it. */
function planCopy(row: DealRow | undefined, past: DealRow, target: Values): RowPlan {
  const now: Values = row ? recorded(row) : {};
  const changes = Object.keys({ ...now, ...target })
    .filter(isCopied)
    .filter((field) => !isDeepStrictEqual(withoutEmpty(now[field]), withoutEmpty(target[field])))
    .map(
      (field) =>
        ({ field, now: now[field] ?? null, target: target[field] ?? null }) as RowPlan['changes'][number],
    );
  const isMissing = row === undefined || row.deleted_at !== null;
  const effect = isMissing ? 'restored' : changes.length > 0 ? 'changed' : null;
  return {
    row: row ?? past,
    now,
    effect,
    fullEffect: effect,
    changes,
    left: [],
    mergedInto: null,
    mergedRows: [],
    reason: null,
  };
}
