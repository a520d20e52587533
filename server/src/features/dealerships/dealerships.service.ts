import { isDeepStrictEqual } from 'node:util';
import type {
  Dealership,
  DealershipChanges,
  DealershipInput,
  DealershipOption,
} from '@forecourt/contract/dealerships';
import { audit, auditMany } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import { deleteRecord, insertRecord, updateRecord } from '../../platform/records.queries.ts';
import { presentAccess, recordedAccess } from '../../platform/sharing/access.ts';
import { createRecords, pick } from '../../platform/sharing/records.ts';
import { visibleIds } from '../../platform/sharing/shares.queries.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import { formatUsage } from '../../platform/usage.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { createDealershipHistory } from './dealership-history.service.ts';
import { insertContacts } from './dealership-import.queries.ts';
import { createDealershipImport } from './dealership-import.service.ts';
import {
  abilities,
  canAdd,
  liveScopeOf,
  restricted,
  visibilityScopeOf,
  wasVisible,
} from './dealerships.policy.ts';
import * as queries from './dealerships.queries.ts';

const entity = 'dealership' as const;

export function createDealershipsService(templates: EmailTemplatesService) {
  const records = createRecords({
    entity,
    find: (ctx, ids) => queries.findDealerships(ctx.db, visibilityScopeOf(ctx.viewer), ids),
    present,
  });
  const sharing = createSharing(entity, records, abilities);

  return {
    sharing,
    history: createDealershipHistory({ templates, load: records.loadOne }),
    wasVisible,

    /** Returns which dealerships the viewer may see, or choose for a row, for live events. */
    visibleIds: (db: Db, viewer: Viewer, ids: string[]) =>
      visibleIds(db, 'dealership', liveScopeOf(viewer), ids),

    async list(ctx: Context): Promise<{ items: Dealership[]; total: number }> {
      const rows = await queries.listDealerships(ctx.db, visibilityScopeOf(ctx.viewer));
      return wholeList(rows.map((row) => present(ctx.viewer, row)));
    },

    get: async (ctx: Context, id: string): Promise<Dealership> =>
      present(ctx.viewer, await records.loadOne(ctx, id)),

    /**
     * Returns the dealership for a message, and whether the viewer may open it. Users who may choose it for a deal may
     * write to it (docs/product/data-entry.md, Who may change a row).
     */
    async forMail(ctx: Context, id: string) {
      if (restricted(ctx.viewer).includes(id)) return undefined;
      const row = await queries.findForMail(ctx.db, id);
      const canOpen = (await visibleIds(ctx.db, 'dealership', visibilityScopeOf(ctx.viewer), [id])).has(id);
      return row && { ...row, canOpen };
    },

    usingTemplates: (ctx: Context, templateIds: string[]) =>
      queries.listTemplateUses(ctx.db, visibilityScopeOf(ctx.viewer), templateIds),

    /** Returns the dealerships that a user of Data Entry may choose for a row, by name only. */
    async options(ctx: Context): Promise<DealershipOption[]> {
      const rows = await queries.listOptions(ctx.db, restricted(ctx.viewer));
      return rows.map(({ id, name, active }) => ({ _id: id, name, active }));
    },

    async create(ctx: Context, input: DealershipInput): Promise<Dealership> {
      requireAbility(canAdd(ctx.viewer));
      return inTransaction(ctx, async (inner) => {
        await checkTemplate(inner, input);
        const { contacts } = (await templates.withStoredNames(inner, [input]))[0]!;
        const id = newId();
        await insertRecord(inner.db, 'dealerships', { id, ...fieldsOf(input), owner_id: ctx.viewer.userId });
        await insertContacts(inner.db, [{ id, contacts }]);
        const row = await sharing.created(inner, id, input, contentOf({ ...input, contacts }));
        return present(ctx.viewer, row);
      });
    },

    importMany: createDealershipImport(templates),

    update: (ctx: Context, id: string, input: DealershipChanges): Promise<Dealership> =>
      records.change(
        ctx,
        id,
        {
          action: 'updated',
          allowed: (row) => abilities(ctx.viewer, row).edit,
          version: input.version,
        },
        async (inner, row) => {
          // The template is locked before the names, in the order of a change of a template, to prevent deadlocks.
          await checkTemplate(inner, input);
          const named = (await templates.withStoredNames(inner, [input]))[0]!;
          const [before, after] = [contentOf(present(ctx.viewer, row)), contentOf(named)];
          const shared = await sharing.applyInput(inner, row, input);
          if (isDeepStrictEqual(before, after) && !shared) return undefined;
          await updateRecord(inner.db, 'dealerships', id, fieldsOf(input));
          await queries.deleteContacts(inner.db, id);
          await insertContacts(inner.db, [{ id, contacts: after.contacts }]);
          return { before: { ...before, ...shared?.before }, after: { ...after, ...shared?.after } };
        },
      ),

    /** Changes all dealerships or none (docs/product/api.md, All or nothing). Some may already have the state. */
    async setActive(
      ctx: Context,
      ids: string[],
      active: boolean,
    ): Promise<{ items: Dealership[]; total: number }> {
      return inTransaction(ctx, async (inner) => {
        const rows = await records.locked(inner, ids);
        for (const row of rows) requireAbility(abilities(ctx.viewer, row).toggle);
        const changed = await queries.setActive(inner.db, ids, active);
        await auditMany(
          inner,
          'dealership.updated',
          changed.map(({ id, version }) => ({
            recordId: id,
            version,
            before: { active: !active },
            after: { active },
          })),
        );
        return wholeList((await records.load(inner, ids)).map((row) => present(ctx.viewer, row)));
      });
    },

    /** Throws IN_USE if deals, emails or statements reference the dealership, which can be deactivated instead. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [id]))[0]!;
        requireAbility(abilities(ctx.viewer, row).delete);
        const uses = formatReferences(ctx.viewer, await queries.countUses(inner.db, id));
        if (uses) {
          throw new AppError('IN_USE', {
            message: `${row.name} has ${uses} and cannot be deleted. Deactivate it instead.`,
          });
        }
        await deleteRecord(inner.db, 'dealerships', id);
        await audit(inner, 'dealership.deleted', id, {
          before: { ...contentOf(present(ctx.viewer, row)), ...recordedAccess(entity, row) },
        });
      });
    },
  };

  async function checkTemplate(ctx: Context, input: DealershipInput): Promise<void> {
    if (!(await templates.exists(ctx, input.defaultEmailTemplateId))) {
      throw invalidField('defaultEmailTemplateId', 'Default email template is required');
    }
  }
}

export type DealershipsService = ReturnType<typeof createDealershipsService>;

type Uses = Awaited<ReturnType<typeof queries.countUses>>;

/** Returns `1 deal and 2 emails`; empty if there are none. */
const formatReferences = (viewer: Viewer, { deals, emails, statements, adjustments }: Uses): string =>
  [
    ...(deals > 0 ? [formatUsage(viewer, deals, 'deal')] : []),
    ...(emails > 0 ? [formatUsage(viewer, emails, 'email')] : []),
    ...(statements > 0 ? [formatUsage(viewer, statements, 'statement')] : []),
    ...(statements === 0 && adjustments > 0 ? [formatUsage(viewer, adjustments, 'adjustment')] : []),
  ].join(' and ');

const fieldsOf = (input: DealershipInput) => ({
  name: input.name,
  address: input.address,
  default_template_id: input.defaultEmailTemplateId,
  active: input.active,
});

const contentOf = (dealership: Dealership | DealershipInput) =>
  pick(dealership, ['name', 'address', 'defaultEmailTemplateId', 'active', 'contacts']);

const present = (viewer: Viewer, row: queries.DealershipRow): Dealership => ({
  _id: row.id,
  name: row.name,
  address: row.address,
  defaultEmailTemplateId: row.default_template_id,
  active: row.active,
  contacts: row.contacts,
  ...presentAccess(viewer, entity, row),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});
