import type { BackupType } from '@forecourt/contract/backups';
import type { Report } from '../../platform/jobs/progress.ts';

/** A row of the catalogue, as used by remote copies and retention. */
export type CatalogueEntry = {
  name: string;
  type: BackupType;
  createdAt: string;
  origin: 'made' | 'uploaded' | 'found';
  verifiedAt: string | null;
  provenAt: string | null;
  isLocal: boolean;
  remote: 'none' | 'waiting' | 'copied' | 'failed';
  /** When the last fetch of its copy started. */
  fetchStartedAt: string | null;
};

/** Creates, deletes and verifies backups; routes, the scheduler and remote copies decide when. */
export type Engine = {
  /** Creates and verifies a backup, and returns its name. Throws BACKUP_BUSY while a backup or restore runs on any instance. */
  make(type: BackupType, report?: Report, signal?: AbortSignal): Promise<string>;
  /** Returns the finished backups, newest first. */
  entries(): Promise<CatalogueEntry[]>;
  /** Returns the path of a backup's file for reading. Throws NOT_FOUND without one. */
  fileOf(name: string): Promise<string>;
  /** Deletes the file and the catalogue row, in the name of the program. Callers enforce the rules of deletion. */
  remove(name: string): Promise<void>;
  /** Deletes the local file only, once the remote copy is verified. */
  removeLocal(name: string): Promise<void>;
  /** Verifies the whole file against its checksum and signature. Returns false, and updates the catalogue, when it is damaged. */
  verify(name: string): Promise<boolean>;
  /**
   * Restores the newest verified backup into a scratch schema and compares it, from the SSH server where its file is only
   * there. Returns its name; null when there is none.
   */
  proveNewest(report?: Report, signal?: AbortSignal): Promise<string | null>;
};
