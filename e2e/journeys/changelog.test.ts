import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { startCompany, type Company } from './company.fixture.ts';

let company: Company;
let browser: Browser;
beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

test('the menu has a dot when there is something new, until it has been looked at', async () => {
  const adas = await company.openAs(browser, company.admin);
  const { page } = adas;
  const entry = page.getByRole('link', { name: /^Changelog/ });
  const dot = entry.getByText('Something new');
  await page.goto(`${company.server.url}/dashboard`);
  await entry.waitFor();
  expect(await dot.count()).toBe(0);
  // Somebody who was here before the newest release.
  await page.evaluate(() => localStorage.setItem('changelog-seen', 'an earlier one'));
  await page.reload();
  await dot.waitFor();
  await entry.click();
  await page.getByText('Data Entry.', { exact: true }).waitFor();
  await dot.waitFor({ state: 'detached' });
  await page.reload();
  await entry.waitFor();
  expect(await dot.count()).toBe(0);
  await adas.close();
});
