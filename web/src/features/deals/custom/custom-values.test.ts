import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customCell, customValueOf } from '../deal-fields.ts';
import {
  chosenIds,
  formatCustom,
  listCell,
  parseLink,
  parseNumber,
  parseOptions,
  parsePercent,
  parseTick,
  safeAddress,
  TICK,
} from './custom-values.ts';

const option = (id: string, name: string, active = true) => ({ id, name, active });
const options = [
  option('o1', 'Tow bar'),
  option('o2', 'Roof rack'),
  option('o3', 'Roof box'),
  option('o4', 'Mats, all weather'),
  option('o5', 'Mats'),
  option('o6', 'Alarm', false),
];

test('every value is the same after its cell', () => {
  const value = fc.oneof(
    fc.string().filter((text) => !text.startsWith('\u0001')),
    fc.double({ noNaN: true }),
    fc.constant(true as const),
    fc.array(fc.string(), { minLength: 1 }),
  );
  fc.assert(
    fc.property(value, (stored) => {
      expect(customValueOf(customCell(stored))).toEqual(stored);
    }),
    { examples: [['true'], ['["o1"]'], [true], [['o1']], [0]] },
  );
  expect(customValueOf(null)).toBeNull();
});

describe('numbers', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['-12.5', -12.5],
    ['−12.5', -12.5],
    ['1,234.5678', 1234.5678],
    ['1 234', 1234],
    ['.5', 0.5],
    ['999999999999', 999_999_999_999],
  ])('%s', (text, value) => expect(parseNumber(text)).toEqual({ ok: true, value }));

  test.each([
    ['1,23', 'Please enter a valid number'],
    ['-', 'Please enter a valid number'],
    ['1e3', 'Please enter a valid number'],
    ['12 km', 'Please enter a valid number'],
    ['1.23456', 'Please use at most 4 decimals'],
    ['1000000000000', 'Please enter a number from -999,999,999,999 to 999,999,999,999'],
  ])('%s is refused', (text, message) => expect(parseNumber(text)).toEqual({ ok: false, message }));

  test('percentages have a sign or none', () => {
    for (const text of ['12.5', '12.5%', '12.5 %'])
      expect(parsePercent(text)).toEqual({ ok: true, value: 12.5 });
  });

  test('numbers are formatted by their type, as their parser accepts them', () => {
    expect(formatCustom('number', 1234.5678)).toBe('1,234.5678');
    expect(formatCustom('percent', 1234.5)).toBe('1,234.5%');
    expect(formatCustom('currency', 12)).toBe('$12.00');
    expect(formatCustom('date', '2026-11-20')).toBe('20/11/2026');
    expect(parsePercent(formatCustom('percent', 1234.5))).toEqual({ ok: true, value: 1234.5 });
  });
});

describe('ticks', () => {
  test.each(['y', 'Yes', 'TRUE', 'x', '1', '✓', '✓ Yes'])('%s is read as a tick', (text) =>
    expect(parseTick(text)).toEqual({ ok: true, value: TICK }),
  );
  test.each(['n', 'No', 'FALSE', '0'])('%s is read as no tick', (text) =>
    expect(parseTick(text)).toEqual({ ok: true, value: null }),
  );
  test('any other text is refused as a tick', () =>
    expect(parseTick('maybe')).toEqual({ ok: false, message: 'Please enter Yes or No' }));
});

describe('links', () => {
  test.each([
    ['https://example.com/a?b=1', 'https://example.com/a?b=1'],
    ['example.com', 'https://example.com'],
    ['localhost:8080/x', 'https://localhost:8080/x'],
    ['HTTP://intranet', 'HTTP://intranet'],
  ])('%s', (text, value) => expect(parseLink(text)).toEqual({ ok: true, value }));

  test.each([
    '//evil.example',
    'javascript:alert(1)',
    'mailto:a@example.com',
    'word',
    'two words.com',
    'https://',
    'data:text/html,x',
  ])('%s is refused', (text) => expect(parseLink(text).ok).toBe(false));

  test('a link is opened only with http or https', () => {
    expect(safeAddress('https://example.com')).toBe('https://example.com');
    for (const address of ['javascript:alert(1)', 'data:text/html,x', '', null, 7])
      expect(safeAddress(address)).toBeNull();
  });
});

describe('options', () => {
  const parsedIds = (text: string) => {
    const parsed = parseOptions(text, options);
    return parsed.ok ? chosenIds(parsed.value) : parsed.message;
  };

  test.each([
    ['Tow bar, Roof rack', ['o1', 'o2']],
    ['roof box; TOW', ['o1', 'o3']],
    ['Mats, all weather, Tow bar', ['o1', 'o4']],
    ['Mats, Tow bar', ['o1', 'o5']],
    [', Tow bar,,Tow bar ,', ['o1']],
    [',', []],
  ])('%s is a list in the order of the options', (text, ids) => expect(parsedIds(text)).toEqual(ids));

  test('an unknown name is refused with the offered ones', () => {
    expect(parsedIds('Tow bar, Wheels')).toBe(
      'There is no option “Wheels”. Choose from Tow bar, Roof rack, Roof box, Mats, all weather, Mats.',
    );
    expect(parsedIds('roof')).toBe('Several options begin with “roof”');
    // An inactive option is not offered.
    expect(parsedIds('Alarm')).toContain('There is no option “Alarm”');
    const many = Array.from({ length: 9 }, (_, at) => option(`p${at}`, `Part ${at}`));
    expect(parseOptions('x', many)).toMatchObject({ message: expect.stringContaining('Part 7, ….') });
  });

  test('an empty list is no value', () => {
    expect(listCell([], options)).toBeNull();
    expect(listCell(['o5', 'o1'], options)).toBe(customCell(['o1', 'o5']));
  });
});
