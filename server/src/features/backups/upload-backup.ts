import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { UPLOAD_ENDINGS } from '@forecourt/contract/backups';
import { allowIdle, type Tx } from '../../platform/db/database.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { Upload } from '../../platform/http/files.ts';
import type { Report } from '../../platform/jobs/progress.ts';
import { uploadName } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import { verifyOptions, type Parts } from './create-backup.ts';
import { storageError, type Part } from './folder.ts';
import { measureFile } from './read-backup.ts';
import { verifiedColumns, verifyBackup } from './verify-backup.ts';

/** A complete upload under a temporary name that is not listed. */
type ReceivedUpload = { part: Part; name: string };

/** Streams an upload to a temporary file and deletes it after a failure. */
export async function receiveUpload(
  { folder, config }: Parts,
  { filename, stream, isTooLarge }: Upload,
): Promise<ReceivedUpload> {
  const name = uploadName(filename);
  if (name === null) {
    stream.resume();
    throw invalidField('backup', `Must end in ${UPLOAD_ENDINGS.join(', ')}`);
  }
  const part = await folder.createPart('uploaded');
  try {
    await pipeline(stream, createWriteStream(part.path, { flags: 'wx', mode: 0o600 }));
    if (isTooLarge()) {
      throw new AppError('TOO_LARGE', {
        message: `The file is larger than ${config.UPLOAD_LIMIT} bytes, which is the limit (UPLOAD_LIMIT).`,
      });
    }
    return { part, name };
  } catch (error) {
    await part.discard();
    throw storageError(error);
  }
}

type ListOptions = {
  report: Report;
  signal: AbortSignal;
  /** Called in the transaction that lists the file; the file is deleted if it throws. */
  onFinish: (tx: Tx, listed: { filename: string; size: number }) => Promise<void>;
};

/** Lists an uploaded file once its whole content is verified; otherwise deletes the file and throws the reason. */
export async function listUpload(
  parts: Parts,
  { part, name: requestedName }: ReceivedUpload,
  { report, signal, onFinish }: ListOptions,
) {
  const { db } = parts;
  try {
    const onRead = (read: number, size: number): void => report('inspecting', (100 * read) / size);
    const backup = await verifyBackup(part.path, { ...verifyOptions(parts), onRead, signal });
    const file = await measureFile(part.path, signal);
    await part.complete(file);
    return await db.transaction().execute(async (tx) => {
      const { name: filename } = await queries.insertPending(tx, { name: requestedName, origin: 'uploaded' });
      const listed = { filename, size: file.size };
      await queries.finishBackup(tx, filename, verifiedColumns(backup, file), backup.header?.createdAt);
      await onFinish(tx, listed);
      await allowIdle(tx);
      await part.publish(filename);
      return listed;
    });
  } catch (error) {
    await part.discard();
    throw storageError(error);
  }
}
