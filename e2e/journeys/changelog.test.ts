import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
test('the menu shows a dot for unread changes until the changelog is opened, whose repairs open by a click', async () => {
  const adas = await company.openAs(browser, company.admin);
  const { page } = adas;
  const entry = page.getByRole('link', { name: /^Changelog/ });
  const dot = entry.getByText('Something new');
  await page.goto(`${company.server.url}/dashboard`);
  await entry.waitFor();
  await expect.poll(() => dot.count()).toBe(0);
  // A user who read an earlier release.
  await page.evaluate(() => localStorage.setItem('changelog-seen', 'an earlier one'));
  await page.reload();
  await dot.waitFor();
  await entry.click();
  await page.getByText('Data Entry.', { exact: true }).waitFor();
  await dot.waitFor({ state: 'detached' });
  const repair = page.getByText('Blank names.', { exact: true });
  await expect.poll(() => repair.isVisible()).toBe(false);
  await page
    .locator('details', { has: repair })
    .getByText(/^Repairs \(\d+\)$/)
    .click();
  await repair.waitFor();
  await page.reload();
  await entry.waitFor();
  await expect.poll(() => dot.count()).toBe(0);
  await adas.close();
});

test('the licences of what the pages contain are served beside them', async () => {
  const reply = await fetch(`${company.server.url}/third-party-licenses.md`);
  const licenses = await reply.text();
  expect(licenses).toContain('@mantine/core');
});
