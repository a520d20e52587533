import { StatusInput, type Status } from '@forecourt/contract/statuses';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { contrastOf, statusColors } from '../../ui/status-colors.ts';
import { colorOf, inputOf, palette, valuesOf } from './StatusForm.tsx';

const status = {
  name: 'Called',
  color: '#2f6fb2',
  active: true,
  isDefault: false,
  isClosed: true,
  countsForCommission: true,
} as Status;

test('what is sent is what was loaded, with the version it was loaded with', () => {
  expect(inputOf(valuesOf(status), 3, true)).toEqual({ ...status, version: 3 });
});

test('other users than administrators send no default, closed and commission flags', () => {
  expect(inputOf(valuesOf(status), 3, false)).toEqual({
    name: 'Called',
    color: '#2f6fb2',
    active: true,
    version: 3,
  });
});

test('a status that nobody has decided about counts for commission, and a new one does not', () => {
  expect(valuesOf({ ...status, countsForCommission: null }).countsForCommission).toBe(true);
  expect(valuesOf(undefined).countsForCommission).toBe(false);
});

test.each([
  ['#2F6FB2', '#2f6fb2'],
  [' 2f6fb2 ', '#2f6fb2'],
  ['#26b', '#2266bb'],
  ['#2f6fb', undefined],
  ['blue', undefined],
  ['', undefined],
])('the text %j is the colour %s', (typed, color) => {
  expect(colorOf(typed)).toBe(color);
});

test('what is missing or no colour is refused', () => {
  const errorsOf = (given: object) =>
    errorsByField(
      validate(StatusInput, inputOf({ ...valuesOf(status), ...given }, undefined, true)).issues ?? [],
    );
  expect(errorsOf({ name: ' ', color: 'red' })).toEqual({
    name: 'Status name is required',
    color: 'Must be a colour such as #2f6fb2',
  });
  expect(errorsOf({})).toEqual({});
});

test.each(palette)('$name can be read on light and dark', ({ color }) => {
  for (const scheme of ['light', 'dark'] as const) {
    const { ink, ground } = statusColors(color, scheme);
    expect(contrastOf(ink, ground)).toBeGreaterThanOrEqual(4.5);
  }
});
