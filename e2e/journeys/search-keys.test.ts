import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const screen = await openDataEntry(company, browser, company.admin);
await screen.row('Ann Example').waitFor();
afterAll(() => screen.close());

const hasKeys = () => screen.grid.evaluate((grid) => grid === document.activeElement);
const isActive = (...cell: Parameters<DataEntry['cell']>) =>
  screen.cell(...cell).getAttribute('aria-selected');

test('an arrow key moves from the search to the results, and Escape back to the previous position', async () => {
  await screen.cell('Cid Example', 'Vehicle').click();
  await screen.press('Control+f');
  await screen.page.keyboard.type('bob');
  await screen.row('Ann Example').waitFor({ state: 'detached' });
  await screen.page.getByRole('status').filter({ hasText: '1 deal found' }).waitFor();
  await screen.press('ArrowDown');
  await expect.poll(hasKeys).toBe(true);
  await expect.poll(() => isActive('Bob Example', 'Customer')).toBe('true');

  await screen.press('Control+f', 'Escape');
  await screen.row('Ann Example').waitFor();
  await expect.poll(() => hasKeys()).toBe(false);
  await screen.press('Escape');
  await expect.poll(hasKeys).toBe(true);
  await expect.poll(() => isActive('Bob Example', 'Customer')).toBe('true');
});

test('in an empty month the message is replaced by a row that is not saved yet', async () => {
  await screen.page.getByRole('button', { name: 'Next month' }).click();
  const message = screen.page.getByText('Type a customer and a dealership to make the first one.');
  await message.waitFor();
  await screen.press('Alt+n');
  await screen.typeCells(['Fay First']);
  await screen.press('Tab');
  await screen.page.getByText('1 unsaved row').waitFor();
  await message.waitFor({ state: 'detached' });
});
