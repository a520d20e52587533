import { adjustmentInWords } from '@forecourt/contract/statement-words';
import type { StatementAdjustment } from '@forecourt/contract/statements';
import { expect, test } from 'vitest';

const describeChanges = (...changes: StatementAdjustment['changes']) =>
  adjustmentInWords(
    { month: '2026-03', changes },
    {
      formatMoney: (amount) => `$${amount.toFixed(2)}`,
      formatPercent: (rate) => `${rate}%`,
      formatMonth: (month) => (month === '2026-03' ? 'March 2026' : 'April 2026'),
    },
  );

test('a changed row has its values before and after: money, percent, text and nothing', () => {
  const { title, changes } = describeChanges(
    { field: 'status', before: 'Deal', after: 'Called' },
    { field: 'counts', before: true, after: false },
    { field: 'month', before: '2026-03', after: '2026-04' },
    { field: 'saleAmount', before: 1200.5, after: null },
    { field: 'commissionRate', before: 8, after: 7.5 },
  );
  expect(title).toBeNull();
  expect(changes).toEqual([
    { name: 'Status', before: 'Deal', after: 'Called' },
    { name: 'Counts for commission', before: 'yes', after: 'no' },
    { name: 'Month', before: 'March 2026', after: 'April 2026' },
    { name: 'Sale', before: '$1200.50', after: 'none' },
    { name: 'Rate', before: '8%', after: '7.5%' },
  ]);
});

test('items name only those before, since the later ones are not stored', () => {
  expect(describeChanges({ field: 'items', before: 'Tint × 2', after: null }).changes).toEqual([
    { name: 'Items', before: 'Tint × 2', after: 'replaced' },
  ]);
});

test('a row that was added or removed has its values in one line', () => {
  expect(
    describeChanges(
      { field: 'month', before: null, after: '2026-03' },
      { field: 'status', before: null, after: 'Deal' },
      { field: 'saleAmount', before: null, after: 100 },
    ),
  ).toEqual({ title: 'Added to March 2026', values: ['Status: Deal', 'Sale: $100.00'], changes: [] });
  expect(
    describeChanges(
      { field: 'month', before: '2026-03', after: null },
      { field: 'saleAmount', before: 100, after: null },
      { field: 'costAmount', before: null, after: null },
    ),
  ).toEqual({ title: 'Removed from March 2026', values: ['Sale: $100.00'], changes: [] });
});
