import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2, { type AuthContext, type Connection, type SFTPWrapper } from 'ssh2';
import type { SshHost } from './sshd.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

type KeyPair = ReturnType<typeof ssh2.utils.generateKeyPairSync>;

type Options = {
  /** Signs in besides the key. */
  password?: string;
  /** Asks for the password as a question, as PAM does. */
  asks?: boolean;
  /** Keeps something else than what it was sent. */
  alters?: boolean;
  /** Lets people in, and opens no files for them. */
  withoutSftp?: boolean;
};

/** A pair of keys that can be read: of those that ssh2 makes one in 256 cannot. */
function keyPair(passphrase?: string): KeyPair {
  const made = passphrase
    ? ssh2.utils.generateKeyPairSync('ed25519', { passphrase, cipher: 'aes256-cbc', rounds: 1 })
    : ssh2.utils.generateKeyPairSync('ed25519');
  return ssh2.utils.parseKey(made.private, passphrase) instanceof Error ? keyPair(passphrase) : made;
}

/** An SFTP server of ssh2's, for what OpenSSH cannot be made to do in a test: signs in by password, and lies. */
export async function openSftpServer(options: Options = {}): Promise<SshHost> {
  const root = await mkdtemp(join(tmpdir(), 'sftp-'));
  await mkdir(join(root, 'copies'));
  const passphrase = 'open sesame';
  const user = keyPair(passphrase);
  let hostKey = keyPair();
  let bytesLimit = Infinity;
  let sessions: Connection[] = [];

  const listen = async (port: number) => {
    const server = new ssh2.Server({ hostKeys: [hostKey.private], ident: 'banner-secret' }, (client) => {
      sessions.push(client);
      client.on('error', () => {});
      client.on('close', () => (sessions = sessions.filter((other) => other !== client)));
      client.on('authentication', (context) => authenticate(context, options, user.public));
      client.on('session', (accept) => {
        accept().on('sftp', (acceptSftp, reject) => {
          if (options.withoutSftp) reject();
          else serveFiles(acceptSftp(), bytesLimit, options.alters ?? false);
        });
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as { port: number };
  const stop = async () => {
    for (const client of sessions) client.end();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };

  return {
    port,
    username: 'keeper',
    privateKey: user.private,
    passphrase,
    folder: join(root, 'copies'),
    fingerprint() {
      const key = Buffer.from(hostKey.public.split(' ')[1]!, 'base64');
      return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
    },
    limitFiles: async (kilobytes) => void (bytesLimit = (kilobytes ?? Infinity) * 1024),
    killSession: async () => void sessions.at(-1)?.end(),
    async changeHostKey() {
      await stop();
      hostKey = keyPair();
      server = await listen(port);
    },
    async close() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function authenticate(context: AuthContext, { password, asks }: Options, publicKey: string): void {
  if (context.method === 'password' && !asks && context.password === password) return context.accept();
  if (context.method === 'keyboard-interactive' && asks) {
    context.prompt([{ prompt: 'Password: ', echo: false }], (answers) =>
      answers[0] === password ? context.accept() : context.reject(),
    );
    return;
  }
  if (context.method === 'publickey') {
    const known = ssh2.utils.parseKey(publicKey);
    const isKnown = !(known instanceof Error) && known.getPublicSSH().equals(context.key.data);
    if (isKnown && (!context.signature || known.verify(context.blob!, context.signature, context.hashAlgo)))
      return context.accept();
  }
  context.reject([asks ? 'keyboard-interactive' : 'password', 'publickey']);
}

type OpenFile = { file: FileHandle } | { names: string[] };

/** The requests of SFTP version 3 that copies need, on real files. */
function serveFiles(sftp: SFTPWrapper, bytesLimit: number, alters: boolean): void {
  const opened = new Map<number, OpenFile>();
  const remember = (id: number, what: OpenFile) => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(opened.size);
    opened.set(opened.size, what);
    sftp.handle(id, handle);
  };
  const ok = (id: number) => sftp.status(id, STATUS_CODE.OK);
  const fileOf = (handle: Buffer) => (opened.get(handle.readUInt32BE()) as { file: FileHandle }).file;
  const answer = (id: number, work: Promise<unknown>) => {
    work.catch((error: NodeJS.ErrnoException) => {
      const codes: Record<string, number> = {
        ENOENT: STATUS_CODE.NO_SUCH_FILE,
        EACCES: STATUS_CODE.PERMISSION_DENIED,
      };
      sftp.status(id, codes[error.code ?? ''] ?? STATUS_CODE.FAILURE, 'banner-secret');
    });
  };
  const tell = async (id: number, path: string) => {
    const { mode, uid, gid, size, atimeMs, mtimeMs } = await stat(path);
    sftp.attrs(id, {
      mode,
      uid,
      gid,
      size,
      atime: Math.floor(atimeMs / 1000),
      mtime: Math.floor(mtimeMs / 1000),
    });
  };

  sftp.on('STAT', (id, path) => answer(id, tell(id, path)));
  sftp.on('MKDIR', (id, path) =>
    answer(
      id,
      mkdir(path).then(() => ok(id)),
    ),
  );
  sftp.on('REMOVE', (id, path) =>
    answer(
      id,
      rm(path).then(() => ok(id)),
    ),
  );
  sftp.on('OPENDIR', (id, path) =>
    answer(
      id,
      readdir(path).then((names) => remember(id, { names })),
    ),
  );
  sftp.on('READDIR', (id, handle) => {
    const names = (opened.get(handle.readUInt32BE()) as { names: string[] }).names.splice(0);
    if (names.length === 0) return sftp.status(id, STATUS_CODE.EOF);
    const attrs = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    sftp.name(
      id,
      names.map((filename) => ({ filename, longname: filename, attrs })),
    );
  });
  sftp.on('OPEN', (id, path, flags) =>
    answer(
      id,
      open(path, flags & OPEN_MODE.WRITE ? 'wx' : 'r').then((file) => remember(id, { file })),
    ),
  );
  sftp.on('WRITE', (id, handle, offset, data) => {
    if (offset + data.length > bytesLimit) return sftp.status(id, STATUS_CODE.FAILURE, 'banner-secret');
    if (alters) data[0]! ^= 1;
    answer(
      id,
      fileOf(handle)
        .write(data, 0, data.length, offset)
        .then(() => ok(id)),
    );
  });
  sftp.on('READ', (id, handle, offset, length) =>
    answer(
      id,
      fileOf(handle)
        .read(Buffer.alloc(length), 0, length, offset)
        .then(({ buffer, bytesRead }) =>
          bytesRead === 0 ? sftp.status(id, STATUS_CODE.EOF) : sftp.data(id, buffer.subarray(0, bytesRead)),
        ),
    ),
  );
  sftp.on('CLOSE', (id, handle) => {
    const what = opened.get(handle.readUInt32BE())!;
    answer(
      id,
      ('file' in what ? what.file.close() : Promise.resolve()).then(() => ok(id)),
    );
  });
  sftp.on('RENAME', (id, from, to) =>
    answer(
      id,
      stat(to).then(
        () => sftp.status(id, STATUS_CODE.FAILURE),
        () => rename(from, to).then(() => ok(id)),
      ),
    ),
  );
}
