import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const kims = await openDataEntry(company, browser, kim);
await kims.grid.waitFor();
afterAll(() => kims.close());

const monthOf = async (customer: string): Promise<string[]> => {
  const { body } = await company.call(`GET /deals?search=${encodeURIComponent(customer)}`);
  return body.items.map(({ month }: { month: string }) => month);
};
const go = (name: 'Previous month' | 'Next month') => kims.page.getByRole('button', { name }).click();

test('an incomplete row waits in its own month and is saved there, visibly', async () => {
  const { page, row } = kims;
  const month = page.getByLabel('Month', { exact: true });
  const present = await month.inputValue();
  const earlier = new Date(`${present}-01T00:00:00Z`);
  earlier.setUTCMonth(earlier.getUTCMonth() - 1);
  await addDeal(company, kim, company.dealershipId, {
    customerName: 'Earl Earlier',
    month: earlier.toISOString().slice(0, 7),
  });
  await kims.press('Alt+n');
  await kims.typeCells(['Wade Waiting']);
  await kims.press('Tab');
  await page.getByText('1 unsaved row').waitFor();

  await go('Previous month');
  await row('Earl Earlier').waitFor();
  const name = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  await page.getByText(`1 unsaved row · 1 in ${name.format(new Date(`${present}-01`))}`).waitFor();
  await expect.poll(() => row('Wade Waiting').count()).toBe(0);

  await go('Next month');
  await row('Wade Waiting').waitFor();
  await kims.typeInto('Wade Waiting', 'Dealership', 'Harb');
  await kims.press('Enter');
  await kims.saved();
  await row('Wade Waiting').waitFor();
  await expect.poll(() => monthOf('Wade Waiting')).toEqual([present]);
});
