import { ATTACHMENTS_BYTES, ATTACHMENTS_MAX } from '@forecourt/contract/attachment-limits';
import { formatSize } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/email-attachments.ts';

/** A file that somebody has chosen for an email. */
export type AttachedFile = {
  /** By which this page knows it: two may have one name. */
  readonly key: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** How much of it the server has, from 0 to 100. */
  readonly percent: number;
} & (
  | { readonly state: 'uploading' }
  | { readonly state: 'added'; readonly id: string }
  /** It stays in sight until it is removed, and holds up nothing. */
  | { readonly state: 'refused'; readonly reason: string }
);

const counted = (files: readonly AttachedFile[]): readonly AttachedFile[] =>
  files.filter(({ state }) => state !== 'refused');

/** The bytes of all that will be sent. */
export const sumOf = (files: readonly AttachedFile[]): number =>
  counted(files).reduce((sum, { size }) => sum + size, 0);

/** These files behind those that are there: each that has no room says so by itself. */
export function chosenFiles(
  files: readonly AttachedFile[],
  chosen: readonly { name: string; size: number }[],
): AttachedFile[] {
  const all = [...files];
  for (const { name, size } of chosen) {
    const file = { key: newKey(), name, size, percent: 0 };
    const reason = reasonAgainst(all, size);
    all.push(reason === null ? { ...file, state: 'uploading' } : { ...file, state: 'refused', reason });
  }
  return all.slice(files.length);
}

function reasonAgainst(files: readonly AttachedFile[], size: number): string | null {
  if (size === 0) return texts.empty;
  if (counted(files).length >= ATTACHMENTS_MAX) return texts.tooMany(ATTACHMENTS_MAX);
  return sumOf(files) + size > ATTACHMENTS_BYTES ? texts.tooLarge(formatSize(ATTACHMENTS_BYTES)) : null;
}
