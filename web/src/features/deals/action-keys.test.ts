import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { texts } from '../../texts/deal-keys.ts';
import { actionKeys, pressedKeys } from './action-keys.ts';

const folder = import.meta.dirname;

/** A combination of keys in quotes, its value of `aria-keyshortcuts`, or the position of a letter. */
const KEY = /(["'`])(?:(?:(?:Alt|Ctrl|Control|Shift|Meta)\+)+[^"'`\s]+|Key[A-Z])\1/g;

/** Returns the keys that a file of deals names itself. */
const keysIn = (source: string): string[] => [...source.matchAll(KEY)].map(([key]) => key);

test('no file of deals binds or names a key outside of the list, except the form that sends a comment', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file !== 'action-keys.ts',
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    keysIn(readFileSync(join(folder, file), 'utf8')).map((key) => `${file} has ${key}`),
  );
  expect(found).toEqual(['comments/CommentForm.tsx has "Control+Enter"']);
});

test('the check finds a key in an action, in an attribute and in a listener', () => {
  expect(keysIn(`createAction('a', label, icon, run, { keys: 'Alt+Q' })`)).toEqual([`'Alt+Q'`]);
  expect(keysIn('<Button aria-keyshortcuts="Control+Shift+Q" />')).toEqual(['"Control+Shift+Q"']);
  expect(keysIn(`if (altKey && code === 'KeyQ') run();`)).toEqual([`'KeyQ'`]);
});

test('each action has a key of its own, which the list of shortcuts names', () => {
  const { redoByShift, ...listed } = actionKeys;
  const keys = Object.values(listed);
  expect(new Set([...keys, redoByShift]).size).toBe(keys.length + 1);
  const named = texts.groups
    .flatMap(([, lines]) => lines.map(([line]) => line))
    .join(', ')
    .replaceAll(' + ', '+')
    .split(/, (?:or )?| or | on /);
  const inWords = (key: string): string =>
    key.replace('Page', 'Page ').replace('Arrow', '').replace('←', 'Left').replace('→', 'Right');
  expect(keys.map(inWords).filter((key) => !named.includes(key))).toEqual([]);
});

describe('pressedKeys', () => {
  it.each([
    ['Alt+N', 'KeyN', 'Alt'],
    ['Alt+N', 'KeyN', 'Alt+Shift'],
    ['Ctrl+Alt+N', 'KeyN', 'Ctrl+Alt'],
    ['Ctrl+F', 'KeyF', 'Ctrl'],
    ['Ctrl+F', 'KeyF', 'Meta'],
    ['Ctrl+Shift+L', 'KeyL', 'Ctrl+Shift'],
    ['J', 'KeyJ', ''],
    ['Shift+F3', 'F3', 'Shift'],
    ['Alt+PageUp', 'PageUp', 'Alt'],
    ['Alt+ArrowDown', 'ArrowDown', 'Alt'],
  ])('returns %s for %s with %s', (keys, code, modifiers) => {
    const [ctrlKey, metaKey, altKey, shiftKey] = ['Ctrl', 'Meta', 'Alt', 'Shift'].map((name) =>
      modifiers.includes(name),
    );
    expect(pressedKeys({ code, ctrlKey, metaKey, altKey, shiftKey } as KeyboardEvent)).toBe(keys);
  });
});
