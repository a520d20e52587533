import { expect, test } from 'vitest';
import { asFileName, fileName, typeOf } from './file-name.ts';

test.each<[string, string]>([
  ['Offer.pdf', 'Offer.pdf'],
  ['C:\\Users\\Kim\\Offer.pdf', 'Offer.pdf'],
  ['/home/kim/../Offer.pdf', 'Offer.pdf'],
  [' spaces .txt ', 'spaces .txt'],
  // Quotes as sent by a browser's form; nothing else is unescaped.
  ['a %22quoted%22 100%25.txt', 'a "quoted" 100%25.txt'],
  ['Größe.pdf'.normalize('NFD'), 'Größe.pdf'],
  ['x'.repeat(200), 'x'.repeat(200)],
])('an uploaded file named %j is stored as %j', (filename, name) => {
  expect(fileName(filename)).toBe(name);
});

test.each([
  'a%0D%0ABcc: thief@example.com',
  'a\r\nb',
  'a\u0000b',
  'a\u007fb',
  'a\u2028b',
  'invoice\u202efdp.exe',
  'half \ud83d',
  '',
  ' ',
  'folder/',
  'x'.repeat(201),
])('an uploaded file named %j is rejected with its field', (filename) => {
  expect(() => fileName(filename)).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ errors: { file: expect.any(String) } }) }),
  );
});

test.each([
  ['a.PDF', 'application/pdf'],
  ['a.b.csv', 'text/csv'],
  ['page.html', 'application/octet-stream'],
  ['image.svg', 'application/octet-stream'],
  ['mail.eml', 'application/octet-stream'],
  ['pdf', 'application/octet-stream'],
  ['.pdf', 'application/pdf'],
  ['a.constructor', 'application/octet-stream'],
  ['a.pdf\n', 'application/octet-stream'],
])('a file named %j has the type %s', (name, type) => {
  expect(typeOf(name)).toBe(type);
});

test.each([
  ['Statement 1 Ada Admin', 'Statement 1 Ada Admin.pdf'],
  ['Nguyễn A/B "C": <D>|?*', 'Nguyễn A B C D.pdf'],
  ['..\\..\\a', '.. .. a.pdf'],
  ['a\u202eb\r\nc', 'ab c.pdf'],
])('a download with the text %j in its name is named %j', (text, name) => {
  expect(asFileName(text, 'pdf')).toBe(name);
});
