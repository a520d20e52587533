import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { afterEach, expect, test } from 'vitest';
import { openScriptedServer, type ScriptedServer } from './scripted-server.fixture.ts';
import type { SmtpAccount } from './smtp-account.ts';
import { deliveryFailure, verifyFailure } from './smtp-failure.ts';
import { connectionOptions, SMTP_LIMITS } from './smtp.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const account = (port: number): SmtpAccount => ({
  host: 'relay.example',
  port,
  secure: false,
  user: 'kim',
  password: 'pw',
});
const optionsFor = (address: string, port = 587) =>
  connectionOptions(account(port), { address, port, servername: undefined }, SMTP_LIMITS);

test.each(['10.1.2.3', '192.168.1.9', '172.16.0.1', '100.64.0.1', 'fd12::1', '::ffff:10.1.2.3', '8.8.8.8'])(
  'the SMTP client requires encryption to %s',
  (address) => {
    expect(optionsFor(address).requireTLS).toBe(true);
  },
);

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])(
  'the SMTP client allows plain text to %s, this machine',
  (address) => {
    expect(optionsFor(address).requireTLS).toBe(false);
  },
);

test('the SMTP client sends no password to an office relay without STARTTLS, and reports why', async () => {
  server = await openScriptedServer('220 relay', {
    EHLO: '250-relay\r\n250 AUTH PLAIN LOGIN',
    STARTTLS: '502 banner-secret: no such command',
  });
  // Classified as the relay's address, connected to the port of the test.
  const connection = new SMTPConnection({ ...optionsFor('10.1.2.3', server.port), host: '127.0.0.1' });
  const error = await new Promise((resolve) => {
    connection.on('error', resolve);
    connection.connect(() => connection.login({ user: 'kim', pass: 'pw' }, resolve));
  });
  connection.close();
  expect(server.commands).toEqual(['EHLO', 'STARTTLS']);
  const failure = {
    step: 'tls',
    message: 'The mail server offers no encryption (STARTTLS). Check SMTP Port and Use SSL/TLS.',
  };
  expect(deliveryFailure(error)).toMatchObject({ ...failure, isPermanent: true });
  expect(verifyFailure('connection', error)).toMatchObject(failure);
});
