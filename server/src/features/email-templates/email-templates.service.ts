import { isDeepStrictEqual } from 'node:util';
import {
  type TemplateDocument,
  type TemplateVariable,
  type EmailTemplate,
  type EmailTemplateInput,
  type EmailTemplateSummary,
  type TemplateStatus,
} from '@forecourt/contract/email-templates';
import { audit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import { abilities, canManage, canView, canViewAll } from './email-templates.policy.ts';
import * as queries from './email-templates.queries.ts';
import { checkTemplate } from './email-templates.rules.ts';

export { splitPlaceholders } from './placeholders.ts';

const entity = 'email-template' as const;

/** What a message is made from. */
export type MailTemplate = EmailTemplateInput & { id: string; version: number };

/** Email templates and their versions (spec.md sections 2 and 7, product.md section 6). */
export function createEmailTemplatesService() {
  return {
    /** Whether a viewer may write templates at all, saved or not. */
    canManage,

    /** Of these templates, those that the viewer sees: for live events. */
    async visibleIds({ db, viewer }: Pick<Context, 'db' | 'viewer'>, ids: string[]): Promise<Set<string>> {
      return new Set(canViewAll(viewer) ? ids : await queries.ownIds(db, ids, viewer.userId));
    },

    async list(ctx: Context): Promise<{ items: EmailTemplateSummary[]; total: number }> {
      const rows = await queries.listTemplates(ctx.db, onlyOwn(ctx.viewer));
      return { items: rows.map((row) => presentSummary(ctx.viewer, row)), total: rows.length };
    },

    get: async (ctx: Context, id: string): Promise<EmailTemplate> => present(ctx.viewer, await load(ctx, id)),

    async versions(ctx: Context, id: string) {
      await load(ctx, id);
      const items = await queries.listVersions(ctx.db, id);
      return { items, total: items.length };
    },

    /** Whether there is such a template, which a dealership may then use; in a transaction it stays until its end. */
    exists: (ctx: Context, id: string): Promise<boolean> => queries.templateStays(ctx.db, id),

    /**
     * The template as a message needs it, and whether the viewer may open it. Who may not can still send with
     * it where a dealership uses it; that is judged by the sending (product.md section 4, Who may).
     */
    async forMail(
      ctx: Context,
      id: string,
    ): Promise<{ template: MailTemplate; mayOpen: boolean } | undefined> {
      const row = await queries.findTemplate(ctx.db, id);
      return (
        row && {
          template: { ...contentOf(row), id, version: row.version },
          mayOpen: canView(ctx.viewer, row),
        }
      );
    },

    /** Every template by name, and whether the viewer may open it; sending judges which of them may be used. */
    async listForMail(ctx: Context) {
      const rows = await queries.listTemplates(ctx.db, undefined);
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        isActive: row.status === 'active',
        mayOpen: canView(ctx.viewer, row),
      }));
    },

    async create(ctx: Context, input: EmailTemplateInput): Promise<EmailTemplate> {
      checkTemplate(input);
      return inTransaction(ctx, async (inner) => {
        const id = newId();
        const row = { id, ...fieldsOf(input), owner_id: ctx.viewer.userId };
        await refusingTakenName(queries.insertTemplate(inner.db, row));
        await queries.insertVersion(inner.db, newId(), id, ctx.viewer.userId);
        const created = present(ctx.viewer, await load(inner, id));
        await audit(inner.db, ctx, {
          action: 'email-template.created',
          entity,
          recordId: id,
          version: created.version,
          after: recorded(created),
        });
        return created;
      });
    },

    /**
     * Saves a template as its next version; saving what is there already changes nothing. A new name goes to all
     * contacts that name the template. Throws CONFLICT with the current record when `version` is an older one.
     */
    async update(ctx: Context, id: string, input: EmailTemplateInput): Promise<EmailTemplate> {
      return inTransaction(ctx, async (inner) => {
        const row = visible(ctx.viewer, await queries.lockTemplate(inner.db, id));
        const before = present(ctx.viewer, row);
        requireAbility(before.abilities.edit);
        if (input.version !== undefined && input.version !== before.version) {
          throw new AppError('CONFLICT', { current: before });
        }
        checkTemplate(input);
        if (isDeepStrictEqual(contentOf(row), withoutVersion(input))) return before;
        await refusingTakenName(queries.updateTemplate(inner.db, id, fieldsOf(input)));
        await queries.insertVersion(inner.db, newId(), id, ctx.viewer.userId);
        if (input.name !== row.name) await renameInContacts(inner, row.name, input.name);
        const after = present(ctx.viewer, await load(inner, id));
        await audit(inner.db, ctx, {
          action: 'email-template.updated',
          entity,
          recordId: id,
          version: after.version,
          before: recorded(before),
          after: recorded(after),
        });
        return after;
      });
    },

    /** Throws IN_USE with the number of dealerships that use it. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = visible(ctx.viewer, await queries.lockTemplate(inner.db, id));
        requireAbility(abilities(ctx.viewer, row).delete);
        const users = await queries.countDealershipsUsing(inner.db, row);
        if (users > 0) {
          throw new AppError('IN_USE', {
            message: `${row.name} is used by ${users} ${users === 1 ? 'dealership' : 'dealerships'} and cannot be deleted.`,
          });
        }
        await queries.deleteTemplate(inner.db, id);
        await audit(inner.db, ctx, {
          action: 'email-template.deleted',
          entity,
          recordId: id,
          before: recorded(present(ctx.viewer, row)),
        });
      });
    },
  };
}

export type EmailTemplatesService = ReturnType<typeof createEmailTemplatesService>;

const onlyOwn = (viewer: Viewer) => (canViewAll(viewer) ? undefined : viewer.userId);

function visible(viewer: Viewer, row: queries.TemplateRow | undefined): queries.TemplateRow {
  if (!row || !canView(viewer, row)) throw new AppError('NOT_FOUND');
  return row;
}

async function load(ctx: Context, id: string): Promise<queries.TemplateRow> {
  return visible(ctx.viewer, await queries.findTemplate(ctx.db, id));
}

/** The unique index decides, so that two people cannot take one name at once. */
async function refusingTakenName(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'email_templates_name') throw error;
    throw invalidField('name', 'There is already a template with this name');
  }
}

async function renameInContacts(ctx: Context & { db: Tx }, from: string, to: string): Promise<void> {
  for (const { id, version } of await queries.renameInContacts(ctx.db, from, to)) {
    await audit(ctx.db, ctx, {
      action: 'dealership.updated',
      entity: 'dealership',
      recordId: id,
      version,
      before: { templateName: from },
      after: { templateName: to },
    });
  }
}

const withoutVersion = ({ name, subject, status, document, variables }: EmailTemplateInput) => ({
  name,
  subject,
  status,
  document,
  variables,
});

const contentOf = (row: queries.TemplateRow) => ({
  name: row.name,
  subject: row.subject,
  status: row.status as TemplateStatus,
  document: row.document as TemplateDocument,
  variables: row.variables as TemplateVariable[],
});

const fieldsOf = ({ document, variables, ...input }: EmailTemplateInput) => ({
  name: input.name,
  subject: input.subject,
  status: input.status,
  document: JSON.stringify(document),
  variables: JSON.stringify(variables),
});

const recorded = ({ name, subject, status, document, variables }: EmailTemplate) => ({
  name,
  subject,
  status,
  document,
  variables,
});

const presentSummary = (viewer: Viewer, row: queries.TemplateSummaryRow): EmailTemplateSummary => ({
  _id: row.id,
  id: row.id,
  name: row.name,
  subject: row.subject,
  status: row.status as TemplateStatus,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});

const present = (viewer: Viewer, row: queries.TemplateRow): EmailTemplate => ({
  ...presentSummary(viewer, row),
  document: contentOf(row).document,
  variables: contentOf(row).variables,
});
