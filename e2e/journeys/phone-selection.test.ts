import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { closeToasts, willShow } from '../browser.ts';
import { PHONE, openMailingCompany } from './company.fixture.ts';

const { company, browser } = await openMailingCompany();
const kim = await company.addPerson({ name: 'Kim Colleague' });
const phone = await company.openAs(browser, company.admin, PHONE);
const page = phone.page;
await page.goto(`${company.server.url}/data-entry`);
afterAll(() => phone.close());

const dialog = () => page.getByRole('dialog');
async function press(name: string, within: Page | Locator = page): Promise<void> {
  await closeToasts(page);
  await within.getByRole('button', { name, exact: true }).last().click();
}
const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const deals = async (): Promise<Record<string, unknown>[]> => (await company.call('GET /deals')).body.items;
const each = async (field: string) => (await deals()).map((deal) => String(deal[field]));

/** Expects the element to be within the width of the screen, and the page not to scroll sideways. */
async function expectFit(shown: Locator): Promise<void> {
  const { width } = page.viewportSize()!;
  await shown.waitFor();
  await expect
    .poll(async () => {
      const place = (await shown.boundingBox())!;
      return place.x >= 0 && place.x + place.width <= width;
    })
    .toBe(true);
  const overflow = () => shown.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  const pageOverflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(pageOverflow).toBeLessThanOrEqual(0);
}

async function choose(action: string): Promise<void> {
  await press('More actions');
  await page.getByRole('menuitem', { name: action }).click();
}

test('selected cards are counted, and a bar has the actions of the toolbar', async () => {
  await box('Ann Example').waitFor();
  const send = page.getByRole('button', { name: 'Send email', exact: true });
  await expect.poll(() => send.isVisible()).toBe(false);
  await box('Ann Example').check();
  await page.getByText('1 row selected').waitFor();
  for (const name of ['Send email', 'Share', 'Transfer', 'Delete', 'More actions'])
    await expectFit(page.getByRole('button', { name, exact: true }));
  await page.getByRole('checkbox', { name: 'Select all 3 rows' }).click();
  await page.getByText('3 rows selected').waitFor();
  // The end of the list and the state of the rows are above the bar.
  const bar = page.getByText('3 rows selected');
  for (const shown of [page.getByText('All changes saved'), box('Ann Example')]) {
    await shown.scrollIntoViewIfNeeded();
    const gap = async () => {
      const place = (await shown.boundingBox())!;
      return (await bar.boundingBox())!.y - place.y - place.height;
    };
    await expect.poll(gap).toBeGreaterThanOrEqual(0);
  }
  await press('Clear selection');
  await expect.poll(() => send.isVisible()).toBe(false);
  await expect.poll(() => box('Ann Example').isChecked()).toBe(false);
});

test('emails about selected cards are reviewed and sent; the dialog stays when the phone is rotated', async () => {
  for (const name of ['Ann Example', 'Bob Example']) await box(name).check();
  await press('Send email');
  await dialog().getByRole('row').filter({ hasText: 'Bob Example' }).getByText('Ready').waitFor();
  await expectFit(dialog());
  await expectFit(dialog().getByText('One digest for each dealership'));
  const send = dialog().getByRole('button', { name: 'Send 2 emails' });
  await expectFit(send);
  await dialog()
    .getByRole('checkbox', { name: /Bob Example/ })
    .click();
  await page.setViewportSize({ width: 844, height: 390 });
  await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor();
  await expectFit(dialog().getByText('1 of 2 ticked'));
  await page.setViewportSize(PHONE.viewport);
  await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor({ state: 'detached' });
  await dialog().getByRole('button', { name: 'Send 1 email' }).click();
  await dialog().getByText('1 of 1 are through').waitFor();
  await expectFit(dialog());
  expect(company.mail.accepted).toHaveLength(1);
  await press('Close', dialog());
  await dialog().waitFor({ state: 'detached' });
});

test('status, month and owner of selected cards are changed, and they are shared and exported', async () => {
  await page.getByText('2 rows selected').waitFor();
  const shared = willShow(page, 'Successfully shared 2 row(s) with 1 user(s)');
  await press('Share');
  await expectFit(dialog());
  await dialog()
    .getByRole('checkbox', { name: `Kim Colleague (${kim.email})` })
    .check();
  await press('Update Sharing', dialog());
  await shared;

  const exported = willShow(page, 'is on its way: 2 rows');
  await choose('Export as CSV');
  await exported;

  await choose('Change status…');
  await expectFit(dialog());
  await dialog().getByRole('combobox', { name: 'New status' }).click();
  await page.getByRole('option', { name: 'Called' }).click();
  await press('Change', dialog());
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(async () => (await each('status')).toSorted()).toEqual(['Called', 'Called', 'Entered']);

  await press('Transfer');
  await expectFit(dialog());
  await dialog().getByRole('combobox', { name: 'New owner' }).click();
  await page.getByRole('option', { name: /Kim Colleague/ }).click();
  await press('Transfer', dialog());
  await dialog().waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await each('ownerName')).toSorted())
    .toEqual(['Ada Admin', 'Kim Colleague', 'Kim Colleague']);
});

test('selected cards are moved to another month, and deleted', async () => {
  await press('Clear selection');
  await box('Ann Example').check();
  await choose('Move to month…');
  await expectFit(dialog());
  await dialog().getByLabel('Month').fill('2025-06');
  await press('Move', dialog());
  await box('Ann Example').waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select all 2 rows' }).check();
  await press('Delete');
  await expectFit(dialog());
  await press('Delete', dialog());
  await page.getByText(/^No deals in/).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Send email' }).isVisible()).toBe(false);
});
