import { z } from 'zod';
import { Instant, Version, plainText, typedText } from './route.ts';

/** An address without user, path, query or fragment. */
const isEndpoint = (text: string): boolean =>
  /^https?:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d+)?\/?$/i.test(text) && z.url().safeParse(text).success;

const isBucket = (text: string): boolean => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text);

/** Names between slashes, none of which is empty or only dots. */
const isPrefix = (text: string): boolean =>
  /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(text) && !/(^|\/)\.+(\/|$)/.test(text);

const emptyOr = (isValid: (text: string) => boolean) => (text: string) => text === '' || isValid(text);

/** Defaults and limits (docs/product/backups.md, S3 settings). The service checks which fields are required. */
const s3 = {
  enabled: z.boolean().default(false),
  /** Empty: Amazon S3 in the region. */
  endpoint: typedText(300)
    .refine(emptyOr(isEndpoint), 'Must be an address such as https://s3.example.com, without a path')
    .default(''),
  region: typedText(60)
    .refine((text) => /^[a-z0-9-]+$/.test(text), 'Must be lower-case letters, digits and hyphens')
    .default('us-east-1'),
  bucket: typedText(63)
    .refine(emptyOr(isBucket), 'Must be 3 to 63 lower-case letters, digits, dots and hyphens')
    .default(''),
  /** The beginning of the names of all objects: several installations can share a bucket. */
  prefix: typedText(200)
    .refine(
      emptyOr(isPrefix),
      'Must be letters, digits, dots, hyphens and underscores, with slashes between names',
    )
    .default(''),
  /** The bucket is in the path of an address, not in the name of the host. */
  pathStyle: z.boolean().default(false),
  accessKeyId: typedText(200).default(''),
  keepLocalCopies: z.boolean().default(true),
};

export const S3Settings = z.strictObject({
  ...s3,
  /** The secret is write-only. */
  hasSecretAccessKey: z.boolean(),
  lastVerified: Instant.nullable(),
  version: Version,
});
export type S3Settings = z.infer<typeof S3Settings>;

/** A secret that is omitted or blank stays unchanged if endpoint (without one, region) and access key id do. */
export const S3SettingsInput = z.strictObject({
  ...s3,
  secretAccessKey: plainText(1000).optional(),
  version: Version.optional(),
});
export type S3SettingsInput = z.infer<typeof S3SettingsInput>;

export const S3SettingsTest = S3SettingsInput.omit({ version: true });
export type S3SettingsTest = z.infer<typeof S3SettingsTest>;

/** The step at which a connection test ended: `errors.step` of the 400 response; `details` describes it. */
export const S3Step = z.enum(['name', 'connection', 'signIn', 'bucket', 'write', 'read']);
export type S3Step = z.infer<typeof S3Step>;

export const s3Computed = ['hasSecretAccessKey', 'lastVerified'];
