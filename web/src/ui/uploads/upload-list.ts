import { formatSize } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/uploads.ts';

/** A file chosen to be added to a record. */
export type ChosenFile = {
  /** Id in this page: two files may have the same name. */
  readonly key: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Uploaded part, from 0 to 100. */
  readonly percent: number;
  /** Id of the stored file of which this is a copy. */
  readonly sourceId?: string | undefined;
} & (
  | { readonly state: 'uploading' }
  | { readonly state: 'added'; readonly id: string }
  /** Shown until it is removed; does not block the other files. */
  | { readonly state: 'refused'; readonly reason: string }
);

const counted = (files: readonly ChosenFile[]): readonly ChosenFile[] =>
  files.filter(({ state }) => state !== 'refused');

/** Returns the bytes of all files that are not refused. */
export const sumOf = (files: readonly ChosenFile[]): number =>
  counted(files).reduce((sum, { size }) => sum + size, 0);

/** The most files, and the most bytes of each of them and of all together. */
export type UploadLimits = { count: number; each?: number; total?: number };

/** Returns the added files; those that exceed a limit are refused with a reason. */
export function chosenFiles(
  files: readonly ChosenFile[],
  chosen: readonly Pick<ChosenFile, 'name' | 'size' | 'sourceId'>[],
  limits: UploadLimits,
): ChosenFile[] {
  const all = [...files];
  for (const { name, size, sourceId } of chosen) {
    const file = { key: newKey(), name, size, sourceId, percent: 0 };
    const reason = rejectionReason(all, size, limits);
    all.push(reason === null ? { ...file, state: 'uploading' } : { ...file, state: 'refused', reason });
  }
  return all.slice(files.length);
}

function rejectionReason(
  files: readonly ChosenFile[],
  size: number,
  { count, each = Infinity, total = Infinity }: UploadLimits,
): string | null {
  if (size === 0) return texts.empty;
  if (size > each) return texts.fileTooLarge(formatSize(each));
  if (counted(files).length >= count) return texts.tooMany(count);
  return sumOf(files) + size > total ? texts.tooLarge(formatSize(total)) : null;
}
