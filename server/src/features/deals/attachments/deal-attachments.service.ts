import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ResponseBody } from '@forecourt/contract/api';
import { MAX_DEAL_ATTACHMENT_BYTES, MAX_DEAL_ATTACHMENTS } from '@forecourt/contract/attachment-limits';
import type { DealAttachment, UsedSpace } from '@forecourt/contract/deal-attachments';
import type { Deal } from '@forecourt/contract/deals';
import { audit } from '../../../platform/audit.ts';
import type { Config } from '../../../platform/config.ts';
import { lockName } from '../../../platform/db/database.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { inTransaction, type Context, type TxContext } from '../../../platform/http/context.ts';
import { readInChunks, type Download } from '../../../platform/http/downloads.ts';
import { invalidField, requireFound } from '../../../platform/http/errors.ts';
import { fileName } from '../../../platform/http/file-name.ts';
import { formatMegabytes, type SmallFile } from '../../../platform/http/files.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { wholeList } from '../../../platform/http/whole-list.ts';
import { newId } from '../../../platform/ids.ts';
import type { Records } from '../../../platform/sharing/records.ts';
import { canEdit } from '../deals.policy.ts';
import type { DealRow } from '../deals.queries.ts';
import * as queries from './deal-attachments.queries.ts';

/** A file of a deal without its content. */
export type DealFile = Awaited<ReturnType<typeof queries.listFilesOf>>[number];

/** Maximum bytes of the files of one user, and of all files. */
export type FileLimits = Pick<Config, 'FILES_PER_PERSON' | 'FILES_TOTAL'>;

/** Uploader and administrators are warned from this share of a limit on. */
const NOTICE_SHARE = 0.9;
const isAlmostFull = ({ used, limit }: UsedSpace): boolean => used >= limit * NOTICE_SHARE;

const ADVICE = 'Remove files that are no longer needed, or ask an administrator.';

const sizeOf = (bytes: number): string => `${Math.round(bytes / 1024 ** 2).toLocaleString('en-AU')} MB`;

/** Executable content types. */
const PROGRAMS = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/vnd.android.package-archive',
]);

/** Identifies an installer for Windows, whose container is also that of old office documents. */
const INSTALLER_ID = Buffer.from('84100c0000000000c000000000000046', 'hex');

const isProgram = (type: string, content: Buffer): boolean =>
  PROGRAMS.has(type) || (type === 'application/x-cfb' && content.includes(INSTALLER_ID));

/**
 * Files attached to a row (docs/product/data-entry.md, Attachments): users who see the row may read them; users who may
 * change it add and remove them. The version of the row does not change.
 */
export function createDealAttachments(
  records: Pick<Records<DealRow, Deal>, 'loadOne' | 'locked'>,
  { FILES_PER_PERSON, FILES_TOTAL }: FileLimits,
  files: FileStore,
) {
  /** Throws a 400 about `file` if `more` bytes would exceed the limit of the viewer's files or of all files. */
  async function requireSpace({ db, viewer }: Context, more: number): Promise<void> {
    const { all, own } = await queries.usedSpace(db, viewer.userId);
    if (own + more > FILES_PER_PERSON)
      throw invalidField('file', `Your files would take more than ${sizeOf(FILES_PER_PERSON)}. ${ADVICE}`);
    if (all + more > FILES_TOTAL)
      throw invalidField('file', `All files would take more than ${sizeOf(FILES_TOTAL)}. ${ADVICE}`);
  }

  async function find(ctx: Context, dealId: string, id: string): Promise<queries.AttachmentRow> {
    await records.loadOne(ctx, dealId);
    return requireFound(await queries.findAttachment(ctx.db, dealId, id));
  }

  const open = async (
    ctx: Context,
    { id, deal_id, size, digest }: queries.AttachmentRow,
  ): Promise<Readable> =>
    digest
      ? files.open({ digest, size })
      : readInChunks(
          size,
          (position) => queries.readChunk(ctx.db, id, position),
          async (start) => {
            const moved = await queries.findAttachment(ctx.db, deal_id, id);
            return moved?.digest ? files.open({ digest: moved.digest, size }, start) : undefined;
          },
        );

  return {
    async list(ctx: Context, dealId: string): Promise<ResponseBody<'GET /deals/:id/attachments'>> {
      await records.loadOne(ctx, dealId);
      const files = await queries.listAttachments(ctx.db, dealId);
      const { all, own } = await queries.usedSpace(ctx.db, ctx.viewer.userId);
      const spaces = [
        { name: ctx.viewer.name, used: own, limit: FILES_PER_PERSON },
        { name: null, used: all, limit: FILES_TOTAL },
      ];
      return { ...wholeList(files.map(present)), space: spaces.find(isAlmostFull) ?? null };
    },

    /** Returns the limits that are almost reached, of all files and of users. For administrators. */
    async listAlmostFull({ db, viewer }: Context): Promise<UsedSpace[]> {
      const { all } = await queries.usedSpace(db, viewer.userId);
      const people = await queries.usersOfSpace(db, FILES_PER_PERSON * NOTICE_SHARE);
      return [
        ...[{ name: null, used: all, limit: FILES_TOTAL }].filter(isAlmostFull),
        ...people.map((person) => ({ ...person, limit: FILES_PER_PERSON })),
      ];
    },

    /** Returns the files by deal id. The caller checks permissions. */
    listFilesOf: async (
      { db }: Pick<Context, 'db'>,
      dealIds: readonly string[],
    ): Promise<Map<string, DealFile[]>> =>
      Map.groupBy(await queries.listFilesOf(db, dealIds), ({ deal_id }) => deal_id),

    /** Throws a 400 about `file` if it is empty, too large, executable or has an invalid name, and above the limits. */
    async add(ctx: Context, dealId: string, { filename, content }: SmallFile): Promise<DealAttachment> {
      if (!content)
        throw invalidField('file', `Must be at most ${formatMegabytes(MAX_DEAL_ATTACHMENT_BYTES)}`);
      if (content.length === 0) throw invalidField('file', 'The file is empty');
      const name = fileName(filename);
      const type = await contentType(content);
      if (isProgram(type, content)) throw invalidField('file', 'Programs cannot be attached');
      const requireRoom = async (inner: TxContext): Promise<void> => {
        // Locked, so that parallel requests cannot exceed the limit.
        const row = (await records.locked(inner, [dealId]))[0]!;
        requireAbility(canEdit(ctx.viewer, row));
        if ((await queries.countAttachments(inner.db, dealId)) >= MAX_DEAL_ATTACHMENTS)
          throw invalidField('file', `A row may have at most ${MAX_DEAL_ATTACHMENTS} files`);
        await requireSpace(inner, content.length);
      };
      await files.prepare(content, () => inTransaction(ctx, requireRoom));
      return inTransaction(ctx, async (inner) => {
        await requireRoom(inner);
        const id = newId();
        const ref = await files.add(inner.db, content);
        const file = { id, deal_id: dealId, name, type, created_by: ctx.viewer.userId };
        await queries.insertAttachment(inner.db, { ...file, ...ref });
        // Checked again under the lock, with the files of parallel requests.
        await lockName(inner.db, 'deal-files');
        await requireSpace(inner, 0);
        await audit(inner, 'deal-attachments.added', dealId, {
          after: { attachmentId: id, name, type, size: content.length },
        });
        return present((await queries.findAttachment(inner.db, dealId, id))!);
      });
    },

    async open(ctx: Context, dealId: string, id: string): Promise<Download> {
      const file = await find(ctx, dealId, id);
      return { name: file.name, size: file.size, type: file.type, open: () => open(ctx, file) };
    },

    /** Returns a file in memory; without its content if it is larger than `limit` bytes. */
    async read(ctx: Context, dealId: string, id: string, limit: number): Promise<SmallFile> {
      const file = await find(ctx, dealId, id);
      return {
        filename: file.name,
        content: file.size > limit ? undefined : await buffer(await open(ctx, file)),
      };
    },

    async remove(ctx: Context, dealId: string, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [dealId]))[0]!;
        const file = await find(inner, dealId, id);
        requireAbility(canEdit(ctx.viewer, row));
        await queries.deleteAttachment(inner.db, id);
        const { name, type, size } = file;
        await audit(inner, 'deal-attachments.removed', dealId, {
          before: { attachmentId: id, name, type, size },
        });
      });
    },
  };
}

/** Detects the MIME type from the content. */
async function contentType(content: Buffer): Promise<string> {
  // Imported with the first file, because it would take a tenth of the start time.
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(content);
  if (detected) return detected.mime;
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
