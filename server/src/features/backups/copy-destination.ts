import type { CopyDestination } from '@forecourt/contract/copy-destination';
import type { Db } from '../../platform/db/database.ts';

/** A local file and the SHA-256 that its copy must have. */
export type LocalFile = {
  path: string;
  /** In lower-case hex. */
  sha256: string;
};

/** The failure of a copy, fetch or test: the step, and a message of this program, never the text of the other side. */
export abstract class CopyFailure extends Error {
  abstract readonly code: 'SSH_SERVER_REFUSED' | 'S3_REFUSED';
  abstract readonly step: string;
}

/** An open connection to a destination, until it is disposed of. Paths have `/` between names. Each method throws CopyFailure. */
export type CopySession = Disposable & {
  /** Throws if the folder of all copies is missing, where folders exist: its disk may not be mounted. */
  requireFolder(folder: string): Promise<void>;

  /** Returns the sizes of the files of a folder by name; none if there is no such folder. */
  list(folder: string): Promise<Map<string, number>>;

  /**
   * Sends a file, whose name appears when it is complete. An existing file with the same content counts as sent; one
   * with different content is never replaced.
   * @param folder created if it is missing, unless `requireFolder` refuses it
   */
  send(folder: string, name: string, file: LocalFile): Promise<void>;

  /**
   * Fetches the first of `paths` that exists into a new local file, and compares size and SHA-256. After an error the
   * caller removes the file, which may be of the local disk too.
   * @param onProgress called with the number of bytes received so far
   */
  fetch(
    paths: readonly string[],
    file: LocalFile & { size: number },
    onProgress?: (received: number) => void,
    signal?: AbortSignal,
  ): Promise<void>;
};

/** A configured destination of copies. */
export type CopyServer = {
  open(signal: AbortSignal): Promise<CopySession>;
  /** The folder of all copies. */
  remotePath: string;
  remoteName(name: string): string;
};

/** A destination, and which backups to copy to it. */
export type CopyPlan = CopyServer & {
  keepLocalCopies: boolean;
  /** Backups that finished before this time are not copied. */
  since: string;
};

/** Where copies of backups go. */
export type Destination = {
  name: CopyDestination;
  /** Returns undefined if copying is off. `open` throws CopyFailure if a secret cannot be decrypted. */
  copyPlan(db: Db): Promise<CopyPlan | undefined>;
  /** Returns the destination of existing copies; undefined if settings are incomplete or a secret cannot be decrypted. */
  copyServer(db: Db): Promise<CopyServer | undefined>;
};

export const joinRemote = (folder: string, name: string): string =>
  folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`;
