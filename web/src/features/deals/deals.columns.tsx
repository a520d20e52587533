import type { DealStatus } from '@forecourt/contract/deals';
import type { GridColumn, SelectOption } from '../../grid/grid.ts';
import { texts, emailStates } from '../../texts/deals.ts';
import { holdReason } from './deal-holds.ts';
import { isBlank, isDealField, valueOf, type DealField, type DealRow } from './deal-row.ts';
import type { DealOptions } from './deals.queries.ts';

type Column = GridColumn<DealRow>;
type ColumnRights = {
  /** Whether blank rows may be typed in (spec section 6, Cell edit). */
  readonly mayEditBlank: boolean;
};

const field = (id: DealField, rest: Omit<Column, 'id' | 'get' | 'header'>): Column => ({
  id,
  header: texts.columns[id],
  get: (row) => valueOf(row, id),
  ...rest,
});

const computed = (id: keyof typeof texts.columns, rest: Omit<Column, 'id' | 'header'>): Column => ({
  id,
  header: texts.columns[id],
  readOnly: true,
  ...rest,
});

/** Class of a status: its place in the configured order. See `statusStyles`. */
export const statusClass = (statuses: readonly DealStatus[], name: unknown): string | undefined => {
  const at = statuses.findIndex((status) => status.name === name);
  return at < 0 ? undefined : `deal-status-${at}`;
};

/** Sale less cost while somebody types, as the server will compute it. */
function grossProfit(row: DealRow): number | null {
  const [sale, cost] = [valueOf(row, 'saleAmount'), valueOf(row, 'costAmount')];
  if (typeof sale !== 'number' || typeof cost !== 'number') return null;
  return (Math.round(sale * 100) - Math.round(cost * 100)) / 100;
}

/** Why a cell cannot be edited, in words; null when it can (spec section 6). */
const blocked =
  ({ mayEditBlank }: ColumnRights) =>
  ({ deal }: DealRow): string | null => {
    if (deal === null) return mayEditBlank ? null : texts.mayNotEdit;
    return deal.abilities.edit === true ? null : texts.ownedBy(deal.ownerName);
  };

/** Adds what is told about a cell: why it is blocked, that it is unsaved, and why it waits for its person. */
const withReasons = (column: Column, blockedReason: NonNullable<Column['blockedReason']>): Column => {
  const { id } = column;
  if (column.readOnly || !isDealField(id)) return column;
  const own = column.cellClassName;
  return {
    ...column,
    blockedReason,
    invalidReason: (row) => holdReason(column, row, id),
    cellClassName(row) {
      const unsaved = row.deal !== null && row.draft?.typed[id] !== undefined ? 'deal-unsaved' : undefined;
      return [own?.(row), unsaved].filter(Boolean).join(' ') || undefined;
    },
  };
};

/** The columns in their first order. Without options yet, names stand where choices will be. */
export function dealColumns(options: DealOptions | undefined, rights: ColumnRights): readonly Column[] {
  const statuses = options?.statuses ?? [];
  const dealerships = options?.dealerships ?? [];
  const dealershipNames = new Map(dealerships.map(({ _id, name }) => [_id, name]));
  const statusOptions: SelectOption[] = statuses.map(({ name }) => ({
    value: name,
    label: name,
    className: `deal-status-option ${statusClass(statuses, name)}`,
  }));
  const defaultStatus = statuses.find(({ isDefault }) => isDefault)?.name ?? '';

  const columns: Column[] = [
    field('status', {
      type: 'select',
      size: 150,
      options: statusOptions,
      // A row that is being typed shows the status that it will get.
      format: (value, row) => String(value ?? (row.draft === undefined ? '' : defaultStatus)),
      cellClassName: () => 'deal-status-cell',
    }),
    field('customerName', {
      type: 'text',
      size: 180,
      maxLength: 120,
      format: (value, row) => String(value ?? (isBlank(row) && rights.mayEditBlank ? texts.typeHere : '')),
      cellClassName: (row) => (isBlank(row) ? 'deal-blank' : undefined),
    }),
    field('customerNumber', { type: 'phone', size: 132 }),
    field('dealershipId', {
      type: 'select',
      size: 180,
      options: dealerships
        .filter(({ active }) => active)
        .map(({ _id, name }) => ({ value: _id, label: name })),
      format: (value, row) =>
        dealershipNames.get(String(value)) ??
        (value === row.deal?.dealershipId ? (row.deal?.dealershipName ?? '') : ''),
    }),
    field('dealNumber', { type: 'text', size: 112, maxLength: 40 }),
    field('vehicle', { type: 'text', size: 190, maxLength: 120 }),
    field('deliveryDate', { type: 'date', size: 104 }),
    field('saleAmount', { type: 'currency', size: 112 }),
    field('costAmount', { type: 'currency', size: 112 }),
    computed('grossProfit', { type: 'currency', size: 112, get: grossProfit }),
    field('followUpAt', { type: 'datetime', size: 156 }),
    field('notes', {
      type: 'multiline',
      size: 240,
      maxLength: 5000,
      format: (value) => String(value ?? '').replaceAll(/\s*\n\s*/g, ' · '),
    }),
    computed('owner', { type: 'text', size: 130, get: ({ deal }) => deal?.ownerName ?? null }),
    computed('emailStatus', {
      type: 'text',
      size: 104,
      get: ({ deal }) => (deal === null ? null : emailStates[deal.emailStatus ?? 'none']),
      cellClassName: ({ deal }) => `deal-email deal-email-${deal?.emailStatus ?? 'none'}`,
    }),
    field('customerEmail', { type: 'text', size: 200, maxLength: 254 }),
  ];
  return columns.map((column) => withReasons(column, blocked(rights)));
}
