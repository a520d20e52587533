import { expect, test } from 'vitest';
import { emptyView, parseView, type TableView } from './table-view.ts';

test('a stored layout is restored', () => {
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
])('invalid content is the empty layout: %s', (stored) => expect(parseView(stored)).toEqual(emptyView));

test('an invalid part does not affect the others', () => {
  expect(parseView('{"widths":7,"hidden":["address"]}')).toEqual({ ...emptyView, hidden: ['address'] });
});
