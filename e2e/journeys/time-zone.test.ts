import { addDeal, emailValues } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { PASSWORD, PHONE, openCompany } from './company.fixture.ts';
import { CLERK, editOnPage, openDataEntry, WIDE } from './data-entry.fixture.ts';

/** Three hours behind the company, which is in Sydney. */
const timezoneId = 'Australia/Perth';

const { company, browser } = await openCompany();
const kim = await company.addPerson({
  name: 'Kim Perth',
  permissions: { ...CLERK, features: { bulkEdit: true } },
});
const clock = new Intl.DateTimeFormat('en-AU', { timeStyle: 'short', timeZone: 'Australia/Sydney' });

const followUpOf = async (id: string) => (await company.call(`GET /deals/${id}`)).body.followUpAt;

async function addRow(customerName: string, month: string): Promise<string> {
  const changes = { customerName, month, status: 'To Call', followUpAt: '2026-03-05T22:00:00.000Z' };
  return (await addDeal(company, kim, company.dealershipId, changes))._id as string;
}

test('the table shows and parses times in the company’s time zone', async () => {
  const id = await addRow('Paula Perth', '2025-03');
  const context = { ...WIDE, timezoneId };
  const screen = await openDataEntry(company, browser, kim, { search: '?month=2025-03', context });
  await screen.cell('Paula Perth', 'Follow up').getByText('06/03/2026, 9:00 am').waitFor();
  await screen.typeInto('Paula Perth', 'Follow up', '7/3/2026 2pm');
  await screen.press('Enter');
  await screen.cell('Paula Perth', 'Follow up').getByText('07/03/2026, 2:00 pm').waitFor();
  await screen.saved();
  await expect.poll(() => followUpOf(id)).toBe('2026-03-07T03:00:00.000Z');

  await screen.page.goto(`${company.server.url}/dashboard`);
  await screen.page
    .getByRole('link', { name: /Paula Perth/ })
    .getByText('07/03/2026, 2:00 pm')
    .waitFor();
  await screen.close();
});

test('a phone shows times in the zone of the company too', async () => {
  const id = await addRow('Phil Perth', '2025-04');
  const context = { ...PHONE, timezoneId };
  const screen = await openDataEntry(company, browser, kim, { search: '?month=2025-04', context });
  const { page } = screen;
  await page.getByRole('button', { name: /Phil Perth/ }).click();
  await page.getByRole('button', { name: 'Edit Follow up: 06/03/2026, 9:00 am' }).waitFor();
  await editOnPage(page, 'Follow up', 'soon');
  await page.getByText('Please enter a valid date and time').waitFor();
  await page.getByLabel('Follow up', { exact: true }).fill('7/3/2026 2pm');
  await screen.press('Enter');
  await screen.saved();
  await expect.poll(() => followUpOf(id)).toBe('2026-03-07T03:00:00.000Z');
  await screen.close();
});

test('an import parses times in that zone', async () => {
  const context = { ...WIDE, timezoneId };
  const screen = await openDataEntry(company, browser, kim, { search: '?month=2025-05', context });
  const { page } = screen;
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Deals' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'deals.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'Customer,Dealership,Follow up,Month\nIda Import,Harbour New Cars,7/3/2026 2pm,2025-05\n',
    ),
  });
  await dialog.getByRole('button', { name: 'Import 1 deal', exact: true }).click();
  await screen.cell('Ida Import', 'Follow up').getByText('07/03/2026, 2:00 pm').waitFor();
  const [deal] = (await company.call('GET /deals?search=Ida%20Import')).body.items;
  expect(deal.followUpAt).toBe('2026-03-07T03:00:00.000Z');
  await screen.close();
});

test('the list of deleted rows shows times in that zone', async () => {
  const id = await addRow('Dora Deleted', '2025-06');
  await company.call(`DELETE /deals/${id}`);
  const [{ deletedAt }] = (await company.call('GET /deals/deleted')).body.items;
  const screen = await openDataEntry(company, browser, company.admin, { context: { ...WIDE, timezoneId } });
  const { page } = screen;
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Deleted rows' }).click();
  await page.locator('time', { hasText: clock.format(new Date(deletedAt)) }).waitFor();
  await screen.close();
});

test('the lists of the dashboard and the notifications show times of rows and emails in that zone', async () => {
  const id = await addRow('Chris Changed', '2025-07');
  const failed = emailValues(kim.id, company.dealershipId, { subject: 'About Chris', status: 'failed' });
  const [email] = await company.db.insertInto('emails').values(failed).returning('created_at').execute();
  // The change is later than the last use of the session before.
  const { body } = await company.call('POST /auth/login', { body: { email: kim.email, password: PASSWORD } });
  const changed = await company.call(`PATCH /deals/${id}`, { body: { version: 1, vehicle: 'Corolla' } });
  const { page, close } = await company.openAs(browser, body, { ...WIDE, timezoneId });
  await page.goto(`${company.server.url}/dashboard`);
  for (const [name, at] of [
    [/Chris Changed.*vehicle/, changed.body.updatedAt],
    [/About Chris/, email!.created_at],
  ] as const) {
    await page
      .getByRole('link', { name })
      .getByText(clock.format(new Date(at)))
      .waitFor();
  }
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page
    .getByRole('link', { name: /Follow-up due: Chris Changed/ })
    .getByText('06/03/2026, 9:00 am')
    .waitFor();
  await close();
});
