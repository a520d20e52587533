import { expect, test } from 'vitest';
import { formatFilterDay, instantsOf } from './days.ts';

const at = (...parts: [number, number, number]) => new Date(...parts).toISOString();

test('two days are both included, on the viewer’s clock', () => {
  expect(instantsOf({ fromDay: '2026-02-27', toDay: '2026-02-28' })).toEqual({
    from: at(2026, 1, 27),
    to: at(2026, 2, 1),
  });
});

test('an invalid day is left out of a range', () => {
  expect(instantsOf({})).toEqual({});
  expect(instantsOf({ fromDay: 'x', toDay: '2026' })).toEqual({});
  expect(instantsOf({ fromDay: '2026-02-31', toDay: '2026-13-40' })).toEqual({});
});

test('the days of a stored filter are those that were chosen', () => {
  const day = '2026-11-20';
  const { from, to } = instantsOf({ fromDay: day, toDay: day });
  for (const value of [from!, day]) expect(formatFilterDay('from', value), value).toBe('20/11/2026');
  for (const value of [to!, day]) expect(formatFilterDay('to', value), value).toBe('20/11/2026');
});
