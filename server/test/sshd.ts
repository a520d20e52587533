import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

/** Absolute path of sshd, which re-executes itself for each connection. */
export const SSHD = process.env.SSHD_PATH ?? '/usr/sbin/sshd';
const SFTP_SERVERS = [
  '/usr/lib/openssh/sftp-server',
  '/usr/libexec/openssh/sftp-server',
  '/usr/libexec/sftp-server',
];

/** A local server that receives copies of backups. */
export type SshHost = {
  port: number;
  username: string;
  /** Signs in; `passphrase` decrypts it. */
  privateKey: string;
  passphrase: string;
  /** Fingerprint of the host key, as printed by `ssh-keygen -l`. */
  fingerprint(): string;
  /** An empty folder for copies. */
  folder: string;
  /** Limits the file size in KB for later sessions; undefined: unlimited. */
  limitFiles(kilobytes: number | undefined): Promise<void>;
  /** Kills the newest SFTP session. */
  killSession(): Promise<void>;
  /** Replaces the host key, as a new installation or an interceptor would. */
  changeHostKey(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a real OpenSSH server on 127.0.0.1 with its own keys, configuration and folder, as the user of the tests. */
export async function openSshd(): Promise<SshHost> {
  const root = await mkdtemp(join(tmpdir(), 'sshd-'));
  const path = (name: string) => join(root, name);
  const passphrase = 'open sesame';
  await mkdir(path('copies'));
  generateKey(path('user'), passphrase);
  await writeFile(path('authorized_keys'), await readFile(path('user.pub')));
  await writeSubsystem(root);
  const port = await freePort();
  await writeFile(path('config'), configuration(root, port));
  // Root's sshd needs the folder that a service manager creates otherwise.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });

  generateKey(path('host'));
  let stop = await start(path('config'));
  return {
    port,
    username: userInfo().username,
    privateKey: await readFile(path('user'), 'utf8'),
    passphrase,
    folder: path('copies'),
    fingerprint: () =>
      execFileSync('ssh-keygen', ['-lf', path('host.pub')], { encoding: 'utf8' }).split(' ')[1]!,
    limitFiles: (kilobytes) => writeFile(path('limit'), String(kilobytes ?? 'unlimited')),
    async killSession() {
      process.kill(Number(await readFile(path('session'), 'utf8')), 'SIGKILL');
    },
    async changeHostKey() {
      await stop();
      await Promise.all([rm(path('host')), rm(path('host.pub'))]);
      generateKey(path('host'));
      stop = await start(path('config'));
    },
    async close() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** With one key derivation round, because tests sign in often. */
const generateKey = (path: string, passphrase = '') =>
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-a', '1', '-N', passphrase, '-C', 'test', '-f', path]);

/** Installs a wrapper of OpenSSH's SFTP server that can limit file sizes and writes its process id. */
async function writeSubsystem(root: string): Promise<void> {
  const sftpServer = SFTP_SERVERS.find((path) => existsSync(path));
  await writeFile(join(root, 'limit'), 'unlimited');
  await writeFile(
    join(root, 'sftp.sh'),
    `trap '' XFSZ\nulimit -f "$(cat '${root}/limit')"\necho $$ > '${root}/session'\nexec ${sftpServer}\n`,
  );
}

/** With another home folder: the shell of a session reads the start files of its user, which may take long or print text. */
const configuration = (root: string, port: number) => `
ListenAddress 127.0.0.1:${port}
HostKey ${root}/host
AuthorizedKeysFile ${root}/authorized_keys
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
SetEnv HOME=${root}
Subsystem sftp /bin/bash ${root}/sftp.sh
`;

async function start(config: string): Promise<() => Promise<void>> {
  const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.startsWith('Server listening')) break;
  }
  child.stderr.resume();
  if (!lines.at(-1)?.startsWith('Server listening'))
    throw new Error(`sshd did not start: ${lines.join(' ')}`);
  return async () => {
    child.kill('SIGTERM');
    await gone;
  };
}
