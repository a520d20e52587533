import { S3SettingsInput } from '@forecourt/contract/backup-s3';

const { bucket: Bucket, prefix: Prefix } = S3SettingsInput.shape;

/** Parses FILES_URL, `s3://bucket/prefix`, whose prefix may be missing. Returns undefined if it is not valid. */
export function parseFilesUrl(text: string): { bucket: string; prefix: string } | undefined {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/.exec(text) ?? [];
  const isValid = bucket !== '' && Bucket.safeParse(bucket).success && Prefix.safeParse(prefix).success;
  return isValid ? { bucket, prefix } : undefined;
}
