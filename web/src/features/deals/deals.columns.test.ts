import { expect, test } from 'vitest';
import { SELECT_WIDTH } from '../../grid/use-column-layout.ts';
import { dealColumns } from './deals.columns.tsx';

/** What the window of 1440 px has beside the table: the menu and a scroll bar. */
const BESIDE = 208 + 15;

test('in a window of 1440 px every column up to the items is beside the pinned email', () => {
  const columns = dealColumns(undefined, { canEditBlank: true });
  const upToItems = columns.slice(0, columns.findIndex(({ id }) => id === 'items') + 1);
  const email = columns.find(({ id }) => id === 'emailStatus');
  const widths = [...upToItems, email].map((column) => column?.size ?? 0);
  expect(widths.reduce((sum, width) => sum + width, SELECT_WIDTH)).toBeLessThanOrEqual(1440 - BESIDE);
});
