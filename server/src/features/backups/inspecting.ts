import type { BackupSignature } from '@forecourt/contract/backups';
import { AppError } from '../../platform/http/errors.ts';
import { createSecrets, type Secrets } from '../../platform/secrets.ts';
import { readHeader, sign, type Header } from './backup-format.ts';
import type { BackupRow } from './backups.queries.ts';
import { digestOf } from './folder.ts';
import { readScript, ScriptError, type ScriptFacts, type Sink } from './script-reader.ts';
import { openScript } from './unpacking.ts';

export type Inspected = {
  signature: BackupSignature;
  schemaVersion: number;
  header: Header | undefined;
  /** Rows of all tables together. */
  rows: number;
};

type Options = {
  /** The number of this release's last migration. */
  newestVersion: number;
  secrets: Secrets;
  totalLimit: number;
  onRead?: (read: number, size: number) => void;
  signal?: AbortSignal | undefined;
};

/** What the catalogue has of a file. */
type Known = Pick<BackupRow, 'signature' | 'file_sha256' | 'verified_at'>;

/**
 * Reads a whole file and judges it, changing nothing: is it a backup, whole, as it was written, and by whom?
 * BACKUP_UNREADABLE with the reason where it cannot be restored by anybody.
 */
export async function inspect(path: string, options: Options): Promise<Inspected> {
  try {
    const versions = gather(64 * 1024);
    const facts = await readScript(openScript(path, options), ({ table }) =>
      table === 'schema_migrations' ? versions.sink : undefined,
    );
    const judged = judge(facts, versions.text(), options.secrets);
    if (judged.schemaVersion > options.newestVersion) {
      throw new ScriptError('It was written by a newer release. Start that release to restore it.');
    }
    return judged;
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * What a file is that was judged to be ours and is still the same, byte for byte: then only its first line is read.
 * Undefined: it has to be inspected.
 */
export async function recall(path: string, known: Known, options: Options): Promise<Inspected | undefined> {
  const isJudged = known.signature === 'own' && known.file_sha256 !== null && known.verified_at !== null;
  if (!isJudged || !(await digestOf(path)).equals(known.file_sha256!)) return undefined;
  const header = await firstLine(openScript(path, options));
  // Another key since then: what the file holds is sealed with the one of before.
  if (header?.installation.keyId !== options.secrets.keyId) return undefined;
  const rows = Object.values(header.tables).reduce((sum, count) => sum + count, 0);
  return { signature: 'own', schemaVersion: header.schemaVersion, header, rows };
}

async function firstLine(script: AsyncGenerator<Buffer>): Promise<Header | undefined> {
  for await (const piece of script) return readHeader(piece.toString('utf8', 0, piece.indexOf('\n')));
  return undefined;
}

/** What is wrong with a file in the words of the product; other errors as they are. */
export const unreadable = (error: unknown): unknown =>
  error instanceof ScriptError ? new AppError('BACKUP_UNREADABLE', { details: error.message }) : error;

function judge(facts: ScriptFacts, migrations: string, secrets: Secrets): Inspected {
  const { header, trailer, digest, sections } = facts;
  const rows = sections.reduce((sum, section) => sum + section.rows, 0);
  if (!sections.some(({ table }) => table === 'users')) {
    throw new ScriptError('It holds no data of this program.');
  }
  if (!header) {
    if (!facts.isWholeDump) throw new ScriptError('It is no whole dump of a database.');
    const schemaVersion = Math.max(
      0,
      ...[...migrations.matchAll(/^(\d{1,4})\t/gm)].map(([, number]) => Number(number)),
    );
    if (schemaVersion === 0) throw new ScriptError('It does not say which release wrote it.');
    return { signature: 'unsigned', schemaVersion, header, rows };
  }
  if (!trailer) throw new ScriptError('It is cut off.');
  const isWhole = sections.every(({ table, rows }) => header.tables[table] === rows);
  if (trailer.sha256 !== digest || !isWhole || sections.length !== Object.keys(header.tables).length) {
    throw new ScriptError('It is damaged: it is not what was written.');
  }
  const isOwn = trailer.signature === sign(secrets, digest);
  if (!isOwn && header.installation.keyId === secrets.keyId) {
    throw new ScriptError('It was changed after it was made: its signature does not hold.');
  }
  return { signature: isOwn ? 'own' : 'foreign', schemaVersion: header.schemaVersion, header, rows };
}

/** The other installation's key where it signed this file; BACKUP_FOREIGN where it did not. */
export async function provenKey(path: string, keyText: string, options: Options): Promise<Secrets> {
  const key = Buffer.from(keyText, 'base64');
  const secrets = key.length === 32 ? createSecrets(key) : undefined;
  const judged = secrets && (await inspect(path, { ...options, secrets }).catch(() => undefined));
  if (!secrets || judged?.signature !== 'own') {
    throw new AppError('BACKUP_FOREIGN', {
      details: 'This is not the SECRET_KEY that the backup was signed with.',
    });
  }
  return secrets;
}

function gather(limit: number): { sink: Sink; text(): string } {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return {
    sink: {
      write(piece) {
        bytes += piece.length;
        if (bytes > limit) throw new ScriptError('It names more releases than there are.');
        pieces.push(piece);
      },
      end() {},
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
  };
}
