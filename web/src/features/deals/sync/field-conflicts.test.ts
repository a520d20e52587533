import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, test } from 'vitest';
import type { GridColumn } from '../../../grid/grid.ts';
import type { DealField } from '../deal-fields.ts';
import type { DealRow, UnsentReason } from '../deal-row.ts';
import { emptyDraft } from './draft.ts';
import {
  canParse,
  describeUnsentInCell,
  describeUnsent,
  describeNewerValue,
  formatValue,
} from './field-conflicts.ts';

const ZONE = 'Australia/Sydney';
const get = (): null => null;
const column = (part: Partial<GridColumn<DealRow>>): GridColumn<DealRow> =>
  ({ id: 'vehicle', header: 'Vehicle', type: 'text', get, ...part }) as GridColumn<DealRow>;
const text = column({});
const sale = column({ id: 'saleAmount', header: 'Sale', type: 'currency' });
const dealership = column({ type: 'select', options: [{ value: 'd-1', label: 'Harbour New Cars' }] });
const deal = { vehicle: 'Audi', saleAmount: 1200, items: [] } as unknown as Deal;

describe('the text of a value', () => {
  test.each([
    [text, null, ''],
    [text, '', ''],
    [text, 'Audi', 'Audi'],
    [column({ toText: (value) => `${value} items` }), 2, '2 items'],
    [column({ toText: (value) => `${value} items` }), '', ''],
    [sale, 1200, '$1,200.00'],
    [column({ type: 'date' }), '2026-11-20', '20/11/2026'],
    [column({ type: 'datetime' }), '2026-11-20T03:04:00.000Z', '20/11/2026, 2:04 pm'],
    [dealership, 'd-1', 'Harbour New Cars'],
    [dealership, 'd-2', 'd-2'],
  ])('the text of a value is formatted as in its cell: %#', (of, value, expected) => {
    expect(formatValue(of, value, ZONE)).toBe(expected);
  });
});

describe('a typed value that is not sent', () => {
  const row = (hold?: UnsentReason, of: Deal | null = deal): DealRow => {
    const typed = { vehicle: { value: 'Kia', version: 1, ...(hold && { hold }) } };
    return { key: 'k', deal: of, draft: { ...emptyDraft('k', 'd', '2026-11'), typed } };
  };
  const conflict: UnsentReason = { kind: 'conflict', by: 'Ada Admin', at: '2026-11-20T03:04:00.000Z' };
  const refused: UnsentReason = { kind: 'refused', message: 'Too long' };
  const reason = (of: DealRow, field: DealField = 'vehicle') => describeUnsent(text, of, field, ZONE);

  test('a typed value that is not sent has the reason: who changed it to what, or the message of the refusal', () => {
    expect(reason(row(conflict))).toBe('Ada Admin changed Vehicle to “Audi”');
    expect(reason(row(refused))).toBe('Too long');
  });

  test('a typed value that is not sent has none if it is not marked or its row was removed', () => {
    expect(reason(row())).toBeNull();
    expect(reason({ key: 'k', deal, draft: undefined })).toBeNull();
    expect(reason(row(conflict), 'notes')).toBeNull();
    expect(reason(row(conflict, null))).toBeNull();
  });

  test('a typed value that is not sent has the keys for a decision only for a conflict', () => {
    expect(describeUnsentInCell(text, row(conflict), 'vehicle', ZONE)).toBe(
      'Ada Admin changed Vehicle to “Audi”: keep mine (Alt+M) / take theirs (Alt+T)',
    );
    expect(describeUnsentInCell(text, row(refused), 'vehicle', ZONE)).toBe('Too long');
    expect(describeUnsentInCell(text, row(), 'vehicle', ZONE)).toBeNull();
    expect(describeUnsentInCell(text, row(conflict, null), 'vehicle', ZONE)).toBeNull();
  });

  test('a typed value that is not sent names the current value of the cell, if it has changed', () => {
    const now = (before: string | number | null | undefined, of: Deal | null = deal) =>
      describeNewerValue(
        sale,
        of,
        'saleAmount',
        { text: 'x', message: '', ...(before !== undefined && { before }) },
        ZONE,
      );
    expect(now(1000)).toBe('Its cell holds “$1,200.00” now.');
    expect(now(1000, { ...deal, saleAmount: null })).toBe('Its cell is empty now.');
    expect(now(1200)).toBe('');
    expect(now(undefined)).toBe('');
    expect(now(1000, null)).toBe('');
  });

  test('a typed value that is not sent can be saved if its column can parse it', () => {
    expect(canParse(sale, '12.50', ZONE)).toBe(true);
    expect(canParse(sale, '12 apples', ZONE)).toBe(false);
  });
});
