import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { chosenFiles, type AttachedFile } from './attached-files.ts';
import { addAttachment, removeAttachment } from './email-sending.queries.ts';

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

/** Uploads files one at a time, and removes those that were not sent. */
function createUploads(setFiles: Dispatch<SetStateAction<readonly AttachedFile[]>>) {
  const inFlight = new Map<string, AbortController>();
  const stored = new Map<string, string>();
  const sentIds = new Set<string>();
  let queue = Promise.resolve();

  const change = (key: string, next: (file: AttachedFile) => AttachedFile): void =>
    setFiles((all) => all.map((file) => (file.key === key ? next(file) : file)));

  async function upload(key: string, file: File, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const onProgress = (percent: number): void => change(key, (file) => ({ ...file, percent }));
    try {
      const { _id, name, size } = await addAttachment(file, { onProgress, signal });
      stored.set(key, _id);
      change(key, () => ({ key, name, size, percent: 100, state: 'added', id: _id }));
    } catch (thrown) {
      const message = thrown instanceof ApiError ? thrown.errors['file'] : undefined;
      change(key, (file) => ({ ...file, state: 'refused', reason: message ?? messageOf(thrown) }));
    }
    inFlight.delete(key);
  }

  function remove(key: string): void {
    inFlight.get(key)?.abort();
    inFlight.delete(key);
    const id = stored.get(key);
    stored.delete(key);
    // If this fails, the server removes the file after a day.
    if (id !== undefined && !sentIds.has(id)) removeAttachment(id).catch(() => undefined);
  }

  return {
    begin(key: string, file: File): void {
      const controller = new AbortController();
      inFlight.set(key, controller);
      queue = queue.then(() => upload(key, file, controller.signal));
    },

    remove,

    /** Emails may reference these files from now on: they are not removed any more. */
    keepOnServer(ids: readonly string[]): void {
      for (const id of ids) sentIds.add(id);
    },

    /** Called when the dialog is closed. */
    close(): void {
      for (const key of [...inFlight.keys(), ...stored.keys()]) remove(key);
    },
  };
}
