import type { BackupSignature } from '@forecourt/contract/backups';
import type { Migration } from '../../platform/db/migrations.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createSecrets, type Secrets } from '../../platform/secrets.ts';
import { readHeader, sign, totalRows, type Header } from './backup-format.ts';
import type { BackupRow } from './backups.queries.ts';
import { inspectScript, measureFile, openScript, type ReadOptions } from './read-backup.ts';
import { ScriptError, StallError, type ScriptFacts } from './script-reader.ts';

export type VerifiedBackup = {
  signature: BackupSignature;
  schemaVersion: number;
  header: Header | undefined;
  rows: number;
  /** The file contains the content of its files. */
  embedsFiles: boolean;
};

type Options = ReadOptions & {
  migrations: readonly Migration[];
  secrets: Secrets;
};

/** Returns the columns of the catalogue for a file verified now. */
export const verifiedColumns = (
  { signature, schemaVersion, rows, embedsFiles }: Omit<VerifiedBackup, 'header'>,
  file: { size: number; file_sha256: Buffer },
) => ({
  ...file,
  signature,
  schema_version: schemaVersion,
  row_count: rows,
  embeds_files: embedsFiles,
  verified_at: new Date().toISOString(),
  problem: null,
});

/**
 * Reads a whole file without changes to the database. Verifies that it is a complete, unmodified backup, and its
 * signature. Throws BACKUP_UNREADABLE with the reason if it cannot be restored.
 */
export async function verifyBackup(path: string, options: Options): Promise<VerifiedBackup> {
  try {
    const { facts, migrations } = await inspectScript(path, options);
    const verified = evaluate(facts, migrations, options.secrets);
    if (verified.schemaVersion > options.migrations.at(-1)!.version) {
      throw new ScriptError('It was written by a newer release. Start that release to restore it.');
    }
    const missing = tablesOf(options.migrations, verified.schemaVersion).filter(
      (table) => !facts.sections.some((section) => section.table === table),
    );
    if (missing.length > 0)
      throw new ScriptError(`It lacks tables of the release that wrote it: ${missing.join(', ')}.`);
    return verified;
  } catch (error) {
    throw unreadable(error);
  }
}

const TABLES =
  /^create table (?:if not exists )?(\w+)|^drop table (?:if exists )?(\w+)|^alter table (\w+) rename to (\w+)/gim;

export function tablesOf(migrations: readonly Migration[], version: number): string[] {
  const tables = new Set(['schema_migrations']);
  for (const migration of migrations.filter((one) => one.version <= version)) {
    for (const [, created, dropped, from, to] of migration.sql.matchAll(TABLES)) {
      const [added, removed] = [created ?? to, dropped ?? from];
      if (removed) tables.delete(removed);
      if (added) tables.add(added);
    }
  }
  return [...tables].sort();
}

/**
 * Returns the earlier result for a file with the same digest that was verified as ours, so that only its first line is
 * read. Returns undefined if the file must be verified again.
 */
export async function reuseVerification(
  path: string,
  row: BackupRow,
  options: Options,
): Promise<VerifiedBackup | undefined> {
  const isVerified = row.signature === 'own' && row.file_sha256 !== null && row.verified_at !== null;
  if (!isVerified) return undefined;
  const { file_sha256 } = await measureFile(path, options.signal);
  if (!file_sha256.equals(row.file_sha256!)) return undefined;
  const header = await firstLine(openScript(path, options));
  // After a rotation, the secrets in the file are encrypted by the former key.
  if (header?.installation.keyId !== options.secrets.keyId) return undefined;
  return {
    signature: 'own',
    schemaVersion: header.schemaVersion,
    header,
    rows: totalRows(header),
    embedsFiles: row.embeds_files,
  };
}

async function firstLine(script: AsyncGenerator<Buffer>): Promise<Header | undefined> {
  for await (const piece of script) return readHeader(piece.toString('utf8', 0, piece.indexOf('\n')));
  return undefined;
}

/** Converts a ScriptError to BACKUP_UNREADABLE, with the error as its cause; returns other errors unchanged. */
export const unreadable = (error: unknown): unknown =>
  error instanceof ScriptError
    ? Object.assign(new AppError('BACKUP_UNREADABLE', { details: error.message }), { cause: error })
    : error;

/** The error says that a file is no good backup. A reading that ended early says nothing about the file. */
export const provesDamage = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'BACKUP_UNREADABLE' && !(error.cause instanceof StallError);

function evaluate(facts: ScriptFacts, migrations: string, secrets: Secrets): VerifiedBackup {
  const { header, trailer, digest, sections } = facts;
  const rows = sections.reduce((sum, section) => sum + section.rows, 0);
  const embedsFiles = facts.embeddedFiles > 0;
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
    return { signature: 'unsigned', schemaVersion, header, rows, embedsFiles };
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
  const signature = isOwn ? 'own' : 'foreign';
  return { signature, schemaVersion: header.schemaVersion, header, rows, embedsFiles };
}

/** Returns the key of the other installation if it signed this file. Throws BACKUP_FOREIGN otherwise. */
export async function provenKey(path: string, keyText: string, options: Options): Promise<Secrets> {
  const key = Buffer.from(keyText, 'base64');
  const secrets = key.length === 32 ? createSecrets(key) : undefined;
  const verified = secrets && (await verifyBackup(path, { ...options, secrets }).catch(() => undefined));
  if (!secrets || verified?.signature !== 'own') {
    throw new AppError('BACKUP_FOREIGN', {
      details: 'This is not the SECRET_KEY that the backup was signed with.',
    });
  }
  return secrets;
}
