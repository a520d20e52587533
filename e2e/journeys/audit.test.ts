import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
const [ann, bob] = company.deals;
await company.call(`PATCH /deals/${ann!._id}`, { body: { version: 1, notes: 'Rang back' } });
await company.call(`DELETE /deals/${bob!._id}`);
const ada = await company.openAs(browser, company.admin, {}, [/status of 400/]);
const page = ada.page;
afterAll(() => ada.close());

const entry = (sentence: string) => page.getByRole('button', { name: `Open “${sentence}”` }).first();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('the old URL redirects to the log, which lists who did what in sentences', async () => {
  await page.goto(`${company.server.url}/security/audit-log`);
  await page.getByRole('heading', { name: 'Audit Logs', level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/audit-logs');
  await entry('Ada Admin changed notes of deal Ann Example').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('row', { name: 'notes – Rang back' }).waitFor();
  await drawer.getByRole('button', { name: 'All entries about this record' }).click();
  await page.getByText('2 found').waitFor();
  await entry('Ada Admin added deal Ann Example').waitFor();
});

test('a search is kept in the URL and matches values', async () => {
  await press('Clear filters');
  await page.getByRole('searchbox', { name: 'Search names, values and addresses' }).fill('RANG BACK');
  await page.getByText('1 found').waitFor();
  await page.reload();
  await page.getByText('1 found').waitFor();
  await press('Clear filters');
});

test.each([
  ['/settings/audit-logs?actorId=nobody', 'Audit entries'],
  ['/email-templates/history?userId=nobody', 'Emails'],
  ['/reports?dealershipId=nowhere', 'Report'],
])('filters in the address that the server refuses can be cleared: %s', async (address, table) => {
  await page.goto(company.server.url + address);
  await page.getByText('Invalid request').waitFor();
  await press('Clear filters');
  const list = page.getByRole('table', { name: table });
  await list.or(page.getByText('No emails yet')).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0);
  await expect.poll(() => new URL(page.url()).search).not.toContain('Id=');
});

test('the values about a deleted row are removed with a reason, and the log stays valid', async () => {
  await page.goto(`${company.server.url}/settings/audit-logs`);
  await entry('Ada Admin deleted deal Bob Example').click();
  await press('Remove personal data…');
  await press('Remove Values');
  await page.getByText('Reason is required').waitFor();
  await page.getByLabel('Reason').fill('The customer asked for it');
  await press('Remove Values');
  await page.getByRole('alert').filter({ hasText: 'Removed the values of 2 entries' }).waitFor();
  await entry('Ada Admin removed the values of the entries about Bob Example').waitFor();
  await press('Verify Log');
  await page.getByRole('heading', { name: 'The log is whole' }).waitFor();
});
