import { expect, test } from 'vitest';
import { parseSmtpUrl } from './smtp-url.ts';

test('the parser of SMTP_URL reads server, credentials and sender', () => {
  expect(parseSmtpUrl('smtp://kim%40x.example:p%3Aw%2F@mail.example?from=desk@x.example')).toEqual({
    account: { host: 'mail.example', port: 587, secure: false, user: 'kim@x.example', password: 'p:w/' },
    from: 'desk@x.example',
  });
});

test.each([
  ['smtp://kim%40x.example:pw@mail.example', { from: 'kim@x.example' }],
  ['smtps://mail.example?from=a@x.example', { account: { port: 465, secure: true, user: '' } }],
  ['smtp://[::1]:2525?from=a@x.example', { account: { host: '::1', port: 2525 } }],
])('SMTP_URL is parsed: %s', (text, read) => {
  expect(parseSmtpUrl(text)).toMatchObject(read);
});

test.each([
  'mail.example',
  'http://mail.example?from=a@x.example',
  'smtp://?from=a@x.example',
  'smtp://kim:pw@mail.example',
  'smtp://mail.example?from=Kim <a@x.example>',
  'smtp://k%:pw@mail.example?from=a@x.example',
])('the parser of SMTP_URL rejects %s', (text) => {
  expect(parseSmtpUrl(text)).toBeUndefined();
});
