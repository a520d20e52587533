import type { BackupType } from '@forecourt/contract/backups';

/** By the beginning of the name (spec.md section 3). */
export const typeOf = (name: string): BackupType =>
  name.startsWith('auto_backup_') ? 'automatic' : name.startsWith('pre_restore_') ? 'preRestore' : 'manual';

const PREFIX: Record<BackupType, string> = {
  automatic: 'auto_backup_',
  preRestore: 'pre_restore_',
  manual: 'backup_',
};

/** The name of a backup made at an instant, such as `auto_backup_2026-11-21T13-00-00Z.sql.gz`; `again` tells several of one second apart. */
export const nameFor = (type: BackupType, instant: Date, again = 0): string =>
  `${PREFIX[type]}${instant.toISOString().slice(0, 19).replaceAll(':', '-')}Z${again > 0 ? `-${again + 1}` : ''}.sql.gz`;

/** So many of the newest that verify are not deleted by mistake (security.md J10). */
const LAST = 3;

/** Whether deleting this one is asked about first: a pre-restore backup, or one of the last three that verify. */
export const isNeeded = (name: string, verifiedNewestFirst: readonly string[]): boolean =>
  typeOf(name) === 'preRestore' || verifiedNewestFirst.slice(0, LAST).includes(name);

/**
 * A name of our own for an uploaded file, close to the one it came with; null where its ending is none of a backup.
 * It never looks like one that was made here: those are deleted by age.
 */
export function uploadName(filename: string, endings: readonly string[]): string | null {
  const base = filename.split(/[\\/]/).at(-1) ?? '';
  const ending = endings.find((end) => base.toLowerCase().endsWith(end));
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

/** The same name once more: `name-2.sql.gz`. */
export const numbered = (name: string, number: number): string =>
  number === 1 ? name : name.replace(/(\.sql)?\.\w+$/, (ending) => `-${number}${ending}`);
