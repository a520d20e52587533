import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, dataEntryOn, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

let second: DataEntry;

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const first = await openDataEntry(company, browser, kim, { expected: [/status of 400/] });
await first.grid.waitFor();
afterAll(() => first.close());

const count = async (customer: string): Promise<number> =>
  (await company.call(`GET /deals?search=${encodeURIComponent(customer)}`)).body.total;

test('a row begun in one tab and completed in either is one row in both', async () => {
  await first.press('Alt+n');
  await first.typeCells(['Tia Tabs']);
  await first.press('Tab');
  await first.page.getByText('1 unsaved row').waitFor();
  const page = await first.page.context().newPage();
  await page.goto(`${company.server.url}/data-entry`);
  second = dataEntryOn(page, () => page.close());
  await second.row('Tia Tabs').waitFor();

  await first.typeInto('Tia Tabs', 'Dealership', 'Harb');
  await first.press('Enter');
  await first.saved();
  await second.saved();
  await expect.poll(() => second.row('Tia Tabs').getAttribute('class')).not.toMatch(/\bunsaved\b/);
  await expect.poll(() => second.row('Tia Tabs').count()).toBe(1);

  // The other way round: begun here while both are open, completed there.
  await first.press('Alt+n');
  await first.typeCells(['Tom Tabs']);
  await first.press('Tab');
  await second.row('Tom Tabs').waitFor();
  await second.page.bringToFront();
  await second.typeInto('Tom Tabs', 'Dealership', 'Harb');
  await second.press('Enter');
  await second.saved();
  await first.saved();
  await expect.poll(() => first.row('Tom Tabs').getAttribute('class')).not.toMatch(/\bunsaved\b/);
  await expect.poll(() => first.row('Tom Tabs').count()).toBe(1);
  await expect.poll(() => count('Tia Tabs')).toBe(1);
  await expect.poll(() => count('Tom Tabs')).toBe(1);
});

test('a change that waits in one tab is shown in the other, and so is discarding it', async () => {
  await first.page.bringToFront();
  await first.typeInto('Tia Tabs', 'Customer email', 'no address');
  await first.press('Enter');
  await first.notice.waitFor();
  const there = second.cell('Tia Tabs', 'Customer email');
  await expect.poll(() => there.textContent()).toBe('no address');
  await second.notice.getByRole('button', { name: 'Discard' }).click();
  await first.saved();
  await expect.poll(() => first.cell('Tia Tabs', 'Customer email').textContent()).toBe('');
});
