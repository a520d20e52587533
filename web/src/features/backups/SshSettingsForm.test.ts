import { SshSettingsInput, type SshSettings } from '@forecourt/contract/backups';
import { validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { texts } from '../../texts/backup-ssh.ts';
import { outcomeOf } from './CopySettings.tsx';
import { comparedFields, inputOf, isComplete, valuesOf } from './SshSettingsForm.tsx';

const settings: SshSettings = {
  enabled: true,
  host: 'copies.example.com',
  port: 22,
  username: 'keeper',
  authMethod: 'privateKey',
  remotePath: '/backups',
  keepLocalCopies: true,
  connectionTimeout: 30,
  serverName: '',
  hasPrivateKey: true,
  hasPassphrase: false,
  hasPassword: false,
  hostKey: null,
  lastVerified: null,
  version: 1,
};
const values = valuesOf(settings);

test('secrets are never prefilled, and are omitted when empty', () => {
  expect(values).toMatchObject({ privateKey: '', passphrase: '', password: '' });
  expect(inputOf(values)).not.toHaveProperty('privateKey');
  expect(inputOf({ ...values, privateKey: 'key', passphrase: 'p', password: 'x' })).toMatchObject({
    privateKey: 'key',
    passphrase: 'p',
  });
  expect(inputOf({ ...values, authMethod: 'password', privateKey: 'key', password: 'x' })).toMatchObject({
    password: 'x',
  });
  expect(inputOf({ ...values, authMethod: 'password', privateKey: 'key' })).not.toHaveProperty('privateKey');
});

test('a conflict shows every field but the secrets, as text', () => {
  const shown = comparedFields.map(({ field, text }) => [field, text?.(values) ?? String(values[field])]);
  expect(Object.fromEntries(shown)).toEqual({
    enabled: 'On',
    host: 'copies.example.com',
    port: '22',
    username: 'keeper',
    authMethod: 'Private key',
    remotePath: '/backups',
    serverName: 'None',
    connectionTimeout: '30',
    keepLocalCopies: 'On',
  });
  const { privateKey: _key, passphrase: _phrase, password: _password, ...others } = values;
  expect(new Set(shown.map(([field]) => field))).toEqual(new Set(Object.keys(others)));
});

test.each([
  [{}, true],
  [{ host: ' ' }, false],
  [{ username: '' }, false],
  [{ remotePath: '' }, false],
  [{ host: 'COPIES.example.com ' }, true],
  [{ host: 'other.example.com' }, false],
  [{ port: 2222 }, false],
  [{ username: 'other' }, false],
  [{ host: 'other.example.com', privateKey: 'key' }, true],
  [{ authMethod: 'password' as const }, false],
  [{ authMethod: 'password' as const, password: '  ' }, false],
  [{ authMethod: 'password' as const, password: 'x' }, true],
])('SSH settings with %j are complete: %s', (changes, complete) => {
  expect(isComplete({ ...values, ...changes }, settings)).toBe(complete);
});

test.each([
  [{ port: 0 }, 'port'],
  [{ port: '' }, 'port'],
  [{ port: 65_536 }, 'port'],
  [{ connectionTimeout: 4 }, 'connectionTimeout'],
  [{ connectionTimeout: 301 }, 'connectionTimeout'],
  [{ connectionTimeout: 5.5 }, 'connectionTimeout'],
  [{ serverName: 'a b' }, 'serverName'],
])('SSH settings with %j are refused', (changes, field) => {
  const refused = (input: object) => validate(SshSettingsInput, input).issues?.map(({ path }) => path[0]);
  expect(new Set(refused(inputOf({ ...values, ...changes })))).toEqual(new Set([field]));
  expect(refused(inputOf(values))).toBeUndefined();
});

test('a failed test shows the steps that passed and those not reached', () => {
  expect(outcomeOf(texts.steps, 'signIn', 'Why.')).toMatchObject({
    passed: false,
    steps: ['done', 'done', 'done', 'failed', 'open', 'open'].map((state) => ({ state })),
  });
  expect(outcomeOf(texts.steps, null, '').steps.every(({ state }) => state === 'done')).toBe(true);
});
