import { useEffect, useState } from 'react';
import { chosenFiles, type AttachedFile } from './attached-files.ts';
import { createUploads } from './attachment-uploads.ts';

export type AttachmentList = {
  readonly files: readonly AttachedFile[];
  /** Files are on their way to the server. */
  readonly isBusy: boolean;
  readonly add: (chosen: readonly File[]) => void;
  readonly remove: (key: string) => void;
  /** The ids for a send, in the order of the list. From now on emails may have these files. */
  readonly handOver: () => string[];
};

/** Files for an email: uploaded as they are chosen, and taken away again where nothing was sent. */
export function useAttachments(): AttachmentList {
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  const [uploads] = useState(() => createUploads(setFiles));
  useEffect(() => () => uploads.close(), [uploads]);

  return {
    files,
    isBusy: files.some(({ state }) => state === 'uploading'),
    add(chosen) {
      const added = chosenFiles(files, chosen);
      setFiles([...files, ...added]);
      for (const [index, { key, state }] of added.entries()) {
        if (state === 'uploading') uploads.begin(key, chosen[index]!);
      }
    },
    remove(key) {
      uploads.forget(key);
      setFiles((all) => all.filter((file) => file.key !== key));
    },
    handOver() {
      const ids = files.flatMap((file) => (file.state === 'added' ? [file.id] : []));
      uploads.handOver(ids);
      return ids;
    },
  };
}
