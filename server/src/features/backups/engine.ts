import type { BackupType } from '@forecourt/contract/backups';
import type { Report } from '../../platform/progress.ts';

/** A row of the catalogue, as remote copies and retention look at it. */
export type CatalogueEntry = {
  name: string;
  type: BackupType;
  size: number;
  createdAt: string;
  origin: 'made' | 'uploaded' | 'found';
  verifiedAt: string | null;
  provenAt: string | null;
  /** Lower-case hex of the file as it lies there. */
  sha256: string | null;
  isLocal: boolean;
  remote: 'none' | 'waiting' | 'copied' | 'failed';
};

/** What makes, keeps and proves backups, for whoever decides when: routes, the scheduler, remote copies. */
export type Engine = {
  /** Makes a backup, verifies it and answers its name. BACKUP_BUSY while one is made or restored anywhere. */
  make(type: BackupType, report?: Report, signal?: AbortSignal): Promise<string>;
  /** The finished ones, newest first. */
  entries(): Promise<CatalogueEntry[]>;
  /** The path of a backup's file, for reading; NOT_FOUND without one. */
  fileOf(name: string): Promise<string>;
  /** Deletes the file and, unless a remote copy is kept, forgets it. No rules are looked at: callers do. */
  remove(name: string): Promise<void>;
  /** Deletes the local file alone: a verified remote copy is left. */
  removeLocal(name: string): Promise<void>;
  setRemote(name: string, remote: CatalogueEntry['remote'], problem?: string): Promise<void>;
  /** Reads the whole file back against its checksum and signature. False: damaged, and the catalogue says so. */
  verify(name: string): Promise<boolean>;
  /** Restores the newest verified one into a scratch schema and compares; its name, or null where there is none. */
  proveNewest(report?: Report, signal?: AbortSignal): Promise<string | null>;
};
