import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MAX_DEAL_ATTACHMENT_BYTES, MAX_DEAL_ATTACHMENTS } from '@forecourt/contract/attachment-limits';
import type { DealAttachment } from '@forecourt/contract/deal-attachments';
import type { Deal } from '@forecourt/contract/deals';
import { audit } from '../../../platform/audit.ts';
import { inTransaction, type Context } from '../../../platform/http/context.ts';
import { readInChunks, type Download } from '../../../platform/http/downloads.ts';
import { AppError, invalidField } from '../../../platform/http/errors.ts';
import { fileName } from '../../../platform/http/file-name.ts';
import { formatMegabytes, type SmallFile } from '../../../platform/http/files.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { wholeList } from '../../../platform/http/whole-list.ts';
import { newId } from '../../../platform/ids.ts';
import type { Records } from '../../../platform/records.ts';
import { canEdit } from '../deals.policy.ts';
import type { DealRow } from '../deals.queries.ts';
import * as queries from './deal-attachments.queries.ts';

/** A file of a deal without its content. */
export type DealFile = Awaited<ReturnType<typeof queries.listFilesOf>>[number];

/** Kinds of content that a computer would run. */
const PROGRAMS = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/vnd.android.package-archive',
]);

/** In an installer for Windows. Its container is that of old office documents. */
const INSTALLER_ID = Buffer.from('84100c0000000000c000000000000046', 'hex');

const isProgram = (type: string, content: Buffer): boolean =>
  PROGRAMS.has(type) || (type === 'application/x-cfb' && content.includes(INSTALLER_ID));

/**
 * Files attached to a row (docs/product/data-entry.md, Attachments): everybody who sees the row reads them, who may
 * change the row adds and removes them. They do not change the version of the row.
 */
export function createDealAttachments(records: Pick<Records<DealRow, Deal>, 'loadOne' | 'locked'>) {
  async function find(ctx: Context, dealId: string, id: string): Promise<queries.AttachmentRow> {
    await records.loadOne(ctx, dealId);
    const file = await queries.findAttachment(ctx.db, dealId, id);
    if (!file) throw new AppError('NOT_FOUND');
    return file;
  }

  const open = (ctx: Context, { id, size }: queries.AttachmentRow): Readable =>
    readInChunks(size, (position) => queries.readChunk(ctx.db, id, position));

  return {
    async list(ctx: Context, dealId: string): Promise<{ items: DealAttachment[]; total: number }> {
      await records.loadOne(ctx, dealId);
      return wholeList((await queries.listAttachments(ctx.db, dealId)).map(present));
    },

    /** Returns the files of deals by the id of the deal. Does not check permissions. */
    listFilesOf: async (
      { db }: Pick<Context, 'db'>,
      dealIds: readonly string[],
    ): Promise<Map<string, DealFile[]>> =>
      Map.groupBy(await queries.listFilesOf(db, dealIds), ({ deal_id }) => deal_id),

    /** Throws a 400 about `file` for an empty or too large file, a program, an invalid name, and above the maximum number. */
    async add(ctx: Context, dealId: string, { filename, content }: SmallFile): Promise<DealAttachment> {
      if (!content)
        throw invalidField('file', `Must be at most ${formatMegabytes(MAX_DEAL_ATTACHMENT_BYTES)}`);
      if (content.length === 0) throw invalidField('file', 'The file is empty');
      const name = fileName(filename);
      const type = await contentType(content);
      if (isProgram(type, content)) throw invalidField('file', 'Programs cannot be attached');
      return inTransaction(ctx, async (inner) => {
        // Locked, so that parallel requests cannot exceed the limit.
        const row = (await records.locked(inner, [dealId]))[0]!;
        requireAbility(canEdit(ctx.viewer, row));
        if ((await queries.countAttachments(inner.db, dealId)) >= MAX_DEAL_ATTACHMENTS)
          throw invalidField('file', `A row may have at most ${MAX_DEAL_ATTACHMENTS} files`);
        const id = newId();
        const file = { id, deal_id: dealId, name, type, created_by: ctx.viewer.userId };
        await queries.insertAttachment(inner.db, file, content);
        await audit(inner.db, ctx, {
          action: 'deal-attachments.added',
          recordId: dealId,
          after: { attachmentId: id, name, type, size: content.length },
        });
        return present((await queries.findAttachment(inner.db, dealId, id))!);
      });
    },

    async open(ctx: Context, dealId: string, id: string): Promise<Download> {
      const file = await find(ctx, dealId, id);
      return { name: file.name, size: file.size, type: file.type, open: () => open(ctx, file) };
    },

    /** Returns a file in memory; without its content when it is larger than `limit` bytes. */
    async read(ctx: Context, dealId: string, id: string, limit: number): Promise<SmallFile> {
      const file = await find(ctx, dealId, id);
      return { filename: file.name, content: file.size > limit ? undefined : await buffer(open(ctx, file)) };
    },

    async remove(ctx: Context, dealId: string, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [dealId]))[0]!;
        const file = await find(inner, dealId, id);
        requireAbility(canEdit(ctx.viewer, row));
        await queries.deleteAttachment(inner.db, id);
        const { name, type, size } = file;
        await audit(inner.db, ctx, {
          action: 'deal-attachments.removed',
          recordId: dealId,
          before: { attachmentId: id, name, type, size },
        });
      });
    },
  };
}

/** Returns the MIME type of the content, whatever the file is called. */
async function contentType(content: Buffer): Promise<string> {
  // Loaded with the first file: it takes a tenth of the time of a start.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(content);
  if (found) return found.mime;
  return isUtf8(content) && !content.includes(0) ? 'text/plain' : 'application/octet-stream';
}

const present = (row: queries.AttachmentRow): DealAttachment => ({
  _id: row.id,
  name: row.name,
  type: row.type,
  size: row.size,
  createdBy: row.created_by,
  createdByName: row.created_by_name,
  createdAt: row.created_at,
});
