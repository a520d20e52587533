import { expect, test } from 'vitest';
import { emptyView, parseView, type TableView } from './table-view.ts';

test('an arrangement comes back as it was stored', () => {
  const view: TableView = {
    widths: { name: 180 },
    sort: { columnId: 'name', descending: true },
    hidden: ['address'],
  };
  expect(parseView(JSON.stringify(view))).toEqual(view);
});

test.each([
  null,
  '',
  'no json',
  'null',
  '[]',
  '{"widths":{"name":"wide"},"sort":{"columnId":1},"hidden":[1]}',
])('nothing, or something else, is no arrangement: %s', (stored) =>
  expect(parseView(stored)).toEqual(emptyView),
);

test('one bad part costs only itself', () => {
  expect(parseView('{"widths":7,"hidden":["address"]}')).toEqual({ ...emptyView, hidden: ['address'] });
});
