import { addDeal, addDealership, closeMonth } from '@forecourt/server/test/builders';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, openCompany } from './company.fixture.ts';
import { CLERK, editOnPage, oneDataEntry, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const clerk = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
await addDealership(company, company.admin, { name: 'Hillside Used Cars' });
const mailServer = {
  smtpHost: '127.0.0.1',
  smtpPort: 9,
  smtpSecure: false,
  smtpUser: 'kim',
  smtpPassword: 'mail password',
  smtpFromEmail: 'kim@shine.example',
};
await company.call(`PUT /email-settings/user/${clerk.id}`, { body: mailServer });
const show = oneDataEntry(() => ({ company, browser, person: clerk }));

/** Adds rows of the clerk in a month of the test's own, in this order. */
async function addRows(month: string, rows: readonly object[]): Promise<void> {
  for (const row of rows) await addDeal(company, clerk, company.dealershipId, { month, ...row });
}

const dealsOf = async (query: string) =>
  (await company.call(`GET /deals?limit=500&${query}`)).body.items as Record<string, unknown>[];

test('ten rows typed at speed by keyboard alone are stored character by character', async () => {
  const screen = await show();
  await screen.grid.waitFor();
  const rows = Array.from({ length: 10 }, (_, index) => ({
    customerName: `Zoë O'Typed-${index} (Mrs)`,
    customerNumber: `(0412) 345 67${index}`,
    dealershipName: index % 2 === 0 ? 'Harbour New Cars' : 'Hillside Used Cars',
    dealNumber: `DN-${index}/26`,
    vehicle: `Mazda CX-${index} 2.5 "GT"`,
    deliveryDate: `2026-03-0${index}`.replace('-00', '-10'),
    saleAmount: 1000.5 + index,
    costAmount: 900 + index,
  }));
  for (const row of rows) {
    await screen.press('Alt+n');
    await screen.typeCells([
      row.customerName,
      row.customerNumber.replace(/\D/g, ''),
      row.dealershipName.slice(0, 4),
      row.dealNumber,
      row.vehicle,
      // No items.
      '',
      `$${row.saleAmount}`,
      row.deliveryDate.split('-').toReversed().join('/'),
      String(row.costAmount),
    ]);
    await screen.press('Enter');
  }
  await screen.saved();
  const stored = await dealsOf('search=Typed');
  expect(stored.toReversed()).toMatchObject(rows);
});

test('a deal’s email is sent with the dealership’s default template, which the clerk may not open', async () => {
  await addRows('2025-01', [{ customerName: 'Emily Mailed' }]);
  const opened = await company.call(`GET /email-templates/${company.templateId}`, { token: clerk.token });
  expect([403, 404]).toContain(opened.status);

  const screen = await openDataEntry(company, browser, clerk, { search: '?month=2025-01' });
  await screen.cell('Emily Mailed', 'Customer').click();
  await screen.press('Control+Enter');
  const dialog = screen.page.getByRole('dialog');
  await dialog.frameLocator('iframe').getByText('Dear Emily Mailed').waitFor();
  await dialog.getByText('tess@harbour.example').waitFor();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await screen.cell('Emily Mailed', 'Email').getByText('Queued').waitFor();
  await screen.close();
});

test('a user who may not add rows sees why there is no blank row', async () => {
  const reader = await company.addPerson({ name: 'Rae Reader' });
  const screen = await openDataEntry(company, browser, reader);
  await screen.row('Ann Example').waitFor();
  await screen.page
    .getByText('You can look at these rows. To add rows, ask an administrator for the right to add them.')
    .waitFor();
  await expect.poll(() => screen.grid.getByText('Type a customer…').count()).toBe(0);
  await expect.poll(() => screen.page.getByRole('button', { name: 'New row' }).count()).toBe(0);
  await screen.press('Alt+n', 'x');
  await expect.poll(() => screen.editor.count()).toBe(0);
  await screen.close();
});

test.each([
  ['Phone', '0412 345', 'Phone number must be in format (xxxx) xxx xxx'],
  ['Sale', '12 apples', 'Please enter a valid number'],
  ['Cost', '-1', 'Please enter a valid number'],
] as const)('a bad %s keeps its text and says why', async (header, text, message) => {
  const name = `Bad ${header}`;
  await addRows('2025-02', [{ customerName: name }]);
  const screen = await show('?month=2025-02');
  await screen.typeInto(name, header, text);
  await screen.press('Enter');
  await expect.poll(() => screen.editor.inputValue()).toBe(text);
  await expect.poll(() => screen.editor.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => screen.note.textContent()).toBe(message);
  await screen.press('Tab');
  await expect.poll(() => screen.cell(name, header).textContent()).toBe(text);
  await expect.poll(() => screen.cell(name, header).getAttribute('aria-invalid')).toBe('true');
  // Other cells of the row are saved nevertheless.
  await screen.typeInto(name, 'Vehicle', 'Kia');
  await screen.press('Enter');
  await expect
    .poll(() => dealsOf(`search=${encodeURIComponent(name)}`))
    .toMatchObject([{ vehicle: 'Kia', customerNumber: '', saleAmount: null, costAmount: null }]);
  await screen.page.getByText('1 cell to correct').first().waitFor();
  await expect.poll(() => screen.cell(name, header).textContent()).toBe(text);
  await screen.cell(name, header).click();
  await screen.press('Delete');
  await screen.saved();
});

test('a cell refused by the server is marked with the reason until it is corrected', async () => {
  await addRows('2025-02', [{ customerName: 'Remy Refused' }]);
  const expected = [/status of 400/];
  const screen = await openDataEntry(company, browser, clerk, { search: '?month=2025-02', expected });
  const cell = screen.cell('Remy Refused', 'Customer email');
  await screen.typeInto('Remy Refused', 'Customer email', 'remy at home');
  await screen.press('Enter');
  await screen.notice.getByText('Customer email “remy at home” was not saved').waitFor();
  await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => cell.textContent()).toBe('remy at home');
  await cell.click();
  await expect.poll(() => screen.note.textContent()).toBe('Must be an email address');
  await screen.page.keyboard.type('remy@home.example');
  await screen.press('Enter');
  await screen.saved();
  await expect.poll(() => cell.getAttribute('aria-invalid')).toBeNull();
  await expect.poll(() => dealsOf('search=Remy')).toMatchObject([{ customerEmail: 'remy@home.example' }]);
  await screen.close();
});

test('a clerk’s change of a sale in a closed month stays a marked draft that names whom to ask, until the lead saves it with a reason', async () => {
  const month = '2023-11';
  const expected = [/status of 403/];
  const lead = await company.addPerson({
    name: 'Lee Lead',
    permissions: { ...CLERK, features: { closeMonths: true } },
  });
  const row = { month, customerName: 'Cloe Closed', status: 'Deal', saleAmount: 1000 };
  const { _id } = await addDeal(company, clerk, company.dealershipId, row);
  await company.call(`PUT /deals/${_id}/sharing`, {
    body: { sharedWith: [{ userId: lead.id, permissions: 'write' }] },
  });
  const clerks = await openDataEntry(company, browser, clerk, { search: `?month=${month}`, expected });
  await clerks.row('Cloe Closed').waitFor();
  await closeMonth(company, company.admin, month);
  await clerks.page.getByText('November 2023 is closed. Amounts').waitFor();
  const add = clerks.page.getByRole('button', { name: 'New row' });
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true');
  await clerks.typeInto('Cloe Closed', 'Sale', '900');
  await clerks.press('Enter');
  await clerks.notice.getByText(/Sale “\$900.00” was not saved.*Ask Lee Lead/).waitFor();
  clerks.page.once('dialog', (dialog) => void dialog.accept());
  await clerks.page.reload();
  await expect.poll(() => clerks.cell('Cloe Closed', 'Sale').textContent()).toBe('$900.00');
  await clerks.notice.getByText(/November 2023 is closed.*Ask Lee Lead/).waitFor();
  await clerks.typeInto('Cloe Closed', 'Vehicle', 'Kia');
  await clerks.press('Enter');
  await expect.poll(() => dealsOf('search=Cloe')).toMatchObject([{ vehicle: 'Kia', saleAmount: 1000 }]);

  const leads = await openDataEntry(company, browser, lead, { search: `?month=${month}`, expected });
  await leads.typeInto('Cloe Closed', 'Sale', '900');
  await leads.press('Enter');
  const question = leads.page.getByRole('dialog', { name: 'November 2023 is closed' });
  await question.getByRole('textbox', { name: 'Reason' }).fill('Discount that was agreed');
  await question.getByRole('button', { name: 'Save with this reason' }).click();
  await question.waitFor({ state: 'detached' });
  await leads.press('ArrowUp');
  await leads.saved();
  const { closing } = (await company.call(`GET /months/${month}`)).body;
  expect(closing.account).toEqual({ statements: 1000, adjustments: -100, rows: 900 });
  // The draft has the value that was saved.
  await clerks.notice.getByRole('button', { name: 'Try again' }).click();
  await clerks.saved();
  await Promise.all([clerks.close(), leads.close()]);
});

test('month by month, back and forth, and the URL keeps the month', async () => {
  await addRows('2025-04', [{ customerName: 'April Row' }]);
  await addRows('2025-05', [{ customerName: 'May Row' }]);
  const screen = await show('?month=2025-05');
  const { page } = screen;
  await screen.row('May Row').waitFor();
  await page.getByRole('button', { name: 'Previous month' }).click();
  await screen.row('April Row').waitFor();
  await expect.poll(() => screen.row('May Row').count()).toBe(0);
  await page.getByText('April 2025').waitFor();
  await page.reload();
  await screen.row('April Row').waitFor();
  await page.getByRole('button', { name: 'Next month' }).click();
  await screen.row('May Row').waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('month')).toBe('2025-05');
});

test('Ctrl+F finds a row of another month by the digits of its phone number', async () => {
  await addRows('2024-07', [{ customerName: 'Phil Phone', customerNumber: '(0498) 765 432' }]);
  const screen = await show();
  await screen.row('Ann Example').waitFor();
  await screen.press('Control+f');
  await screen.page.keyboard.type('98765');
  await screen.row('Phil Phone').waitFor();
  await expect.poll(() => screen.row('Ann Example').count()).toBe(0);
  await screen.page.getByText('1 deal found').first().waitFor();
  await screen.press('Escape');
  await screen.row('Ann Example').waitFor();
});

test('a column keeps its width over a reload', async () => {
  const screen = await show();
  const { page } = screen;
  const header = page.getByRole('columnheader', { name: 'Vehicle' });
  const width = async () => (await header.boundingBox())!.width;
  const before = await width();
  const edge = (await header.locator('.grid-resizer').boundingBox())!;
  await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2);
  await page.mouse.down();
  await page.mouse.move(edge.x + edge.width / 2 + 60, edge.y + edge.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => width()).toBe(before + 60);
  await page.reload();
  await screen.row('Ann Example').waitFor();
  await expect.poll(() => width()).toBe(before + 60);
});

test('on a phone a row is a card that calls and opens its page, where values are edited', async () => {
  await addRows('2025-06', [{ customerName: 'Paula Pocket', saleAmount: 10 }]);
  const screen = await openDataEntry(company, browser, clerk, { search: '?month=2025-06', context: PHONE });
  const { page } = screen;
  // Head and foot of the screen have at most a quarter of the height.
  const { height } = (await page.getByRole('list', { name: 'Deals' }).locator('..').boundingBox())!;
  expect(height / PHONE.viewport.height).toBeGreaterThan(0.75);
  await page.getByRole('button', { name: /Paula Pocket/ }).click();
  await editOnPage(page, 'Phone', '0412 345');
  await page.getByText('Phone number must be in format (xxxx) xxx xxx').waitFor();
  await page.getByLabel('Phone', { exact: true }).fill('0412345678');
  await screen.press('Enter');
  const hrefIn = (part: Locator) => () =>
    part.getByRole('link', { name: 'Call (0412) 345 678' }).getAttribute('href');
  await expect.poll(hrefIn(page.getByRole('region', { name: 'Details' }))).toBe('tel:0412345678');
  await editOnPage(page, 'Sale', '$2,500.5');
  await page.getByRole('button', { name: 'Close (Escape)' }).click();
  await expect.poll(hrefIn(page.getByRole('list', { name: 'Deals' }))).toBe('tel:0412345678');
  await page.getByRole('button', { name: /Paula Pocket.*\$2,500\.50.*\(0412\) 345 678/s }).waitFor();
  await screen.saved();
  await expect
    .poll(() => dealsOf('search=Paula'))
    .toMatchObject([{ customerNumber: '(0412) 345 678', saleAmount: 2500.5 }]);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overflow).toBe(0);
  await screen.close();
});
