import { addDealership, addTemplate } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { DESKTOP, PHONE, openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
const defaultEmailTemplateId = await addTemplate(company, company.admin);
for (let number = 10; number < 40; number += 1)
  await addDealership(company, company.admin, { name: `Cars ${number}`, defaultEmailTemplateId });
const adas = await company.openAs(browser, company.admin, { viewport: { width: 1440, height: 700 } });
const page = adas.page;
afterAll(() => adas.close());

const heading = (at: Page, name: string) => at.getByRole('heading', { name, level: 1 });
const part = (at: Page, name: string) => at.getByRole('region', { name });
const pathOf = (at: Page) => new URL(at.url()).pathname;
const pageOf = (id: string) => `${company.server.url}/settings/dealerships/${id}`;

test('a click on the name opens the page, and Escape returns to the place in the list', async () => {
  await page.goto(`${company.server.url}/settings/dealerships`);
  const name = page.getByRole('link', { name: 'Cars 35' });
  await name.scrollIntoViewIfNeeded();
  const scrollTop = () => page.evaluate(() => document.querySelector('main')!.scrollTop);
  await expect.poll(scrollTop).toBeGreaterThan(0);
  const before = await scrollTop();
  await name.click();
  await heading(page, 'Cars 35').waitFor();
  await part(page, 'Timeline').getByText('Ada Admin added this dealership').waitFor();
  await page.keyboard.press('Escape');
  await heading(page, 'Dealership Management').waitFor();
  await expect.poll(scrollTop).toBe(before);
  await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(() => pathOf(page)).toBe('/settings/dealerships');
});

test('the page shows contacts with their last email, the figures of the month and what changes, at once', async () => {
  const { dealershipId } = company;
  await page.goto(pageOf(dealershipId));
  await heading(page, 'Harbour New Cars').waitFor();
  await expect.poll(() => page.title()).toContain('Harbour New Cars');
  await part(page, 'Contacts').getByText('No email yet').first().waitFor();
  await part(page, 'Figures of').getByText('$3,703.50').waitFor();
  await part(page, 'Timeline').getByText('added this dealership').waitFor();
  await company.call(`POST /deals/${company.deals[0]!._id}/email`, { body: {} });
  await part(page, 'Timeline').getByText('Queued').waitFor();
  await part(page, 'Contacts').getByText('Queued').first().waitFor();
  await company.call('POST /dealerships/bulk/active', { body: { ids: [dealershipId], active: false } });
  await part(page, 'Timeline').getByText('Inactive').waitFor();
  // The timeline is another request: the form needs the record of now.
  await part(page, 'Details').getByText('Inactive').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Address').fill('9 New Road');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await part(page, 'Timeline').getByText('9 New Road').waitFor();
  await page.getByRole('link', { name: 'Show the rows' }).click();
  await page.getByRole('gridcell', { name: 'Ann Example' }).waitFor();
});

test('a viewer sees changes without shares, a restricted dealership does not exist, and a phone fits', async () => {
  const { dealershipId } = company;
  const body = {
    sharedWith: [{ userId: (await company.addPerson({ name: 'Shay' })).id, permissions: 'read' }],
  };
  await company.call(`PUT /dealerships/${dealershipId}/sharing`, { body });
  const dealershipConfiguration = { viewDealerships: true };
  const vera = await company.addPerson({ name: 'Vera', permissions: { dealershipConfiguration } });
  const veras = await company.openAs(browser, vera, PHONE);
  await veras.page.goto(pageOf(dealershipId));
  await part(veras.page, 'Timeline').getByText('9 New Road').waitFor();
  await expect.poll(() => veras.page.getByText('Shay').count()).toBe(0);
  await expect
    .poll(() => veras.page.evaluate(() => document.scrollingElement!.scrollWidth))
    .toBe(PHONE.viewport.width);
  await veras.page.getByRole('button', { name: 'Close (Escape)' }).click();
  await heading(veras.page, 'Dealership Management').waitFor();
  await veras.close();

  const columnVisibility = { restrictedDealerships: [dealershipId] };
  const rex = await company.addPerson({
    name: 'Rex',
    permissions: { dealershipConfiguration, dataEntry: { columnVisibility } } as never,
  });
  const rexes = await company.openAs(browser, rex, DESKTOP, [/status of 404/]);
  await rexes.page.goto(pageOf(dealershipId));
  await rexes.page.getByText('This dealership does not exist or is hidden from you').waitFor();
  await rexes.close();
});

test('a default template that the user cannot see is not shown as none, and is kept', async () => {
  const { dealershipId } = company;
  const stored = async () => (await company.call(`GET /dealerships/${dealershipId}`)).body;
  const { defaultEmailTemplateId } = await stored();
  const dealershipConfiguration = { viewDealerships: true, editDealerships: true };
  const kim = await company.addPerson({ name: 'Kim', permissions: { dealershipConfiguration } });
  const kims = await company.openAs(browser, kim, DESKTOP);
  await kims.page.goto(`${company.server.url}/settings/dealerships`);
  const hidden = 'A template that you cannot see';
  await kims.page.getByRole('row', { name: 'Harbour New Cars' }).getByText(hidden).waitFor();
  await kims.page.goto(pageOf(dealershipId));
  await part(kims.page, 'Details').getByText(hidden).waitFor();
  await kims.page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = kims.page.getByRole('dialog');
  const template = dialog.getByLabel('Default email template');
  await expect.poll(() => template.inputValue()).toBe(hidden);
  await dialog.getByLabel('Address').fill('10 New Road');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toMatchObject({ address: '10 New Road', defaultEmailTemplateId });
  await kims.close();
});
