import { existsSync } from 'node:fs';
import { openSftpServer } from './sftp-server.ts';
import { openSshd, SSHD, type SshHost } from './sshd.ts';

/** A real OpenSSH server; a stand-in where none is installed and `npm test` could not bring one. */
export const openSshHost = (): Promise<SshHost> => (existsSync(SSHD) ? openSshd() : openSftpServer());
