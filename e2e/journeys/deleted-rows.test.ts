import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { DESKTOP, openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const dataEntry = { ...CLERK.dataEntry, canDeleteRows: true };
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: { dataEntry } });
for (const customerName of ['Gil Gone', 'Gail Gone', 'Hope Hidden']) {
  const { _id } = await addDeal(company, kim, company.dealershipId, {
    customerName,
    customerNumber: '(0412) 345 678',
  });
  await company.call(`DELETE /deals/${_id}`, { token: kim.token });
}
const adas = await openDataEntry(company, browser, company.admin, { context: DESKTOP });
await adas.row('Ann Example').waitFor();
afterAll(() => adas.close());

test('an administrator sees deleted rows, who deleted them and how long they are kept, and restores them', async () => {
  const { page, row } = adas;
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Deleted rows' }).click();
  const drawer = page.getByRole('dialog', { name: 'Deleted rows' });
  await drawer.getByText('Deleted by Kim Clerk').first().waitFor();
  await expect.poll(() => drawer.getByText('30 days left').count()).toBe(3);

  await drawer.getByLabel('Search deleted rows').fill('gone');
  await drawer.getByText('Hope Hidden').waitFor({ state: 'detached' });
  await drawer.getByRole('checkbox', { name: 'Select all 2' }).click();
  await drawer.getByRole('button', { name: 'Restore 2 rows' }).click();
  await page.getByText('2 rows are back').waitFor();
  await drawer.getByText('No deleted row has “gone”').waitFor();

  await drawer.getByLabel('Search deleted rows').fill('');
  await drawer.getByRole('button', { name: 'Restore Hope Hidden' }).click();
  await drawer.getByText('No row was deleted in the last 30 days').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  for (const customer of ['Gil Gone', 'Gail Gone', 'Hope Hidden']) await row(customer).waitFor();
});

test('a delete shows whether it can be undone', async () => {
  const { page, row } = adas;
  const ask = () => page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await adas.press('Alt+n');
  await adas.typeCells(['Ida Incomplete']);
  await adas.press('Tab');
  await row('Ida Incomplete').getByRole('checkbox').click();
  await row('Bob Example').getByRole('checkbox').click();
  await ask();
  await dialog.getByText('An administrator can bring back for 30 days what was saved.').waitFor();
  await dialog.getByText('1 row was never saved, so it cannot be brought back.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await row('Ida Incomplete').getByRole('checkbox').click();
  await row('Cid Example').getByRole('checkbox').click();
  await ask();
  await dialog.getByText(/ and 1 more row\? An administrator can bring them back for 30 days\./).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('other users do not have the screen', async () => {
  const kims = await openDataEntry(company, browser, kim, { context: DESKTOP });
  await kims.row('Ann Example').waitFor();
  await kims.page.getByRole('button', { name: 'More actions' }).click();
  await kims.page.getByRole('menuitem', { name: 'History of the row' }).waitFor();
  await expect.poll(() => kims.page.getByRole('menuitem', { name: 'Deleted rows' }).count()).toBe(0);
  await kims.close();
});
