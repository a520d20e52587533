import { addDealership } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PHONE, openCompany } from './company.fixture.ts';
import { onePage } from './one-page.fixture.ts';

/** Lists with their rows' texts as long as those of a real company. */
const lists = [
  ['/settings/users', 'Cleo Clerk-Montgomery'],
  ['/item-configuration', 'Front and rear dash cam'],
  ['/settings/status-configuration', 'Deal Not Entered'],
  ['/settings/custom-fields', 'Fuel'],
  ['/settings/dealerships', 'Northern Star New Cars'],
  ['/changes', 'By a program'],
  ['/do-not-contact', 'Wrote a letter'],
  ['/reports?by=month', '$1,291,834.50'],
  ['/reports?by=dealership', 'Northern Star New Cars'],
  ['/reports?by=owner', 'Ada Admin'],
  ['/reports?by=item', 'Front and rear dash cam'],
  ['/reports?by=status', 'Deal'],
  ['/email-templates', 'Daily'],
  ['/email-templates/history', 'About Cid Example'],
  ['/exports', 'Deals '],
  ['/settings/backups', 'backup_'],
  ['/settings/audit-logs', 'Ada Admin'],
  ['/settings/jobs', 'Hourly backup'],
  ['/admin/user-activity', 'Ada Admin'],
  ['/account', 'This device'],
] as const;

const { company, browser } = await openCompany();
const { admin, templateId, deals } = company;
await company.addPerson({ name: 'Cleo Clerk-Montgomery' });
await company.call('POST /do-not-contact', {
  body: {
    values: ['a-very-long-address-of-a-customer@subdomain.buyer.example'],
    reason: 'Wrote a letter to the manager and asked not to be contacted again',
  },
});
await company.call('POST /custom-fields', {
  body: { name: 'Fuel', type: 'select', options: [{ name: 'Petrol' }] },
});
const dealershipId = await addDealership(company, admin, {
  name: 'Northern Star New Cars',
  address: '600 Great Northern Highway, Brisbane QLD 4000',
  defaultEmailTemplateId: templateId,
});
const item = { name: 'Front and rear dash cam', category: 'Electronics', price: 1990, cost: 1120 };
const { body: dashCam } = await company.call('POST /item-configurations', { body: item });
const items = [{ itemId: dashCam._id, name: item.name, quantity: 1, unitPrice: 1990 }];
const sold = { version: 1, status: 'Deal', dealershipId, items, saleAmount: 645_300, costAmount: 210_100 };
for (const { _id } of deals.slice(0, 2)) await company.call(`PATCH /deals/${_id}`, { body: sold });
await company.call(`POST /email-templates/${templateId}/send`, { body: { dealId: deals[2]!._id } });
await company.call('POST /exports', { body: { kind: 'deals', format: 'xlsx' } });
await company.call('POST /backups');
/** The side panel is open at both. */
const SMALL = { width: 1024, height: 768 };
const MEDIUM = { width: 1280, height: 800 };

const show = onePage(() => company.openAs(browser, company.admin, { viewport: SMALL }));

/** No column of text is narrower (docs/product/screens.md, Tables). */
const MIN_WIDTH = 50;

/**
 * Returns the faults of the page's tables: wider than the frame unless they may scroll, columns that are too narrow, and
 * cells below the buttons of their row or outside the frame after scrolling to the right end.
 */
const faults = (page: Page, { mayScroll = false } = {}): Promise<string[]> =>
  page.evaluate(
    (given) => {
      const found: string[] = [];
      for (const table of document.querySelectorAll('main table:has(th[data-column])')) {
        const frame = table.parentElement!;
        const over = frame.scrollWidth - frame.clientWidth;
        if (over > 0 && !given.mayScroll) found.push(`${table.ariaLabel}: ${over} px wider than its frame`);
        frame.scrollLeft = over;
        const end = frame.getBoundingClientRect().right;
        for (const cell of table.querySelectorAll<HTMLElement>(
          'tr :is(th[data-column], td:not([data-actions]))',
        )) {
          const { right, width } = cell.getBoundingClientRect();
          if (!cell.checkVisibility()) continue;
          const buttons = cell.parentElement!.querySelector('[data-actions]');
          const limit = buttons?.getBoundingClientRect().left ?? end;
          if (right > limit + 1) found.push(`covered: ${cell.textContent}`);
          if (cell.dataset['column'] !== undefined && width < given.minWidth)
            found.push(`${Math.round(width)} px wide: ${cell.textContent}`);
        }
      }
      return found;
    },
    { mayScroll, minWidth: MIN_WIDTH },
  );

const rowOf = (page: Page, text: string) =>
  page.getByRole('row').filter({ hasText: text }).filter({ visible: true }).first();

test.each(lists)('the list %s fits at 1024 and 1280 px', async (path, text) => {
  const page = await show(company.server.url + path);
  for (const size of [SMALL, MEDIUM]) {
    await page.setViewportSize(size);
    await rowOf(page, text).waitFor();
    await expect.poll(() => faults(page), { message: `${size.width} px` }).toEqual([]);
  }
});

test('a row of Email History has one line at 1440 px and two at 1024 px, and opening its message changes the address', async () => {
  const page = await show(`${company.server.url}/email-templates/history?search=Cid`);
  const row = rowOf(page, 'About Cid Example');
  const height = async () => (await row.boundingBox())!.height;
  const link = page.getByRole('link', { name: 'Open “About Cid Example”' });
  for (const [width, most] of [
    [1440, 41],
    [1024, 62],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await link.waitFor();
    await expect.poll(height, { message: `${width} px` }).toBeLessThan(most);
    const filters = page.getByRole('search').locator('> *').filter({ visible: true });
    const tops = () =>
      filters.evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);
    await expect.poll(tops).toBe(1);
  }
  await link.click();
  const message = page.getByRole('dialog', { name: 'About Cid Example' });
  await message.getByText('Daily, Version 1').waitFor();
  await expect.poll(() => page.url()).toMatch(/history\/[\da-f-]{36}\?search=Cid$/);
  await page.reload();
  await message.getByText('Daily, Version 1').waitFor();
  await page.goBack();
  await message.waitFor({ state: 'detached' });
  await link.waitFor();
  await expect.poll(() => page.url()).toMatch(/history\?search=Cid$/);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('combobox', { name: 'Template' }).waitFor();
});

test.each([
  ['/settings/general', 'Save Commission Settings'],
  ['/settings/permissions', 'Review and save'],
  ['/email-templates/new', 'Save'],
])('on a phone the button that saves %s is in view without scrolling', async (path, name) => {
  const page = await show(company.server.url + path);
  await page.setViewportSize(PHONE.viewport);
  const button = page.getByRole('button', { name, exact: true });
  await button.waitFor();
  const end = async () => {
    const { y, height } = (await button.boundingBox())!;
    return y + height;
  };
  await expect.poll(end).toBeLessThan(PHONE.viewport.height);
});

test('on a phone the handles that order items and statuses leave the width to the names', async () => {
  for (const path of ['/item-configuration', '/settings/status-configuration']) {
    const page = await show(company.server.url + path);
    await page.setViewportSize(PHONE.viewport);
    const head = page.getByRole('columnheader', { name: 'Order' });
    await expect.poll(async () => (await head.boundingBox())!.width, { message: path }).toBeLessThan(70);
    await expect.poll(() => page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390);
  }
});

describe('at 1024 px, at the end of the scroll, no cell is covered in', () => {
  test.each([
    { path: '/settings/users', api: '/users' },
    { path: '/settings/dealerships', api: '/dealerships' },
    { path: '/item-configuration', api: '/item-configurations' },
  ])('$path with 150 rows', async ({ path, api }) => {
    const { page, close } = await company.openAs(browser, company.admin, { viewport: SMALL });
    const { body } = await company.call(`GET ${api}`);
    const items = Array.from({ length: 150 }, (_, index) => ({
      ...body.items[0],
      _id: `row-${index}`,
      name: `Row ${index} Montgomery`,
    }));
    await page.route(`**/api${api}`, (route) => route.fulfill({ json: { items, total: items.length } }));
    await page.goto(company.server.url + path);
    await rowOf(page, 'Row 0').waitFor();
    await expect.poll(() => faults(page, { mayScroll: true })).toEqual([]);
    await close();
  });

  test('no cell of a list is covered at 1024 px after a column was widened', async () => {
    const page = await show(`${company.server.url}/item-configuration`);
    await page.setViewportSize(SMALL);
    await page.getByRole('button', { name: 'Column options of Name' }).click();
    for (let press = 0; press < 4; press += 1) await page.getByRole('button', { name: 'Wider' }).click();
    await page.keyboard.press('Escape');
    const frame = page.getByRole('table').locator('..');
    await expect.poll(() => frame.evaluate((node) => node.scrollWidth - node.clientWidth)).toBeGreaterThan(0);
    await expect.poll(() => faults(page, { mayScroll: true })).toEqual([]);
  });
});
