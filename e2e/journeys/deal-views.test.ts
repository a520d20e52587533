import { addDeal } from '@forecourt/server/test/builders';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { DESKTOP, openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
await addDeal(company, company.admin, company.dealershipId, {
  customerName: 'Cal Called',
  status: 'Called',
});
const [kims, adas] = await Promise.all([
  openDataEntry(company, browser, kim, { context: DESKTOP }),
  openDataEntry(company, browser, company.admin, { context: DESKTOP }),
]);
await Promise.all([kims, adas].map(({ row }) => row('Ann Example').waitFor()));
afterAll(async () => {
  await kims.close();
  await adas.close();
});

const viewButton = ({ page }: DataEntry, name: string) =>
  page.getByRole('button', { name: `View: ${name}`, exact: true });
const openViews = ({ page }: DataEntry) => page.getByRole('button', { name: /^View: / }).click();

/** Chooses an entry of the views menu. */
async function choose(screen: DataEntry, entry: string): Promise<void> {
  await openViews(screen);
  await screen.page.getByRole('menuitem', { name: entry, exact: true }).click();
}

async function saveAs(screen: DataEntry, name: string, shared = false): Promise<void> {
  await choose(screen, 'Save as…');
  const dialog = screen.page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill(name);
  if (shared) await dialog.getByLabel('Share with everybody').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await viewButton(screen, name).waitFor();
}

/** Filters by one value of a column. */
async function filterBy({ page }: DataEntry, column: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const panel = page.getByRole('dialog', { name: /filter/i });
  await panel.getByLabel('Column').selectOption(column);
  await panel.getByRole('checkbox', { name: value, exact: true }).check();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
}

const headers = ({ page }: DataEntry) => page.getByRole('columnheader').allTextContents();
const customers = async ({ page }: DataEntry) =>
  (
    await page
      .locator('[role="row"]:not(.grid-sticky) [role="gridcell"][aria-colindex="3"]')
      .allTextContents()
  ).sort();

test('all columns up to the sale are visible at 1440 px', async () => {
  const right = async (part: Locator) => {
    const place = (await part.boundingBox())!;
    return place.x + place.width;
  };
  const sale = kims.page.getByRole('columnheader', { name: 'Sale' });
  await expect.poll(() => right(sale)).toBeLessThanOrEqual(await right(kims.grid));
});

describe('a private view', () => {
  test('a private view stores filters, order and columns under a name', async () => {
    await filterBy(kims, 'Status', 'Called');
    await kims.row('Ann Example').waitFor({ state: 'detached' });
    await kims.page.getByRole('columnheader', { name: 'Customer' }).first().click();
    await viewButton(kims, 'All deals changed').waitFor();
    await saveAs(kims, 'My calls');
    await choose(kims, 'All deals');
    await kims.row('Ann Example').waitFor();
    await expect.poll(() => kims.page.locator('[aria-sort]').count()).toBe(0);
    await choose(kims, 'My calls');
    await kims.row('Ann Example').waitFor({ state: 'detached' });
    await expect.poll(() => customers(kims)).toEqual(['Cal Called']);
    await expect.poll(() => kims.page.locator('[aria-sort="ascending"]').textContent()).toContain('Customer');
  });

  test('a private view is restored after a reload', async () => {
    await kims.page.reload();
    await viewButton(kims, 'My calls').waitFor();
    await kims.row('Cal Called').waitFor();
    await expect.poll(() => kims.row('Ann Example').count()).toBe(0);
    await expect.poll(() => kims.page.locator('[aria-sort="ascending"]').textContent()).toContain('Customer');
  });

  test('a private view shows when the screen differs, and is updated or reset', async () => {
    await kims.page.getByRole('columnheader', { name: 'Customer' }).first().click();
    await viewButton(kims, 'My calls changed').waitFor();
    await choose(kims, 'Undo changes');
    await viewButton(kims, 'My calls').waitFor();
    await expect.poll(() => kims.page.locator('[aria-sort="ascending"]').count()).toBe(1);
    await kims.page.getByRole('columnheader', { name: 'Customer' }).first().click();
    await choose(kims, 'Save changes');
    await viewButton(kims, 'My calls').waitFor();
    await expect.poll(() => kims.page.locator('[aria-sort="descending"]').count()).toBe(1);
  });

  test('a private view is renamed and deleted by keyboard alone', async () => {
    await viewButton(kims, 'My calls').focus();
    await kims.press('Enter');
    const rename = kims.page.getByRole('menuitem', { name: 'Rename…' });
    await rename.waitFor();
    // An opening menu focuses its first entry, possibly after the first keys.
    await expect
      .poll(async () => {
        await kims.press('ArrowUp');
        return rename.evaluate((entry) => entry === document.activeElement);
      })
      .toBe(true);
    await kims.press('Enter');
    await kims.page.getByRole('dialog', { name: 'Rename view' }).getByLabel('Name').fill('Calls');
    await kims.press('Enter');
    await viewButton(kims, 'Calls').waitFor();
    await choose(kims, 'Delete…');
    const question = kims.page.getByRole('dialog', { name: 'Delete view' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await viewButton(kims, 'All deals changed').waitFor();
    await choose(kims, 'Undo changes');
    await viewButton(kims, 'All deals').waitFor();
  });
});

test('rows are filtered by owner, and so are their count and their view', async () => {
  const { page, row } = adas;
  await addDeal(company, kim, company.dealershipId, { customerName: 'Kira Of Kim' });
  await filterBy(adas, 'Owner', 'Kim Clerk');
  await row('Ann Example').waitFor({ state: 'detached' });
  await page.getByText('1 deal', { exact: true }).waitFor();
  await expect.poll(() => customers(adas)).toEqual(['Kira Of Kim']);
  await saveAs(adas, 'Kim’s rows');
  await choose(adas, 'All deals');
  await row('Ann Example').waitFor();
  await page.reload();
  await choose(adas, 'Kim’s rows');
  await page.getByText('1 deal', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Owner is Kim Clerk', exact: true }).waitFor();
  await choose(adas, 'All deals');
});

test('a shared view appears for other users at once, who can use and copy it and not change it', async () => {
  await filterBy(adas, 'Status', 'Called');
  await saveAs(adas, 'Month end', true);
  await openViews(kims);
  await kims.page.getByRole('menuitem', { name: 'Month end · Ada Admin' }).click();
  await viewButton(kims, 'Month end').waitFor();
  await kims.row('Ann Example').waitFor({ state: 'detached' });
  await openViews(kims);
  await expect
    .poll(() => kims.page.getByRole('menuitem', { name: 'Rename…' }).textContent())
    .toContain('This view belongs to Ada Admin. Use “Save as” for one of your own.');
  await kims.press('Escape');
  await saveAs(kims, 'Month end');
  await choose(adas, 'Stop sharing');
  await openViews(kims);
  await kims.page.getByRole('menuitem', { name: 'Month end', exact: true }).waitFor();
  await kims.page.getByRole('menuitem', { name: 'Month end · Ada Admin' }).waitFor({ state: 'detached' });
  await kims.press('Escape');
  await choose(kims, 'All deals');
});

test('columns are pinned to both sides and moved by keyboard, and stay so after a reload', async () => {
  const { page, press } = kims;
  const list = page.getByRole('dialog', { name: 'Columns' });
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const pin of ['Pin Phone to the left', 'Pin Vehicle to the left', 'Pin Sale to the right']) {
    await list.getByRole('button', { name: pin }).focus();
    await press('Space');
  }
  await list.getByRole('button', { name: 'Move Vehicle to the left' }).focus();
  await press('Enter');
  await list.getByText('Vehicle is now at place 3 of 20').waitFor();
  await press('Escape');
  const arranged = async () => {
    const all = await headers(kims);
    return { first: all.slice(1, 5), last: all.slice(-2) };
  };
  const wanted = { first: ['Status', 'Customer', 'Vehicle', 'Phone'], last: ['Sale', 'Email'] };
  await expect.poll(() => arranged()).toEqual(wanted);
  await page.reload();
  await kims.row('Ann Example').waitFor();
  await expect.poll(() => arranged()).toEqual(wanted);
  await viewButton(kims, 'All deals changed').waitFor();
});
