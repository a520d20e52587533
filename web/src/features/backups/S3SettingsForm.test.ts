import { S3SettingsInput, type S3Settings } from '@forecourt/contract/backup-s3';
import { validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { comparedFields, inputOf, isComplete, valuesOf } from './S3SettingsForm.tsx';

const settings: S3Settings = {
  enabled: true,
  endpoint: 'https://s3.example.com',
  region: 'us-east-1',
  bucket: 'copies',
  prefix: '',
  pathStyle: true,
  accessKeyId: 'keeper',
  keepLocalCopies: true,
  hasSecretAccessKey: true,
  lastVerified: null,
  version: 1,
};
const values = valuesOf(settings);

test('the secret access key is never prefilled, and is omitted when empty', () => {
  expect(values.secretAccessKey).toBe('');
  expect(inputOf(values)).not.toHaveProperty('secretAccessKey');
  expect(inputOf({ ...values, secretAccessKey: 'x' })).toMatchObject({ secretAccessKey: 'x' });
});

test('a conflict of S3 settings shows every field but the secret, as text', () => {
  const shown = comparedFields.map(({ field, text }) => [field, text?.(values) ?? String(values[field])]);
  const { secretAccessKey: _secret, ...others } = values;
  expect(new Set(shown.map(([field]) => field))).toEqual(new Set(Object.keys(others)));
  expect(Object.fromEntries(shown)).toMatchObject({ enabled: 'On', prefix: 'None', region: 'us-east-1' });
});

test.each([
  [{}, true],
  [{ bucket: ' ' }, false],
  [{ region: '' }, false],
  [{ accessKeyId: 'other' }, false],
  [{ accessKeyId: 'other', secretAccessKey: 'x' }, true],
  [{ endpoint: 'https://S3.example.com/ ' }, true],
  [{ endpoint: '' }, false],
  [{ secretAccessKey: ' ' }, true],
])('S3 settings with %j are complete: %s', (changes, complete) => {
  expect(isComplete({ ...values, ...changes }, settings)).toBe(complete);
});

test.each([
  [{ endpoint: 's3.example.com' }, 'endpoint'],
  [{ endpoint: 'https://s3.example.com/copies' }, 'endpoint'],
  [{ bucket: 'Copies' }, 'bucket'],
  [{ prefix: 'a/' }, 'prefix'],
  [{ region: 'EU West' }, 'region'],
])('S3 settings with %j are refused at %s', (changes, field) => {
  const refused = (input: object) => validate(S3SettingsInput, input).issues?.map(({ path }) => path[0]);
  expect(refused(inputOf({ ...values, ...changes }))).toEqual([field]);
  expect(refused(inputOf(values))).toBeUndefined();
});
