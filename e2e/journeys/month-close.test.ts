import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { closeToasts } from '../browser.ts';
import { DESKTOP, openCompany, PHONE } from './company.fixture.ts';

const { company, browser } = await openCompany();
await company.call('PUT /settings/user/company/commission.newSales', { body: { value: 10 } });
const lead = await company.addPerson({ name: 'Lee Lead', permissions: { features: { closeMonths: true } } });
const clerk = await company.addPerson({
  name: 'Cleo Clerk',
  permissions: { dataEntry: { canAddRows: true } },
});
await addDeal(company, clerk, company.dealershipId, {
  customerName: 'Mia May',
  month: '2025-05',
  status: 'Deal',
  saleAmount: 1100,
  costAmount: 400,
  dealNumber: 'D-1',
  customerNumber: '(0412) 345 678',
});
const [lees, cleos, adas] = await Promise.all(
  [lead, clerk, company.admin].map((person) =>
    company.openAs(browser, person, { ...DESKTOP, acceptDownloads: true }),
  ),
);
afterAll(() => Promise.all([lees, cleos, adas].map((one) => one!.close())));
const [lee, cleo, ada] = [lees!.page, cleos!.page, adas!.page];
const { url } = company.server;

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');

/** With `PICTURES`, a folder: takes pictures in light and dark, and on a phone. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  await closeToasts(page);
  for (const [kind, { viewport }, colorScheme] of [
    ['light', DESKTOP, 'light'],
    ['dark', DESKTOP, 'dark'],
    ['phone', PHONE, 'light'],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${kind}.png`, animations: 'disabled' });
  }
  await page.setViewportSize(DESKTOP.viewport);
  await page.emulateMedia({ colorScheme: null });
}

test('a lead waives what cannot be settled and closes the month, whose balance and statements are shown then', async () => {
  await cleo.goto(`${url}/dashboard`);
  await bell(cleo, 'Notifications').waitFor();
  await lee.goto(`${url}/month-close`);
  await lee.getByText('1 row in May 2025').waitFor();
  await picture(lee, 'month-open');
  for (const [name, reason] of [
    ['Items missing', 'A referral without items'],
    ['Not emailed', 'Told by phone'],
  ] as const) {
    await press(lee, `Waive: ${name}`);
    await dialog(lee).getByLabel('Reason').fill(reason);
    await dialog(lee).getByRole('button', { name: 'Waive' }).click();
    await dialog(lee).waitFor({ state: 'detached' });
  }
  await lee.getByText('Nothing is left to do.').waitFor();
  await press(lee, 'Close month…');
  await dialog(lee).getByText('Each person with commission').waitFor();
  await picture(lee, 'close');
  await dialog(lee).getByRole('button', { name: 'Close month' }).click();
  await lee.getByText(/Lee Lead closed the month/).waitFor();
  const balance = lee.getByRole('region', { name: 'Balance' });
  await expect
    .poll(() => balance.getByRole('row').allTextContents())
    .toEqual([
      'KindStatementsChanges sinceRows now',
      'Commission$110.00$0.00$110.00',
      'Sales$1,100.00$0.00$1,100.00',
    ]);
  const account = lee.getByRole('region', { name: 'Account statements' });
  await account.getByRole('link', { name: 'Harbour New Cars' }).waitFor();
  await lee.getByRole('button', { name: 'Accounting…' }).first().click();
  const [bills] = await Promise.all([
    lee.waitForEvent('download'),
    dialog(lee).getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(bills.suggestedFilename()).toContain('2025-05');
  // Only an administrator reopens.
  await lee.getByRole('button', { name: 'Reopen…', disabled: true }).waitFor();
  await picture(lee, 'month-closed');
});

test('a clerk is notified, opens their statement, marks it as seen and asks about it', async () => {
  await bell(cleo, 'Notifications, 1 unread').click();
  await cleo.getByRole('link', { name: /Your commission statement of May 2025 is ready/ }).click();
  await cleo.getByRole('heading', { name: 'Commission statement 2025-05-001', level: 1 }).waitFor();
  const rows = cleo.getByRole('region', { name: 'Rows' });
  await rows.getByRole('row', { name: /Mia May.*\$1,100\.00.*10%.*\$110\.00/ }).waitFor();
  await cleo.getByRole('region', { name: 'Waived points' }).getByText('A referral without items').waitFor();
  for (const [format, file] of [
    ['PDF', /\.pdf$/],
    ['CSV', /\.csv$/],
    ['Excel', /\.xlsx$/],
  ] as const) {
    await press(cleo, 'Download');
    const [download] = await Promise.all([
      cleo.waitForEvent('download'),
      cleo.getByRole('menuitem', { name: format }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(file);
  }
  await press(cleo, 'Mark as seen');
  await press(cleo, 'Ask a question…');
  await dialog(cleo).getByLabel('Question').fill('Where is the second deal?');
  await dialog(cleo).getByRole('button', { name: 'Ask' }).click();
  await cleo.getByText('Where is the second deal?').waitFor();
  await picture(cleo, 'statement');
  await cleo.emulateMedia({ media: 'print' });
  await expect.poll(() => cleo.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  await expect.poll(() => cleo.getByText('Where is the second deal?').isVisible()).toBe(false);
  await expect.poll(() => rows.getByText('Mia May').isVisible()).toBe(true);
  await expect.poll(() => cleo.getByText('Cleo Clerk, signature and date').isVisible()).toBe(true);
  await cleo.emulateMedia({ media: 'screen' });
});

test('the commission statement of Reports names the frozen one, and statements are listed by month', async () => {
  await cleo.goto(`${url}/reports/commission-statement?month=2025-05`);
  await cleo.getByText('May 2025 is closed: Cleo Clerk is paid by statement 2025-05-001.').waitFor();
  await picture(cleo, 'report');
  await cleo.getByRole('link', { name: 'Closed months' }).click();
  await cleo.getByRole('row', { name: /May 2025.*Question.*Seen/ }).waitFor();
  await picture(cleo, 'statements');
  await cleo.getByRole('link', { name: 'May 2025' }).click();
  await cleo.getByRole('heading', { name: 'Commission statement 2025-05-001' }).waitFor();
});

test('an administrator answers, and reopens the month with a reason, which supersedes its statements', async () => {
  await ada.goto(`${url}/dashboard`);
  await bell(ada, 'Notifications, 1 unread').click();
  await ada.getByRole('link', { name: /Cleo Clerk has a question about the statement of May 2025/ }).click();
  await press(ada, 'Answer…');
  await dialog(ada).getByLabel('Answer').fill('It counts in June.');
  await dialog(ada).getByRole('button', { name: 'Answer' }).click();
  await bell(cleo, 'Notifications, 1 unread').waitFor();
  await cleo.getByText('It counts in June.').waitFor();

  await ada.getByRole('link', { name: 'Statements of May 2025' }).click();
  await press(ada, 'Reopen…');
  await dialog(ada).getByLabel('Reason').fill('The second deal belongs to May');
  await picture(ada, 'reopen');
  await dialog(ada).getByRole('button', { name: 'Reopen month' }).click();
  await ada.getByText(/Ada Admin reopened the month, .*: The second deal belongs to May/).waitFor();
  await ada.getByText('Superseded statements (2)').click();
  await ada.getByRole('row', { name: /Cleo Clerk.*Superseded/ }).waitFor();
  await picture(ada, 'month-reopened');
  await cleo.getByText('May 2025 was opened again, so this statement no longer counts.').waitFor();
  await expect.poll(() => cleo.getByRole('button', { name: 'Ask a question…' }).count()).toBe(0);
  await picture(cleo, 'superseded');
});
