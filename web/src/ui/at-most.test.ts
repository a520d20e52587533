import { firstCharacters } from '@forecourt/contract/characters';
import { expect, test } from 'vitest';
import { atMost } from './at-most.ts';

const SMILE = '\u{1F600}';

test('a limit counts an emoji as one character and refuses the first one over it', () => {
  const errors = atMost({ name: 200 });
  expect(errors({ name: ` ${SMILE.repeat(200)} ` })).toEqual({});
  expect(errors({ name: SMILE.repeat(201) })).toEqual({ name: 'Must be at most 200 characters' });
  expect(errors({ name: 'x'.repeat(201) })).toEqual({ name: 'Must be at most 200 characters' });
});

test('truncates a search between characters', () => {
  expect(firstCharacters(SMILE.repeat(5), 3)).toBe(SMILE.repeat(3));
  expect(firstCharacters('abc', 3)).toBe('abc');
  expect(firstCharacters('abcd', 3)).toBe('abc');
});
