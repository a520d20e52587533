import { expect, test } from 'vitest';
import { texts as notifications } from './notifications.ts';

const modules = import.meta.glob<Record<string, unknown>>(
  ['./*.ts', '!./*.test.ts', '../platform/error-catalogue.ts'],
  { eager: true },
);

type Found = readonly [where: string, text: string];

/** Returns every text; of a function of one number, the text for one. */
function textsIn(value: unknown, where: string): Found[] {
  if (typeof value === 'string') return [[where, value]];
  if (typeof value === 'function') {
    try {
      return textsIn((value as (count: number) => unknown)(1), where);
    } catch {
      return [];
    }
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => textsIn(part, `${where} ${name}`))
    : [];
}
const all = Object.entries(modules).flatMap(([file, module]) => textsIn(module, file));
/** Returns the texts that match, except those of limits, which are more than one. */
const matching = (pattern: RegExp): Found[] =>
  all.filter(([where, text]) => !where.includes('tooMany') && pattern.test(text));

test('the check of words reads all texts', () => {
  expect(all.length).toBeGreaterThan(2000);
  expect(matching(/^Select the row$/)).toHaveLength(1);
});

test.each([
  ['one thing is singular', /\ball 1\b|\b1 (rows|deals|emails|files|people|users|items|changes|times)\b/],
  ['an email that was not sent is called so', /\bnot mailed\b/i],
  ['the days of a filter are From and To', /^Until$|^Rows made until$/],
  ['a field in a sentence is a noun', /changed shared with/i],
  [
    'a key is named apart from its sentence, so that it can be left out on a phone',
    /\bEscape\b.*\bsearch\. .|\. Escape clears/,
  ],
])('%s', (_rule, pattern) => {
  expect(matching(pattern)).toEqual([]);
});

test.each([1, 9, 10, 1000])('the name of the bell contains the number that it shows: %i unread', (unread) => {
  const shown = notifications.unreadCount(unread);
  expect(notifications.bell(shown)).toContain(shown);
});
