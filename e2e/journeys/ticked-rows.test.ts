import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, oneDataEntry, type DataEntry } from './data-entry.fixture.ts';

/** The rows that the buttons above the table affect, and undo from the current position. */

const { company, browser } = await openCompany();
const bo = await company.addPerson({
  name: 'Bo Bulk',
  permissions: { dataEntry: { ...CLERK.dataEntry, canDeleteRows: true }, features: { bulkEdit: true } },
});
const show = oneDataEntry(() => ({ company, browser, person: bo }));

/** Shows a month of Bo's with these rows, the last one first. */
async function open(month: string, names: readonly string[]): Promise<[DataEntry, string[]]> {
  const ids: string[] = [];
  for (const customerName of names)
    ids.push((await addDeal(company, bo, company.dealershipId, { month, customerName }))._id);
  const screen = await show(`?month=${month}`);
  await screen.row(names[0]!).waitFor();
  return [screen, ids];
}

async function confirmDelete({ page }: DataEntry): Promise<void> {
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
}

const isInTable = ({ page }: DataEntry): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.closest('[role="grid"]') !== null);

test('a row that disappears is no longer ticked', async () => {
  const [screen, ids] = await open('2025-10', ['Sel A', 'Sel B', 'Sel C']);
  await screen.page.getByRole('checkbox', { name: 'Select all rows' }).click();
  await screen.page.getByText('3 rows selected').waitFor();
  await company.call(`DELETE /deals/${ids[0]}`);
  await screen.row('Sel A').waitFor({ state: 'detached' });
  await screen.page.getByText('2 rows selected').waitFor();
});

test('without a tick, the buttons affect the rows of a block', async () => {
  const [screen, ids] = await open('2025-11', ['Blk D', 'Blk C', 'Blk B', 'Blk A']);
  await screen.cell('Blk A', 'Vehicle').click();
  await screen.press('Shift+ArrowDown', 'Shift+ArrowDown');
  await confirmDelete(screen);
  await screen.page.getByText('3 rows deleted').waitFor();
  for (const name of ['Blk A', 'Blk B', 'Blk C']) await screen.row(name).waitFor({ state: 'detached' });
  await expect.poll(async () => (await company.call(`GET /deals/${ids[0]}`)).status).toBe(200);
});

test('a button affects the block that was selected just before its click', async () => {
  const [screen] = await open('2026-01', ['Now D', 'Now C', 'Now B', 'Now A']);
  await screen.cell('Now A', 'Vehicle').click();
  // No frame or task of the page comes between the keys and the click, as on a busy machine.
  const button = await screen.page.getByRole('button', { name: 'Delete', exact: true }).elementHandle();
  await button!.evaluate(async (element) => {
    const untilDrawn = async () => {
      for (let count = 0; count < 20; count += 1) await Promise.resolve();
    };
    const key = { key: 'ArrowDown', code: 'ArrowDown', shiftKey: true, bubbles: true };
    for (let count = 0; count < 2; count += 1) {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', key));
      await untilDrawn();
    }
    (element as HTMLElement).click();
  });
  await screen.page.getByRole('dialog', { name: 'Delete 3 rows' }).waitFor();
});

test('Ctrl+Z undoes a button’s action right after it, and the table has the focus', async () => {
  const [screen] = await open('2025-12', ['Und B', 'Und A']);
  const { page } = screen;
  await screen.cell('Und A', 'Vehicle').click();
  await confirmDelete(screen);
  await screen.row('Und A').waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete', exact: true }).focus();
  await screen.press('Control+z');
  await screen.row('Und A').waitFor();
  await expect.poll(() => isInTable(screen)).toBe(true);
});

test('the Undo of a notice gives the table its focus', async () => {
  const [screen] = await open('2025-09', ['Not B', 'Not A']);
  const { page } = screen;
  await screen.cell('Not A', 'Vehicle').click();
  await confirmDelete(screen);
  await page
    .getByRole('alert')
    .filter({ hasText: 'Row deleted' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await screen.row('Not A').waitFor();
  await expect.poll(() => isInTable(screen)).toBe(true);
});
