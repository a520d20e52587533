import { join, resolve } from 'node:path';
import type pg from 'pg';
import { resignSeals } from './features/audit/sealing.service.ts';
import { disownBackups } from './features/backups/backups.service.ts';
import { renewS3Fingerprint } from './features/backups/s3-settings.service.ts';
import { renewSshFingerprint } from './features/backups/ssh-settings.service.ts';
import { forgetPassedTests } from './features/email-settings/email-settings.service.ts';
import { audit, SYSTEM } from './platform/audit.ts';
import { readConfig, readNewKey, type Config } from './platform/config.ts';
import { assertNoCopy, findOwner, folderPlace, readBoundId } from './platform/data-folder.ts';
import { transactionOf, withClient } from './platform/db/dedicated-client.ts';
import { assertMigrated, readMigrations } from './platform/db/migrations.ts';
import { eraseSecrets } from './platform/http/idempotency.ts';
import { assertInstallation, belongsTo, resealInstallation } from './platform/installation.ts';
import { createNextKey, finishRotation, formerFile } from './platform/next-key.ts';
import { resealColumns } from './platform/reseal.ts';
import { createSecrets, findKey } from './platform/secrets.ts';
import { StartError } from './platform/start-error.ts';
import { throwUnreachable } from './run.ts';
import { lockOut, openStoppedDatabase } from './stopped-database.ts';

/** Called between steps, for tests that interrupt a rotation. */
type Step = 'key' | 'sealed' | 'committed' | 'former';

/**
 * Replaces the key of the database in one transaction, while the program is stopped (docs/operating.md, Another key).
 * Continues an interrupted rotation. Returns the lines for the operator. Throws a `StartError`.
 */
export async function rotateKey(
  environment: NodeJS.ProcessEnv,
  onStep: (step: Step) => void = () => {},
): Promise<string> {
  const config = readConfig(environment);
  const newKey = readGivenKey(config, environment);
  const dataDir = resolve(config.DATA_DIR);
  await using running = new AsyncDisposableStack();
  const connection = await openStoppedDatabase(config, running);

  const rotate = async (): Promise<string> => {
    if (await finishRotation(connection, dataDir, onStep)) return ENDED;
    if (newKey && (await belongsTo(connection, newKey))) return ENDED_WITH_GIVEN;
    const key = await assertInstallation(connection, () => findKey(dataDir, config.SECRET_KEY));
    if (!key || !(await belongsTo(connection, key))) throw new StartError('The database is empty.');

    const counts = await withClient(connection, async (client) => {
      await client.query('begin');
      await lockOut(client);
      await assertMigrated(client, await readMigrations());
      const id = await readBoundId(client);
      // The key in DATA_DIR is that of the original too, which may be running.
      if (!newKey && id !== undefined) {
        const folder = folderPlace(dataDir);
        assertNoCopy(folder, await findOwner(client, folder, id));
      }
      const next = newKey ?? (await createNextKey(dataDir));
      onStep('key');
      const counted = await reseal(client, key, next);
      onStep('sealed');
      await client.query('commit');
      onStep('committed');
      return counted;
    });
    if (!newKey) await finishRotation(connection, dataDir, onStep);
    return describe(counts, newKey ? undefined : join(dataDir, formerFile(key)));
  };
  // Awaited here, because the database of this program is stopped on return.
  return await rotate().catch(throwUnreachable(config));
}

/** Returns NEW_SECRET_KEY, which is required if SECRET_KEY is set and otherwise refused. */
function readGivenKey({ SECRET_KEY }: Config, environment: NodeJS.ProcessEnv): Buffer | undefined {
  const key = readNewKey(environment);
  if (!SECRET_KEY && key)
    throw new StartError('NEW_SECRET_KEY is for a key in SECRET_KEY: set both, or neither for DATA_DIR.');
  if (SECRET_KEY && !key) throw new StartError('NEW_SECRET_KEY is missing: 32 bytes in base64.');
  if (SECRET_KEY && key?.equals(Buffer.from(SECRET_KEY, 'base64')))
    throw new StartError('NEW_SECRET_KEY is the same key as SECRET_KEY.');
  return key;
}

type Counts = { sealed: number; signed: number; invalid: number };

/** Throws a `StartError` that names the secrets which `key` cannot decrypt. */
async function reseal(client: pg.Client, key: Buffer, next: Buffer): Promise<Counts> {
  const tx = transactionOf(client);
  const rotation = { tx, from: createSecrets(key), to: createSecrets(next) };
  await forgetPassedTests(tx);
  await renewSshFingerprint(rotation);
  await renewS3Fingerprint(rotation);
  const { sealed, unreadable } = await resealColumns(rotation);
  if (unreadable.length > 0)
    throw new StartError(`The key cannot decrypt ${unreadable.join(', ')}. ${ENTER_AGAIN}`);
  const { signed, invalid } = await resignSeals(rotation);
  await disownBackups(tx);
  await eraseSecrets(tx).execute();
  await resealInstallation(rotation);
  await audit({ ...SYSTEM, db: tx }, 'setup.key-replaced', null, {
    after: { encryptedAgain: sealed, signedAgain: signed },
  });
  return { sealed, signed, invalid };
}

const ENTER_AGAIN =
  'Nothing was changed. Start Forecourt, save or delete these settings there, and then replace the key.';
const ENDED = 'The interrupted rotation has ended: the new key is in secret.key. Forecourt can start.';
const ENDED_WITH_GIVEN =
  'The database belongs to NEW_SECRET_KEY already. Set SECRET_KEY to it and start Forecourt.';

function describe({ sealed, signed, invalid }: Counts, former: string | undefined): string {
  return [
    `Encrypted again with the new key: ${sealed} secrets. Signed again: ${signed} seals of the audit log.`,
    ...(invalid > 0
      ? [`Not signed by the former key: ${invalid} seals. The verification reports them.`]
      : []),
    former
      ? `The new key is in secret.key: keep a copy of it elsewhere. The former one is in ${former}.`
      : 'Set SECRET_KEY to the new key before the next start.',
    'Older backups need the former key: keep it, apart from them, as long as you keep them. Start Forecourt and create a backup now.',
  ].join('\n');
}
