import { MAX_ATTACHMENTS_BYTES, MAX_ATTACHMENTS } from '@forecourt/contract/attachment-limits';
import { formatSize } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/email-attachments.ts';

/** A file chosen for an email. */
export type AttachedFile = {
  /** Id in this page: two files may have the same name. */
  readonly key: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Uploaded part, from 0 to 100. */
  readonly percent: number;
} & (
  | { readonly state: 'uploading' }
  | { readonly state: 'added'; readonly id: string }
  /** Shown until it is removed; does not block the other files. */
  | { readonly state: 'refused'; readonly reason: string }
);

const counted = (files: readonly AttachedFile[]): readonly AttachedFile[] =>
  files.filter(({ state }) => state !== 'refused');

/** Returns the bytes of all files that will be sent. */
export const sumOf = (files: readonly AttachedFile[]): number =>
  counted(files).reduce((sum, { size }) => sum + size, 0);

/** Returns the added files; those that exceed a limit are refused with a reason. */
export function chosenFiles(
  files: readonly AttachedFile[],
  chosen: readonly { name: string; size: number }[],
): AttachedFile[] {
  const all = [...files];
  for (const { name, size } of chosen) {
    const file = { key: newKey(), name, size, percent: 0 };
    const reason = rejectionReason(all, size);
    all.push(reason === null ? { ...file, state: 'uploading' } : { ...file, state: 'refused', reason });
  }
  return all.slice(files.length);
}

function rejectionReason(files: readonly AttachedFile[], size: number): string | null {
  if (size === 0) return texts.empty;
  if (counted(files).length >= MAX_ATTACHMENTS) return texts.tooMany(MAX_ATTACHMENTS);
  return sumOf(files) + size > MAX_ATTACHMENTS_BYTES
    ? texts.tooLarge(formatSize(MAX_ATTACHMENTS_BYTES))
    : null;
}
