import { Readable } from 'node:stream';
import { MAX_ATTACHMENTS, MAX_ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import type { Attachment } from '@forecourt/contract/email-attachments';
import { audit, auditMany } from '../../platform/audit.ts';
import { lockName, type Db, type Tx } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError, invalidField, requireFound } from '../../platform/http/errors.ts';
import { fileName, typeOf } from '../../platform/http/file-name.ts';
import { formatMegabytes, type SmallFile } from '../../platform/http/files.ts';
import { newId } from '../../platform/ids.ts';
import type { MimeMessage } from '../../platform/mail/mime-message.ts';
import type { DealFile } from '../deals/attachments/deal-attachments.service.ts';
import { createAttachmentCache } from './attachment-cache.ts';
import * as queries from './email-attachments.queries.ts';

/** Limits of a user's unsent files: number and total bytes. */
const UNSENT_FILES = 200;
const UNSENT_BYTES = 50 * 1024 * 1024;

/** Describes the limit of a message's attachments, for error messages. */
export const messageLimit = (maxBytes: number): string =>
  `${MAX_ATTACHMENTS} files and ${formatMegabytes(maxBytes)}`;

export const sumOfSizes = (files: readonly { size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

export const fitsOneMessage = (files: readonly { size: number }[], maxBytes: number): boolean =>
  files.length <= MAX_ATTACHMENTS && sumOfSizes(files) <= maxBytes;

/** Attachments are uploaded first and then referenced by a message (docs/product/email.md, Attachments). */
export function createEmailAttachments(store: FileStore) {
  const withContents = createAttachmentCache();

  /** Throws if another file would exceed a user's limit of unsent files. */
  async function requireWithinLimit(db: Tx, userId: string, size: number): Promise<void> {
    await lockName(db, `unsent-files:${userId}`);
    const { count, bytes } = await queries.countUnused(db, userId);
    if (count < UNSENT_FILES && bytes + size <= UNSENT_BYTES) return;
    throw invalidField(
      'file',
      'You have added too many files that you did not send. Remove some of them, or try again tomorrow.',
    );
  }

  return {
    /** Stores a file. Only the viewer can send it. */
    async add(ctx: Context, { filename, content }: SmallFile): Promise<Attachment> {
      const { userId } = ctx.viewer;
      if (!content) throw invalidField('file', `Must be at most ${formatMegabytes(MAX_ATTACHMENTS_BYTES)}`);
      if (content.length === 0) throw invalidField('file', 'The file is empty');
      const name = fileName(filename);
      const fields = { name, type: typeOf(name) };
      const id = newId();
      const requireRoom = async ({ db }: TxContext): Promise<void> => {
        await queries.deleteUnused(db);
        await requireWithinLimit(db, userId, content.length);
      };
      await store.prepare(content, () => inTransaction(ctx, requireRoom));
      await inTransaction(ctx, async (inner) => {
        const { db } = inner;
        await requireRoom(inner);
        const { digest } = await store.add(db, content);
        await queries.insertFile(db, { id, ...fields, digest, created_by: userId });
        const after = { ...fields, size: content.length };
        await audit(inner, 'email-attachment.created', id, { after });
      });
      return { _id: id, ...fields, size: content.length };
    },

    /** Deletes a file of the viewer. Throws IN_USE if a message has it. */
    remove: (ctx: Context, id: string): Promise<undefined> =>
      inTransaction(ctx, async (inner) => {
        const { db } = inner;
        const file = requireFound(await queries.findOwn(db, id, ctx.viewer.userId));
        if (file.is_used) throw new AppError('IN_USE', { message: 'An email has this file already' });
        await queries.deleteFile(db, id);
        const { name, type, size } = file;
        await audit(inner, 'email-attachment.deleted', id, { before: { name, type, size } });
        return undefined;
      }),

    /**
     * Marks the viewer's files as used, and returns them in this order. Throws for another user's file, since sending
     * it would reveal it, and above the maximum total size.
     */
    async reserve(
      { db, viewer }: { db: Tx; viewer: Context['viewer'] },
      ids: string[],
    ): Promise<Attachment[]> {
      if (ids.length === 0) return [];
      const files = await queries.markUsed(db, ids, viewer.userId);
      if (files.length < ids.length) {
        throw invalidField(
          'attachments',
          'An attached file is not there any more. Remove it, or add it again.',
        );
      }
      if (!fitsOneMessage(files, MAX_ATTACHMENTS_BYTES)) {
        throw invalidField(
          'attachments',
          `The attached files may have at most ${formatMegabytes(MAX_ATTACHMENTS_BYTES)} together`,
        );
      }
      const byId = new Map(files.map((file) => [file._id, file]));
      return ids.map((id) => byId.get(id)!);
    },

    /** Copies files of deals for one message of the viewer. The caller checks permissions. */
    async copyFromDeals(ctx: TxContext, files: readonly DealFile[]): Promise<Attachment[]> {
      if (files.length === 0) return [];
      const copies = files.map(({ id, name }) => ({ id: newId(), sourceId: id, type: typeOf(name) }));
      const copied = await queries.copyDealFiles(ctx.db, copies, ctx.viewer.userId);
      await auditMany(
        ctx,
        'email-attachment.created',
        copied.map(({ _id, ...after }) => ({ recordId: _id, version: null, before: null, after })),
      );
      const byId = new Map(copied.map((file) => [file._id, file]));
      return copies.flatMap(({ id }) => byId.get(id) ?? []);
    },

    /** Sends content to a bucket before the transaction that adds it. */
    prepare: (content: Buffer): Promise<void> => store.prepare(content),

    /** Stores a file of the program for a message of the viewer. The caller attaches it to the message. */
    async addForMessage(ctx: TxContext, name: string, content: Buffer): Promise<Attachment> {
      const { db, viewer } = ctx;
      const id = newId();
      const fields = { name, type: typeOf(name) };
      const { digest, size } = await store.add(db, content);
      await queries.insertFile(db, { id, ...fields, digest, created_by: viewer.userId, is_used: true });
      await audit(ctx, 'email-attachment.created', id, { after: { ...fields, size } });
      return { _id: id, ...fields, size };
    },

    async attachTo(db: Tx, filesOf: ReadonlyMap<string, readonly Attachment[]>): Promise<void> {
      const uses = [...filesOf].flatMap(([email_id, files]) =>
        files.map(({ _id }, index) => ({ email_id, attachment_id: _id, position: index + 1 })),
      );
      if (uses.length > 0) await queries.insertUses(db, uses);
    },

    listOf: (db: Db | Tx, emailId: string): Promise<Attachment[]> => queries.listFiles(db, emailId),

    /** Opens a file of a message. The caller checks permissions. */
    async open(db: Db | Tx, emailId: string, id: string): Promise<Download> {
      const file = requireFound(await queries.findFile(db, emailId, id));
      const { name, type, size } = file;
      return { name, type, size, open: async () => Readable.from([await store.read(file)]) };
    },

    /** Loads the files of a message into memory only while it is sent. */
    async whileSending<R>(
      db: Db,
      email: { id: string; attachment_count: number },
      send: (files: NonNullable<MimeMessage['attachments']>) => Promise<R>,
    ): Promise<R> {
      if (email.attachment_count === 0) return send([]);
      const files = await queries.listFiles(db, email.id);
      return withContents(
        files.map(({ _id }) => _id),
        async (id) => store.read(await queries.findContent(db, id)),
        (contents) => send(files.map(({ name, type }, index) => ({ name, type, content: contents[index]! }))),
      );
    },
  };
}

export type EmailAttachments = ReturnType<typeof createEmailAttachments>;
