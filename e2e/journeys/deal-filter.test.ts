import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { follow, hasKeys } from '../browser.ts';
import { DESKTOP, PHONE, openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

/** The status of the initial data. */
const CALLED = '01930000-0000-7000-8000-000000000002';
const REFUSED = [/status of 400/];

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const add = (deal: object) => addDeal(company, company.admin, company.dealershipId, deal);
await add({ customerName: 'Cal Called', status: 'Called', saleAmount: 400 });
await add({ customerName: 'Dan Dear', status: 'Called', saleAmount: 9000 });
const screen = await openDataEntry(company, browser, kim, { context: DESKTOP });
const { page } = screen;
await screen.row('Ann Example').waitFor();
afterAll(() => screen.close());

const parameter = (...conditions: object[]): string =>
  `?${new URLSearchParams({ filter: JSON.stringify({ match: 'all', conditions }) })}`;
const called = { field: 'status', operator: 'isAnyOf', value: [CALLED] };

const panelOf = (on: Page) => on.getByRole('dialog', { name: /filter/i });
const conditionOf = (on: Page, number: number) =>
  panelOf(on).getByRole('group', { name: `Condition ${number}`, exact: true });
const chips = (on: Page) => on.getByRole('list', { name: 'Filter' }).getByRole('listitem').allTextContents();
const filterInAddress = (on: Page): unknown =>
  JSON.parse(new URL(on.url()).searchParams.get('filter') ?? 'null');
const customers = async ({ grid }: DataEntry) =>
  (
    await grid
      .locator('[role="row"]:not(.grid-sticky) [role="gridcell"][aria-colindex="3"]')
      .allTextContents()
  ).sort();
async function isFocused(on: Page, name: string): Promise<void> {
  const focused = () =>
    on.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent;
    });
  await expect.poll(focused).toBe(name);
}

describe('a filter', () => {
  test('a filter is set by mouse, and applies as soon as a condition is complete', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await conditionOf(page, 1).getByLabel('Column').selectOption('Status');
    await panelOf(page).getByText('Conditions without a value are not applied.').waitFor();
    await expect.poll(() => customers(screen)).toHaveLength(5);
    await conditionOf(page, 1).getByRole('checkbox', { name: 'Called', exact: true }).check();
    await expect.poll(() => customers(screen)).toEqual(['Cal Called', 'Dan Dear']);
    await page.getByText('2 deals', { exact: true }).waitFor();
    await panelOf(page).getByRole('button', { name: 'Add condition' }).click();
    await conditionOf(page, 2).getByLabel('Column').selectOption('Sale amount');
    await conditionOf(page, 2).getByLabel('Comparison').selectOption('is more than');
    await conditionOf(page, 2).getByLabel('Value').fill('$500');
    await expect.poll(() => customers(screen)).toEqual(['Dan Dear']);
    await expect.poll(() => chips(page)).toEqual(['Status is Called', 'Sale amount more than $500']);
    await expect
      .poll(() => filterInAddress(page))
      .toEqual({
        match: 'all',
        conditions: [called, { field: 'saleAmount', operator: 'moreThan', value: 500 }],
      });
    await page.getByRole('columnheader', { name: 'Status' }).first().click();
    await panelOf(page).waitFor({ state: 'detached' });
  });

  test('a filter is the same after a reload, and on a screen of another user that opens its link', async () => {
    await page.reload();
    await expect.poll(() => customers(screen)).toEqual(['Dan Dear']);
    await expect.poll(() => chips(page)).toEqual(['Status is Called', 'Sale amount more than $500']);
    const { search } = new URL(page.url());
    const adas = await openDataEntry(company, browser, company.admin, { search, context: DESKTOP });
    await expect.poll(() => customers(adas)).toEqual(['Dan Dear']);
    await adas.close();
  });

  test('a filter stays with the screen: another screen opens, and a visit without the parameter shows it again', async () => {
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Data Entry' }).first().click();
    await expect.poll(() => customers(screen)).toEqual(['Dan Dear']);
    await expect.poll(() => filterInAddress(page)).toMatchObject({ match: 'all' });
    await follow(
      page,
      `/data-entry${parameter({ field: 'customerName', operator: 'contains', value: 'ann' })}`,
    );
    await expect.poll(() => customers(screen)).toEqual(['Ann Example']);
    await page.goBack();
    await expect.poll(() => customers(screen)).toEqual(['Dan Dear']);
  });

  test('a filter is changed by its chips', async () => {
    await page.getByRole('button', { name: 'Sale amount more than $500', exact: true }).click();
    await isFocused(page, 'Column');
    await expect.poll(() => conditionOf(page, 2).getByLabel('Value').inputValue()).toBe('500');
    await conditionOf(page, 2).getByLabel('Comparison').selectOption('is less than');
    await expect.poll(() => customers(screen)).toEqual(['Cal Called']);
    await page.keyboard.press('Escape');
    await page.getByText('Match any', { exact: true }).click();
    await expect.poll(() => customers(screen)).toEqual(['Cal Called', 'Dan Dear']);
    await page.getByRole('button', { name: 'Remove: Sale amount less than $500' }).click();
    await isFocused(page, 'Status is Called');
    await page.keyboard.press('Delete');
    await expect.poll(() => customers(screen)).toHaveLength(5);
    await expect.poll(() => screen.grid.evaluate((grid) => grid.contains(document.activeElement))).toBe(true);
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  test('a filter shows the rows of a loaded month before the server responds', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/deals\?.*filter=/, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await conditionOf(page, 1).getByLabel('Column').selectOption('Status');
    await conditionOf(page, 1).getByRole('checkbox', { name: 'Called', exact: true }).check();
    await expect.poll(() => customers(screen)).toEqual(['Cal Called', 'Dan Dear']);
    release();
    await page.getByText('2 deals', { exact: true }).waitFor();
    await page.unroute(/\/api\/deals\?.*filter=/);
    await panelOf(page).getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => customers(screen)).toHaveLength(5);
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
  });

  test('a filter is set, read and removed by keyboard alone', async () => {
    const { press } = screen;
    await screen.cell('Ann Example', 'Customer').click();
    await press('Control+Shift+L');
    await isFocused(page, 'Column');
    // One letter: a list forgets the letters before a pause of a second.
    await press('v');
    await press('Tab', 'Tab', 'Tab');
    await isFocused(page, 'Value');
    await addDeal(company, company.admin, company.dealershipId, {
      customerName: 'Kit Kia',
      vehicle: 'Kia Rio',
    });
    await page.keyboard.type('kia');
    await press('Enter');
    await expect.poll(() => customers(screen)).toEqual(['Kit Kia']);
    await press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => screen.grid.evaluate((grid) => grid.contains(document.activeElement))).toBe(true);
    await press('Control+Shift+L');
    await isFocused(page, 'Column');
    await press('Shift+Tab');
    await isFocused(page, 'Not sent');
    await press('Space');
    await expect.poll(() => chips(page)).toEqual(['Vehicle contains “kia”', 'Not sent']);
    await press('Escape');
    const chip = page.getByRole('button', { name: 'Not sent', exact: true });
    await chip.focus();
    await press('Backspace');
    await isFocused(page, 'Vehicle contains “kia”');
    await press('Backspace');
    await expect.poll(() => customers(screen)).toHaveLength(6);
  });

  test('a filter is set from the menus of a cell and of a header, by keyboard', async () => {
    const { press } = screen;
    const choose = async (name: string) => {
      await press('Shift+F10');
      await page.getByRole('menuitem', { name, exact: true }).focus();
      await press('Enter');
    };
    await screen.cell('Dan Dear', 'Status').click();
    await choose('Only this value');
    await expect.poll(() => customers(screen)).toEqual(['Cal Called', 'Dan Dear']);
    await screen.cell('Dan Dear', 'Customer').click();
    await choose('Not this value');
    await expect.poll(() => customers(screen)).toEqual(['Cal Called']);
    await expect.poll(() => chips(page)).toEqual(['Status is Called', 'Customer is not “Dan Dear”']);
    await screen.cell('Cal Called', 'Customer').click();
    await press('Control+ArrowUp', 'ArrowUp');
    await choose('Filter…');
    // The condition on that column is open.
    await expect.poll(() => conditionOf(page, 2).getByLabel('Column').inputValue()).toBe('customerName');
    await hasKeys(conditionOf(page, 2));
    await press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    await screen.cell('Cal Called', 'Vehicle').click();
    await press('Control+ArrowUp', 'ArrowUp');
    await choose('Filter…');
    await hasKeys(conditionOf(page, 3));
    await expect.poll(() => conditionOf(page, 3).getByLabel('Column').inputValue()).toBe('vehicle');
    await panelOf(page).getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => customers(screen)).toHaveLength(6);
    await press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
  });

  test('a filter is restored by a saved view', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await panelOf(page).getByRole('button', { name: 'Add group' }).click();
    const group = panelOf(page).getByRole('group', { name: 'Group 2' });
    await group.getByLabel('Column').selectOption('Status');
    await group.getByRole('checkbox', { name: 'Called', exact: true }).check();
    await group.getByRole('button', { name: 'Add to group' }).click();
    await group.getByRole('group', { name: 'Condition 2' }).getByLabel('Column').selectOption('Vehicle');
    await group
      .getByRole('group', { name: 'Condition 2' })
      .getByLabel('Comparison')
      .selectOption('is not empty');
    await expect.poll(() => chips(page)).toEqual(['Status is Called or Vehicle is not empty']);
    await page.keyboard.press('Escape');
    const views = page.getByRole('button', { name: /^View: / });
    await views.click();
    await page.getByRole('menuitem', { name: 'Save as…' }).click();
    await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('To do');
    await page.keyboard.press('Enter');
    const view = page.getByRole('button', { name: 'View: To do', exact: true });
    // Cut in x only: the line is lower than the descenders of its letters.
    const overflow = () =>
      view.locator('.ui-ellipsis').evaluate((name) => {
        const { overflowX, overflowY } = getComputedStyle(name);
        return [overflowX, overflowY];
      });
    await expect.poll(overflow).toEqual(['clip', 'visible']);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => customers(screen)).toHaveLength(6);
    await page.getByRole('button', { name: 'View: To do changed', exact: true }).waitFor();
    await views.click();
    await page.getByRole('menuitem', { name: 'To do' }).click();
    await expect.poll(() => customers(screen)).toEqual(['Cal Called', 'Dan Dear', 'Kit Kia']);
    await page.getByRole('button', { name: 'View: To do', exact: true }).waitFor();
  });

  test('a filter shows a row that a colleague changes so that it meets it', async () => {
    await expect.poll(() => customers(screen)).not.toContain('Bob Example');
    const [, bob] = company.deals;
    await company.call(`PATCH /deals/${bob!._id}`, { body: { version: 1, status: 'Called' } });
    await expect.poll(() => customers(screen)).toContain('Bob Example');
    const [, , cid] = company.deals;
    await company.call(`PATCH /deals/${cid!._id}`, { body: { version: 1, notes: 'Ring later' } });
    await addDeal(company, company.admin, company.dealershipId, {
      customerName: 'Eve Ends',
      vehicle: 'Audi',
    });
    await expect.poll(() => customers(screen)).toContain('Eve Ends');
    await expect.poll(() => customers(screen)).not.toContain('Cid Example');
  });

  test('a filter that no row meets shows the empty state, and can be cleared', async () => {
    await page.goto(
      `${company.server.url}/data-entry${parameter({ field: 'notes', operator: 'is', value: 'nothing' })}`,
    );
    await page.getByText('No deal passes the filters').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await screen.row('Ann Example').waitFor();
  });
});

test('a malformed filter in the address is ignored with a warning', async () => {
  const other = await openDataEntry(company, browser, kim, {
    search: '?filter=%7B%22match',
    context: DESKTOP,
  });
  await other.page.getByText('The filter in the address is not valid and was ignored').waitFor();
  await other.row('Ann Example').waitFor();
  await expect.poll(() => new URL(other.page.url()).search).toBe('');
  await other.close();
});

// A request that the server refuses would be a console message.
test('a column that is hidden from a user is not offered, and left out of a link without a refused request', async () => {
  const lee = await company.addPerson({
    name: 'Lee Less',
    permissions: {
      dataEntry: {
        ...CLERK.dataEntry,
        columnVisibility: {
          viewAllColumns: false,
          visibleColumns: ['status', 'customerName', 'dealershipId'],
        },
      },
    } as never,
  });
  const sale = { field: 'saleAmount', operator: 'moreThan', value: 5000 };
  const lees = await openDataEntry(company, browser, lee, {
    search: parameter(called, sale),
    context: DESKTOP,
  });
  await expect.poll(() => chips(lees.page)).toEqual(['Status is Called']);
  await lees.row('Cal Called').waitFor();
  await expect.poll(() => filterInAddress(lees.page)).toEqual({ match: 'all', conditions: [called] });
  await lees.page.keyboard.press('Control+Shift+L');
  await panelOf(lees.page).waitFor();
  const offered = await conditionOf(lees.page, 1).getByLabel('Column').locator('option').allTextContents();
  expect(offered).toContain('Customer');
  expect(offered).not.toContain('Sale amount');
  expect(offered).not.toContain('Overdue follow-up');
  await expect.poll(() => panelOf(lees.page).getByRole('button', { name: 'Not sent' }).count()).toBe(0);
  await lees.close();
});

test('a stored filter by a column that was hidden since shows no refusal', async () => {
  const { page: own, close } = await company.openAs(browser, company.admin, DESKTOP, REFUSED);
  const loading: string[] = [];
  // As for a user who has lost the column since the last visit.
  await own.route(/\/api\/deals\?.*filter=/, (route) =>
    route.fulfill({
      status: 400,
      json: { message: 'Invalid request', code: 'INVALID_REQUEST', errors: { filter: 'You may not filter' } },
    }),
  );
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await own.route('**/api/deals/options', async (route) => {
    await released;
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({
      response,
      json: { ...body, columns: body.columns.filter((column: string) => column !== 'notes') },
    });
  });
  await own.addInitScript(
    ([key, stored]) => localStorage.setItem(key!, stored!),
    [
      `table-data-entry:${company.admin.id}`,
      JSON.stringify({
        filter: { match: 'all', conditions: [{ field: 'notes', operator: 'contains', value: 'ring' }] },
      }),
    ],
  );
  own.on('response', (response) => {
    if (response.status() === 400) loading.push(response.url());
  });
  await own.goto(`${company.server.url}/data-entry`);
  await expect.poll(() => loading.length).toBeGreaterThan(0);
  await own.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  await own.getByText('Loading', { exact: false }).first().waitFor();
  await expect.poll(() => own.getByText('You may not filter').count()).toBe(0);
  release();
  await own.getByRole('gridcell', { name: 'Ann Example', exact: true }).waitFor();
  await close();
});

test('a filter that reads too many rows of all months shows the reason of the server', async () => {
  const message = 'This filter reads too many rows of all months. Choose a month.';
  const { page: own, close } = await company.openAs(browser, company.admin, DESKTOP, REFUSED);
  // A database of this test is too small for the server's limit.
  await own.route(/\/api\/deals\?.*search=.*filter=/, (route) =>
    route.fulfill({
      status: 400,
      json: { message: 'Invalid request', code: 'INVALID_REQUEST', errors: { filter: message } },
    }),
  );
  await own.goto(`${company.server.url}/data-entry${parameter(called)}&search=ann`);
  await own.getByRole('alert').getByText(message).waitFor();
  await own.getByRole('button', { name: 'Clear', exact: true }).click();
  await own.getByText(message).waitFor({ state: 'detached' });
  await own.getByRole('gridcell', { name: 'Ann Example', exact: true }).waitFor();
  await close();
});

test('the duplicates of a month open from Month Close, and also as a filter of the loaded month', async () => {
  for (const dealNumber of ['TWIN-1', 'twin-1']) await add({ customerName: `Tia ${dealNumber}`, dealNumber });
  const adas = await company.openAs(browser, company.admin, DESKTOP);
  const own = adas.page;
  await own.goto(`${company.server.url}/month-close`);
  await own.getByRole('link', { name: '2 rows: Possible duplicates' }).click();
  await own.getByText('2 deals', { exact: true }).waitFor();
  await expect.poll(() => chips(own)).toEqual(['Possible duplicate']);
  await own.getByRole('button', { name: 'Clear', exact: true }).click();
  await own.getByRole('gridcell', { name: 'Ann Example', exact: true }).waitFor();
  // The browser cannot tell which rows are duplicates.
  await own.keyboard.press('Control+Shift+L');
  await conditionOf(own, 1).getByLabel('Column').selectOption('Possible duplicate');
  await own.getByText('2 deals', { exact: true }).waitFor();
  await own.getByRole('gridcell', { name: 'Tia TWIN-1', exact: true }).waitFor();
  await expect.poll(() => own.getByRole('gridcell', { name: 'Ann Example', exact: true }).count()).toBe(0);
  await adas.close();
});

test('on a phone the chips are one line that scrolls, and the panel fits', async () => {
  const conditions = [called, { field: 'saleAmount', operator: 'between', value: [1, 100_000] }];
  const phone = await openDataEntry(company, browser, kim, {
    search: parameter(...conditions),
    context: PHONE,
  });
  const list = phone.page.getByRole('list', { name: 'Filter' });
  await expect.poll(async () => (await list.boundingBox())?.height).toBeLessThan(50);
  const width = () => phone.page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBe(390);
  await phone.page.getByRole('button', { name: '2 filters' }).click();
  await conditionOf(phone.page, 2).getByLabel('From').waitFor();
  // It is placed after it is shown.
  const isInside = async () => {
    const { x, width } = (await panelOf(phone.page).boundingBox())!;
    return x >= 0 && x + width <= 390;
  };
  await expect.poll(isInside).toBe(true);
  await panelOf(phone.page).getByRole('button', { name: 'Clear all' }).click();
  await phone.page.getByRole('button', { name: 'Ann Example' }).waitFor();
  await phone.close();
});
