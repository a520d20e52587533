import { formatSize } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { texts } from '../../texts/uploads.ts';

/** A file chosen to be added to a record. */
export type ChosenFile = {
  /** Id within this page, because two files may have the same name. */
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Upload progress from 0 to 100. */
  readonly percent: number;
  /** Id of the stored file that is copied. */
  readonly sourceId?: string | undefined;
} & (
  | { readonly state: 'uploading' }
  | { readonly state: 'added'; readonly id: string }
  /** Displayed until the user removes it. Does not block the other files. */
  | { readonly state: 'refused'; readonly reason: string }
);

const counted = (files: readonly ChosenFile[]): readonly ChosenFile[] =>
  files.filter(({ state }) => state !== 'refused');

/** Returns the total bytes of the files that are not refused. */
export const sumOf = (files: readonly ChosenFile[]): number =>
  counted(files).reduce((sum, { size }) => sum + size, 0);

/** Maximum number of files, and maximum bytes of each and of all. */
export type UploadLimits = { count: number; each?: number; total?: number };

/** Returns the added files. Files above a limit are refused with a reason. */
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
