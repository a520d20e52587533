import { existsSync } from 'node:fs';
import { openSftpServer } from './sftp-server.ts';
import { openSshd, SSHD, type SshHost } from './sshd.ts';

/** Starts a real OpenSSH server, or a substitute where none is installed and `npm test` could not install one. */
export const openSshHost = (): Promise<SshHost> => (existsSync(SSHD) ? openSshd() : openSftpServer());
