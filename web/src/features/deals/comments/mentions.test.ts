import { expect, test } from 'vitest';
import { mentionAt, mentionedIn, offeredPeople, splitMentions, withMention } from './mentions.ts';

const person = (name: string, _id = name) => ({ _id, name, email: `${_id}@example.com` });
const people = [person('Ann'), person('Ann Example'), person('Bob Burr'), person('Zoë O’Neil')];

test.each([
  ['@', { from: 0, query: '' }],
  ['Hi @bo', { from: 3, query: 'bo' }],
  ['(@Zoë O’N', { from: 1, query: 'Zoë O’N' }],
  ['line\n@', { from: 5, query: '' }],
  ['mail kim@example.com', null],
  ['@bob, rang', null],
  ['', null],
])('%j before the cursor is the mention %j', (text, found) => {
  expect(mentionAt(text, text.length)).toEqual(found);
});

test('what follows the cursor is no part of the mention', () => {
  expect(mentionAt('@bo, and more', 3)).toEqual({ from: 0, query: 'bo' });
});

test('a mention offers six people at most', () => {
  const many = Array.from({ length: 7 }, (_, at) => person(`Ann ${at}`));
  expect(offeredPeople(many, 'ann ')).toEqual(many.slice(0, 6));
});

test.each([
  ['', ['Ann', 'Ann Example', 'Bob Burr', 'Zoë O’Neil']],
  ['an', ['Ann', 'Ann Example']],
  ['bu', ['Bob Burr']],
  ['bob b', ['Bob Burr']],
  ['bob ', ['Bob Burr']],
  [' ', []],
  ['nn', []],
])('the text %j offers the people %j', (query, names) => {
  expect(offeredPeople(people, query).map(({ name }) => name)).toEqual(names);
});

test('a chosen name replaces what was typed and is followed by one space', () => {
  const at = { from: 3, query: 'bo' };
  expect(withMention('Hi @bo', 6, at, people[2]!)).toEqual({ text: 'Hi @Bob Burr ', cursor: 13 });
  expect(withMention('Hi @bo now', 6, at, people[2]!)).toEqual({ text: 'Hi @Bob Burr now', cursor: 13 });
});

test('mentions are the chosen people still named, and whole names that are nobody else’s', () => {
  const alike = [...people, person('Bob Burr', 'other')];
  expect(mentionedIn('@Ann Example look', people, [])).toEqual(['Ann Example']);
  expect(mentionedIn('@Bob Burr', alike, [])).toEqual([]);
  expect(mentionedIn('@Bob Burr', alike, ['other'])).toEqual(['other']);
  expect(mentionedIn('@Bob Burrows', people, ['Bob Burr'])).toEqual([]);
});

test('a text is split at its mentions, the longest name first', () => {
  expect(splitMentions('Hi @Ann Example, ok', ['Ann', 'Ann Example'])).toEqual([
    { text: 'Hi ' },
    { text: '@Ann Example', mention: 'Ann Example' },
    { text: ', ok' },
  ]);
  expect(splitMentions('@Ann', ['Ann'])).toEqual([{ text: '@Ann', mention: 'Ann' }]);
  expect(splitMentions('no@Ann, @Annie', ['Ann'])).toEqual([{ text: 'no@Ann, @Annie' }]);
});
