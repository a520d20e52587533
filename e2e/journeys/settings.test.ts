import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { DESKTOP, startCompany, type Company, type Person } from './company.fixture.ts';

let company: Company;
let browser: Browser;
let cleo: Person;
let page: Page;
let closePage: () => Promise<void>;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  cleo = await company.addPerson({ name: 'Cleo Clerk' });
  const open = await company.openAs(browser, company.admin, DESKTOP, [/status of 4(09|03)/, /ERR_FAILED/]);
  ({ page, close: closePage } = open);
});
afterAll(async () => {
  await closePage?.();
  await browser?.close();
  await company?.close();
});

const section = (at: Page, name: string) => at.getByRole('form', { name });
const commission = (at = page) => section(at, 'Commission Settings');
const field = (name: string, at = page) => at.getByRole('textbox', { name });
const save = (name = 'Commission Settings') => page.getByRole('button', { name: `Save ${name}` }).click();
const toast = (text: string) => page.getByText(text, { exact: true }).waitFor();
const valueOf = async (owner: string, name: string) =>
  (await company.call(`GET /settings/user/${owner}`)).body.items.find(
    ({ settingName }: { settingName: string }) => settingName === name,
  );

async function open(owner = ''): Promise<void> {
  await page.goto(`${company.server.url}/settings/general${owner && `?user=${owner}`}`);
  await field('New sales commission').waitFor();
}

async function choose(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Settings of' }).click();
  await page.getByRole('option', { name }).click();
}

describe('an administrator', () => {
  test('initialises the company defaults and sets its commission', async () => {
    await page.goto(`${company.server.url}/dashboard`);
    await page.getByRole('link', { name: 'General', exact: true }).click();
    await page.getByRole('heading', { name: 'General Settings', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Initialise company defaults' }).click();
    await toast('Company defaults initialised');
    await page.getByText('Some company defaults are not set yet').waitFor({ state: 'detached' });
    await choose('Company defaults');
    await page.getByText('These hold for everybody who has no value of their own.').waitFor();
    await field('New sales commission').fill('4.5');
    await field('Used sales commission').fill('3');
    await save();
    await toast('Commission Settings of the company saved');
    expect(await valueOf('company', 'commission.newSales')).toMatchObject({ value: 4.5, version: 2 });
    expect(await valueOf('company', 'commission.defaultSales')).toMatchObject({ value: 0, version: 1 });
  });

  test('gives one person a commission and a data entry setting of their own', async () => {
    await open();
    await choose(`Cleo Clerk (${cleo.email})`);
    await page.getByText('Where Cleo Clerk has no value of their own').waitFor();
    expect(await field('New sales commission').inputValue()).toBe('4.5');
    await field('New sales commission').fill('6.25');
    await commission().getByText('Own value').waitFor();
    await save();
    await toast('Commission Settings of Cleo Clerk saved');
    await page.getByRole('switch', { name: 'Move edited rows to the current month' }).click();
    await save('Data Entry Settings');
    await toast('Data Entry Settings of Cleo Clerk saved');
    expect(await valueOf(cleo.id, 'commission.newSales')).toMatchObject({ value: 6.25, inherited: false });
    expect(await valueOf(cleo.id, 'commission.usedSales')).toMatchObject({ value: 3, inherited: true });
    expect(await valueOf(cleo.id, 'dataEntry.moveEditedToCurrentMonth')).toMatchObject({ value: true });
  });

  test('is told at the field what is no percentage', async () => {
    await open();
    await field('Default commission').fill('100.5');
    await save();
    await page.getByText('Enter a number from 0 to 100 with at most 2 decimals').waitFor();
    expect(await valueOf(company.admin.id, 'commission.defaultSales')).toMatchObject({ inherited: true });
    await page.getByRole('button', { name: 'Discard changes: Commission Settings' }).click();
  });

  test('goes back to the company default', async () => {
    await company.call(`PUT /settings/user/${company.admin.id}/commission.usedSales`, { body: { value: 9 } });
    await open();
    await commission().getByText('Company default: 3%').waitFor();
    await page.getByRole('button', { name: 'Use company default: Used sales commission' }).click();
    expect(await field('Used sales commission').inputValue()).toBe('3');
    await save();
    await toast('Commission Settings saved');
    expect(await valueOf(company.admin.id, 'commission.usedSales')).toMatchObject({ inherited: true });
  });

  test('leaves nothing unsaved behind without being asked', async () => {
    await open();
    await field('New sales commission').fill('8');
    await choose('Company defaults');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await field('New sales commission').inputValue()).toBe('8');
    await choose('Company defaults');
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('These hold for everybody').waitFor();
    expect(await field('New sales commission').inputValue()).toBe('4.5');
  });

  test('keeps what they typed when somebody else saved first, and chooses', async () => {
    await open('company');
    await field('New sales commission').fill('7');
    await field('Used sales commission').fill('2');
    await company.call('PUT /settings/user/company/commission.newSales', { body: { value: 5 } });
    await save();
    await page.getByText('Somebody else changed this in the meantime').waitFor();
    expect(await field('New sales commission').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Take theirs: New sales commission' }).click();
    await save();
    await toast('Commission Settings of the company saved');
    expect(await valueOf('company', 'commission.newSales')).toMatchObject({ value: 5 });
    expect(await valueOf('company', 'commission.usedSales')).toMatchObject({ value: 2 });
  });

  test('is told that saving failed, what failed and why, and loses nothing', async () => {
    await open('company');
    await page.route('**/api/settings/user/company/*', (route) => route.abort());
    await field('Default commission').fill('1.5');
    await save();
    await page.getByText('Failed to save commission settings').waitFor();
    await page
      .getByText(
        'Failed to update setting: commission.defaultSales. Network error. Please check your connection.',
      )
      .waitFor();
    await page.unroute('**/api/settings/user/company/*');
    expect(await field('Default commission').inputValue()).toBe('1.5');
    await save();
    await toast('Commission Settings of the company saved');
  });
});

test('a person sees what holds for them, and can change nothing', async () => {
  const own = await company.openAs(browser, cleo);
  await own.page.goto(`${company.server.url}/dashboard`);
  expect(await own.page.getByRole('link', { name: 'General', exact: true }).count()).toBe(0);
  await own.page.getByRole('link', { name: 'Profile Settings' }).click();
  await own.page.getByRole('heading', { name: 'General Settings', level: 1 }).waitFor();
  await own.page.getByText('Read-only').waitFor();
  await own.page.getByText('Only administrators can modify settings.').waitFor();
  const values = own.page.getByRole('region', { name: 'Commission Settings' });
  await values.getByText('6.25%').waitFor();
  await values.getByText('2%', { exact: true }).waitFor();
  await values.getByText('Company default').first().waitFor();
  await own.page
    .getByRole('region', { name: 'Data Entry Settings' })
    .getByText('On', { exact: true })
    .waitFor();
  expect(await own.page.getByRole('main').getByRole('textbox').count()).toBe(0);

  // What an administrator changes shows without a reload: the person's own and what they inherit.
  await company.call(`PUT /settings/user/${cleo.id}/commission.newSales`, { body: { value: 6.5 } });
  await values.getByText('6.5%').waitFor();
  await company.call('PUT /settings/user/company/commission.usedSales', { body: { value: 2.75 } });
  await values.getByText('2.75%').waitFor();
  await own.close();
});
