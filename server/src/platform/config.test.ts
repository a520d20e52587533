import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('without any variable the defaults of the table hold', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: './data',
    LOG_LEVEL: 'info',
    TRUST_PROXY: [],
    TIME_ZONE: 'Australia/Sydney',
    UNDO_SEND_SECONDS: 10,
    MAIL_PER_HOUR: 500,
    STRICT_OUTBOUND: false,
  });
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
});

test('each mistake is one line that names its variable', () => {
  const wrong = {
    PORT: '99999',
    TIME_ZONE: 'Mars/Olympus',
    SECRET_KEY: 'short',
    DATABASE_URL: 'mysql://x',
    SMTP_URL: 'smtp://user:hidden@mail.example.com',
  };
  expect(() => readConfig(wrong)).toThrow(
    [
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must be an address such as postgresql://user:password@host:5432/database',
      'SECRET_KEY must be 32 bytes in base64',
      'SMTP_URL must be an address such as smtp://user:password@mail.example.com:587?from=forecourt@example.com',
      'TIME_ZONE must be a time zone such as Australia/Sydney',
    ].join('\n'),
  );
});

test('a demo and strict outbound rules do not go together', () => {
  expect(() => readConfig({ DEMO: '1', STRICT_OUTBOUND: '1' })).toThrow('set one');
});

test('the first administrator is given whole or not at all', () => {
  expect(() => readConfig({ ADMIN_EMAIL: 'a@example.com' })).toThrow('belong together');
  expect(() => readConfig({ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'short' })).toThrow(
    '12 characters',
  );
});
