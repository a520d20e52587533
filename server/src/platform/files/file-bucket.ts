import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createDirectory } from '../data-dir.ts';
import { newId } from '../ids.ts';
import { putFile, type Store } from '../s3/store.ts';
import {
  createLocalDraft,
  groupName,
  isNameInGroup,
  nameInGroup,
  PART,
  removeLocalParts,
  type FileFolder,
  type FileRef,
} from './file-folder.ts';

/**
 * Content by its SHA-256 in a bucket, with the keys of the paths of a folder: `files/ab/cdef…`. Every method throws
 * S3Failure.
 * @param spool a local folder for content that is being written
 */
export function createFileBucket({ bucket, keyOf }: Store, spool: string): FileFolder {
  const groupKey = (group: number): string => keyOf(`files/${groupName(group)}`);
  const fileKey = ({ digest }: Pick<FileRef, 'digest'>): string =>
    `${groupKey(digest[0]!)}/${nameInGroup(digest)}`;

  const has = async (ref: FileRef): Promise<boolean> => (await bucket.head(fileKey(ref)))?.size === ref.size;

  async function putPart(part: string, ref: FileRef): Promise<void> {
    if (!(await has(ref))) await putFile(bucket, fileKey(ref), part, ref);
  }

  async function write(ref: FileRef, content: Buffer): Promise<void> {
    if (await has(ref)) return;
    const pieces = Readable.from([content], { objectMode: false });
    await bucket.put(fileKey(ref), pieces, { size: ref.size, sha256: ref.digest.toString('hex') });
  }

  return {
    has,
    write,

    // One list for each group costs less than a request for each file.
    async *missing(refs) {
      const groups = new Map<number, Map<string, number>>();
      for await (const ref of refs) {
        const group = ref.digest[0]!;
        const sizes = groups.get(group) ?? (await bucket.list(groupKey(group)));
        groups.set(group, sizes);
        if (sizes.get(nameInGroup(ref.digest)) !== ref.size) yield ref;
      }
    },

    createDraft: () =>
      createLocalDraft(
        spool,
        async (part, ref) => {
          await putPart(part, ref);
          await rm(part, { force: true });
        },
        putPart,
      ),

    async take(ref, source) {
      await putPart(source, ref);
    },

    async flush() {},

    open: async (ref, start = 0) => ((await has(ref)) ? bucket.get(fileKey(ref), start) : undefined),

    async read(ref) {
      const object = await bucket.find(fileKey(ref));
      return object && buffer(object);
    },

    async withPath(ref, use) {
      await createDirectory(spool);
      const path = join(spool, PART + newId());
      try {
        await pipeline(await bucket.get(fileKey(ref)), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        return await use(path);
      } finally {
        await rm(path, { force: true });
      }
    },

    async list(group) {
      const names = await bucket.list(groupKey(group));
      return new Set([...names.keys()].filter(isNameInGroup).map((name) => groupName(group) + name));
    },

    async removeOld(ref, before) {
      const found = await bucket.head(fileKey(ref));
      if (found && found.modifiedAt < before) await bucket.remove(fileKey(ref));
    },

    removeParts: () => removeLocalParts(spool),
  };
}
