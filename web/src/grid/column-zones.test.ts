import { describe, expect, test } from 'vitest';
import { emptyColumnState, pinColumn } from './column-state.ts';
import { columnZones, fittingZones } from './column-zones.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];

test('orders columns as pinned left, scrolling, pinned right; new ones last', () => {
  const state = {
    ...emptyColumnState,
    columnOrder: ['d', 'b', 'gone'],
    columnPinning: { start: ['c', 'gone'], end: ['a'] },
  };
  expect(columnZones(state, ids)).toEqual({ start: ['c'], center: ['d', 'b', 'e'], end: ['a'] });
});

test('pins any number on either side, innermost last, and unpins them', () => {
  let state = pinColumn(emptyColumnState, 'b', 'left');
  state = pinColumn(state, 'd', 'left');
  state = pinColumn(state, 'e', 'right');
  state = pinColumn(state, 'a', 'right');
  expect(columnZones(state, ids)).toEqual({ start: ['b', 'd'], center: ['c'], end: ['a', 'e'] });
  state = pinColumn(state, 'd', 'right');
  expect(columnZones(state, ids)).toEqual({ start: ['b'], center: ['c'], end: ['d', 'a', 'e'] });
  expect(columnZones(pinColumn(state, 'b', null), ids).center).toEqual(['b', 'c']);
});

describe('pins that do not fit', () => {
  const zones = { start: ['a', 'b', 'c'], center: ['d'], end: ['e', 'f'] };
  const fit = (room: number) => fittingZones(zones, () => 100, room);

  test('pins that do not fit scroll, the innermost first, in unchanged order', () => {
    expect(fit(Infinity)).toEqual(zones);
    expect(fit(500)).toEqual(zones);
    expect(fit(450)).toEqual({ start: ['a', 'b'], center: ['c', 'd'], end: ['e', 'f'] });
    expect(fit(250)).toEqual({ start: ['a'], center: ['b', 'c', 'd', 'e'], end: ['f'] });
    expect(fit(0)).toEqual({ start: [], center: ['a', 'b', 'c', 'd', 'e', 'f'], end: [] });
    expect(fit(-100)).toEqual(fit(0));
  });
});
