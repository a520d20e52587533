import type { RestoreBody, RestoreCheck, RestoreResult } from '@forecourt/contract/backups';
import type pg from 'pg';
import { SCHEMA } from '../../platform/db/database.ts';
import { useSchema, withClient } from '../../platform/db/direct.ts';
import type { Context } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { newIdentity } from '../../platform/installation.ts';
import { CHANNEL } from '../../platform/live/notices.ts';
import type { Report } from '../../platform/progress.ts';
import type { Secrets } from '../../platform/secrets.ts';
import * as queries from './backups.queries.ts';
import {
  adoptSecrets,
  carryOver,
  continueAudit,
  keepRestorer,
  parkMail,
  settleMail,
  writeAudit,
} from './carrying.ts';
import { countDifferences, peopleReactivated } from './comparing.ts';
import { tableNames } from './definition.ts';
import { spaceError } from './folder.ts';
import { inspect, provenKey, recall, unreadable, type Inspected } from './inspecting.ts';
import { inspection, makeBackup, type Parts } from './making.ts';
import { CARRIED, EMPTIED, notReplaced, notTaken } from './restored-tables.ts';
import { inScratch } from './scratch.ts';
import { lockTables, swapTables } from './swap.ts';

type Work = { report: Report; signal?: AbortSignal | undefined };

/** What a file is: known from when it was made or read last, or else found out. */
async function judge(parts: Parts, name: string, signal: AbortSignal | undefined): Promise<Inspected> {
  const [path, options] = [parts.folder.pathOf(name), { ...inspection(parts), signal }];
  const known = await queries.findBackup(parts.db, name);
  return (known && (await recall(path, known, options))) ?? inspect(path, options);
}

/** Whose key it is signed with: ours, one that was given, or none that is known. */
type Proof = { theirs: Secrets | undefined; bringsAudit: boolean };

/** What has to be typed to restore without the other's key: the name it went by, or that of the file. */
const nameToType = ({ header }: Inspected, name: string): string => header?.installation.name || name;

/** Loading takes most of the time; `report` follows it from one percentage to another. */
const source = (
  parts: Parts,
  name: string,
  schemaVersion: number,
  from: number,
  to: number,
  { report, signal }: Work,
) => ({
  path: parts.folder.pathOf(name),
  schemaVersion,
  migrations: parts.migrations,
  totalLimit: inspection(parts).totalLimit,
  onRead: (read: number, size: number): void => report('loading', from + ((to - from) * read) / size),
  signal,
});

/**
 * Restores a backup into a scratch schema, as far as a restore goes without replacing anything, and tells what it
 * would bring back, remove and change. BACKUP_UNREADABLE where a restore would fail.
 */
export async function checkBackup(parts: Parts, name: string, work: Work): Promise<RestoreCheck> {
  const { report } = work;
  try {
    const found = await inspect(parts.folder.pathOf(name), { ...inspection(parts), signal: work.signal });
    report('loading', 10);
    const from = { ...source(parts, name, found.schemaVersion, 10, 80, work), notTaken: notTaken(false) };
    return await inScratch(parts.connection, from, async (client) => {
      report('comparing', 90);
      return {
        name,
        createdAt: found.header?.createdAt ?? null,
        schemaVersion: found.schemaVersion,
        isOlder: found.schemaVersion < parts.migrations.at(-1)!.version,
        signature: found.signature,
        confirmName: found.signature === 'own' ? null : nameToType(found, name),
        counts: await countDifferences(client),
        reactivated: await peopleReactivated(client),
      };
    });
  } catch (error) {
    throw spaceError(unreadable(error));
  }
}

/** Restores a backup into a scratch schema and compares every table with the file, byte by byte. */
export async function proveBackup(parts: Parts, name: string, work: Work): Promise<void> {
  try {
    const { signature, schemaVersion } = await inspect(parts.folder.pathOf(name), inspection(parts));
    if (signature !== 'own') throw new AppError('BACKUP_FOREIGN');
    const from = {
      ...source(parts, name, schemaVersion, 10, 95, work),
      notTaken: new Set<string>(),
      compares: true,
    };
    await inScratch(parts.connection, from, async () => {});
  } catch (error) {
    throw spaceError(unreadable(error));
  }
}

/** BACKUP_FOREIGN unless it is ours, or proven by the other's key, or confirmed by typing the other's name. */
async function prove(parts: Parts, name: string, found: Inspected, body: RestoreBody): Promise<Proof> {
  const theirId = found.header?.installation.id;
  const isOther = theirId !== undefined && theirId !== (await queries.installationId(parts.db));
  if (found.signature === 'own') return { theirs: parts.secrets, bringsAudit: isOther };
  if (body?.secretKey && found.signature === 'foreign') {
    const theirs = await provenKey(parts.folder.pathOf(name), body.secretKey, inspection(parts));
    return { theirs, bringsAudit: isOther };
  }
  if (body?.confirmName !== nameToType(found, name)) {
    throw new AppError('BACKUP_FOREIGN', {
      details: 'Give the SECRET_KEY of that installation, or type its name.',
    });
  }
  // What nobody vouches for does not replace a log.
  return { theirs: undefined, bringsAudit: false };
}

/**
 * Replaces everything with what a backup holds, in one transaction at the end (docs/decisions/0007). The caller holds
 * the lock of backups. A failure at any point leaves what was there.
 */
export async function restoreBackup(
  ctx: Context,
  parts: Parts,
  name: string,
  body: RestoreBody,
  jobId: string,
  work: Work,
): Promise<RestoreResult> {
  const { report, signal } = work;
  try {
    report('inspecting', 0);
    const found = await judge(parts, name, signal);
    const proof = await prove(parts, name, found, body);
    report('loading', 10);
    const from = {
      ...source(parts, name, found.schemaVersion, 10, 60, work),
      notTaken: notTaken(proof.bringsAudit),
    };
    return await inScratch(parts.connection, from, async (client, schema) => {
      report('preparing', 65);
      const isOwn = proof.theirs === parts.secrets;
      const notConfigured = !isOwn && (await adoptSecrets(client, proof.theirs, parts.secrets));
      await parkMail(client);
      const outcome = await replace(ctx, parts, { schema, name, found, proof, jobId, work });
      return { ...outcome, rows: found.rows, notConfigured };
    });
  } catch (error) {
    throw spaceError(unreadable(error));
  }
}

type Replacing = { schema: string; name: string; found: Inspected; proof: Proof; jobId: string; work: Work };

/**
 * The last step. Writers wait from the snapshot of the pre-restore backup on, so that it holds all that is replaced;
 * readers only for the moment of the swap.
 */
const replace = (ctx: Context, parts: Parts, { schema, name, found, proof, jobId, work }: Replacing) =>
  withClient(
    parts.connection,
    async (client: pg.Client) => {
      const { report, signal } = work;
      const kept = notReplaced(proof.bringsAudit);
      const tables = (await tableNames(client)).filter((table) => !kept.has(table));
      const small = new Set<string>([...CARRIED, ...EMPTIED]);
      const preRestoreBackup = await makeBackup(client, parts, {
        type: 'preRestore',
        jobId,
        report: (_step, percent) => report('preRestore', 65 + (25 * (percent ?? 0)) / 100),
        signal,
        lock: async () => {
          await lockTables(
            client,
            'share',
            tables.filter((table) => !small.has(table)),
          );
        },
      });
      report('swapping', 92);
      await lockTables(client, 'access exclusive', tables);
      await useSchema(client, schema);
      const parkedEmails = await settleMail(client);
      const restorerId = await keepRestorer(client, ctx.viewer, parts.secrets);
      await carryOver(client, ctx.viewer, restorerId);
      if (proof.bringsAudit) await continueAudit(client);
      await swapTables(client, schema, tables);
      if (proof.bringsAudit) {
        const { id, key_check } = newIdentity(found.header!.installation.id, parts.secrets);
        await client.query('update installation set id = $1, key_check = $2', [id, key_check]);
      }
      await writeAudit(client, ctx, { name, preRestoreBackup, signature: found.signature });
      await client.query('select pg_notify($1, $2)', [CHANNEL, 'restored 0']);
      await client.query('commit');
      return { preRestoreBackup, parkedEmails };
    },
    { schema: SCHEMA, signal: work.signal },
  );
