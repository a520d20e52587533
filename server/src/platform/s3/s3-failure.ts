import type { S3Step } from '@forecourt/contract/backup-s3';
import { OutboundError } from '../outbound/outbound.ts';

/** The failure of a request to S3: the step, and a message of this program, never the text of the store. */
export class S3Failure extends Error {
  readonly step: S3Step;

  constructor(step: S3Step, message: string, cause?: unknown) {
    super(message, { cause });
    this.step = step;
  }
}

export const S3_MESSAGES = {
  name: 'The name of the endpoint cannot be found. Check Endpoint and Region.',
  refused: 'Connections to this endpoint are not allowed.',
  unencrypted: 'An endpoint on the internet must begin with https://.',
  connection: 'The endpoint did not answer as an S3 store does. Check Endpoint.',
  silent: 'The store did not answer in time.',
  certificate:
    'The certificate of the endpoint is not valid, or its authority is unknown here. Check Endpoint, or set NODE_EXTRA_CA_CERTS.',
  signIn: 'The store did not accept the keys. Check Access Key ID and Secret Access Key.',
  noSecret: 'The stored secret access key cannot be decrypted. Enter it again.',
  clock: 'The store did not accept the time of this server. Set its clock.',
  region: 'The bucket is in another region. Check Region.',
  noBucket: 'There is no bucket of this name. Check Bucket, Endpoint and Path-style addresses.',
  bucket: 'The store did not list the bucket.',
  endless: 'The list of the bucket did not end.',
  write: 'The store did not take the object.',
  read: 'The store did not send the object.',
  noListRight: 'The keys may not list the bucket. They need s3:ListBucket.',
  noWriteRight: 'The keys may not write to the bucket. They need s3:PutObject.',
  noReadRight: 'The keys may not read from the bucket. They need s3:GetObject.',
  archived: 'The store has archived the object. Restore it there first.',
  lost: 'The connection to the store was lost.',
  changed: 'The file here is not the one that was listed: its content has changed since.',
  own: 'This is the bucket of FILES_URL, which has the backups themselves. Choose another bucket for their copies.',
  elsewhere: 'Endpoint, bucket or prefix of the S3 settings have changed since this copy was made.',
  taken: 'Another object has this name in the bucket already. Choose another Prefix.',
  missing: (keys: readonly string[]) => `The copy is not in the bucket. Looked for: ${keys.join(', ')}.`,
  notTheCopy: (key: string) => `The object in the bucket is not the copy that was made: ${key}.`,
} as const;

const DENIED: Partial<Record<S3Step, string>> = {
  bucket: S3_MESSAGES.noListRight,
  write: S3_MESSAGES.noWriteRight,
  read: S3_MESSAGES.noReadRight,
};

const WRONG_KEYS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'InvalidSecurity',
]);
const WRONG_REGION = new Set([
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'IllegalLocationConstraintException',
]);

type ServiceError = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** Converts an error of a connection to a failure. `otherwise` is the message if the error says no more. */
export function toConnectionFailure(error: unknown, otherwise: string): S3Failure {
  const { name, code = '' } = error as ServiceError;
  // The client names a reset `TimeoutError` too.
  if (code === 'ECONNRESET' || code === 'EPIPE') return new S3Failure('connection', S3_MESSAGES.lost);
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT')
    return new S3Failure('connection', S3_MESSAGES.silent);
  if (/CERT|UNABLE_TO_(GET|VERIFY)/.test(code)) return new S3Failure('connection', S3_MESSAGES.certificate);
  return new S3Failure('connection', otherwise);
}

const LOCAL = new Set(['ENOENT', 'EACCES', 'EPERM', 'EIO', 'EISDIR', 'ELOOP', 'ENOSPC', 'EDQUOT', 'EROFS']);

/** Whether an error is that of the local file that is sent. */
export const isLocalError = (error: unknown): boolean => LOCAL.has((error as ServiceError).code ?? '');

/** Converts an error of the client to a failure at the step of the request. */
export function toS3Failure(step: 'bucket' | 'write' | 'read', error: unknown): S3Failure {
  if (error instanceof S3Failure) return error;
  if (error instanceof OutboundError)
    return error.reason === 'name'
      ? new S3Failure('name', S3_MESSAGES.name)
      : new S3Failure('connection', S3_MESSAGES.refused);
  const { name, $metadata } = error as ServiceError;
  const status = $metadata?.httpStatusCode;
  // Without a status there was no response, and with a good one it was no response of S3.
  if (status === undefined || status < 300) return toConnectionFailure(error, S3_MESSAGES.connection);
  if (name === 'RequestTimeTooSkewed') return new S3Failure('signIn', S3_MESSAGES.clock);
  if (WRONG_KEYS.has(name)) return new S3Failure('signIn', S3_MESSAGES.signIn);
  if (status === 301 || status === 307 || WRONG_REGION.has(name))
    return new S3Failure('bucket', S3_MESSAGES.region);
  if (name === 'NoSuchBucket') return new S3Failure('bucket', S3_MESSAGES.noBucket);
  if (name === 'InvalidObjectState') return new S3Failure(step, S3_MESSAGES.archived);
  if (status === 403) return new S3Failure(step, DENIED[step]!);
  return new S3Failure(step, S3_MESSAGES[step], error);
}
