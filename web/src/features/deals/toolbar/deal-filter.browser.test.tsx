import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { MantineProvider } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent, type Locator } from 'vitest/browser';
import { useOpener } from '../../../ui/use-opener.ts';
import type { DealOptions } from '../deal-fields.ts';
import type { FilterPart } from '../views/filter.ts';
import DealFilterPanel from './DealFilterPanel.tsx';
import FilterChips from './FilterChips.tsx';

const idOf = (number: number) => `01900000-0000-7000-8000-0000000000d${number}`;
const named = (...names: string[]) => names.map((name, at) => ({ _id: idOf(at), name, active: true }));
const options = {
  columns: ['status', 'dealershipId', 'notes', 'saleAmount', 'deliveryDate', 'grossProfit'],
  statuses: named('Called', 'To Call'),
  dealerships: named('Albury', 'Bega', 'Cowra', 'Dubbo', 'Eden', 'Forbes', 'Gosford', 'Harbour', 'Inland'),
  owners: [],
  items: [],
  people: named('Kim'),
  customFields: [
    {
      key: 'custom1',
      name: 'Finance',
      type: 'select',
      options: [
        { id: 'o1', name: 'Loan', active: true },
        { id: 'o2', name: 'Lease', active: false },
      ],
    },
    { key: 'custom2', name: 'Mileage', type: 'number', options: [] },
    { key: 'custom3', name: 'Handler', type: 'person', options: [] },
    { key: 'custom4', name: 'Paid', type: 'checkbox', options: [] },
  ],
} as unknown as DealOptions;

let filter: ColumnFilter | null;

function Screen({ initial }: { initial: ColumnFilter | null }): ReactElement {
  const [used, setUsed] = useState(initial);
  const [openedAt, setOpenedAt] = useState<FilterPart | null>(null);
  const { button, part, open } = useOpener('dialog');
  const change = (next: ColumnFilter | null): void => {
    filter = next;
    setUsed(next);
  };
  return (
    <MantineProvider>
      <button type="button" {...button}>
        Filter
      </button>
      {part && (
        <DealFilterPanel part={part} filter={used} options={options} openedAt={openedAt} onChange={change} />
      )}
      {used && (
        <FilterChips
          filter={used}
          options={options}
          onChange={change}
          onOpen={(at) => {
            setOpenedAt(at);
            open();
          }}
        />
      )}
      <div role="grid" aria-label="Deals" tabIndex={0} />
    </MantineProvider>
  );
}

async function open(initial: ColumnFilter | null = null) {
  filter = initial;
  const { unmount } = await render(<Screen initial={initial} />);
  return unmount;
}
const press = (keys: string) => userEvent.keyboard(keys);
const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '';
const conditions = () => filter?.conditions;
const column = (number = 1) =>
  page
    .getByRole('group', { name: `Condition ${number}`, exact: true })
    .first()
    .getByLabelText('Column');
const chips = () =>
  [...document.querySelectorAll('[aria-label="Filter"] li')].map((chip) => chip.textContent);

/** Opens the panel by keyboard; the first column has the focus. */
async function openPanel(): Promise<void> {
  page
    .getByRole('button', { name: /^Filter/ })
    .element()
    .focus();
  await press('{Enter}');
  await expect.poll(focused).toBe('Column');
}

test('a condition is typed by keyboard alone and applies with Enter; Escape returns the focus', async () => {
  const close = await open();
  await openPanel();
  await userEvent.selectOptions(column(), 'Notes');
  await press('{Tab}{Tab}{Tab}');
  await expect.poll(focused).toBe('Value');
  await press('ring{Enter}');
  await expect.poll(conditions).toEqual([{ field: 'notes', operator: 'contains', value: 'ring' }]);
  await press('{Escape}');
  await expect.poll(focused).toBe('Filter');
  await close();
});

test('a text applies when typing pauses, and what is typed meanwhile stays', async () => {
  const close = await open();
  await openPanel();
  await userEvent.selectOptions(column(), 'Notes');
  const value = page.getByLabelText('Value');
  await value.fill('r');
  await expect.poll(conditions).toEqual([{ field: 'notes', operator: 'contains', value: 'r' }]);
  await value.fill('ring');
  await expect.poll(conditions).toEqual([{ field: 'notes', operator: 'contains', value: 'ring' }]);
  await expect.element(value).toHaveValue('ring');
  await close();
});

test('an incomplete condition stays in the panel while it is closed, and does not apply', async () => {
  const close = await open();
  await openPanel();
  await userEvent.selectOptions(column(), 'Sale amount');
  await userEvent.selectOptions(page.getByLabelText('Comparison'), 'is between');
  await page.getByLabelText('From').fill('500');
  await page.getByLabelText('To', { exact: true }).fill('5 hundred');
  await press('{Tab}');
  await expect.element(page.getByText('Please enter a valid number')).toBeVisible();
  await press('{Escape}');
  await openPanel();
  await expect.element(column()).toHaveValue('saleAmount');
  expect(filter).toBeNull();
  await page.getByLabelText('From').fill('500');
  await page.getByLabelText('To', { exact: true }).fill('$1,000');
  await expect.poll(conditions).toEqual([{ field: 'saleAmount', operator: 'between', value: [500, 1000] }]);
  await page.getByLabelText('To', { exact: true }).fill('100');
  await expect.element(page.getByText('The first value must not be greater than the second')).toBeVisible();
  await expect.poll(() => filter).toBeNull();
  await close();
});

test('gross profit can be negative, and days are a number', async () => {
  const close = await open();
  await openPanel();
  await userEvent.selectOptions(column(), 'Gross profit');
  await userEvent.selectOptions(page.getByLabelText('Comparison'), 'is less than');
  await page.getByLabelText('Value').fill('-1,234.50');
  await expect.poll(conditions).toEqual([{ field: 'grossProfit', operator: 'lessThan', value: -1234.5 }]);
  await userEvent.selectOptions(column(), 'Delivery date');
  await userEvent.selectOptions(page.getByLabelText('Comparison'), 'is in the next');
  await page.getByLabelText('Value').fill('7');
  await expect.poll(conditions).toEqual([{ field: 'deliveryDate', operator: 'inNextDays', value: 7 }]);
  await userEvent.selectOptions(page.getByLabelText('Comparison'), 'is before');
  await page.getByLabelText('Value').fill('20/11/2026');
  await expect.poll(conditions).toEqual([{ field: 'deliveryDate', operator: 'before', value: '2026-11-20' }]);
  await close();
});

async function tick(box: Locator): Promise<void> {
  box.element().focus();
  await press(' ');
}

test('custom fields are offered after the others, with the conditions of their types', async () => {
  const close = await open();
  await openPanel();
  const last = column().element().querySelector('optgroup:last-of-type');
  expect(last?.getAttribute('label')).toBe('Custom fields');
  expect([...(last?.children ?? [])].map((option) => option.textContent)).toEqual([
    'Finance',
    'Mileage',
    'Handler',
    'Paid',
  ]);
  await userEvent.selectOptions(column(), 'Finance');
  const values = page.getByRole('group', { name: 'Values of Finance' });
  // Rows may still have an inactive option.
  await tick(values.getByLabelText('Lease'));
  await expect.poll(conditions).toEqual([{ field: 'custom1', operator: 'isAnyOf', value: ['o2'] }]);
  await userEvent.selectOptions(column(), 'Mileage');
  await userEvent.selectOptions(page.getByLabelText('Comparison'), 'is more than');
  await page.getByLabelText('Value').fill('-1,234.5678');
  await expect.poll(conditions).toEqual([{ field: 'custom2', operator: 'moreThan', value: -1234.5678 }]);
  await userEvent.selectOptions(column(), 'Handler');
  await tick(page.getByRole('group', { name: 'Values of Handler' }).getByLabelText('Kim'));
  await expect.poll(conditions).toEqual([{ field: 'custom3', operator: 'isAnyOf', value: [idOf(0)] }]);
  await userEvent.selectOptions(column(), 'Paid');
  await userEvent.selectOptions(page.getByLabelText('Comparison'), 'no');
  await expect.poll(conditions).toEqual([{ field: 'custom4', operator: 'isFalse' }]);
  await expect.poll(chips).toEqual(['Paid: no']);
  await close();
});

test('a long list of values is searched, and Enter chooses the first that is found', async () => {
  const close = await open();
  await openPanel();
  await userEvent.selectOptions(column(), 'Dealership');
  await page.getByLabelText('Search').fill('har');
  await press('{Enter}');
  await expect.poll(conditions).toEqual([{ field: 'dealershipId', operator: 'isAnyOf', value: [idOf(7)] }]);
  await expect.element(page.getByRole('button', { name: 'Harbour', exact: true })).toBeVisible();
  await close();
});

test('only columns that exist for the user are offered', async () => {
  const close = await open();
  await openPanel();
  const offered = [...column().element().querySelectorAll('option')].map((option) => option.textContent);
  expect(offered).toEqual([
    'Choose a column…',
    'Status',
    'Dealership',
    'Shared with me',
    'Unsaved',
    'Notes',
    'Sale amount',
    'Gross profit',
    'Delivery date',
    'Created',
    'Last changed',
    'Finance',
    'Mileage',
    'Handler',
    'Paid',
  ]);
  await expect.poll(() => page.getByRole('button', { name: 'Overdue follow-up' }).elements().length).toBe(0);
  await close();
});

test('chips are opened and removed by keyboard, and the focus stays beside the removed one', async () => {
  const notes = { field: 'notes', operator: 'isEmpty' } as const;
  const status = { field: 'status', operator: 'isAnyOf', value: [idOf(1)] } as const;
  const group = { match: 'any' as const, conditions: [{ ...status, value: [idOf(0)] }, notes] };
  const close = await open({ match: 'all', conditions: [notes, { ...status, value: [idOf(1)] }, group] });
  expect(chips()).toEqual(['Notes is empty', 'Status is To Call', 'Status is Called or Notes is empty']);
  page.getByRole('button', { name: 'Status is To Call', exact: true }).element().focus();
  await press('{Enter}');
  await expect.poll(focused).toBe('Column');
  await expect.element(column(2)).toHaveFocus();
  await press('{Escape}');
  await expect.poll(focused).toBe('Status is To Call');
  await press('{Delete}');
  await expect.poll(focused).toBe('Status is Called or Notes is empty');
  await press('{Backspace}');
  await expect.poll(focused).toBe('Notes is empty');
  await press('{Delete}');
  await expect.poll(focused).toBe('Deals');
  expect(filter).toBeNull();
  await close();
});

test('a condition that was removed by its chip is removed from the panel', async () => {
  const notes = { field: 'notes', operator: 'isEmpty' } as const;
  const close = await open({ match: 'all', conditions: [notes, { field: 'isUnsaved', operator: 'isTrue' }] });
  await openPanel();
  await press('{Escape}');
  await page.getByRole('button', { name: 'Remove: Notes is empty' }).click();
  await openPanel();
  await expect.element(column()).toHaveValue('isUnsaved');
  await expect.poll(() => column(2).elements().length).toBe(0);
  await page.getByRole('button', { name: 'Unsaved', exact: true, pressed: true }).click();
  await expect.poll(() => filter).toBeNull();
  await close();
});
