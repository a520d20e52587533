import { useEffect, useState } from 'react';
import { chosenFiles, type AttachedFile } from './attached-files.ts';
import { createUploads } from './attachment-uploads.ts';

export type AttachmentList = {
  readonly files: readonly AttachedFile[];
  /** Files are being uploaded. */
  readonly isBusy: boolean;
  readonly add: (chosen: readonly File[]) => void;
  readonly remove: (key: string) => void;
  /** Returns the ids for a send, in the order of the list. From then on emails may reference these files. */
  readonly takeIds: () => string[];
};

/** Files for an email: uploaded as they are chosen, and removed if nothing was sent. */
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
      uploads.remove(key);
      setFiles((all) => all.filter((file) => file.key !== key));
    },
    takeIds() {
      const ids = files.flatMap((file) => (file.state === 'added' ? [file.id] : []));
      uploads.keepOnServer(ids);
      return ids;
    },
  };
}
