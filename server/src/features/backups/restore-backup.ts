import type { RestoreBody, RestoreCheck, RestoreResult } from '@forecourt/contract/backups';
import type pg from 'pg';
import type { Tx } from '../../platform/db/database.ts';
import { transactionOf, useSchema, withClient } from '../../platform/db/dedicated-client.ts';
import { SCHEMA } from '../../platform/db/schemas.ts';
import { CHANNEL } from '../../platform/db/schemas.ts';
import type { Context } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createInstallationRow } from '../../platform/installation.ts';
import type { Report } from '../../platform/jobs/progress.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { notifyHeld } from '../email-sending/held-mail.service.ts';
import { auditBackup } from './backup-audit.ts';
import { missingProblem } from './backup-files.ts';
import * as queries from './backups.queries.ts';
import { countDifferences, peopleReactivated } from './compare-data.ts';
import { verifyOptions, createBackup, type Parts } from './create-backup.ts';
import { readTables } from './definition.ts';
import { storageError } from './folder.ts';
import {
  adoptSecrets,
  mergeSessions,
  continueAudit,
  preserveRestorer,
  holdMail,
  settleHeldMail,
} from './restore-merge.ts';
import {
  countMissingFiles,
  createEmbeddedRecord,
  createEmbeddedStore,
  requireFiles,
} from './restored-files.ts';
import { MERGED, EMPTIED, preservedTables, skippedTables } from './restored-tables.ts';
import { inScratchSchema } from './scratch-schema.ts';
import { lockTables, swapTables } from './swap-tables.ts';
import {
  verifyBackup,
  provenKey,
  reuseVerification,
  unreadable,
  type VerifiedBackup,
} from './verify-backup.ts';

type Work = { report: Report; signal?: AbortSignal | undefined };

/** The key that signed the backup; undefined if the origin is unproven. `bringsAudit`: its audit log replaces ours. */
type Proof = { theirs: Secrets | undefined; bringsAudit: boolean };

/** Returns the name to type if the other installation's key is not entered: its company name, or the file name. */
const nameToType = ({ header }: VerifiedBackup, name: string): string => header?.installation.name || name;

/** Loading takes most of the time: `report` maps its progress to this range of percentages. */
const source = (
  parts: Parts,
  path: string,
  schemaVersion: number,
  from: number,
  to: number,
  { report, signal }: Work,
) => ({
  path,
  schemaVersion,
  migrations: parts.migrations,
  totalLimit: verifyOptions(parts).totalLimit,
  onRead: (read: number, size: number): void => report('loading', from + ((to - from) * read) / size),
  signal,
});

/**
 * Restores a backup into a scratch schema and returns what a restore would add, remove and change. Live data stays
 * unchanged; missing files are recorded as the problem of the backup. Throws BACKUP_UNREADABLE if a restore would fail.
 */
export async function checkBackup(parts: Parts, name: string, work: Work): Promise<RestoreCheck> {
  const { report } = work;
  try {
    await using local = await parts.folder.local(name, work);
    const { path } = local;
    const backup = await verifyBackup(path, { ...verifyOptions(parts), signal: work.signal });
    report('loading', 10);
    const { embedded, openEmbedded } = createEmbeddedRecord();
    const from = {
      ...source(parts, path, backup.schemaVersion, 10, 80, work),
      skippedTables: skippedTables(false),
      openEmbedded: (_client: pg.Client, digest: Buffer) => openEmbedded(digest),
    };
    return await inScratchSchema(parts.connection, from, async (client, scratch) => {
      report('comparing', 90);
      const missingFiles = await countMissingFiles(client, parts, embedded);
      // With a problem, a backup that is also on the SSH server can be fetched from there.
      if (missingFiles > 0)
        await queries.updateBackup(parts.db, name, { problem: missingProblem(missingFiles) });
      return {
        name,
        createdAt: backup.header?.createdAt ?? null,
        schemaVersion: backup.schemaVersion,
        isOlder: backup.schemaVersion < parts.migrations.at(-1)!.version,
        signature: backup.signature,
        confirmName: backup.signature === 'own' ? null : nameToType(backup, name),
        missingFiles,
        counts: await countDifferences(client, scratch),
        reactivated: await peopleReactivated(client),
      };
    });
  } catch (error) {
    throw storageError(unreadable(error));
  }
}

const NOT_OURS = 'Rows are copied only from backups that this installation signed with its current key.';

/**
 * Loads a backup into a scratch schema and returns the result of `use`, which gets a connection to that schema. Throws
 * BACKUP_UNREADABLE, and BACKUP_FOREIGN for a backup of another installation.
 */
export async function readBackup<R>(
  parts: Parts,
  name: string,
  work: Work,
  use: (backup: Tx) => Promise<R>,
): Promise<R> {
  try {
    await using local = await parts.folder.local(name, work);
    const { path } = local;
    const { signature, schemaVersion } = await verifyBackup(path, {
      ...verifyOptions(parts),
      signal: work.signal,
    });
    if (signature !== 'own') throw new AppError('BACKUP_FOREIGN', { details: NOT_OURS });
    const from = { ...source(parts, path, schemaVersion, 10, 90, work), skippedTables: skippedTables(false) };
    return await inScratchSchema(parts.connection, from, (client) => use(transactionOf(client)));
  } catch (error) {
    throw storageError(unreadable(error));
  }
}

/**
 * Restores a backup into a scratch schema and compares every table byte by byte with the file.
 * @param testFiles throws ScriptError if a file of the restored rows is missing or damaged
 */
export async function testRestore(
  parts: Parts,
  path: string,
  testFiles: (client: pg.Client) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const { signature, schemaVersion } = await verifyBackup(path, verifyOptions(parts));
    if (signature !== 'own') throw new AppError('BACKUP_FOREIGN');
    const from = {
      ...source(parts, path, schemaVersion, 10, 95, { report: () => {}, signal }),
      skippedTables: new Set<string>(),
      compares: true,
    };
    await inScratchSchema(parts.connection, from, testFiles);
  } catch (error) {
    throw storageError(unreadable(error));
  }
}

/**
 * Returns the proof of a backup's origin. Throws BACKUP_FOREIGN unless this installation signed it, or the key or name
 * of the other installation was entered.
 */
async function requireProof(
  parts: Parts,
  { name, path }: { name: string; path: string },
  backup: VerifiedBackup,
  body: RestoreBody,
): Promise<Proof> {
  const theirId = backup.header?.installation.id;
  const isOther = theirId !== undefined && theirId !== (await queries.installationId(parts.db));
  if (backup.signature === 'own') return { theirs: parts.secrets, bringsAudit: isOther };
  if (body?.secretKey && backup.signature === 'foreign') {
    const signer = await provenKey(path, body.secretKey, verifyOptions(parts));
    return { theirs: signer, bringsAudit: isOther };
  }
  if (body?.confirmName !== nameToType(backup, name)) {
    throw new AppError('BACKUP_FOREIGN', {
      details: 'Give the SECRET_KEY of that installation, or type its name.',
    });
  }
  // A backup without proof of its origin does not replace the audit log.
  return { theirs: undefined, bringsAudit: false };
}

/**
 * Replaces all data by a backup in one final transaction (docs/decisions/0007). The caller has the lock of backups.
 * After a failure at any step the data is unchanged.
 */
export async function restoreBackup(
  ctx: Context,
  parts: Parts,
  row: queries.BackupRow,
  body: RestoreBody,
  jobId: string,
  work: Work,
): Promise<RestoreResult> {
  const { name } = row;
  const { report, signal } = work;
  try {
    report('inspecting', 0);
    await using local = await parts.folder.local(name, work);
    const { path } = local;
    const options = { ...verifyOptions(parts), signal };
    const listed = await queries.findBackup(parts.db, name);
    const verifiedBefore = listed && (await reuseVerification(path, listed, options));
    const backup = verifiedBefore ?? (await verifyBackup(path, options));
    const proof = await requireProof(parts, { name, path }, backup, body);
    report('loading', 10);
    const from = {
      ...source(parts, path, backup.schemaVersion, 10, 60, work),
      skippedTables: skippedTables(proof.bringsAudit),
      openEmbedded: createEmbeddedStore(parts),
    };
    return await inScratchSchema(parts.connection, from, async (client, schema) => {
      report('preparing', 65);
      await requireFiles(client, parts, body?.withoutFiles);
      const isOwn = proof.theirs === parts.secrets;
      const notConfigured = !isOwn && (await adoptSecrets(client, proof.theirs, parts.secrets));
      await holdMail(client);
      const outcome = await replace(ctx, parts, { schema, row, backup, proof, jobId, work });
      return { ...outcome, rows: backup.rows, notConfigured };
    });
  } catch (error) {
    throw storageError(unreadable(error));
  }
}

type Replacing = {
  schema: string;
  row: queries.BackupRow;
  backup: VerifiedBackup;
  proof: Proof;
  jobId: string;
  work: Work;
};

/**
 * The last step. Writers are blocked from the snapshot of the pre-restore backup on, so that it contains all replaced
 * data. Readers are blocked only during the swap.
 */
const replace = (ctx: Context, parts: Parts, { schema, row, backup, proof, jobId, work }: Replacing) =>
  withClient(
    parts.connection,
    async (client) => {
      const { report, signal } = work;
      const preserved = preservedTables(proof.bringsAudit);
      const tables = (await readTables(client))
        .map(({ name }) => name)
        .filter((table) => !preserved.has(table));
      const small = new Set<string>([...MERGED, ...EMPTIED]);
      const preRestoreBackup = await createBackup(client, parts, {
        type: 'preRestore',
        jobId,
        report: (_step, percent) => report('preRestore', 65 + (25 * (percent ?? 0)) / 100),
        signal,
        lock: () => {
          const large = tables.filter((table) => !small.has(table));
          return lockTables(client, 'share', large);
        },
      });
      report('swapping', 92);
      await lockTables(client, 'access exclusive', tables);
      await useSchema(client, schema);
      const heldIds = await settleHeldMail(client);
      const restorerId = await preserveRestorer(client, ctx.viewer, parts.secrets);
      await mergeSessions(client, ctx.viewer, restorerId);
      if (proof.bringsAudit) await continueAudit(client);
      await swapTables(client, schema, tables);
      if (proof.bringsAudit) {
        const { id, key_check } = createInstallationRow(backup.header!.installation.id, parts.secrets);
        await client.query('update installation set id = $1, key_check = $2', [id, key_check]);
      }
      const tx = transactionOf(client);
      await auditBackup(tx, ctx, 'backup.restored', row, { preRestoreBackup, signature: backup.signature });
      // Runs after the swap, because the swap replaces users and notifications.
      await notifyHeld(tx, heldIds);
      await client.query('select pg_notify($1, $2)', [CHANNEL, 'restored 0']);
      await client.query('commit');
      return { preRestoreBackup, heldEmails: heldIds.length };
    },
    { schema: SCHEMA, signal: work.signal },
  );
