import { expect, test } from 'vitest';
import { validateMessage, type MimeMessage } from './mime-message.ts';
import { oneLine } from './smtp-failure.ts';

const message: MimeMessage = {
  messageId: '<1@example.com>',
  date: new Date(),
  from: { name: 'Kim "K" Novak', address: 'kim@example.com' },
  to: ['sam@dealer.example'],
  cc: [],
  subject: 'About: Ann <b>',
  html: '',
  text: '',
};

test('the check of a message accepts an ordinary one', () => {
  expect(() => validateMessage(message)).not.toThrow();
});

test.each<Partial<MimeMessage>>([
  { subject: 'Hello\r\nBcc: thief@example.com' },
  { subject: 'Hello\nX: y' },
  { subject: 'Hello\u0000' },
  { subject: 'Hello\u2028there' },
  { from: { name: 'Kim\r\nBcc: x@y.example', address: 'kim@example.com' } },
  { from: { name: 'Kim', address: 'kim@example.com>\r\nRCPT TO:<x@y.example' } },
  { to: ['sam@dealer.example\r\nRCPT TO:<x@y.example>'] },
  { to: ['sam@dealer.example, x@y.example'] },
  { to: ['"x@y.example "@dealer.example'] },
  { to: ['Group:a@b.example;'] },
  { to: ['Sam <sam@dealer.example>'] },
  { to: [] },
  { cc: Array.from({ length: 50 }, (_, index) => `c${index}@dealer.example`) },
  { messageId: '<1@example.com>\r\nX: y' },
  { attachments: [{ name: 'a.pdf\r\nX: y', type: 'application/pdf', content: Buffer.from('') }] },
  { attachments: [{ name: 'a.pdf', type: 'application/pdf\r\nX: y', content: Buffer.from('') }] },
])('the check of a message rejects %j', (changes) => {
  expect(() => validateMessage({ ...message, ...changes })).toThrow('not well-formed');
});

test("shortens a server's response to one line", () => {
  const text = oneLine(`550 5.7.1\r\n no\u0000 \u202e${'x'.repeat(400)}`);
  expect(text).toMatch(/^550 5\.7\.1 no x+$/);
  expect(text).toHaveLength(300);
});

test('a header line is never split inside a character', () => {
  const text = oneLine(`250 ${'a'.repeat(295)}😀 tail`);
  expect(text).toBe(`250 ${'a'.repeat(295)}😀`);
  expect(oneLine('250 \ud83d ok')).toBe('250 ok');
});
