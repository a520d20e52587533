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
import { newId } from '../../platform/ids.ts';
import { usesInWords } from '../../platform/in-use.ts';
import { createRecords } from '../../platform/records.ts';
import { presentHeld, recordedHeld } from '../../platform/sharing/held.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { createDealershipImport } from './dealership-import.service.ts';
import { abilities, canAdd, earshotOf, restricted, sightOf, wasVisible } from './dealerships.policy.ts';
import * as queries from './dealerships.queries.ts';

const entity = 'dealership' as const;

/** Dealerships and their contacts (spec.md sections 2, 3, 6 and 7). */
export function createDealershipsService(templates: EmailTemplatesService) {
  const records = createRecords({
    entity,
    find: (ctx, ids) => queries.findDealerships(ctx.db, sightOf(ctx.viewer), ids),
    present,
  });
  const sharing = createSharing(entity, records, abilities);

  return {
    sharing,
    wasVisible,

    /** Of these dealerships those that a viewer sees, or may choose for a row: for live events. */
    visibleIds: (db: Db, viewer: Viewer, ids: string[]) => queries.visibleIds(db, earshotOf(viewer), ids),

    async list(ctx: Context): Promise<{ items: Dealership[]; total: number }> {
      const rows = await queries.listDealerships(ctx.db, sightOf(ctx.viewer));
      return { items: rows.map((row) => present(ctx.viewer, row)), total: rows.length };
    },

    get: async (ctx: Context, id: string): Promise<Dealership> =>
      present(ctx.viewer, await records.loadOne(ctx, id)),

    /**
     * The dealership as mail needs it, and whether the viewer may open it: whoever may use it for a deal may
     * write to it (product.md section 4, Who may).
     */
    async forMail(ctx: Context, id: string) {
      if (restricted(ctx.viewer).includes(id)) return undefined;
      const row = await queries.findForMail(ctx.db, id);
      const mayOpen = (await queries.visibleIds(ctx.db, sightOf(ctx.viewer), [id])).has(id);
      return row && { ...row, mayOpen };
    },

    /** Of the dealerships that the viewer sees those that use one of these templates. */
    usingTemplates: (ctx: Context, templateIds: string[]) =>
      queries.listTemplateUses(ctx.db, sightOf(ctx.viewer), templateIds),

    /** Names for a row's choice, whoever may open Data Entry. */
    async options(ctx: Context): Promise<DealershipOption[]> {
      const rows = await queries.listOptions(ctx.db, restricted(ctx.viewer));
      return rows.map(({ id, name, active }) => ({ _id: id, name, active }));
    },

    async create(ctx: Context, input: DealershipInput): Promise<Dealership> {
      requireAbility(canAdd(ctx.viewer));
      return inTransaction(ctx, async (inner) => {
        await checkTemplate(inner, input);
        const id = newId();
        await queries.insertDealership(inner.db, { id, ...fieldsOf(input), owner_id: ctx.viewer.userId });
        await queries.replaceContacts(inner.db, id, input.contacts);
        const shared = await sharing.said(inner, await records.loadOne(inner, id), input);
        const created = present(ctx.viewer, await records.loadOne(inner, id));
        await audit(inner.db, ctx, {
          action: 'dealership.created',
          entity,
          recordId: id,
          version: 1,
          after: { ...contentOf(created), ...shared?.after },
        });
        return created;
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
          const [before, after] = [contentOf(present(ctx.viewer, row)), contentOf(input)];
          const shared = await sharing.said(inner, row, input);
          if (isDeepStrictEqual(before, after) && !shared) return undefined;
          await checkTemplate(inner, input);
          await queries.updateDealership(inner.db, id, fieldsOf(input));
          await queries.replaceContacts(inner.db, id, input.contacts);
          return { before: { ...before, ...shared?.before }, after: { ...after, ...shared?.after } };
        },
      ),

    /** All of them or none (product.md section 3). Those that are so already are left as they are. */
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
          inner.db,
          ctx,
          { action: 'dealership.updated', entity },
          changed.map(({ id, version }) => ({
            recordId: id,
            version,
            before: { active: !active },
            after: { active },
          })),
        );
        const items = (await records.load(inner, ids)).map((row) => present(ctx.viewer, row));
        return { items, total: items.length };
      });
    },

    /** Throws IN_USE with what names it: deals and emails keep their dealership, which can be deactivated instead. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [id]))[0]!;
        requireAbility(abilities(ctx.viewer, row).delete);
        const uses = namedBy(ctx.viewer, await queries.countUses(inner.db, id));
        if (uses) {
          throw new AppError('IN_USE', {
            message: `${row.name} has ${uses} and cannot be deleted. Deactivate it instead.`,
          });
        }
        await queries.deleteDealership(inner.db, id);
        await audit(inner.db, ctx, {
          action: 'dealership.deleted',
          entity,
          recordId: id,
          before: { ...contentOf(present(ctx.viewer, row)), ...recordedHeld(entity, row) },
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

/** `1 deal and 2 emails`; undefined for nothing. */
function namedBy(viewer: Viewer, { deals, emails }: { deals: number | null; emails: number | null }): string {
  const words = [
    [deals, 'deal'],
    [emails, 'email'],
  ] as const;
  return words.flatMap(([count, word]) => (count ? [usesInWords(viewer, count, word)] : [])).join(' and ');
}

const fieldsOf = (input: DealershipInput) => ({
  name: input.name,
  address: input.address,
  default_template_id: input.defaultEmailTemplateId,
  active: input.active,
});

/** What a person writes of a dealership; who shares it is written in its own way. */
const contentOf = ({
  name,
  address,
  defaultEmailTemplateId,
  active,
  contacts,
}: Dealership | DealershipInput) => ({
  name,
  address,
  defaultEmailTemplateId,
  active,
  contacts,
});

const present = (viewer: Viewer, row: queries.DealershipRow): Dealership => ({
  _id: row.id,
  name: row.name,
  address: row.address,
  defaultEmailTemplateId: row.default_template_id,
  active: row.active,
  contacts: row.contacts,
  ...presentHeld(viewer, entity, row),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});
