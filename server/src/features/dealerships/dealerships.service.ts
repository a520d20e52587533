import { isDeepStrictEqual } from 'node:util';
import type { Dealership, DealershipInput, DealershipOption } from '@forecourt/contract/dealerships';
import { audit } from '../../platform/audit.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { abilities, canDelete, canEdit, canToggle, canView } from './dealerships.policy.ts';
import * as queries from './dealerships.queries.ts';

const entity = 'dealership' as const;

/** Dealerships and their contacts (spec.md sections 2, 3, 6 and 7). */
export function createDealershipsService(templates: EmailTemplatesService) {
  async function load(ctx: Context, id: string): Promise<queries.DealershipRow> {
    const row = canView(ctx.viewer) ? await queries.findDealership(ctx.db, id) : undefined;
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  async function lock(ctx: Context & { db: Parameters<typeof queries.lockDealerships>[0] }, ids: string[]) {
    const rows = canView(ctx.viewer) ? await queries.lockDealerships(ctx.db, ids) : [];
    if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    return rows;
  }

  return {
    /** Whether a viewer sees dealerships at all: for live events. */
    canView,

    async list(ctx: Context): Promise<{ items: Dealership[]; total: number }> {
      const rows = canView(ctx.viewer) ? await queries.listDealerships(ctx.db) : [];
      return { items: rows.map((row) => present(ctx.viewer, row)), total: rows.length };
    },

    get: async (ctx: Context, id: string): Promise<Dealership> => present(ctx.viewer, await load(ctx, id)),

    /** The dealership as mail needs it, whoever may use it for a deal (product.md section 4, Who may). */
    forMail: (ctx: Context, id: string) => queries.findDealership(ctx.db, id),

    /** Names for a row's choice, whoever may open Data Entry. */
    async options(ctx: Context): Promise<DealershipOption[]> {
      const rows = await queries.listOptions(ctx.db);
      return rows.map(({ id, name, active }) => ({ _id: id, name, active }));
    },

    findOption: (ctx: Context, id: string) => queries.findOption(ctx.db, id),

    async create(ctx: Context, input: DealershipInput): Promise<Dealership> {
      requireAbility(canEdit(ctx.viewer));
      return inTransaction(ctx, async (inner) => {
        await checkTemplate(inner, input);
        const id = newId();
        await queries.insertDealership(inner.db, { id, ...fieldsOf(input), owner_id: ctx.viewer.userId });
        await queries.replaceContacts(inner.db, id, input.contacts);
        const created = present(ctx.viewer, await load(inner, id));
        await audit(inner.db, ctx, {
          action: 'dealership.created',
          entity,
          recordId: id,
          version: 1,
          after: recorded(created),
        });
        return created;
      });
    },

    async update(ctx: Context, id: string, input: DealershipInput): Promise<Dealership> {
      return inTransaction(ctx, async (inner) => {
        const [row] = await lock(inner, [id]);
        const before = present(ctx.viewer, row!);
        requireAbility(before.abilities.edit);
        if (input.version !== undefined && input.version !== before.version) {
          throw new AppError('CONFLICT', { current: before });
        }
        const { version: _version, ...wanted } = input;
        if (isDeepStrictEqual(recorded(before), wanted)) return before;
        await checkTemplate(inner, input);
        await queries.updateDealership(inner.db, id, fieldsOf(input));
        await queries.replaceContacts(inner.db, id, input.contacts);
        const after = present(ctx.viewer, await load(inner, id));
        await audit(inner.db, ctx, {
          action: 'dealership.updated',
          entity,
          recordId: id,
          version: after.version,
          before: recorded(before),
          after: recorded(after),
        });
        return after;
      });
    },

    /** All of them or none (product.md section 3). */
    async setActive(
      ctx: Context,
      ids: string[],
      active: boolean,
    ): Promise<{ items: Dealership[]; total: number }> {
      return inTransaction(ctx, async (inner) => {
        const rows = await lock(inner, ids);
        requireAbility(canToggle(ctx.viewer));
        const items: Dealership[] = [];
        for (const row of rows) {
          await queries.updateDealership(inner.db, row.id, { active });
          await audit(inner.db, ctx, {
            action: 'dealership.updated',
            entity,
            recordId: row.id,
            version: row.version + 1,
            before: { active: row.active },
            after: { active },
          });
          items.push(present(ctx.viewer, await load(inner, row.id)));
        }
        return { items, total: items.length };
      });
    },

    /** Throws IN_USE with what names it: deals and emails keep their dealership, which can be deactivated instead. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const [row] = await lock(inner, [id]);
        requireAbility(canDelete(ctx.viewer));
        const uses = usesInWords(await queries.countUses(inner.db, id));
        if (uses) {
          throw new AppError('IN_USE', {
            message: `${row!.name} has ${uses} and cannot be deleted. Deactivate it instead.`,
          });
        }
        await queries.deleteDealership(inner.db, id);
        await audit(inner.db, ctx, {
          action: 'dealership.deleted',
          entity,
          recordId: id,
          before: recorded(present(ctx.viewer, row!)),
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
function usesInWords({ deals, emails }: { deals: number | null; emails: number | null }): string | undefined {
  const words = [
    [deals, 'deal'],
    [emails, 'email'],
  ].flatMap(([count, word]) => (count ? [`${count} ${word}${count === 1 ? '' : 's'}`] : []));
  return words.length > 0 ? words.join(' and ') : undefined;
}

const fieldsOf = (input: DealershipInput) => ({
  name: input.name,
  address: input.address,
  default_template_id: input.defaultEmailTemplateId,
  active: input.active,
});

const recorded = ({ name, address, defaultEmailTemplateId, active, contacts }: Dealership) => ({
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
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer),
});
