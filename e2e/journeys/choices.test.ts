import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { follow } from '../browser.ts';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
/** Opens another screen. */
async function leave(page: Page): Promise<void> {
  await follow(page, '/changelog');
  await page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor();
}

test('screens show what was changed while they were closed, without a reload', async () => {
  const { dealershipId, templateId: defaultEmailTemplateId } = company;
  const added = { address: '1 Yard Street', defaultEmailTemplateId, contacts: [] };
  const { page, close } = await company.openAs(browser, company.admin);
  const open = async (path: string, text: string) => {
    await follow(page, path);
    await page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor();
  };
  const follows = async (path: string, before: string, change: () => Promise<unknown>, after: string) => {
    await open(path, before);
    await leave(page);
    await change();
    await open(path, after);
    await leave(page);
  };
  await page.goto(`${company.server.url}/changelog`);
  await follows(
    '/settings/general?user=company',
    '3 deals have no commission rate.',
    () => addDeal(company, company.admin, dealershipId, { customerName: 'Eve Example' }),
    '4 deals have no commission rate.',
  );
  await follows(
    '/dashboard',
    '5 of 8 done',
    () => company.call('PUT /settings/user/company/commission.defaultSales', { body: { value: 1 } }),
    '6 of 8 done',
  );
  await follows(
    '/email-templates',
    '1 dealership',
    () => company.call('POST /dealerships', { body: { ...added, name: 'Yard Cars' } }),
    '2 dealerships',
  );
  for (const screen of ['users', 'permissions', 'email']) {
    const name = `Una ${screen}`;
    const body = { name, email: `${screen}@example.com`, role: 'user', firstSignIn: 'invitation' };
    await follows(`/settings/${screen}`, 'Ada Admin', () => company.call('POST /users', { body }), name);
  }
  await close();
});

test('a clerk sees choices that an administrator adds and renames, without a reload', async () => {
  const { dealershipId, templateId: defaultEmailTemplateId } = company;
  const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
  const screen = await openDataEntry(company, browser, kim);
  await screen.row('Ann Example').waitFor();
  const before = (await company.call(`GET /dealerships`)).body.items[0];
  const added = { name: 'Quay Motors', address: '2 Quay Street', defaultEmailTemplateId, contacts: [] };
  await company.call('POST /dealerships', { body: added });
  await company.call('POST /item-configurations', { body: { name: 'Tint', price: 500 } });
  // Changed last: a screen that shows this name has the other choices, too.
  await company.call(`PUT /dealerships/${dealershipId}`, { body: { ...before, name: 'Pier Cars' } });
  await expect.poll(() => screen.cell('Ann Example', 'Dealership').textContent()).toBe('Pier Cars');

  await screen.press('Alt+N');
  await screen.typeCells(['Dee New', '0412 345 678', 'Quay', 'DN-1', 'Corolla', 'Tint']);
  await screen.press('Enter');
  await screen.saved();
  await expect.poll(() => screen.cell('Dee New', 'Dealership').textContent()).toBe('Quay Motors');
  await expect.poll(() => screen.cell('Dee New', 'Sale').textContent()).toBe('$500.00');
  await screen.close();
});

test('screens offer a dealership that was added while they were closed, without a reload', async () => {
  const { page, close } = await company.openAs(browser, company.admin);
  await page.goto(`${company.server.url}/email-templates/history`);
  const more = page.getByRole('button', { name: 'More', exact: true });
  await more.click();
  const offered = async (): Promise<string[]> => {
    await page.getByRole('combobox', { name: 'Dealership' }).click();
    await page.getByRole('option').first().waitFor();
    const names = await page.getByRole('option').allTextContents();
    await page.keyboard.press('Escape');
    return names;
  };
  await expect.poll(offered).not.toContain('Wharf Motors');

  await leave(page);
  const { templateId: defaultEmailTemplateId } = company;
  const added = { name: 'Wharf Motors', address: '3 Wharf Lane', defaultEmailTemplateId, contacts: [] };
  await company.call('POST /dealerships', { body: added });
  await follow(page, '/email-templates/history');
  await more.click();
  await expect.poll(offered).toContain('Wharf Motors');
  await close();
});
