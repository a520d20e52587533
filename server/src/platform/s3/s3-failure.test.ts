import { expect, test } from 'vitest';
import { S3_MESSAGES, toS3Failure } from './s3-failure.ts';

test.each([
  [{ name: 'TimeoutError' }, S3_MESSAGES.silent],
  [{ name: 'AbortError' }, S3_MESSAGES.silent],
  [{ name: 'TimeoutError', code: 'ECONNRESET' }, S3_MESSAGES.lost],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, S3_MESSAGES.certificate],
  [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, S3_MESSAGES.certificate],
  [{ code: 'ECONNREFUSED' }, S3_MESSAGES.connection],
  [{ $metadata: { httpStatusCode: 200 } }, S3_MESSAGES.connection],
])('the error %j of a request to S3 is a failure of the connection with its own text', (error, message) => {
  expect(toS3Failure('read', Object.assign(new Error('secret words'), error))).toMatchObject({
    step: 'connection',
    message,
  });
});

test('an archived object of S3 is told apart from keys that may not read', () => {
  const error = { name: 'InvalidObjectState', $metadata: { httpStatusCode: 403 } };
  expect(toS3Failure('read', Object.assign(new Error(), error)).message).toBe(S3_MESSAGES.archived);
});
