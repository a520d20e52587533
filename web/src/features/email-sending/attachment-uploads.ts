import type { Dispatch, SetStateAction } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import type { AttachedFile } from './attached-files.ts';
import { addAttachment, removeAttachment } from './email-sending.queries.ts';

/** Brings files to the server one after the other, and takes away again what was not sent. */
export function createUploads(setFiles: Dispatch<SetStateAction<readonly AttachedFile[]>>) {
  const underWay = new Map<string, AbortController>();
  const stored = new Map<string, string>();
  const handedOver = new Set<string>();
  let line = Promise.resolve();

  const change = (key: string, next: (file: AttachedFile) => AttachedFile): void =>
    setFiles((all) => all.map((file) => (file.key === key ? next(file) : file)));

  async function upload(key: string, file: File, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const onProgress = (percent: number): void => change(key, (known) => ({ ...known, percent }));
    try {
      const { _id, name, size } = await addAttachment(file, { onProgress, signal });
      stored.set(key, _id);
      change(key, () => ({ key, name, size, percent: 100, state: 'added', id: _id }));
    } catch (thrown) {
      const said = thrown instanceof ApiError ? thrown.errors['file'] : undefined;
      change(key, (known) => ({ ...known, state: 'refused', reason: said ?? messageOf(thrown) }));
    }
    underWay.delete(key);
  }

  function forget(key: string): void {
    underWay.get(key)?.abort();
    underWay.delete(key);
    const id = stored.get(key);
    stored.delete(key);
    // What is left behind all the same, the server removes after a day.
    if (id !== undefined && !handedOver.has(id)) removeAttachment(id).catch(() => undefined);
  }

  return {
    begin(key: string, file: File): void {
      const controller = new AbortController();
      underWay.set(key, controller);
      line = line.then(() => upload(key, file, controller.signal));
    },

    forget,

    /** Emails may have these files from now on: they are not taken away any more. */
    handOver(ids: readonly string[]): void {
      for (const id of ids) handedOver.add(id);
    },

    /** The dialog is gone. */
    close(): void {
      for (const key of [...underWay.keys(), ...stored.keys()]) forget(key);
    },
  };
}
