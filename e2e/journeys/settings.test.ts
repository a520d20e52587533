import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isFocused } from '../browser.ts';
import { DESKTOP, openCompany } from './company.fixture.ts';
import { onePage } from './one-page.fixture.ts';

let page: Page;

const { company, browser } = await openCompany();
const cleo = await company.addPerson({ name: 'Cleo Clerk' });
await company.call(`PATCH /deals/${company.deals[0]!._id}`, { body: { version: 1, status: 'Deal' } });
const show = onePage(() =>
  company.openAs(browser, company.admin, DESKTOP, [/status of (409|403|500)/, /ERR_FAILED/]),
);
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
  page = await show(`${company.server.url}/settings/general${owner && `?user=${owner}`}`);
  await field('New sales commission').waitFor();
}

async function choose(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Settings of' }).click();
  await page.getByRole('option', { name }).click();
}

describe('an administrator', () => {
  test('an administrator starts at the company defaults while a rate is not set, and sets them', async () => {
    page = await show(`${company.server.url}/dashboard`);
    await page.getByRole('link', { name: 'General', exact: true }).click();
    await page.getByRole('heading', { name: 'General Settings', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Set company default to Off' }).click();
    await toast('Company default set to Off');
    await page.getByText('Not set for the company: Move edited rows').waitFor({ state: 'detached' });
    await page.getByText('Not set for the company: New sales commission, Used sales').waitFor();
    await page.getByText('These apply to everyone without a value of their own.').waitFor();
    await field('New sales commission').fill('4.5');
    await field('Used sales commission').fill('3');
    await save();
    await toast('Commission Settings of the company saved');
    await expect
      .poll(() => isFocused(page.getByRole('button', { name: 'Save Commission Settings' })))
      .toBe(true);
    await expect
      .poll(() => valueOf('company', 'commission.newSales'))
      .toMatchObject({ value: 4.5, version: 1 });
    await expect
      .poll(() => valueOf('company', 'commission.defaultSales'))
      .toMatchObject({ value: null, version: null });
    await page.getByText('Not set for the company: Default commission.').waitFor();
    await choose('My Settings');
    await page.getByText('Where you have no value of your own').waitFor();
    await page.getByRole('button', { name: 'Set company rates' }).click();
    await page.getByText('These apply to everyone without a value of their own.').waitFor();
  });

  test('an administrator applies the current rate to rows without one, after a preview by person', async () => {
    await open('company');
    await page.getByText('3 deals have no commission rate.').waitFor();
    await page.getByRole('button', { name: 'Apply to rows without a rate' }).click();
    const preview = page.getByRole('dialog', { name: 'Apply to rows without a rate' });
    await preview.getByRole('row', { name: 'Ada Admin 3 +$55.55' }).waitFor();
    await preview.getByRole('button', { name: 'Apply to 3 deals' }).click();
    await toast('3 deals have their rate now');
    await page.getByText('3 deals have no commission rate.').waitFor({ state: 'detached' });
    const { body } = await company.call(`GET /deals/${company.deals[0]!._id}`);
    expect(body).toMatchObject({ commissionRate: 4.5, commission: 55.55 });
    await company.call('PUT /settings/user/company/commission.defaultSales', { body: { value: 1 } });
  });

  test('an administrator sets a commission and a data entry setting for one user', async () => {
    await open();
    await choose(`Cleo Clerk (${cleo.email})`);
    await page.getByText('Where Cleo Clerk has no value of their own').waitFor();
    await expect.poll(() => field('New sales commission').inputValue()).toBe('4.5');
    await field('New sales commission').fill('6.25');
    await commission().getByText('Own value').waitFor();
    await save();
    await toast('Commission Settings of Cleo Clerk saved');
    await page.getByRole('switch', { name: 'Move edited rows to the current month' }).click();
    await save('Data Entry Settings');
    await toast('Data Entry Settings of Cleo Clerk saved');
    await expect
      .poll(() => valueOf(cleo.id, 'commission.newSales'))
      .toMatchObject({ value: 6.25, inherited: false });
    await expect
      .poll(() => valueOf(cleo.id, 'commission.usedSales'))
      .toMatchObject({ value: 3, inherited: true });
    await expect
      .poll(() => valueOf(cleo.id, 'dataEntry.moveEditedToCurrentMonth'))
      .toMatchObject({ value: true });
  });

  test('an administrator sees a field error for an invalid percentage', async () => {
    await open();
    for (const wrong of ['100.5', '-0.01', '12.345', '8,5']) {
      await field('Default commission').fill(wrong);
      await save();
      await page.getByText('Enter a number from 0 to 100 with at most 2 decimals').waitFor();
      await expect.poll(() => field('Default commission').inputValue()).toBe(wrong);
    }
    await expect
      .poll(() => valueOf(company.admin.id, 'commission.defaultSales'))
      .toMatchObject({ inherited: true });
    const discard = page.getByRole('button', { name: 'Discard changes: Commission Settings' });
    await discard.click();
    await expect.poll(() => discard.isDisabled()).toBe(true);
    await expect.poll(() => isFocused(discard)).toBe(true);
  });

  test('an administrator is asked before unsaved changes are discarded', async () => {
    await open();
    await field('New sales commission').fill('8');
    await choose('Company defaults');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => field('New sales commission').inputValue()).toBe('8');
    await choose('Company defaults');
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('These apply to everyone').waitFor();
    await expect.poll(() => field('New sales commission').inputValue()).toBe('4.5');
  });

  test('an administrator keeps typed values when another user saved first, and chooses', async () => {
    await open('company');
    await field('New sales commission').fill('7');
    await field('Used sales commission').fill('2');
    await company.call('PUT /settings/user/company/commission.newSales', { body: { value: 5 } });
    await save();
    await page.getByText('Somebody else changed this in the meantime').waitFor();
    await expect.poll(() => field('New sales commission').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Take theirs: New sales commission' }).click();
    await save();
    await toast('Commission Settings of the company saved');
    await expect.poll(() => valueOf('company', 'commission.newSales')).toMatchObject({ value: 5 });
    await expect.poll(() => valueOf('company', 'commission.usedSales')).toMatchObject({ value: 2 });
  });

  test('an administrator keeps the value that another user saved while it is reset, until it is confirmed', async () => {
    const own = `/settings/user/${company.admin.id}/commission.usedSales`;
    await company.call(`PUT ${own}`, { body: { value: 9 } });
    await open();
    await page.getByRole('button', { name: 'Use company default: Used sales commission' }).click();
    await company.call(`PUT ${own}`, { body: { value: 8 } });
    await save();
    await page.getByText('Somebody else changed this in the meantime').waitFor();
    await page.getByRole('button', { name: 'Take theirs: Used sales commission' }).waitFor();
    await expect
      .poll(() => valueOf(company.admin.id, 'commission.usedSales'))
      .toMatchObject({ value: 8, inherited: false });
    await save();
    await toast('Commission Settings saved');
    await expect
      .poll(() => valueOf(company.admin.id, 'commission.usedSales'))
      .toMatchObject({ inherited: true });
  });

  test('an administrator sees that saving failed, which value and why, and loses nothing', async () => {
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
    await expect.poll(() => field('Default commission').inputValue()).toBe('1.5');
    await save();
    await toast('Commission Settings of the company saved');
  });
});

test('a user sees their effective settings and can change nothing', async () => {
  const own = await company.openAs(browser, cleo);
  await own.page.goto(`${company.server.url}/dashboard`);
  await own.page.getByRole('link', { name: 'Profile Settings' }).click();
  await own.page.getByRole('heading', { name: 'General Settings', level: 1 }).waitFor();
  await expect.poll(() => own.page.getByRole('link', { name: 'General', exact: true }).count()).toBe(0);
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
  await expect.poll(() => own.page.getByRole('main').getByRole('textbox').count()).toBe(0);

  // An administrator's change is shown without a reload: the user's own and the inherited value.
  await company.call(`PUT /settings/user/${cleo.id}/commission.newSales`, { body: { value: 6.5 } });
  await values.getByText('6.5%').waitFor();
  await company.call('PUT /settings/user/company/commission.usedSales', { body: { value: 2.75 } });
  await values.getByText('2.75%').waitFor();
  await own.close();
});

describe('the mail server of a person', () => {
  const path = () => `/email-settings/user/${cleo.id}`;
  const stored = async () => (await company.call(`GET ${path()}`)).body;
  /** A change by another administrator meanwhile. */
  const theyWrite = async (changes: object) => {
    const server = { smtpHost: 'mail.example.com', smtpPort: 587, smtpSecure: false, smtpUser: 'cleo' };
    const body = { ...server, smtpPassword: 'theirs', smtpFromEmail: 'cleo@example.com', ...changes };
    await company.call(`PUT ${path()}`, { body });
  };
  const input = (name: string) => page.getByLabel(name).and(page.locator('input'));
  const valuesOf = (...names: string[]) => Promise.all(names.map((name) => input(name).inputValue()));
  const notice = () => page.getByRole('alert').filter({ hasText: 'Somebody else changed this' });

  test('the mail server of a person shows at once what another administrator saves, while nothing is typed', async () => {
    await theyWrite({});
    page = await show(`${company.server.url}/settings/email?user=${cleo.id}`);
    await expect.poll(() => valuesOf('SMTP Username')).toEqual(['cleo']);
    await theyWrite({ smtpUser: 'first' });
    await expect.poll(() => valuesOf('SMTP Username')).toEqual(['first']);
  });

  test('the mail server of a person is not overwritten: other fields are taken over, and for the same field there is a choice', async () => {
    await input('From Email').fill('mine@example.com');
    await input('SMTP Password').fill('mine');
    await theyWrite({ smtpUser: 'second', smtpFromEmail: 'theirs@example.com', smtpSecure: true });
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await notice().getByText('What you typed is kept.').waitFor();
    await expect.poll(stored).toMatchObject({ smtpUser: 'second', smtpFromEmail: 'theirs@example.com' });
    await expect
      .poll(() => valuesOf('SMTP Username', 'From Email', 'SMTP Password'))
      .toEqual(['second', 'mine@example.com', 'mine']);
    await notice().getByText('theirs@example.com').waitFor();
    await notice().getByText('On', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Save Settings' }).click();
    await toast('Email settings saved successfully');
    await notice().waitFor({ state: 'detached' });
    await expect
      .poll(stored)
      .toMatchObject({ smtpUser: 'second', smtpFromEmail: 'mine@example.com', smtpSecure: true, version: 4 });
  });
});
