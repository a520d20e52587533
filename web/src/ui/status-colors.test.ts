import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, statusColors } from './status-colors.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const text = { light: '#152020', dark: '#e4eaea' };
const surface = { light: '#ffffff', dark: '#1c2021' };

test.each(['light', 'dark'] as const)(
  'whatever colour somebody chose, %s text can be read on it',
  (scheme) => {
    fc.assert(
      fc.property(hex, (base) => {
        const colors = statusColors(base, scheme);
        expect(contrastOf(colors.ink, colors.ground)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(text[scheme], colors.row)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(colors.dot, surface[scheme])).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 2000 },
    );
  },
);

test('two distinct colours remain distinct', () => {
  expect(statusColors('#16a34a', 'light').row).not.toBe(statusColors('#dc2626', 'light').row);
});

test('an invalid colour of a status is shown as grey', () => {
  expect(statusColors('red', 'light')).toEqual(statusColors('#808080', 'light'));
});
