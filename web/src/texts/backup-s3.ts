import type { S3Step } from '@forecourt/contract/backup-s3';

/** Texts of the S3 Backup Settings (docs/product/backups.md, S3 settings). */
export const texts = {
  title: 'S3 Backup Settings',
  note: 'Every backup that is made is copied to this bucket. Files that are there already are not sent again.',
  enabled: 'Copy backups to S3',
  bucket: 'Bucket',
  bucketNote: 'It must exist already.',
  prefix: 'Prefix',
  prefixNote: 'Copies are stored below it.',
  endpoint: 'Endpoint',
  endpointNote: 'Leave empty for Amazon S3.',
  region: 'Region',
  regionNote: 'Such as eu-central-1.',
  accessKeyId: 'Access Key ID',
  secretAccessKey: 'Secret Access Key',
  storedElsewhere: 'Enter it again: endpoint, region of Amazon S3 or access key ID has changed.',
  pathStyle: 'Path-style addresses',
  pathStyleNote: 'On for most stores other than Amazon S3.',
  saved: 'S3 settings saved successfully',
  loadFailed: 'Failed to load S3 settings',
  saveFailed: 'Failed to save S3 settings',
  testFailedBecause: (reason: string) => `S3 connection test failed: ${reason}`,
  steps: {
    name: 'Name found',
    connection: 'Connection',
    signIn: 'Keys',
    bucket: 'Bucket',
    write: 'Writing',
    read: 'Reading',
  } satisfies Record<S3Step, string>,
} as const;
