import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { MIN_PASSWORD_LENGTH } from '@forecourt/contract/auth-limits';
import { S3SettingsInput } from '@forecourt/contract/backup-s3';
import { z } from 'zod';
import { urlsOf } from './database-url.ts';
import { parseFilesUrl } from './files-url.ts';
import { parseSmtpUrl } from './smtp-url.ts';
import { StartError } from './start-error.ts';

const bytes32 = (text: string) => Buffer.from(text, 'base64').length === 32;

const SecretKey = z.string().refine(bytes32, 'must be 32 bytes in base64');

const isTimeZone = (name: string) => {
  try {
    return Intl.DateTimeFormat('en-AU', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
};

const numberWithin = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const wholeNumber = (min: number, max: number, byDefault: number) =>
  numberWithin(min, max).default(byDefault);

const UNITS = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Parses bytes, such as `500MiB`. */
const byteCount = (byDefault: string) =>
  z
    .string()
    .default(byDefault)
    .transform((text) => /^(\d{1,12})(|[KMG]iB)$/.exec(text))
    .refine((parts) => parts !== null, 'must be a number of bytes such as 500MiB')
    .transform((parts) => Number(parts?.[1]) * UNITS[(parts?.[2] ?? '') as keyof typeof UNITS]);

/** Accepts an address, a range such as 10.0.0.0/8, or a range name of proxy-addr. */
const isAddressRange = (text: string) => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

const addressList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine(
    (parts) => parts.every(isAddressRange),
    'must be addresses or ranges such as 10.0.0.0/8, separated by commas',
  )
  .default([]);

const onOrOff = z
  .enum(['0', '1'], 'must be 0 or 1')
  .transform((text) => text === '1')
  .default(false);

/** Whether several hosts, if any, are valid and stand before the name of the database. */
const hasValidHosts = (text: string): boolean =>
  !/[?&]host=[^&]*(,|%2C)/i.test(text) && urlsOf(text).every((url) => URL.canParse(url));

/** Whether a URL requests something else than the server that accepts writes. */
const requestsOther = (text: string): boolean =>
  /[?&]target_session_attrs=(?!(read-write|primary)(&|$))/.test(text);

const postgresUrl = z
  .string()
  .regex(
    /^postgres(ql)?:\/\/\S+$/,
    'must be an address such as postgresql://user:password@host:5432/database',
  )
  .refine(hasValidHosts, 'must name several hosts as in postgresql://user@host1:5432,host2:5432/database');

const databaseUrl = postgresUrl
  .refine(
    (text) => !requestsOther(text),
    'leads to the server that accepts writes: target_session_attrs is read-write',
  )
  .optional();

/** Every variable with its default, as listed in the table of the README. */
const Environment = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl,
  DATABASE_REPLICA_URL: postgresUrl
    .refine(
      (text) => !/[?&]target_session_attrs=/.test(text),
      'leads to a server that only replicates: leave out target_session_attrs',
    )
    .optional(),
  PG_BIN: z.string().startsWith('/', 'must be the whole path of a folder').optional(),
  DATA_DIR: z.string().default('./data'),
  FILES_URL: z
    .string()
    .refine((text) => parseFilesUrl(text) !== undefined, 'must be a bucket such as s3://bucket/prefix')
    .optional(),
  FILES_ENDPOINT: S3SettingsInput.shape.endpoint,
  FILES_REGION: S3SettingsInput.shape.region,
  FILES_PATH_STYLE: onOrOff,
  FILES_ACCESS_KEY_ID: z.string().optional(),
  FILES_SECRET_ACCESS_KEY: z.string().optional(),
  ADMIN_EMAIL: z.email('must be an email address').optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    .optional(),
  SECRET_KEY: SecretKey.optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://forecourt.example.com' })
    .optional(),
  SMTP_URL: z
    .string()
    .refine(
      (text) => parseSmtpUrl(text) !== undefined,
      'must be an address such as smtp://user:password@mail.example.com:587?from=forecourt@example.com',
    )
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUST_PROXY: addressList,
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Australia/Sydney')
    .default('Australia/Sydney'),
  COMPANY_NAME: z.string().max(120).default('Forecourt'),
  UPLOAD_LIMIT: byteCount('2GiB'),
  FILES_PER_PERSON: byteCount('2GiB'),
  FILES_TOTAL: byteCount('20GiB'),
  UNDO_SEND_SECONDS: wholeNumber(0, 600, 10),
  MAIL_PER_HOUR: wholeNumber(1, 100_000, 500),
  OAUTH_MICROSOFT_ID: z.string().optional(),
  OAUTH_MICROSOFT_SECRET: z.string().optional(),
  OAUTH_MICROSOFT_TENANT: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{0,252}$/i,
      'must be a Directory (tenant) ID, a domain such as example.com, or common',
    )
    .default('common'),
  OAUTH_MICROSOFT_SEND: z.enum(['smtp', 'graph'], 'must be smtp or graph').default('smtp'),
  OAUTH_GOOGLE_ID: z.string().optional(),
  OAUTH_GOOGLE_SECRET: z.string().optional(),
  METRICS_PORT: numberWithin(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  STRICT_OUTBOUND: onOrOff,
  DEMO: onOrOff,
});

/** Variables that must be set together. */
const PAIRS = [
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  ['FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY'],
  ['OAUTH_MICROSOFT_ID', 'OAUTH_MICROSOFT_SECRET'],
  ['OAUTH_GOOGLE_ID', 'OAUTH_GOOGLE_SECRET'],
] as const;

export const variables = Object.keys(Environment.shape);

export type Config = z.infer<typeof Environment>;

/** Returns the base of links to this server. Not the Host header, which the sender of a request controls. */
export const linkBase = ({ PUBLIC_URL, PORT }: Pick<Config, 'PUBLIC_URL' | 'PORT'>): string =>
  PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${PORT}`;

/**
 * Returns the value of a variable, or the content of the file that NAME_FILE names: how containers get secrets.
 * Throws a `StartError`.
 */
function valueOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const [value, path] = [environment[name]?.trim(), environment[`${name}_FILE`]?.trim()];
  if (!path) return value;
  if (value) throw new StartError(`${name} and ${name}_FILE are both set: set one`);
  let content: string;
  try {
    content = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new StartError(`${name}_FILE cannot be read: ${(error as Error).message}`);
  }
  if (!content) throw new StartError(`${name}_FILE: ${path} is empty`);
  return content;
}

/**
 * Reads the configuration. An empty variable counts as unset, and each may be in a file, which has a value. Throws a `StartError` with one
 * line per mistake.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const variables: Record<string, string | undefined> = Object.fromEntries(
    Object.keys(Environment.shape)
      .map((name) => [name, valueOf(environment, name)])
      .filter(([, value]) => value),
  );
  const result = Environment.safeParse(variables);
  const mistakes = (result.error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')} ${issue.message.replace(/^Must/, 'must')}`,
  );
  for (const [one, other] of PAIRS)
    if (one in variables !== other in variables)
      mistakes.push(`${one} and ${other} belong together: set both or neither`);
  if ('DATABASE_DIRECT_URL' in variables && !('DATABASE_URL' in variables))
    mistakes.push('DATABASE_DIRECT_URL is the server behind the pooler of DATABASE_URL: set both');
  if ('DATABASE_REPLICA_URL' in variables && !('DATABASE_URL' in variables))
    mistakes.push('DATABASE_REPLICA_URL is a replica of DATABASE_URL: set both');
  // A start prepares one pooler; another one would keep sessions with former settings.
  if ('DATABASE_DIRECT_URL' in variables && urlsOf(variables['DATABASE_URL'] ?? '').length > 1)
    mistakes.push(
      'DATABASE_URL names several poolers: name one, which connects to HAProxy (docs/scaling.md)',
    );
  if ('FILES_URL' in variables && !('FILES_ACCESS_KEY_ID' in variables))
    mistakes.push('FILES_URL needs FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY');
  if ('FILES_ACCESS_KEY_ID' in variables && !('FILES_URL' in variables))
    mistakes.push('FILES_ACCESS_KEY_ID is for the bucket of FILES_URL: set both or neither');
  if (variables['DEMO'] === '1' && variables['STRICT_OUTBOUND'] === '1')
    mistakes.push('DEMO keeps its mail on this machine, where STRICT_OUTBOUND lets nothing go: set one');
  if (!result.success || mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return result.data;
}

/** Reads NEW_SECRET_KEY, the key of a rotation if SECRET_KEY is set. Throws a `StartError`. */
export function readNewKey(environment: NodeJS.ProcessEnv): Buffer | undefined {
  const text = environment['NEW_SECRET_KEY']?.trim();
  if (!text) return undefined;
  if (!SecretKey.safeParse(text).success) throw new StartError('NEW_SECRET_KEY must be 32 bytes in base64');
  return Buffer.from(text, 'base64');
}
