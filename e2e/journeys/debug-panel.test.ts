import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { DESKTOP, openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
// The page requests an unknown screen on purpose.
const adas = await company.openAs(browser, company.admin, DESKTOP, [/status of 404/]);
const page = adas.page;
afterAll(() => adas.close());

const panel = (at: Page) => at.getByRole('region', { name: 'Debug Panel' });
const lines = () => panel(page).getByRole('listitem');

test('Alt+D and Ctrl+` toggle it; a failed call is listed with its request id, and found by level and search', async () => {
  await page.goto(`${company.server.url}/email-templates/01930000-0000-7000-8000-00000000beef/edit`);
  await page.getByRole('heading').first().waitFor();
  await page.keyboard.press('Alt+d');
  await lines().filter({ hasText: 'GET /email-templates/:id 404 NOT_FOUND' }).first().waitFor();
  await panel(page)
    .getByText(/^request /)
    .first()
    .waitFor();
  await panel(page)
    .getByText(/\d{1,2}:\d\d:\d\d\.\d{3}/)
    .first()
    .waitFor();

  await panel(page).getByRole('checkbox', { name: 'Debug' }).uncheck();
  await expect.poll(() => lines().filter({ hasText: 'GET /auth/me 200' }).count()).toBe(0);
  await panel(page).getByRole('searchbox').fill('nothing like it');
  await panel(page).getByText('Nothing matches').waitFor();
  await panel(page).getByRole('searchbox').fill('not_found');
  await lines().first().waitFor();

  await panel(page).getByRole('button', { name: 'Copy for support' }).click();
  await page.getByText('Copied without secrets').waitFor();
  await panel(page).getByRole('button', { name: 'Collapse debug panel' }).click();
  await lines().first().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Backquote');
  await panel(page).waitFor({ state: 'detached' });
});

test('only administrators have the debug panel', async () => {
  const kims = await company.openAs(browser, await company.addPerson({}));
  await kims.page.goto(`${company.server.url}/changelog`);
  await kims.page.getByRole('heading', { name: 'Changelog' }).waitFor();
  const scripts: string[] = [];
  kims.page.on('request', (request) => scripts.push(request.url()));
  await kims.page.keyboard.press('Alt+d');
  await kims.page.keyboard.press('?');
  await kims.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(scripts.filter((url) => url.includes('DebugPanel'))).toEqual([]);
  await expect.poll(() => kims.page.getByText('Debug Panel', { exact: true }).count()).toBe(0);
  await kims.close();
});
