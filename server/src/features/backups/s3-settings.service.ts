import { isDeepStrictEqual } from 'node:util';
import type { S3Settings, S3SettingsInput, S3SettingsTest } from '@forecourt/contract/backup-s3';
import type { Config } from '../../platform/config.ts';
import { parseFilesUrl } from '../../platform/files-url.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalid, invalidField } from '../../platform/http/errors.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { enforceRateLimit } from '../../platform/rate-limit.ts';
import type { Rotation } from '../../platform/reseal.ts';
import { endpointOf, openBucket, type S3Account } from '../../platform/s3/s3-bucket.ts';
import { S3_MESSAGES, S3Failure } from '../../platform/s3/s3-failure.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { auditSettings } from './backup-audit.ts';
import { markElsewhere } from './copies.queries.ts';
import type { CopyServer, Destination } from './copy-destination.ts';
import { checkBucket, openS3CopySession, S3CopyFailure } from './s3-copies.ts';
import * as queries from './s3-settings.queries.ts';

/** The timeout of a whole test, so that the request responds within 12 s (docs/product/api.md, Long work). */
const TEST_MS = 10_000;

const place = <C extends string>(column: C) =>
  ({ table: 'backup_settings', column, recordId: 's3' }) as const;

type Fields = Omit<S3SettingsInput, 'secretAccessKey' | 'version'>;

/**
 * The S3 bucket of copies (docs/product/backups.md, S3 settings). The secret access key is write-only: it is encrypted
 * in the database and appears in no response, log or audit entry.
 */
export function createS3SettingsService({ secrets, config }: { secrets: Secrets; config: Config }) {
  const outbound = createOutbound(config);
  /** A copy there would be the backup itself, which *Keep local copies* off deletes. */
  const ownBucket = config.FILES_URL !== undefined && {
    endpoint: config.FILES_ENDPOINT,
    region: config.FILES_REGION,
    ...parseFilesUrl(config.FILES_URL)!,
  };
  const isOwnBucket = (fields: Fields): boolean => ownBucket !== false && isSameBucket(ownBucket, fields);

  function present(row: queries.SettingsRow): S3Settings {
    const secret = openSecret(secrets, row);
    const settings = fieldsOf(row);
    return {
      ...settings,
      hasSecretAccessKey: secret !== undefined,
      lastVerified: row.s3_verified === fingerprintOf(secrets, settings, secret) ? row.s3_verified_at : null,
      version: row.s3_version,
    };
  }

  /**
   * Returns the secret for these settings: the entered one, or the stored one if it is for the same endpoint and key
   * (docs/product/security.md, Stored passwords stay with their server). If `isUsed`, throws INVALID_REQUEST if a value
   * is missing, or the bucket is the one of FILES_URL.
   */
  function resolve(row: queries.SettingsRow, input: S3SettingsInput, isUsed: boolean): string | undefined {
    const stored = openSecret(secrets, row);
    const isSame = isSameStore(fieldsOf(row), input);
    const secret = input.secretAccessKey?.trim() ? input.secretAccessKey : isSame ? stored : undefined;
    const missing = isUsed ? missingIn(input, secret, !isSame && stored !== undefined) : [];
    if (missing.length > 0) throw invalid(missing);
    if (isUsed && isOwnBucket(input)) throw invalidField('bucket', S3_MESSAGES.own);
    return secret;
  }

  /** Returns the bucket of the settings, even if copying is off, and whether they are complete. */
  function serverOf(row: queries.SettingsRow): CopyServer & { isComplete: boolean } {
    const secret = openSecret(secrets, row);
    const settings = fieldsOf(row);
    return {
      isComplete: missingIn(settings, secret, false).length === 0,
      async open(signal) {
        if (secret === undefined) throw new S3CopyFailure({ step: 'signIn', message: S3_MESSAGES.noSecret });
        return openS3CopySession(accountOf(settings, secret), outbound, signal);
      },
      remotePath: settings.prefix,
      remoteName: (name) => name,
    };
  }

  const destination: Destination = {
    name: 's3',
    async copyPlan(db) {
      const row = await queries.findSettings(db);
      if (row.s3_enabled_at === null) return undefined;
      const server = serverOf(row);
      return {
        ...server,
        // Settings that were stored before FILES_URL was set to their bucket.
        async open(signal) {
          if (isOwnBucket(fieldsOf(row)))
            throw new S3CopyFailure({ step: 'bucket', message: S3_MESSAGES.own });
          return server.open(signal);
        },
        keepLocalCopies: row.s3_keep_local_copies,
        since: row.s3_enabled_at,
      };
    },
    async copyServer(db) {
      const server = serverOf(await queries.findSettings(db));
      return server.isComplete ? server : undefined;
    },
  };

  return {
    get: async (ctx: Context): Promise<S3Settings> => present(await queries.findSettings(ctx.db)),

    /** Does not save unchanged settings. Throws CONFLICT with the current settings if `version` is outdated. */
    save: (ctx: Context, { version, ...input }: S3SettingsInput): Promise<S3Settings> =>
      inTransaction(ctx, async (inner) => {
        const row = await queries.lockSettings(inner.db);
        const before = present(row);
        if (version !== undefined && version !== before.version)
          throw new AppError('CONFLICT', { current: before });
        const secret = resolve(row, input, input.enabled);
        const { secretAccessKey, ...fields } = input;
        const typedAnew = secretAccessKey ? ['secretAccessKey'] : [];
        if (typedAnew.length === 0 && isDeepStrictEqual(fields, fieldsOf(row))) return before;
        await queries.saveSettings(
          inner.db,
          {
            s3_endpoint: input.endpoint,
            s3_region: input.region,
            s3_bucket: input.bucket,
            s3_prefix: input.prefix,
            s3_path_style: input.pathStyle,
            s3_access_key_id: input.accessKeyId,
            s3_secret_access_key:
              secret === undefined ? null : secrets.seal(secret, place('s3_secret_access_key')),
            s3_keep_local_copies: input.keepLocalCopies,
          },
          input.enabled,
        );
        if (!isSamePlace(before, input)) await markElsewhere(inner.db, 's3', S3_MESSAGES.elsewhere);
        const after = present(await queries.findSettings(inner.db));
        await auditSettings(inner.db, ctx, 'backup-settings.updated', {
          before: auditedFields(before),
          after: { ...auditedFields(after), typedAnew },
        });
        return after;
      }),

    /**
     * Tests settings, saved or not, for at most 10 s: lists the bucket, writes a small object, reads and removes it.
     * Throws S3_REFUSED with the failed step in `errors.step`.
     */
    async test(ctx: Context, input: S3SettingsTest) {
      const secret = resolve(await queries.findSettings(ctx.db), input, true)!;
      await enforceRateLimit(ctx, { subject: `s3-test:${ctx.viewer.userId}`, times: 10, seconds: 60 });
      const account = accountOf(input, secret);
      try {
        const bucket = await openBucket(account, outbound, AbortSignal.timeout(TEST_MS));
        try {
          await checkBucket(bucket, input.prefix);
        } finally {
          bucket.close();
        }
      } catch (error) {
        if (!(error instanceof S3Failure)) throw error;
        throw new AppError('S3_REFUSED', { details: error.message, errors: { step: error.step } });
      }
      await inTransaction(ctx, async (inner) => {
        await queries.recordVerified(inner.db, fingerprintOf(secrets, input, secret));
        await auditSettings(inner.db, ctx, 'backup-settings.verified', {
          after: { endpoint: endpointOf(account).origin, bucket: input.bucket },
        });
      });
      const folder = input.prefix === '' ? '' : `, below ${input.prefix}/`;
      return {
        message: 'S3 connection verified successfully',
        details: `The bucket ${input.bucket} takes copies of backups${folder}.`,
      };
    },

    destination,
  };
}

export type S3SettingsService = ReturnType<typeof createS3SettingsService>;

const openSecret = (secrets: Secrets, row: queries.SettingsRow): string | undefined =>
  (row.s3_secret_access_key === null
    ? null
    : secrets.open(row.s3_secret_access_key, place('s3_secret_access_key'))) ?? undefined;

/** Returns a fingerprint by which settings that passed a test are recognised when they are saved later. */
const fingerprintOf = (secrets: Secrets, fields: Fields, secret = ''): string =>
  secrets.fingerprint(JSON.stringify([accountOf(fields, secret), fields.prefix]), place('s3_verified'));

/** Does the same as `renewSshFingerprint`, for the S3 settings. */
export async function renewS3Fingerprint({ tx, from, to }: Rotation): Promise<void> {
  const row = await queries.lockSettings(tx);
  const fingerprintBy = (secrets: Secrets) => fingerprintOf(secrets, fieldsOf(row), openSecret(from, row));
  const isVerified = row.s3_verified === fingerprintBy(from);
  await queries.replaceFingerprint(tx, isVerified ? fingerprintBy(to) : null);
}

const fieldsOf = (row: queries.SettingsRow): Fields => ({
  enabled: row.s3_enabled_at !== null,
  endpoint: row.s3_endpoint,
  region: row.s3_region,
  bucket: row.s3_bucket,
  prefix: row.s3_prefix,
  pathStyle: row.s3_path_style,
  accessKeyId: row.s3_access_key_id,
  keepLocalCopies: row.s3_keep_local_copies,
});

const accountOf = (
  { endpoint, region, bucket, pathStyle, accessKeyId }: Fields,
  secretAccessKey: string,
): S3Account => ({ endpoint, region, bucket, pathStyle, accessKeyId, secretAccessKey });

/** Whether the stored secret would be used for the same endpoint and key. */
const isSameStore = (one: Fields, other: Fields): boolean =>
  endpointOf(one).origin === endpointOf(other).origin && one.accessKeyId === other.accessKeyId;

type BucketFields = Pick<Fields, 'endpoint' | 'region' | 'bucket'>;

const isSameBucket = (one: BucketFields, other: BucketFields): boolean =>
  endpointOf(one).origin === endpointOf(other).origin && one.bucket === other.bucket;

/** Whether a copy made with one of the settings is found with the other. */
const isSamePlace = (one: Fields, other: Fields): boolean =>
  isSameBucket(one, other) && one.prefix === other.prefix;

/** Returns the values missing for the settings to be used. `hadSecret`: a secret is stored, but for another store. */
function missingIn(input: Fields, secret: string | undefined, hadSecret: boolean) {
  const again =
    'Enter the secret access key again: endpoint, region of Amazon S3 or access key ID has changed';
  const required: [keyof S3SettingsInput, boolean, string][] = [
    ['bucket', input.bucket !== '', 'Bucket is required'],
    ['accessKeyId', input.accessKeyId !== '', 'Access key ID is required'],
    ['secretAccessKey', secret !== undefined, hadSecret ? again : 'Secret access key is required'],
  ];
  return required.filter(([, isThere]) => !isThere).map(([field, , message]) => ({ path: [field], message }));
}

const auditedFields = ({ version: _version, ...settings }: S3Settings) => settings;
