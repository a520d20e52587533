import { existsSync } from 'node:fs';
import { openSftpServer } from './sftp-server.ts';
import { openSshd, SSHD } from './sshd.ts';

/** A server that copies of backups can go to, on 127.0.0.1. */
export type SshHost = {
  port: number;
  username: string;
  /** Signs in; `passphrase` opens it. */
  privateKey: string;
  passphrase: string;
  /** Of the host's key, as `ssh-keygen -l` prints it. */
  fingerprint(): string;
  /** An empty folder to copy into. */
  folder: string;
  /** Files grow to so many KB and no further; undefined: as far as the disk goes. For sessions that begin afterwards. */
  limitFiles(kilobytes: number | undefined): Promise<void>;
  /** Ends the newest SFTP session as a crash would. */
  killSession(): Promise<void>;
  /** Gives the host another key, as after a new installation, or as somebody in between has. */
  changeHostKey(): Promise<void>;
  close(): Promise<void>;
};

/** A real OpenSSH server; a stand-in where none is installed and `npm test` could not bring one. */
export const openSshHost = (): Promise<SshHost> => (existsSync(SSHD) ? openSshd() : openSftpServer());
