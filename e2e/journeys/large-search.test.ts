import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { openDataEntry } from './data-entry.fixture.ts';

/** More than one bulk call accepts, and than one response contains. */
const ROWS = 10_200;

const { company, browser } = await openCompany();
await company.addMany(ROWS);
test('a search with thousands of results has all of them in the table, also when sorted', async () => {
  const screen = await openDataEntry(company, browser, company.admin, { search: '?search=Row' });
  await screen.page.getByText('10,200 deals found').first().waitFor();
  // The rows, the header and the blank row.
  await expect.poll(() => screen.grid.getAttribute('aria-rowcount')).toBe(String(ROWS + 2));
  await screen.page.getByRole('columnheader', { name: 'Customer', exact: true }).click();
  await screen.row('Row 000001').waitFor();
  await screen.page.getByRole('columnheader', { name: 'Customer', exact: true }).click();
  await screen.row('Row 010200').waitFor();

  // More than a bulk call accepts: shown before any confirmation or request.
  const { page } = screen;
  await page.getByRole('checkbox', { name: 'Select all rows' }).click();
  await page.getByText('10,200 rows selected').waitFor();
  const limit = '10,200 rows are selected, and at most 10,000 can be taken at once.';
  await page.getByRole('button', { name: 'Delete', exact: true }).hover();
  await page.getByRole('tooltip').filter({ hasText: limit }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  const exporting = page.getByRole('menuitem', { name: 'Export as CSV' });
  await exporting.filter({ hasText: limit }).waitFor();
  await screen.close();
});
