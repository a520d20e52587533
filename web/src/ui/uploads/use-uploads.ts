import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { chosenFiles, type ChosenFile, type UploadLimits } from './upload-list.ts';

type StoredFile = { readonly _id: string; readonly name: string; readonly size: number };

export type UploadProgress = { onProgress: (percent: number) => void; signal: AbortSignal };

/** A file to add, and the function that stores it. */
type Upload = Pick<ChosenFile, 'name' | 'size' | 'sourceId'> & {
  readonly run: (how: UploadProgress) => Promise<StoredFile>;
};

/** Read once, when the list is mounted. */
type UploadsOptions = {
  readonly limits: UploadLimits;
  /** Deletes a stored file that was removed from the list, or was in it when the dialog closed. */
  readonly discard?: (id: string) => Promise<unknown>;
  /** Called with each stored file, which then leaves the list. */
  readonly onStored?: (file: StoredFile) => void;
};

export type Uploads = ReturnType<typeof useUploads>;

/** Uploads files one at a time, as soon as they are chosen. */
export function useUploads(options: UploadsOptions) {
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [{ limits }] = useState(options);
  const [queue] = useState(() => createQueue(setFiles, options));
  useEffect(() => () => queue.close(), [queue]);

  return {
    files,
    isBusy: files.some(({ state }) => state === 'uploading'),
    add: (uploads: readonly Upload[]): void => {
      const added = chosenFiles(files, uploads, limits);
      // Uses the current state, because other files may have been uploaded since this was rendered.
      setFiles((all) => [...all, ...added]);
      for (const [index, { key, state }] of added.entries())
        if (state === 'uploading') queue.begin(key, uploads[index]!.run);
    },
    remove(key: string): void {
      queue.remove(key);
      setFiles((all) => all.filter((file) => file.key !== key));
    },
    /** Returns the ids of the stored files in the order of the list. They are not deleted any more. */
    takeIds(): string[] {
      const ids = files.flatMap((file) => (file.state === 'added' ? [file.id] : []));
      queue.keepOnServer(ids);
      return ids;
    },
  };
}

function createQueue(
  setFiles: Dispatch<SetStateAction<readonly ChosenFile[]>>,
  { discard, onStored }: UploadsOptions,
) {
  const inFlight = new Map<string, AbortController>();
  const stored = new Map<string, string>();
  const keptIds = new Set<string>();
  let queue = Promise.resolve();

  const change = (key: string, next: (file: ChosenFile) => ChosenFile): void =>
    setFiles((all) => all.map((file) => (file.key === key ? next(file) : file)));

  async function upload(key: string, run: Upload['run'], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const onProgress = (percent: number): void => change(key, (file) => ({ ...file, percent }));
    try {
      const file = await run({ onProgress, signal });
      if (onStored) {
        setFiles((all) => all.filter((one) => one.key !== key));
        onStored(file);
      } else {
        const { _id: id, name, size } = file;
        stored.set(key, id);
        change(key, (old) => ({ ...old, name, size, percent: 100, state: 'added', id }));
      }
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
    // If this fails, the server deletes the file after a day.
    if (id !== undefined && !keptIds.has(id)) discard?.(id).catch(() => undefined);
  }

  return {
    begin(key: string, run: Upload['run']): void {
      const controller = new AbortController();
      inFlight.set(key, controller);
      queue = queue.then(() => upload(key, run, controller.signal));
    },

    remove,

    /** Prevents the deletion of files that another record may reference from now on. */
    keepOnServer(ids: readonly string[]): void {
      for (const id of ids) keptIds.add(id);
    },

    /** Called when the dialog is closed. */
    close(): void {
      for (const key of [...inFlight.keys(), ...stored.keys()]) remove(key);
    },
  };
}
