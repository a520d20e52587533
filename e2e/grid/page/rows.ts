import type { CellAddress, GridColumn, Refusal } from '../../../web/src/grid/grid.ts';
import type { PageRow } from '../page-controls.ts';

const STATUSES = ['Entered', 'Called', 'Deal', 'No deal', 'Deal Not Entered', 'To Call'];
const FIRST_NAMES = ['Ava', 'Noah', 'Mia', 'Liam', 'Zoe', 'Jack', 'Ruby', 'Leo', 'Isla', 'Max'];
const LAST_NAMES = ['Nguyen', 'Smith', 'Kaur', 'Brown', 'Rossi', 'Wilson', 'Tran', 'Walker', 'Singh'];

export function makeRows(count: number): PageRow[] {
  return Array.from({ length: count }, (_, index) => makeRow(index));
}

function makeRow(index: number): PageRow {
  const row: Record<string, string | number | null> = {
    customerName: `${FIRST_NAMES[index % 10]} ${LAST_NAMES[index % 9]}`,
    dealNumber: `D-${index + 1}`,
    status: STATUSES[index % 6] ?? null,
    phone: `(04${String(index % 100).padStart(2, '0')}) ${String((index * 7) % 1000).padStart(3, '0')} 123`,
    saleAmount: ((index * 7919) % 500_000) / 100,
    quantity: index % 9,
    deliveryDate: `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
    followUpAt: '2026-03-05T03:30:00.000Z',
    notes: index % 3 === 0 ? 'Called twice\nprefers mornings' : null,
    owner: index % 10 === 9 ? 'Sam' : 'Kim',
  };
  for (let extra = 1; extra <= 20; extra++) row[`extra${extra}`] = (index * extra) % 1000;
  return { ...row, key: `row-${index + 1}`, id: `id-${index + 1}` };
}

function blockedReason(row: PageRow): string | null {
  return row['owner'] === 'Sam' ? 'This data is owned by Sam. Please contact Sam for edit rights.' : null;
}

/** Returns a server refusal of the deal number, for some rows. */
const refusedNumber = (row: PageRow): string | null => {
  const message = row['dealNumberRefused'];
  return typeof message === 'string' ? message : null;
};

/** Refused texts by cell. */
export const refusals = new Map<string, Refusal>();
export const cellName = ({ key, columnId }: CellAddress): string => `${key} ${columnId}`;

function column(id: string, header: string, more: Partial<GridColumn<PageRow>>): GridColumn<PageRow> {
  const refusal = ({ key }: PageRow) => refusals.get(cellName({ key, columnId: id })) ?? null;
  return { id, header, type: 'text', get: (row) => row[id] ?? null, blockedReason, refusal, ...more };
}

export const columns: readonly GridColumn<PageRow>[] = [
  column('customerName', 'Customer', { size: 170 }),
  column('dealNumber', 'Deal no.', { size: 100, maxLength: 40, invalidReason: refusedNumber }),
  column('status', 'Status', {
    type: 'select',
    options: STATUSES.map((status) => ({ value: status, label: status })),
  }),
  column('phone', 'Phone', { type: 'phone' }),
  column('saleAmount', 'Sale', { type: 'currency', size: 110 }),
  column('quantity', 'Quantity', { type: 'number', size: 90 }),
  column('deliveryDate', 'Delivery', { type: 'date', size: 110 }),
  column('followUpAt', 'Follow up', { type: 'datetime', size: 170 }),
  column('notes', 'Notes', { type: 'multiline', size: 200 }),
  column('owner', 'Owner', { readOnly: true, size: 90 }),
  ...Array.from({ length: 20 }, (_, index) =>
    column(`extra${index + 1}`, `Extra ${index + 1}`, { type: 'number', size: 100 }),
  ),
];
