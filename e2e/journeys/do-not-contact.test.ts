import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, openCompany } from './company.fixture.ts';
import { openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const NUMBER = '(0412) 345 678';
const REASON = 'Asked on the phone';

const { company, browser } = await openCompany();
const kim = await company.addPerson({
  name: 'Kim Clerk',
  permissions: { features: { bulkEdit: true }, dataEntry: { canAddRows: true, canEditRows: true } },
});
const { _id, version } = company.deals[0]!;
const body = { version, customerNumber: NUMBER, customerEmail: 'Ann@buyer.example' };
await company.call(`PATCH /deals/${_id}`, { body });
const [adas, kims] = await Promise.all([
  openDataEntry(company, browser, company.admin),
  openDataEntry(company, browser, kim),
]);
const screens: { adas: DataEntry; kims: DataEntry } = { adas, kims };
for (const { row } of [adas, kims]) await row('Ann Example').waitFor();
const isMarked = (screen: DataEntry, header: 'Phone' | 'Customer email') =>
  screen.cell('Ann Example', header).evaluate((cell) => cell.classList.contains('deal-do-not-contact'));
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

test('a customer put on the list from the menu of a row is marked on the screens of colleagues, with the reason on the page of the row', async () => {
  const { adas, kims } = screens;
  await adas.cell('Ann Example', 'Phone').click({ button: 'right' });
  await adas.page.getByRole('menuitem', { name: 'Do not contact…' }).click();
  const dialog = adas.page.getByRole('dialog', { name: 'Do not contact' });
  const values = dialog.getByLabel('Phone numbers and email addresses');
  await expect.poll(() => values.inputValue()).toBe(`${NUMBER}\nAnn@buyer.example`);
  await values.fill(`${NUMBER}\nnobody`);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('nobody is neither a phone number nor an email address').waitFor();
  await dialog.getByText('Reason is required').waitFor();
  await values.fill(NUMBER);
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await toast(adas.page, '1 entry added');
  for (const screen of [adas, kims]) await expect.poll(() => isMarked(screen, 'Phone')).toBe(true);
  await expect.poll(() => isMarked(kims, 'Customer email')).toBe(false);
  // The number itself is unchanged, for copying.
  await expect.poll(() => adas.cell('Ann Example', 'Phone').textContent()).toBe(NUMBER);

  await kims.cell('Ann Example', 'Phone').click();
  await kims.press('Space');
  await kims.page.getByText(/^Do not contact since .*: Asked on the phone \(Ada Admin\)$/).waitFor();
  await kims.press('Escape');
});

test('the preview of an import marks a listed number in any spacing', async () => {
  const { page } = screens.kims;
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Deals' });
  const buffer = Buffer.from(
    'Customer,Dealership,Phone\nAnn Again,Harbour New Cars,+61 412 345 678\nBo,Harbour New Cars,\n',
  );
  await dialog.locator('input[type=file]').setInputFiles({ name: 'deals.csv', mimeType: 'text/csv', buffer });
  const line = dialog.getByRole('row').filter({ hasText: 'Ann Again' });
  await line.getByText('Do not contact', { exact: true }).waitFor();
  await expect.poll(() => dialog.getByText('Do not contact', { exact: true }).count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('the list is searched, pasted into and, by whom it is allowed, shortened', async () => {
  const { adas, kims } = screens;
  const { page } = kims;
  await page.getByRole('navigation').getByRole('link', { name: 'Do Not Contact' }).click();
  await page.getByRole('heading', { name: 'Do Not Contact', level: 1 }).waitFor();
  const table = page.getByRole('table', { name: 'Do not contact' });
  const listed = () => table.getByRole('row').filter({ hasText: /@|\(04/ });
  await page.getByRole('button', { name: 'Add to List' }).click();
  const dialog = page.getByRole('dialog', { name: 'Do not contact' });
  await dialog
    .getByLabel('Phone numbers and email addresses')
    .fill('0498 765 432, bo@buyer.example; 0412345678');
  await dialog.getByLabel('Reason').fill('Moved away');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await toast(page, '2 entries added');
  await expect.poll(() => listed().count()).toBe(3);
  await page.getByRole('searchbox').fill('0498765');
  await expect.poll(() => listed().count()).toBe(1);
  await listed().getByRole('cell', { name: 'Moved away' }).waitFor();
  await page.getByRole('searchbox').fill('asked');
  await listed().getByText(NUMBER).waitFor();
  const remove = page.getByRole('button', { name: `Delete ${NUMBER}` });
  await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Delete bo@buyer.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await toast(page, 'bo@buyer.example is no longer on the list');
  await expect.poll(() => listed().count()).toBe(2);

  const { items } = (await company.call('GET /do-not-contact')).body;
  const { _id } = items.find(({ value }: { value: string }) => value === NUMBER);
  await company.call(`DELETE /do-not-contact/${_id}`);
  await expect.poll(() => listed().count()).toBe(1);
  await expect.poll(() => isMarked(adas, 'Phone')).toBe(false);
});

test('a card on a phone shows that its customer is on the list', async () => {
  await company.call('POST /do-not-contact', { body: { values: ['ann@buyer.example'], reason: REASON } });
  const screen = await openDataEntry(company, browser, kim, { context: PHONE });
  const card = screen.page.getByRole('listitem').filter({ hasText: 'Ann Example' });
  await card.getByText('Do not contact', { exact: true }).waitFor();
  await expect.poll(() => screen.page.getByText('Do not contact', { exact: true }).count()).toBe(1);
  await screen.close();
});
