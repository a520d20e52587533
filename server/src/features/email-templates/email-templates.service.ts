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
import type { Db } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { deleteRecord, insertRecord, updateRecord } from '../../platform/records.queries.ts';
import { presentAccess, recordedAccess, hadAccess } from '../../platform/sharing/access.ts';
import { createRecords } from '../../platform/sharing/records.ts';
import { visibleIds } from '../../platform/sharing/shares.queries.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import { formatUsage } from '../../platform/usage.ts';
import { abilities, allTemplates, canManage, canView, visibilityScopeOf } from './email-templates.policy.ts';
import * as queries from './email-templates.queries.ts';
import { checkTemplate } from './email-templates.rules.ts';
import { createTemplateImages } from './template-images.service.ts';

export { keysUsed, splitPlaceholders } from './template-content.ts';

const entity = 'email-template' as const;

/** Email templates and their versions (docs/product/email.md, Templates). */
export function createEmailTemplatesService(files: FileStore) {
  const find = (ctx: Context, ids: string[]) =>
    queries.findTemplates(ctx.db, visibilityScopeOf(ctx.viewer), ids);
  const records = createRecords({ entity, find, present });
  // Sharing and transfer return lists, for which summaries are enough.
  const sharing = createSharing(entity, createRecords({ entity, find, present: presentSummary }), abilities);

  const images = createTemplateImages(files);

  return {
    sharing,
    images,

    /** Whether a viewer may edit templates in general. */
    canManage,

    visibleIds: (db: Db, viewer: Viewer, ids: string[]) =>
      visibleIds(db, 'email-template', visibilityScopeOf(viewer), ids),

    /** Whether a viewer who cannot see a template now had access before a change. */
    wasVisible: (viewer: Viewer, { past }: HiddenChange) => hadAccess(viewer, past.before),

    async list(ctx: Context): Promise<{ items: EmailTemplateSummary[]; total: number }> {
      const rows = await queries.listTemplates(ctx.db, visibilityScopeOf(ctx.viewer));
      return wholeList(rows.map((row) => presentSummary(ctx.viewer, row)));
    },

    get: async (ctx: Context, id: string): Promise<EmailTemplate> =>
      present(ctx.viewer, await records.loadOne(ctx, id)),

    async versions(ctx: Context, id: string) {
      await records.loadOne(ctx, id);
      return wholeList(await queries.listVersions(ctx.db, id));
    },

    /** Whether a template that a dealership may use exists. In a transaction it is locked against deletion. */
    exists: (ctx: Context, id: string): Promise<boolean> => queries.lockTemplate(ctx.db, id),

    /**
     * Returns the content of a template, and whether the viewer may open it. Others may still send it where a
     * dealership uses it; sending checks that (docs/product/data-entry.md, Who may change a row).
     */
    async forMail(
      ctx: Context,
      id: string,
    ): Promise<{ content: EmailTemplateInput; version: number; canOpen: boolean } | undefined> {
      const row = await queries.findForMail(ctx.db, id);
      return row && { content: contentOf(row), version: row.version, canOpen: canView(ctx.viewer, row) };
    },

    /** Returns all templates by name, and whether the viewer may open each; sending checks their use. */
    async listForMail(ctx: Context) {
      const rows = await queries.listTemplates(ctx.db, allTemplates(ctx.viewer));
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        isActive: row.status === 'active',
        canOpen: canView(ctx.viewer, row),
      }));
    },

    countUsing: (ctx: Context, id: string): Promise<number> => queries.countDealershipsUsing(ctx.db, id),

    /** Returns the records with the template names of their contacts as the templates are written. */
    async withStoredNames<C extends { templateName: string }, D extends { contacts: C[] }>(
      { db }: TxContext,
      records: readonly D[],
    ): Promise<D[]> {
      const names = records.flatMap(({ contacts }) => contacts.map(({ templateName }) => templateName));
      let stored = await queries.findStoredNames(db, names);
      if (names.some((name) => !stored.has(name))) {
        await queries.lockNewNames(db);
        stored = await queries.findStoredNames(db, names);
      }
      return records.map((record) => ({
        ...record,
        contacts: record.contacts.map((contact) => ({
          ...contact,
          templateName: stored.get(contact.templateName) ?? contact.templateName,
        })),
      }));
    },

    async create(ctx: Context, template: NewEmailTemplate): Promise<EmailTemplate> {
      if (!template.document && template.status === 'active') {
        throw invalidField('document', 'An active template needs a message');
      }
      const input = { ...template, document: template.document ?? { blocks: [] } };
      checkTemplate(input);
      return inTransaction(ctx, async (inner) => {
        const id = newId();
        const row = { id, ...fieldsOf(input), owner_id: ctx.viewer.userId };
        await insertRecord(inner.db, 'email_templates', row);
        await queries.setInContacts(inner.db, id, input.name);
        await images.attachToTemplate(inner, id, input.document);
        await saveVersion(inner, id);
        return present(ctx.viewer, await sharing.created(inner, id, input, contentOf(input)));
      });
    },

    /**
     * Saves a template as its next version. Does not save unchanged content. Increments the version of dealerships
     * whose contacts show its name. Throws CONFLICT with the current record if `version` is outdated.
     */
    update: (ctx: Context, id: string, input: EmailTemplateChanges): Promise<EmailTemplate> =>
      records.change(
        ctx,
        id,
        { action: 'updated', allowed: (row) => abilities(ctx.viewer, row).edit, version: input.version },
        async (inner, row) => {
          checkTemplate(input);
          const [before, after] = [contentOf(row), contentOf(input)];
          const shared = await sharing.applyInput(inner, row, input);
          const isRewritten = !isDeepStrictEqual(before, after);
          if (!isRewritten && !shared) return undefined;
          await updateRecord(inner.db, 'email_templates', id, fieldsOf(input));
          if (isRewritten) {
            await images.attachToTemplate(inner, id, input.document);
            await saveVersion(inner, id);
          }
          if (input.name !== row.name) await auditRename(inner, id, row.name, input.name);
          return { before: { ...before, ...shared?.before }, after: { ...after, ...shared?.after } };
        },
      ),

    async version(ctx: Context, id: string, number: number): Promise<TemplateVersionContent> {
      await records.loadOne(ctx, id);
      return versionOf(ctx, id, number);
    },

    /**
     * Saves subject, body and variables of an earlier version as the newest version. Does not save unchanged content.
     * Name and status are unchanged. Throws like `update`.
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
          await updateRecord(inner.db, 'email_templates', id, fieldsOf(after));
          await saveVersion(inner, id, number);
          return { before, after: { ...after, restoredFrom: number } };
        },
      ),

    /** Throws IN_USE if dealerships use the template, with their number if the caller sees all of them. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [id]))[0]!;
        requireAbility(abilities(ctx.viewer, row).delete);
        const users = await queries.countDealershipsUsing(inner.db, id);
        if (users > 0) {
          throw new AppError('IN_USE', {
            message: `${row.name} is used by ${formatUsage(ctx.viewer, users, 'dealership')} and cannot be deleted.`,
          });
        }
        await deleteRecord(inner.db, 'email_templates', id);
        await audit(inner, 'email-template.deleted', id, {
          before: { ...contentOf(row), ...recordedAccess(entity, row) },
        });
      });
    },
  };
}

export type EmailTemplatesService = ReturnType<typeof createEmailTemplatesService>;

async function versionOf({ db }: Context, id: string, number: number): Promise<TemplateVersionContent> {
  const version = requireFound(await queries.findVersion(db, id, number));
  return {
    ...version,
    document: version.document as TemplateDocument,
    variables: version.variables as TemplateVariable[],
  };
}

const saveVersion = ({ db, viewer }: TxContext, templateId: string, restoredFrom: number | null = null) =>
  queries.insertVersion(db, templateId, viewer.userId, restoredFrom);

async function auditRename(ctx: TxContext, templateId: string, from: string, to: string): Promise<void> {
  for (const { id, version } of await queries.touchDealershipsShowing(ctx.db, templateId)) {
    await audit(ctx, 'dealership.updated', id, {
      version,
      before: { templateName: from },
      after: { templateName: to },
    });
  }
  await queries.setInContacts(ctx.db, templateId, to);
}

const contentOf = (template: Omit<queries.TemplateRow, 'versions'> | EmailTemplateInput) => ({
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
  ...presentAccess(viewer, entity, row),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});

const present = (viewer: Viewer, row: queries.TemplateRow): EmailTemplate => ({
  ...presentSummary(viewer, row),
  document: contentOf(row).document,
  variables: contentOf(row).variables,
  versions: row.versions,
});
