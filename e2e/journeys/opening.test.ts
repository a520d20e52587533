import { expect, test } from 'vitest';
import { DESKTOP, PHONE, openCompany } from './company.fixture.ts';
import { openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
test('the screen opens with the focus where typing starts, the email state visible and one line of tools', async () => {
  const screen = await openDataEntry(company, browser, company.admin, { context: DESKTOP });
  const { page, grid } = screen;
  await screen.row('Ann Example').waitFor();
  await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
  const active = page.locator('.grid-sticky [aria-selected="true"][aria-colindex]');
  await expect.poll(() => active.textContent()).toContain('Type a customer…');
  const scrolled = () => grid.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  await expect.poll(scrolled).toEqual([0, 0]);

  const { width } = page.viewportSize()!;
  const email = page.getByRole('columnheader', { name: 'Email', exact: true });
  const right = async () => {
    const place = (await email.boundingBox())!;
    return place.x + place.width;
  };
  await expect.poll(right).toBeLessThanOrEqual(width);
  const spread = () =>
    page
      .locator('header')
      .getByRole('button')
      .evaluateAll((buttons) => {
        const bottoms = buttons.map((button) => button.getBoundingClientRect().bottom);
        return Math.max(...bottoms) - Math.min(...bottoms);
      });
  await expect.poll(spread).toBeLessThan(20);
  for (const name of ['Send email', 'Share', 'Transfer', 'Delete', 'Import', 'Columns'])
    await page.getByRole('button', { name, exact: true }).waitFor();

  await page.keyboard.type('Fay First');
  await screen.press('Tab');
  await page.getByText('1 unsaved row').waitFor();
  await screen.close();
});

test('a focused search stays focused while the screen opens', async () => {
  const screen = await openDataEntry(company, browser, company.admin, { context: DESKTOP });
  await screen.page.addInitScript(() => {
    const timer = setInterval(() => {
      const search = document.querySelector<HTMLElement>('input[type="search"]');
      search?.focus();
      if (search) clearInterval(timer);
    }, 1);
  });
  await screen.page.reload();
  await screen.row('Ann Example').waitFor();
  await screen.page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  await expect
    .poll(() => screen.page.evaluate(() => document.activeElement?.getAttribute('type')))
    .toBe('search');
  await screen.close();
});

test('a phone opens without a focused field', async () => {
  const { page, close } = await company.openAs(browser, company.admin, PHONE);
  await page.goto(`${company.server.url}/data-entry`);
  await page.getByRole('button', { name: 'Ann Example' }).waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BODY|MAIN)$/);
  await close();
});

test('a compact row height is kept over a reload, and by a change of the view', async () => {
  const screen = await openDataEntry(company, browser, company.admin, { context: DESKTOP });
  const { page } = screen;
  const height = async () => (await screen.row('Ann Example').boundingBox())?.height;
  await expect.poll(height).toBe(32);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByText('Compact', { exact: true }).click();
  await expect.poll(height).toBe(26);
  await screen.press('Escape');
  await page.reload();
  await expect.poll(height).toBe(26);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByText('Comfortable', { exact: true }).click();
  await expect.poll(height).toBe(32);
  await screen.close();
});

test('rows with a tick show their number and sums', async () => {
  const screen = await openDataEntry(company, browser, company.admin, { context: DESKTOP });
  const { page } = screen;
  for (const name of ['Ann Example', 'Bob Example'])
    await screen
      .row(name)
      .getByRole('checkbox', { name: `Select ${name}` })
      .click();
  const bar = page.locator('footer');
  await bar.getByText('2 rows selected').waitFor();
  await bar.getByRole('status').getByText('Sale $2,469.00').waitFor();
  await screen.close();
});
