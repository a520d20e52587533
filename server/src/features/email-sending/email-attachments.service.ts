import { Readable } from 'node:stream';
import { ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import type { Attachment } from '@forecourt/contract/email-attachments';
import { audit } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { readWhole, type Upload } from '../../platform/http/files.ts';
import { newId } from '../../platform/ids.ts';
import type { Letter } from '../../platform/mail/letter.ts';
import { attachmentName, typeOf } from './attachment-name.ts';
import * as queries from './email-attachments.queries.ts';
import { createFilesInUse } from './files-in-use.ts';

const entity = 'email-attachment' as const;

/** Uploads of one person that an instance reads at the same time: each of them is in memory until it is whole. */
const AT_ONCE = 5;

/** What one person may have added and not sent: files, and their bytes together. */
const UNSENT_FILES = 200;
const UNSENT_BYTES = 50 * 1024 * 1024;

/** Files that go out with messages: added first, then named by a send (product.md section 6). */
export function createEmailAttachments() {
  const withFiles = createFilesInUse();
  const readingFor = new Map<string, number>();

  async function read(userId: string, file: Upload): Promise<Buffer> {
    const reading = readingFor.get(userId) ?? 0;
    if (reading >= AT_ONCE) {
      file.stream.resume();
      throw new AppError('TOO_MANY_REQUESTS', {
        message: `At most ${AT_ONCE} files can be added at the same time. Please add this one again.`,
        retryAfterSeconds: 1,
      });
    }
    readingFor.set(userId, reading + 1);
    try {
      const content = await readWhole(file);
      if (!content) throw invalidField('file', 'Must be at most 10 MB');
      if (content.length === 0) throw invalidField('file', 'The file is empty');
      return content;
    } finally {
      const left = readingFor.get(userId)! - 1;
      if (left === 0) readingFor.delete(userId);
      else readingFor.set(userId, left);
    }
  }

  /** Throws where one more file would be more than a person may have lying around. */
  async function requireRoom(db: Tx, userId: string, size: number): Promise<void> {
    const { count, bytes } = await queries.countUnused(db, userId);
    if (count < UNSENT_FILES && bytes + size <= UNSENT_BYTES) return;
    throw invalidField(
      'file',
      'You have added too many files that you did not send. Remove some of them, or try again tomorrow.',
    );
  }

  return {
    /** Keeps a file of at most 10 MB for a message of the viewer. Nobody else can send it. */
    async add(ctx: Context, file: Upload): Promise<Attachment> {
      const { userId } = ctx.viewer;
      const content = await read(userId, file);
      const name = attachmentName(file.filename);
      const facts = { name, type: typeOf(name) };
      const id = newId();
      await inTransaction(ctx, async ({ db }) => {
        await queries.deleteUnused(db);
        await requireRoom(db, userId, content.length);
        await queries.insertFile(db, { id, ...facts, content, created_by: userId });
        await audit(db, ctx, {
          action: 'email-attachment.created',
          entity,
          recordId: id,
          after: { ...facts, size: content.length },
        });
      });
      return { _id: id, ...facts, size: content.length };
    },

    /** Removes what the viewer has added. Throws IN_USE once a message has it. */
    remove: (ctx: Context, id: string): Promise<undefined> =>
      inTransaction(ctx, async ({ db }) => {
        const file = await queries.findOwn(db, id, ctx.viewer.userId);
        if (!file) throw new AppError('NOT_FOUND');
        if (file.is_used) throw new AppError('IN_USE', { message: 'An email has this file already' });
        await queries.deleteFile(db, id);
        const { name, type, size } = file;
        await audit(db, ctx, {
          action: 'email-attachment.deleted',
          entity,
          recordId: id,
          before: { name, type, size },
        });
        return undefined;
      }),

    /**
     * The files that messages of the viewer are to have, in this order; from now on they stay. Refuses one that is not
     * theirs, so that nobody reads another's file by sending it to themselves, and more than 10 MB together.
     */
    async take({ db, viewer }: { db: Tx; viewer: Context['viewer'] }, ids: string[]): Promise<Attachment[]> {
      if (ids.length === 0) return [];
      const found = await queries.useFiles(db, ids, viewer.userId);
      if (found.length < ids.length) {
        throw invalidField(
          'attachments',
          'An attached file is not there any more. Remove it, or add it again.',
        );
      }
      if (found.reduce((sum, { size }) => sum + size, 0) > ATTACHMENTS_BYTES) {
        throw invalidField('attachments', 'The attached files may have at most 10 MB together');
      }
      const byId = new Map(found.map((file) => [file.id, present(file)]));
      return ids.map((id) => byId.get(id)!);
    },

    /** Gives files that were taken to each of these messages. */
    async keepFor(db: Tx, emailIds: string[], files: Attachment[]): Promise<void> {
      if (files.length === 0) return;
      await queries.insertUses(
        db,
        emailIds,
        files.map(({ _id }) => _id),
      );
    },

    listOf: async (db: Db | Tx, emailId: string): Promise<Attachment[]> =>
      (await queries.listFiles(db, emailId)).map(present),

    /** A file of a message, for whoever may read that. */
    async open(db: Db | Tx, emailId: string, id: string): Promise<Download> {
      const file = await queries.findFile(db, emailId, id);
      if (!file) throw new AppError('NOT_FOUND');
      const { name, type, size, content } = file;
      return { name, type, size, open: () => Readable.from([content]) };
    },

    /** Sends a message with its files, which are read only now and forgotten once it is through. */
    async whileSending<R>(
      db: Db,
      email: { id: string; attachment_count: number },
      send: (files: NonNullable<Letter['attachments']>) => Promise<R>,
    ): Promise<R> {
      if (email.attachment_count === 0) return send([]);
      const files = await queries.listFiles(db, email.id);
      return withFiles(
        files.map(({ id }) => id),
        (id) => queries.contentOf(db, id),
        (contents) => send(files.map(({ name, type }, index) => ({ name, type, content: contents[index]! }))),
      );
    },
  };
}

export type EmailAttachments = ReturnType<typeof createEmailAttachments>;

const present = ({
  id,
  name,
  type,
  size,
}: Awaited<ReturnType<typeof queries.listFiles>>[number]): Attachment => ({
  _id: id,
  name,
  type,
  size,
});
