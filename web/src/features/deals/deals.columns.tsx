import { grossProfitOf } from '@forecourt/contract/deal-amounts';
import { fieldOf, type FieldType, type ViewColumnName } from '@forecourt/contract/deal-fields';
import type { DealStatus } from '@forecourt/contract/deals';
import Phone from 'lucide-react/icons/phone';
import type { CellLink, GridColumn, SelectOption } from '../../grid/grid.ts';
import { formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';
import { texts as itemTexts } from '../../texts/deal-items.ts';
import { texts } from '../../texts/deals.ts';
import { namedChoices } from '../../ui/choices.ts';
import { statusColors } from '../../ui/status-colors.ts';
import { customPart } from './custom/custom-columns.lazy.ts';
import { isDealField, existsFor, oneLine, type DealOptions } from './deal-fields.ts';
import { editAbility, isBlank, lacksRate, mailOf, phoneLink, type DealRow, valueOf } from './deal-row.ts';
import { formatItems, lastItem, parseItems } from './items/deal-items.ts';
import { itemsInEdit, type NumberField } from './open-parts.ts';
import { describeUnsentInCell } from './sync/field-conflicts.ts';

type Column = GridColumn<DealRow>;
type ColumnRights = {
  /** Whether blank rows may be edited (docs/product/data-entry.md, Who may change a row). */
  readonly canEditBlank: boolean;
  /** The possible new owners of rows, if the user may transfer them. */
  readonly people?: readonly SelectOption[];
  /** Returns the entry of a value on the Do not contact list. */
  readonly findContact?: (text: unknown) => object | undefined;
  /** Returns a link to another row with the number in a cell. */
  readonly findDuplicate?: (row: DealRow, field: NumberField) => CellLink | undefined;
  /** Time zone of displayed times; the browser's by default. */
  readonly timeZone?: string;
};

/** The columns in default order with their widths: customer, dealership, vehicle and amounts are visible at 1440 px. */
const SIZES = {
  status: 144,
  customerName: 152,
  customerNumber: 128,
  dealershipId: 168,
  dealNumber: 100,
  vehicle: 160,
  items: 168,
  saleAmount: 104,
  deliveryDate: 104,
  costAmount: 112,
  grossProfit: 112,
  commissionRate: 76,
  commission: 112,
  followUpAt: 172,
  notes: 240,
  owner: 130,
  emailStatus: 144,
  customerEmail: 200,
  month: 130,
  createdAt: 172,
} as const satisfies Record<Exclude<ViewColumnName, 'lastEmailedAt'> | 'emailStatus', number>;
type ColumnId = keyof typeof SIZES;

/** The types of cells, by type of field. */
const CELLS: { readonly [type in FieldType]?: Partial<Column> & Pick<Column, 'type'> } = {
  text: { type: 'text' },
  longText: { type: 'multiline', format: oneLine },
  phone: { type: 'phone' },
  email: { type: 'text', inputMode: 'email' },
  currency: { type: 'currency' },
  percent: { type: 'number' },
  date: { type: 'date' },
  time: { type: 'datetime' },
  month: { type: 'text' },
  record: { type: 'select' },
  items: { type: 'select' },
};

function columnOf(id: ColumnId): Column {
  const { type, max } = id === 'emailStatus' ? { type: 'text' as const } : fieldOf(id);
  return {
    id,
    header: texts.columns[id],
    size: SIZES[id],
    ...CELLS[type]!,
    ...(max !== undefined && { maxLength: max }),
    ...(isDealField(id)
      ? { get: (row: DealRow) => valueOf(row, id) }
      : { readOnly: true, get: ({ deal }: DealRow) => deal?.[id as 'createdAt'] ?? null }),
  };
}

/** Returns the class of a status: its position in the configured order. See `statusStyles`. */
export const statusClass = (statuses: readonly DealStatus[], name: unknown): string | undefined => {
  const at = statuses.findIndex((status) => status.name === name);
  return at < 0 ? undefined : `deal-status-${at}`;
};

/** Returns a CSS rule per status with its colours as variables, light and dark. DataEntryScreen.css uses them. */
export const statusStyles = (statuses: readonly DealStatus[]): string =>
  statuses
    .map(({ color }, at) => {
      const [light, dark] = [statusColors(color, 'light'), statusColors(color, 'dark')];
      const pair = (part: keyof typeof light): string => `light-dark(${light[part]}, ${dark[part]})`;
      return `.deal-status-${at} { --status-row: ${pair('row')}; --status-ground: ${pair('ground')}; --status-ink: ${pair('ink')}; --status-dot: ${pair('dot')}; }`;
    })
    .join('\n');

/** Returns sale minus cost during edits, as the server will compute it. */
function grossProfit(row: DealRow): number | null {
  const { deal } = row;
  // The server's value, if the user does not see both amounts.
  if (deal && (deal.saleAmount === undefined || deal.costAmount === undefined))
    return deal.grossProfit ?? null;
  const [sale, cost] = [valueOf(row, 'saleAmount'), valueOf(row, 'costAmount')];
  if (typeof sale !== 'number' || typeof cost !== 'number') return null;
  return grossProfitOf(sale, cost);
}

/** Returns a value that the server derives from the sale; null while an edit may change it. */
const derivedValue =
  (id: 'commissionRate' | 'commission') =>
  ({ deal, draft }: DealRow): number | null =>
    draft && ['saleAmount', 'dealershipId', 'items', 'owner'].some((typed) => typed in draft.typed)
      ? null
      : (deal?.[id] ?? null);

/** Returns the text of a cell for a saved row without a rate, which is not 0. */
function noRate(id: 'commissionRate' | 'commission', row: DealRow): string {
  const { deal, draft } = row;
  const isMissing =
    id === 'commission'
      ? lacksRate(row)
      : deal?.commissionRate === null && Object.keys(draft?.typed ?? {}).length === 0;
  return isMissing ? texts.notSet : '';
}

function callLink(row: DealRow, { findContact = () => undefined }: ColumnRights): CellLink | null {
  const link = phoneLink(row, findContact);
  return link && { ...link, icon: <Phone size={13} /> };
}

/** Returns why a cell cannot be edited; null if it can (docs/product/data-entry.md, Who may change a row). */
const blocked =
  ({ canEditBlank }: ColumnRights) =>
  ({ deal }: DealRow): string | null => {
    if (deal === null) return canEditBlank ? null : texts.mayNotEdit;
    const ability = editAbility(deal);
    return ability === true ? null : ability;
  };

/** Like `blocked`, for the owner: changing it transfers the row. */
const ownerBlocked = ({ deal }: DealRow): string | null => {
  if (deal === null) return texts.saveFirst;
  const ability = deal.abilities.transfer;
  if (ability === true) return null;
  return ability === 'NOT_ROW_OWNER' ? texts.ownedBy(deal.ownerName) : texts.mayNotTransfer;
};

/** Adds the reasons of a cell: blocked, unsaved, or not sent. */
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
    blockedReason: (row) => column.blockedReason?.(row) ?? blockedReason(row),
    invalidReason: (row) => describeUnsentInCell(column, row, id, timeZone),
    refusal: (row) => row.draft?.refused[id] ?? null,
    cellClassName(row) {
      const unsaved = row.deal !== null && row.draft?.typed[id] !== undefined ? 'deal-unsaved' : undefined;
      return [own?.(row), unsaved].filter(Boolean).join(' ') || undefined;
    },
  };
};

/** Returns the columns in their default order. Options are placeholders until they are loaded. */
export function dealColumns(options: DealOptions | undefined, rights: ColumnRights): readonly Column[] {
  const { people = [] } = rights;
  const statuses = options?.statuses ?? [];
  const dealerships = options?.dealerships ?? [];
  const items = options?.items ?? [];
  const dealershipNames = new Map(dealerships.map(({ _id, name }) => [_id, name]));
  const statusOptions: SelectOption[] = statuses
    .filter(({ active }) => active)
    .map(({ name }) => ({
      value: name,
      label: name,
      className: `deal-status-option ${statusClass(statuses, name)}`,
    }));
  const defaultStatus = statuses.find(({ isDefault }) => isDefault)?.name ?? '';

  const contactClass = (row: DealRow, id: 'customerNumber' | 'customerEmail'): string | undefined =>
    rights.findContact?.(valueOf(row, id)) ? 'deal-do-not-contact' : undefined;
  const duplicateClass = (row: DealRow, id: NumberField): string | undefined =>
    rights.findDuplicate?.(row, id) && 'deal-duplicate';

  const special: { readonly [id in ColumnId]?: Partial<Column> } = {
    status: {
      options: statusOptions,
      // A new row shows the status that it will get.
      format: (value, row) => String(value ?? (row.draft === undefined ? '' : defaultStatus)),
      cellClassName: () => 'deal-status-cell',
    },
    customerName: {
      format: (value, row) => String(value ?? (isBlank(row) && rights.canEditBlank ? texts.typeHere : '')),
      cellClassName: (row) => (isBlank(row) ? 'deal-blank' : undefined),
    },
    customerNumber: {
      cellClassName: (row) => contactClass(row, 'customerNumber') ?? duplicateClass(row, 'customerNumber'),
      link: (row) => rights.findDuplicate?.(row, 'customerNumber') ?? callLink(row, rights),
    },
    dealNumber: {
      cellClassName: (row) => duplicateClass(row, 'dealNumber'),
      link: (row) => rights.findDuplicate?.(row, 'dealNumber') ?? null,
    },
    customerEmail: { cellClassName: (row) => contactClass(row, 'customerEmail') },
    dealershipId: {
      options: namedChoices(dealerships.filter(({ active }) => active)),
      format: (value, row) =>
        dealershipNames.get(String(value)) ??
        (value === row.deal?.dealershipId ? (row.deal?.dealershipName ?? '') : ''),
    },
    items: {
      options: namedChoices(items),
      lastOption: (text) => lastItem(text, items),
      format: formatItems,
      toText: formatItems,
      parse: (text, present) => parseItems(text, items, present),
      details: { label: itemTexts.details, open: ({ key }) => itemsInEdit.set(key) },
    },
    grossProfit: { get: grossProfit },
    commissionRate: {
      get: derivedValue('commissionRate'),
      format: (value, row) =>
        typeof value === 'number' ? formatPercent(value) : noRate('commissionRate', row),
    },
    commission: {
      get: derivedValue('commission'),
      format: (value, row) => (typeof value === 'number' ? formatMoney(value) : noRate('commission', row)),
    },
    owner: {
      options: people,
      format: (value, { deal }) =>
        value === deal?.owner
          ? (deal?.ownerName ?? '')
          : (people.find((person) => person.value === value)?.label ?? ''),
    },
    emailStatus: {
      get: ({ deal }) => (deal === null ? null : mailOf(deal).text),
      cellClassName: ({ deal }) => `deal-email deal-email-${deal === null ? 'none' : mailOf(deal).state}`,
    },
    month: {
      get: ({ deal, draft }) => deal?.month ?? draft?.month ?? null,
      format: (value) => (typeof value === 'string' ? formatMonth(value) : ''),
    },
  };
  const builtIn = (Object.keys(SIZES) as ColumnId[]).map((id): Column => ({
    ...columnOf(id),
    ...special[id],
  }));
  const custom = options ? (customPart.get()?.(options) ?? []) : [];
  const columns = builtIn.toSpliced(
    builtIn.findIndex(({ id }) => id === 'month'),
    0,
    ...custom,
  );
  return columns
    .filter(({ id }) => options === undefined || existsFor(options, id))
    .map((column) => withReasons(column, column.id === 'owner' ? ownerBlocked : blocked(rights), rights));
}
