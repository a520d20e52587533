import { isDeepStrictEqual } from 'node:util';
import {
  type TemplateDocument,
  type TemplateVariable,
  type EmailTemplate,
  type EmailTemplateChanges,
  type EmailTemplateInput,
  type EmailTemplateSummary,
  type NewEmailTemplate,
  type TemplateStatus,
  type TemplateVersionContent,
} from '@forecourt/contract/email-templates';
import { audit } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import { usesInWords } from '../../platform/in-use.ts';
import type { UnseenChange } from '../../platform/live/events.ts';
import { createRecords } from '../../platform/records.ts';
import { presentHeld, recordedHeld, wasHeld } from '../../platform/sharing/held.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import { abilities, canManage, canView, everything, sightOf } from './email-templates.policy.ts';
import * as queries from './email-templates.queries.ts';
import { checkTemplate } from './email-templates.rules.ts';
import { createTemplateImages } from './template-images.service.ts';

export { keysUsed, splitPlaceholders } from './placeholders.ts';

const entity = 'email-template' as const;

/** What a message is made from. */
export type MailTemplate = EmailTemplateInput & { id: string; version: number };

/** Email templates and their versions (spec.md sections 2 and 7, product.md section 6). */
export function createEmailTemplatesService() {
  const find = (ctx: Context, ids: string[]) => queries.findTemplates(ctx.db, sightOf(ctx.viewer), ids);
  const records = createRecords({ entity, find, present });
  // Who shares or hands over has a list before them.
  const sharing = createSharing(entity, createRecords({ entity, find, present: presentSummary }), abilities);

  const images = createTemplateImages();

  return {
    sharing,
    images,

    /** Whether a viewer may write templates at all, saved or not. */
    canManage,

    /** Of these templates, those that the viewer sees: for live events. */
    visibleIds: (db: Db, viewer: Viewer, ids: string[]) => queries.visibleIds(db, sightOf(viewer), ids),

    /** Whether a viewer who does not see a template now saw it as theirs until a change, judged by what it was. */
    wasVisible: (viewer: Viewer, { past }: UnseenChange) => wasHeld(viewer, past.before),

    async list(ctx: Context): Promise<{ items: EmailTemplateSummary[]; total: number }> {
      const rows = await queries.listTemplates(ctx.db, sightOf(ctx.viewer));
      return { items: rows.map((row) => presentSummary(ctx.viewer, row)), total: rows.length };
    },

    get: async (ctx: Context, id: string): Promise<EmailTemplate> =>
      present(ctx.viewer, await records.loadOne(ctx, id)),

    async versions(ctx: Context, id: string) {
      await records.loadOne(ctx, id);
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
      const row = await queries.findForMail(ctx.db, id);
      return (
        row && {
          template: { ...contentOf(row), id, version: row.version },
          mayOpen: canView(ctx.viewer, row),
        }
      );
    },

    /** Every template by name, and whether the viewer may open it; sending judges which of them may be used. */
    async listForMail(ctx: Context) {
      const rows = await queries.listTemplates(ctx.db, everything(ctx.viewer));
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        isActive: row.status === 'active',
        mayOpen: canView(ctx.viewer, row),
      }));
    },

    /** How many dealerships use it, seen or not. */
    countUsing: (ctx: Context, template: { id: string; name: string }): Promise<number> =>
      queries.countDealershipsUsing(ctx.db, template),

    async create(ctx: Context, input: NewEmailTemplate): Promise<EmailTemplate> {
      checkTemplate(input);
      return inTransaction(ctx, async (inner) => {
        const id = newId();
        const row = { id, ...fieldsOf(input), owner_id: ctx.viewer.userId };
        await refusingTakenName(queries.insertTemplate(inner.db, row));
        await images.keepFor(inner, id, input.document);
        await keepVersion(inner, id);
        const shared = await sharing.said(inner, await records.loadOne(inner, id), input);
        const created = present(ctx.viewer, await records.loadOne(inner, id));
        await audit(inner.db, ctx, {
          action: 'email-template.created',
          entity,
          recordId: id,
          version: created.version,
          after: { ...contentOf(input), ...shared?.after },
        });
        return created;
      });
    },

    /**
     * Saves a template as its next version; saving what is there already changes nothing. A new name goes to all
     * contacts that name the template. Throws CONFLICT with the current record when `version` is an older one.
     */
    update: (ctx: Context, id: string, input: EmailTemplateChanges): Promise<EmailTemplate> =>
      records.change(
        ctx,
        id,
        { action: 'updated', allowed: (row) => abilities(ctx.viewer, row).edit, version: input.version },
        async (inner, row) => {
          checkTemplate(input);
          const [before, after] = [contentOf(row), contentOf(input)];
          const shared = await sharing.said(inner, row, input);
          const isRewritten = !isDeepStrictEqual(before, after);
          if (!isRewritten && !shared) return undefined;
          await refusingTakenName(queries.updateTemplate(inner.db, id, fieldsOf(input)));
          if (isRewritten) {
            await images.keepFor(inner, id, input.document);
            await keepVersion(inner, id);
          }
          if (input.name !== row.name) await renameInContacts(inner, row.name, input.name);
          return { before: { ...before, ...shared?.before }, after: { ...after, ...shared?.after } };
        },
      ),

    /** One saved state with all that it says. */
    async version(ctx: Context, id: string, number: number): Promise<TemplateVersionContent> {
      await records.loadOne(ctx, id);
      return versionOf(ctx, id, number);
    },

    /**
     * Saves subject, body and variables of an earlier version as the newest one; what is like that already stays.
     * Name and status are what they are now: contacts go by the name. Throws as `update` does.
     */
    restoreVersion: (
      ctx: Context,
      id: string,
      { number, version }: { number: number; version: number | undefined },
    ): Promise<EmailTemplate> =>
      records.change(
        ctx,
        id,
        { action: 'restored', allowed: (row) => abilities(ctx.viewer, row).edit, version },
        async (inner, row) => {
          const before = contentOf(row);
          const { subject, document, variables } = await versionOf(inner, id, number);
          const after = { ...before, subject, document, variables };
          checkTemplate(after);
          if (isDeepStrictEqual(before, after)) return undefined;
          await queries.updateTemplate(inner.db, id, fieldsOf(after));
          await keepVersion(inner, id, number);
          return { before, after: { ...after, restoredFrom: number } };
        },
      ),

    /** Throws IN_USE with how many dealerships use it, where the caller sees all of them. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [id]))[0]!;
        requireAbility(abilities(ctx.viewer, row).delete);
        const users = await queries.countDealershipsUsing(inner.db, row);
        if (users > 0) {
          throw new AppError('IN_USE', {
            message: `${row.name} is used by ${usesInWords(ctx.viewer, users, 'dealership')} and cannot be deleted.`,
          });
        }
        await queries.deleteTemplate(inner.db, id);
        await audit(inner.db, ctx, {
          action: 'email-template.deleted',
          entity,
          recordId: id,
          before: { ...contentOf(row), ...recordedHeld(entity, row) },
        });
      });
    },
  };
}

export type EmailTemplatesService = ReturnType<typeof createEmailTemplatesService>;

async function versionOf({ db }: Context, id: string, number: number): Promise<TemplateVersionContent> {
  const found = await queries.findVersion(db, id, number);
  if (!found) throw new AppError('NOT_FOUND');
  return {
    id: found.id,
    version: found.version,
    createdAt: found.createdAt,
    createdBy: found.createdBy,
    restoredFrom: found.restoredFrom,
    name: found.name,
    subject: found.subject,
    document: found.document as TemplateDocument,
    variables: found.variables as TemplateVariable[],
  };
}

const keepVersion = ({ db, viewer }: Context & { db: Tx }, templateId: string, restoredFrom?: number) =>
  queries.insertVersion(db, {
    id: newId(),
    templateId,
    createdBy: viewer.userId,
    ...(restoredFrom !== undefined && { restoredFrom }),
  });

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

/** What a person writes of a template; who shares it is written in its own way. */
const contentOf = (template: queries.TemplateRow | EmailTemplateInput) => ({
  name: template.name,
  subject: template.subject,
  status: template.status as TemplateStatus,
  document: template.document as TemplateDocument,
  variables: template.variables as TemplateVariable[],
});

const fieldsOf = ({ document, variables, ...input }: EmailTemplateInput) => ({
  name: input.name,
  subject: input.subject,
  status: input.status,
  document: JSON.stringify(document),
  variables: JSON.stringify(variables),
});

const presentSummary = (viewer: Viewer, row: queries.TemplateSummaryRow): EmailTemplateSummary => ({
  _id: row.id,
  id: row.id,
  name: row.name,
  subject: row.subject,
  status: row.status as TemplateStatus,
  ...presentHeld(viewer, entity, row),
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
