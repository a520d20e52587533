import { addDealership } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { hasKeys } from '../browser.ts';
import { openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
const [ann] = company.deals;
const body = { version: ann!.version, customerNumber: '(0412) 345 678', dealNumber: 'D-77' };
await company.call(`PATCH /deals/${ann!._id}`, { body });
const adas = await company.openAs(browser, company.admin);
const page = adas.page;
await page.goto(`${company.server.url}/dashboard`);
afterAll(() => adas.close());

const option = (at: Page, name: RegExp) => at.getByRole('option', { name });
const field = (at: Page) => at.getByRole('combobox', { name: /^Go to a screen/ });
async function type(at: Page, text: string): Promise<void> {
  await at.keyboard.press('Control+k');
  await field(at).fill(text);
}

test('a deal is found by its phone number, and Enter opens its page', async () => {
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await type(page, '0412345678');
  await option(page, /Ann Example.*D-77/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ann Example', level: 1 }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/data-entry/${company.deals[0]!._id}`);
  await page.keyboard.press('Escape');
  await page.getByRole('gridcell', { name: 'Ann Example' }).waitFor();
});

test('screens, people and templates are found by name, and the arrow keys move between them', async () => {
  await type(page, 'ada');
  await option(page, /Ada Admin/).waitFor();
  await field(page).fill('daily');
  await option(page, /Daily/).waitFor();
  await field(page).fill('email');
  const chosen = page.locator('[role="option"][aria-selected="true"]');
  const first = await chosen.textContent();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen.textContent()).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => chosen.textContent()).toBe(first);
  await field(page).fill('users');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Users' }).waitFor();
});

test('settings are found by their words, and rows by the text of a filter', async () => {
  await type(page, 'commission rates');
  await option(page, /^Commission rates/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'General Settings' }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('user')).toBe('company');
  await type(page, 'status is called');
  await option(page, /^Status is Called/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '1 filter' }).waitFor();
});

test('the actions of Data Entry run from the palette, and one that cannot run shows why', async () => {
  await page.goto(`${company.server.url}/data-entry?filter=`);
  await page.getByRole('gridcell', { name: 'Ann Example' }).click();
  await type(page, 'history of the row');
  await option(page, /^History of the row/).waitFor();
  await page.keyboard.press('Enter');
  const history = page.getByRole('dialog', { name: /Ann Example/ });
  await hasKeys(history);
  await page.keyboard.press('Escape');
  await history.waitFor({ state: 'detached' });
  await hasKeys(page.getByRole('grid', { name: 'Deals' }));
  await page.keyboard.press('Space');
  await page.getByRole('heading', { name: 'Ann Example', level: 1 }).waitFor();
  await type(page, 'history of the row');
  await option(page, /^History of the row$/).waitFor();
  await field(page).fill('undo');
  await expect.poll(() => option(page, /^Undo/).count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Ann Example', level: 1 }).waitFor({ state: 'detached' });
  await type(page, 'group');
  await option(page, /^Group.*Ctrl\+Shift\+G/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Status', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+n');
  await type(page, 'share');
  await option(page, /^Share.*Not now: /).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(/The row must be saved first/).waitFor();
  await page.goto(`${company.server.url}/dashboard`);
});

test('a list that loads late leaves the chosen entry chosen', async () => {
  const { admin, templateId: defaultEmailTemplateId } = company;
  await addDealership(company, admin, { name: 'Dalton Cars', defaultEmailTemplateId });
  const { page: own, close } = await company.openAs(browser, admin);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await own.route('**/api/deals/options', async (route) => {
    await released;
    await route.continue();
  });
  await own.goto(`${company.server.url}/changelog`);
  await own.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor();
  await type(own, 'da');
  const daily = option(own, /^Daily/);
  await daily.waitFor();
  const isChosen = () => daily.getAttribute('aria-selected');
  await expect.poll(() => own.keyboard.press('ArrowDown').then(isChosen)).toBe('true');
  release();
  await option(own, /^Dalton Cars/).waitFor();
  await own.keyboard.press('Enter');
  await expect.poll(() => own.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Daily');
  await close();
});

test('Enter does not open a deal that only an earlier text had found', async () => {
  await type(page, 'ann');
  await option(page, /Ann Example/).waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const isOfBob = ({ pathname, searchParams }: URL) =>
    pathname === '/api/deals' && searchParams.get('search') === 'bob';
  await page.route(isOfBob, async (route) => {
    await released;
    await route.continue();
  });
  await field(page).fill('bob');
  await page.keyboard.press('Enter');
  release();
  await option(page, /Bob Example/).waitFor();
  await page.unroute(isOfBob);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Bob Example', level: 1 }).waitFor();
  await page.keyboard.press('Escape');
});

test('actions run: another theme, and the list of keys, which ? opens too', async () => {
  await type(page, 'dark');
  await page.keyboard.press('Enter');
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl + K').waitFor();
  await page.keyboard.press('Escape');
});

test('a clerk sees only what they may open', async () => {
  const kim = await company.addPerson({
    name: 'Kim Novak',
    permissions: { pages: { dataEntry: false }, dealershipConfiguration: { viewDealerships: true } },
  });
  const kims = await company.openAs(browser, kim);
  await kims.page.goto(`${company.server.url}/dashboard`);
  await kims.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await kims.page.getByRole('button', { name: 'Search', exact: true }).click();
  // Offered once the permissions are loaded.
  await option(kims.page, /^Dealerships/).waitFor();
  for (const name of [/^Users/, /^Debug Panel/, /^New template/, /^Commission statement/])
    await expect.poll(() => option(kims.page, name).count(), { message: String(name) }).toBe(0);
  await field(kims.page).fill('ann');
  await kims.page.getByText('Nothing found').waitFor();
  await kims.close();
});

test('a dealership opens its page for a viewer of dealerships without Data Entry', async () => {
  const kim = await company.addPerson({
    name: 'Kim Viewer',
    permissions: { pages: { dataEntry: false }, dealershipConfiguration: { viewDealerships: true } },
  });
  const kims = await company.openAs(browser, kim);
  await kims.page.goto(`${company.server.url}/changelog`);
  await kims.page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor();
  await type(kims.page, 'harbour');
  await option(kims.page, /^Harbour New Cars/).waitFor();
  await kims.page.keyboard.press('Enter');
  await kims.page.getByRole('heading', { name: 'Harbour New Cars', level: 1 }).waitFor();
  await kims.close();
});
