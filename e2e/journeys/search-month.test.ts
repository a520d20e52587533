import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
test('a user who may not search all months searches the open month', async () => {
  const kim = await company.addPerson({
    name: 'Kim Month',
    permissions: { dataEntry: { ...CLERK.dataEntry, canSearchHistorical: false } },
  });
  const add = (customerName: string, month: string) =>
    addDeal(company, kim, company.dealershipId, { customerName, month });
  await add('Paula Past', '2025-03');
  await add('Paula Other', '2025-04');
  const screen = await openDataEntry(company, browser, kim, { search: '?month=2025-03' });
  await screen.row('Paula Past').waitFor();
  await expect.poll(() => screen.page.getByRole('searchbox', { name: 'Search all months' }).count()).toBe(0);
  await screen.page.getByRole('searchbox', { name: 'Search this month' }).fill('paula');
  await screen.page.getByText('1 deal found').first().waitFor();
  await screen.row('Paula Past').waitFor();
  await screen.close();
});
