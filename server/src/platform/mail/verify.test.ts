import { afterEach, expect, test } from 'vitest';
import { openMailServer, type MailServer } from '../../../test/smtp.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { verifyAccount } from './verify.ts';

const outbound = createOutbound({
  HOST: '127.0.0.1',
  PORT: 1,
  DATABASE_URL: undefined,
  STRICT_OUTBOUND: false,
});
let server: MailServer | undefined;
afterEach(() => server?.close());

async function verify(options: Parameters<typeof openMailServer>[0], changes: object = {}, totalMs?: number) {
  server = await openMailServer(options);
  const account = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    user: 'kim',
    password: 'pw',
    ...changes,
  };
  return verifyAccount(outbound, account, 'kim@example.com', totalMs);
}

test('the connection test runs all steps without sending a message', async () => {
  await verify({ password: 'pw' });
  expect(server!.arrived).toHaveLength(0);
});

test('the connection test accepts a relay without authentication', async () => {
  await expect(verify({})).resolves.toBeUndefined();
});

test.each([
  ['name', {}, { host: 'no-such-host.invalid' }],
  ['connection', {}, { port: 1 }],
  ['connection', {}, { host: '169.254.169.254' }],
  ['connection', { isSilent: true }, {}],
  ['tls', { secure: true }, { secure: true }],
  ['tls', {}, { secure: true }],
  ['tls', { offersStartTls: true }, {}],
  ['signIn', { password: 'another' }, {}],
  ['sender', { refusesSender: true }, {}],
])('the connection test reports the failed step %s', async (step, options, changes) => {
  const failure = await verify(options, changes, 'isSilent' in options ? 700 : undefined).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ step });
  expect((failure as Error).message).not.toContain('banner-secret');
});
