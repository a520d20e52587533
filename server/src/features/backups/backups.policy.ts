import { UPLOAD_ENDINGS, type BackupCopy, type BackupType } from '@forecourt/contract/backups';
import type { CopyDestination } from '@forecourt/contract/copy-destination';

const PREFIX: Record<BackupType, string> = {
  automatic: 'auto_backup_',
  preRestore: 'pre_restore_',
  manual: 'backup_',
};

/** Returns the type of a backup by the prefix of its name; files with any other name are manual (docs/product/backups.md, What a backup is). */
export const typeOf = (name: string): BackupType =>
  (['automatic', 'preRestore'] as const).find((type) => name.startsWith(PREFIX[type])) ?? 'manual';

/** Returns the name of a backup created at an instant, such as `auto_backup_2026-11-21T13-00-00Z.sql.gz`. */
export const nameFor = (type: BackupType, instant: Date): string =>
  `${PREFIX[type]}${instant.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sql.gz`;

/** Number of protected newest verified backups (docs/product/security.md, The last backups need a confirmation). */
const LAST = 3;

/** A confirmation is required for a pre-restore backup and for the newest verified backups. */
export const needsConfirmation = (name: string, verifiedNewestFirst: readonly string[]): boolean =>
  typeOf(name) === 'preRestore' || verifiedNewestFirst.slice(0, LAST).includes(name);

type Copied = { copies: readonly Pick<BackupCopy, 'destination' | 'state' | 'problem'>[] };

/** A copy made before the settings named another place has a problem. */
const isWhereSettingsLead = ({ state, problem }: Copied['copies'][number]): boolean =>
  state === 'copied' && problem === null;

export const hasCopyAt = ({ copies }: Copied, destination: CopyDestination): boolean =>
  copies.some((copy) => copy.destination === destination && isWhereSettingsLead(copy));

/** Whether a copy counts as the backup. */
export const hasGoodCopy = ({ copies }: Copied): boolean => copies.some(isWhereSettingsLead);

/** Whether there is a copy, perhaps at a place of former settings. */
export const hasCopy = ({ copies }: Copied): boolean => copies.some(({ state }) => state === 'copied');

/** A copy can be fetched if it was verified at its destination and the local file is missing or damaged. */
export const isFetchable = (
  backup: Copied & { is_local: boolean; problem: string | null },
  hasFile: boolean,
): boolean => hasCopy(backup) && !(backup.is_local && hasFile && backup.problem === null);

/**
 * Returns a safe name for an uploaded file, derived from its own; null if its extension is not one of a backup. The
 * name never gets the prefix of a backup created here, because such backups are deleted by age.
 */
export function uploadName(filename: string): string | null {
  const base = filename.split(/[\\/]/).at(-1) ?? '';
  const ending = UPLOAD_ENDINGS.find((end) => base.toLowerCase().endsWith(end));
  if (ending === undefined || base.length > 1000) return null;
  const stem = base
    .slice(0, -ending.length)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .replaceAll(/^[^A-Za-z0-9]+|[._-]+$/g, '')
    .slice(0, 80);
  const isOurs = typeOf(stem) !== 'manual';
  return `${isOurs || stem === '' ? 'uploaded_' : ''}${stem}${ending}`;
}

/** Returns the name with a number: `name-2.sql.gz`. */
export const numbered = (name: string, number: number): string =>
  number === 1 ? name : name.replace(/(\.sql)?\.\w+$/, (ending) => `-${number}${ending}`);
