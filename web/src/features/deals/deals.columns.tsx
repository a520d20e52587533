import type { DealStatus } from '@forecourt/contract/deals';
import type { GridColumn, SelectOption } from '../../grid/grid.ts';
import { formatMonth, formatPercent } from '../../platform/formats.ts';
import { texts, emailStates } from '../../texts/deals.ts';
import { isDealField, type DealField } from './deal-fields.ts';
import { holdNote } from './deal-holds.ts';
import { itemWords, parseItems } from './deal-items.ts';
import { existsFor, type DealOptions } from './deal-options.ts';
import { emailStateOf, isBlank, type DealRow, valueOf } from './deal-row.ts';
import { itemsInEdit } from './items-in-edit.ts';

type Column = GridColumn<DealRow>;
type ColumnRights = {
  /** Whether blank rows may be typed in (spec section 6, Cell edit). */
  readonly mayEditBlank: boolean;
  /** Whom rows can be handed to, for those who may. */
  readonly people?: readonly SelectOption[];
  /** Whose clock times are said on; the browser's own where it is left out. */
  readonly timeZone?: string;
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
  const { deal } = row;
  // Whoever may not see what it is made of gets it from the server as it is.
  if (deal && (deal.saleAmount === undefined || deal.costAmount === undefined))
    return deal.grossProfit ?? null;
  const [sale, cost] = [valueOf(row, 'saleAmount'), valueOf(row, 'costAmount')];
  if (typeof sale !== 'number' || typeof cost !== 'number') return null;
  return (Math.round(sale * 100) - Math.round(cost * 100)) / 100;
}

/** What follows from the sale as the server knows it: not known while something typed may change it. */
const earned =
  (id: 'commissionRate' | 'commission') =>
  ({ deal, draft }: DealRow): number | null =>
    draft && ['saleAmount', 'dealershipId', 'items', 'owner'].some((typed) => typed in draft.typed)
      ? null
      : (deal?.[id] ?? null);

/** Why a cell cannot be edited, in words; null when it can (spec section 6). */
const blocked =
  ({ mayEditBlank }: ColumnRights) =>
  ({ deal }: DealRow): string | null => {
    if (deal === null) return mayEditBlank ? null : texts.mayNotEdit;
    return deal.abilities.edit === true ? null : texts.ownedBy(deal.ownerName);
  };

/** The same of the owner's cell: changing it is handing the row over. */
const ownerBlocked = ({ deal }: DealRow): string | null => {
  if (deal === null) return texts.saveFirst;
  const ability = deal.abilities.transfer;
  if (ability === true) return null;
  return ability === 'NOT_ROW_OWNER' ? texts.ownedBy(deal.ownerName) : texts.mayNotTransfer;
};

/** Adds what is told about a cell: why it is blocked, that it is unsaved, and why it waits for its person. */
const withReasons = (
  column: Column,
  blockedReason: NonNullable<Column['blockedReason']>,
  { timeZone = '' }: ColumnRights,
): Column => {
  const { id } = column;
  if (column.readOnly || !isDealField(id)) return column;
  const own = column.cellClassName;
  return {
    ...column,
    blockedReason,
    invalidReason: (row) => holdNote(column, row, id, timeZone),
    refusal: (row) => row.draft?.refused[id] ?? null,
    cellClassName(row) {
      const unsaved = row.deal !== null && row.draft?.typed[id] !== undefined ? 'deal-unsaved' : undefined;
      return [own?.(row), unsaved].filter(Boolean).join(' ') || undefined;
    },
  };
};

/**
 * The columns in their first order: who, where, what and for how much are in sight at 1440 px. Without options yet,
 * names stand where choices will be.
 */
export function dealColumns(options: DealOptions | undefined, rights: ColumnRights): readonly Column[] {
  const { people = [] } = rights;
  const statuses = options?.statuses ?? [];
  const dealerships = options?.dealerships ?? [];
  const dealershipNames = new Map(dealerships.map(({ _id, name }) => [_id, name]));
  const statusOptions: SelectOption[] = statuses
    .filter(({ active }) => active)
    .map(({ name }) => ({
      value: name,
      label: name,
      className: `deal-status-option ${statusClass(statuses, name)}`,
    }));
  const defaultStatus = statuses.find(({ isDefault }) => isDefault)?.name ?? '';

  const columns: Column[] = [
    field('status', {
      type: 'select',
      size: 144,
      options: statusOptions,
      // A row that is being typed shows the status that it will get.
      format: (value, row) => String(value ?? (row.draft === undefined ? '' : defaultStatus)),
      cellClassName: () => 'deal-status-cell',
    }),
    field('customerName', {
      type: 'text',
      size: 168,
      maxLength: 120,
      format: (value, row) => String(value ?? (isBlank(row) && rights.mayEditBlank ? texts.typeHere : '')),
      cellClassName: (row) => (isBlank(row) ? 'deal-blank' : undefined),
    }),
    field('customerNumber', { type: 'phone', size: 128 }),
    field('dealershipId', {
      type: 'select',
      size: 168,
      options: dealerships
        .filter(({ active }) => active)
        .map(({ _id, name }) => ({ value: _id, label: name })),
      format: (value, row) =>
        dealershipNames.get(String(value)) ??
        (value === row.deal?.dealershipId ? (row.deal?.dealershipName ?? '') : ''),
    }),
    field('dealNumber', { type: 'text', size: 108, maxLength: 40 }),
    field('vehicle', { type: 'text', size: 168, maxLength: 120 }),
    field('items', {
      type: 'text',
      size: 168,
      format: itemWords,
      toText: itemWords,
      parse: (text) => parseItems(text, options?.items ?? []),
      open: ({ key }) => itemsInEdit.set(key),
    }),
    field('saleAmount', { type: 'currency', size: 104 }),
    field('deliveryDate', { type: 'date', size: 104 }),
    field('costAmount', { type: 'currency', size: 112 }),
    computed('grossProfit', { type: 'currency', size: 112, get: grossProfit }),
    computed('commissionRate', {
      type: 'number',
      size: 76,
      get: earned('commissionRate'),
      format: (value) => (typeof value === 'number' ? formatPercent(value) : ''),
    }),
    computed('commission', { type: 'currency', size: 112, get: earned('commission') }),
    field('followUpAt', { type: 'datetime', size: 172 }),
    field('notes', {
      type: 'multiline',
      size: 240,
      maxLength: 5000,
      format: (value) => String(value ?? '').replaceAll(/\s*\n\s*/g, ' · '),
    }),
    field('owner', {
      type: 'select',
      size: 130,
      options: people,
      format: (value, { deal }) =>
        value === deal?.owner
          ? (deal?.ownerName ?? '')
          : (people.find((person) => person.value === value)?.label ?? ''),
    }),
    computed('emailStatus', {
      type: 'text',
      size: 140,
      get: ({ deal }) => (deal === null ? null : emailStates[emailStateOf(deal)]),
      cellClassName: ({ deal }) => `deal-email deal-email-${deal === null ? 'none' : emailStateOf(deal)}`,
    }),
    field('customerEmail', { type: 'text', size: 200, maxLength: 254 }),
    computed('month', {
      type: 'text',
      size: 130,
      get: ({ deal, draft }) => deal?.month ?? draft?.month ?? null,
      format: (value) => (typeof value === 'string' ? formatMonth(value) : ''),
    }),
    computed('createdAt', { type: 'datetime', size: 172, get: ({ deal }) => deal?.createdAt ?? null }),
  ];
  return columns
    .filter(({ id }) => options === undefined || existsFor(options, id))
    .map((column) => withReasons(column, column.id === 'owner' ? ownerBlocked : blocked(rights), rights));
}
