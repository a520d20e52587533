import { addDealership } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OpenPage } from '../browser.ts';
import { openCompany, type Person } from './company.fixture.ts';
import { onePage } from './one-page.fixture.ts';

/** Widths of tables (docs/product/screens.md, Tables). */
const MIN_WIDTH = 50;
const FIT_MARGIN = 10;

const PATH = '/settings/dealerships';
const SUBURBS = ['Bayside', 'Hilltop', 'Lakes', 'Pier'];

let page: Page;

const { company, browser } = await openCompany();
beforeAll(async () => {
  // With Harbour New Cars there are 30. The last ones have no contact; every fifth is inactive.
  for (let number = 1; number < 30; number += 1) {
    await addDealership(company, company.admin, {
      name: `${SUBURBS[number % 4]} Cars ${number}`,
      address: `${number} Main Road, ${SUBURBS[number % 4]}`,
      defaultEmailTemplateId: company.templateId,
      active: number % 5 !== 0,
      contacts: number > 3 ? [] : [contact],
    });
  }
});
beforeEach(async () => {
  page = await show(company.server.url + PATH);
  await page.getByText('Harbour New Cars').waitFor();
});

const contact = {
  name: 'Tess To',
  email: 'tess@lakes.example',
  templateName: 'Daily',
  includeInTo: true,
  includeInCc: false,
  active: true,
};

const TALL = { viewport: { width: 1440, height: 3000 } };
const show = onePage(() => company.openAs(browser, company.admin, TALL));

async function openDealerships(person: Person): Promise<OpenPage> {
  const opened = await company.openAs(browser, person, TALL);
  await opened.page.goto(company.server.url + PATH);
  await opened.page.getByText('Harbour New Cars').waitFor();
  return opened;
}

/** Opens the screen with these rows in a window of usual height; returns a function that closes it. */
async function openWith(items: readonly object[]): Promise<() => Promise<void>> {
  const opened = await company.openAs(browser, company.admin);
  ({ page } = opened);
  await page.route('**/api/dealerships', (route) => route.fulfill({ json: { items, total: items.length } }));
  await page.goto(company.server.url + PATH);
  return opened.close;
}

const header = (column: string) => page.getByRole('columnheader', { name: column });
const edge = (column: string) => header(column).locator('[data-edge]');
const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const selectAll = () => page.getByRole('checkbox', { name: 'Select all' });
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const sortBy = (column: string) => page.getByRole('button', { name: column, exact: true }).click();
const rowsShown = () => page.locator('tbody tr[data-row]');
const names = (at: Page = page) =>
  at.locator('tbody tr[data-row] td:nth-child(2) span:first-child').allTextContents();
const widthOf = async (column: string) => Math.round((await header(column).boundingBox())?.width ?? 0);
const focused = () =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

/** Returns the name of the dealership in the focused row. */
const focusedRow = () =>
  page.evaluate(
    () => document.activeElement?.closest('tr')?.querySelector('td:nth-child(2) span')?.textContent,
  );

async function options(column: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Column options of ${column}`) }).click();
  await page.getByRole('dialog', { name: `Column options of ${column}` }).waitFor();
}

async function drag(column: string, by: number): Promise<void> {
  const { x, y, width, height } = (await edge(column).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + by, y + height / 2, { steps: 4 });
  await page.mouse.up();
}

describe('sorting', () => {
  test('a click on a header sorts a list ascending, then descending, then not at all', async () => {
    const asTheyCame = await names();
    await sortBy('Contacts');
    await expect.poll(() => header('Contacts').getAttribute('aria-sort')).toBe('ascending');
    await sortBy('Contacts');
    await expect.poll(() => header('Contacts').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(async () => (await names())[0]).toBe('Harbour New Cars');
    await sortBy('Contacts');
    await expect.poll(() => header('Contacts').getAttribute('aria-sort')).toBeNull();
    await expect.poll(() => names()).toEqual(asTheyCame);
  });

  test('a list is sorted by every column of its screen', async () => {
    for (const column of ['Name', 'Address', 'Default Template', 'Contacts', 'Shared With', 'Status']) {
      await page.getByRole('button', { name: column, exact: true }).focus();
      await press('Enter');
      await expect
        .poll(() => header(column).getAttribute('aria-sort'), { message: column })
        .toBe('ascending');
    }
    await page.getByText('Sorted by Status, ascending').waitFor({ state: 'attached' });
  });
});

describe('filtering', () => {
  test('a list is filtered by contained text, with a chip that removes the filter', async () => {
    await options('Name');
    await page.getByLabel('Contains').fill('lakes');
    await page.getByText('7 of 30 shown').waitFor();
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Column options of Name, filtered');
    await expect.poll(async () => (await names()).every((name) => name.startsWith('Lakes Cars'))).toBe(true);
    await page.getByRole('button', { name: 'Remove filter Name: “lakes”' }).click();
    await expect.poll(() => rowsShown().count()).toBe(30);
    await expect.poll(() => focused()).toBe('Column options of Name');
  });

  test('a list is filtered by choice and by range, combined', async () => {
    await options('Status');
    await page.getByRole('checkbox', { name: 'Inactive', exact: true }).check();
    await page.getByText('5 of 30 shown').waitFor();
    await page.getByRole('checkbox', { name: 'Active', exact: true }).check();
    await page.getByText('30 of 30 shown').waitFor();
    await press('Escape');
    await options('Contacts');
    await page.getByLabel('From').fill('1');
    await page.getByLabel('To', { exact: true }).fill('1');
    await page.getByText('3 of 30 shown').waitFor();
    await press('Escape');
    await page.getByText('Status: Inactive or Active').waitFor();
    await page.getByText('Contacts: 1 to 1').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rowsShown().count()).toBe(30);
  });

  test('a filtered list shows a message if nothing matches', async () => {
    await options('Shared With');
    await page.getByRole('checkbox', { name: 'None' }).check();
    await press('Escape');
    await options('Address');
    await page.getByLabel('Contains').fill('nowhere at all');
    await press('Escape');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByText('0 of 30 shown').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => rowsShown().count()).toBe(30);
  });
});

describe('widths', () => {
  test('widths of columns are dragged, not below 50 px, without changing other columns', async () => {
    const [name, address] = [await widthOf('Name'), await widthOf('Address')];
    await drag('Name', 60);
    await expect.poll(async () => Math.abs((await widthOf('Name')) - name - 60)).toBeLessThanOrEqual(1);
    await expect.poll(async () => Math.abs((await widthOf('Address')) - address)).toBeLessThanOrEqual(1);
    await drag('Name', -900);
    await expect.poll(() => widthOf('Name')).toBe(MIN_WIDTH);
  });

  test('widths of columns fit the widest content plus 10 px after a double press on the edge', async () => {
    await drag('Address', -200);
    await edge('Address').dblclick();
    const widest = await page.evaluate(() => {
      const range = document.createRange();
      return Math.max(
        ...[...document.querySelectorAll('tbody tr td:nth-child(3)')].map((cell) => {
          range.selectNodeContents(cell);
          const { paddingLeft, paddingRight } = getComputedStyle(cell);
          return (
            range.getBoundingClientRect().width +
            Number.parseFloat(paddingLeft) +
            Number.parseFloat(paddingRight)
          );
        }),
      );
    });
    await expect.poll(() => widthOf('Address')).toBe(Math.ceil(widest) + FIT_MARGIN);
  });

  test('widths of columns have menu entries: narrower, wider, fit and hide', async () => {
    await options('Address');
    await page.getByRole('button', { name: 'Wider' }).click();
    const wider = await widthOf('Address');
    await page.getByText(`Address: ${wider} pixels wide`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Narrower' }).click();
    await expect.poll(() => widthOf('Address')).toBe(wider - 25);
    await page.getByRole('button', { name: 'Hide column' }).click();
    await header('Address').waitFor({ state: 'detached' });
    await page.getByText('1 column hidden').waitFor();
    await page.getByRole('button', { name: 'Show all columns' }).click();
    await header('Address').waitFor();
  });
});

test('the widths of columns are restored with order and hidden columns after a reload, for the same user only', async () => {
  const own = await openDealerships(company.admin);
  page = own.page;
  await sortBy('Address');
  await drag('Default Template', 40);
  await options('Contacts');
  await page.getByRole('button', { name: 'Hide column' }).click();
  const width = await widthOf('Default Template');
  await page.reload();
  await header('Address').waitFor();
  await expect.poll(() => header('Address').getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(() => widthOf('Default Template')).toBe(width);
  await expect.poll(() => header('Contacts').count()).toBe(0);

  const other = await company.addPerson({ name: 'Otis Other', role: 'admin' });
  await page.evaluate((token) => localStorage.setItem('token', token), other.token);
  await page.reload();
  await header('Contacts').waitFor();
  await expect.poll(() => header('Address').getAttribute('aria-sort')).toBeNull();
  await own.close();
});

describe('selecting', () => {
  test('rows of a list are selected one by one, all or none, with a mixed state of the box for all', async () => {
    await box('Pier Cars 3').check();
    await expect
      .poll(() => selectAll().evaluate((element: HTMLInputElement) => element.indeterminate))
      .toBe(true);
    await selectAll().check();
    await page.getByRole('button', { name: 'Actions (30)' }).waitFor();
    await selectAll().uncheck();
    await page.getByRole('button', { name: 'Actions', exact: true }).waitFor();
  });

  test('a click with Shift selects all rows in between', async () => {
    const [first, , , fourth] = await names();
    await box(first!).click();
    await box(fourth!).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Actions (4)' }).waitFor();
  });

  test('a selection ends for rows that a filter hides', async () => {
    await selectAll().check();
    await options('Name');
    await page.getByLabel('Contains').fill('pier');
    await press('Enter');
    await page.getByRole('button', { name: 'Actions (7)' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate Selected' }).click();
    await page.getByText('Successfully deactivated 7 dealership(s)').waitFor();
    // The message precedes the end of the selection.
    await page.getByRole('button', { name: 'Actions', exact: true }).waitFor();
    await selectAll().check();
    await page.getByRole('button', { name: 'Actions (7)' }).click();
    await page.getByRole('menuitem', { name: 'Activate Selected', exact: true }).click();
    await page.getByText('Successfully activated 7 dealership(s)').waitFor();
  });
});

test('Tab moves through the table and out of it', async () => {
  await row((await names()).at(-1)!)
    .getByRole('button')
    .last()
    .focus();
  await press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('table'))).toBeNull();
  await press('Shift+Tab', 'Shift+Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('table') !== null)).toBe(true);
});

test('2,000 rows: only those near the viewport are rendered, and every one can be reached', async () => {
  const [item] = (await company.call('GET /dealerships')).body.items;
  const close = await openWith(
    Array.from({ length: 2000 }, (_, index) => ({ ...item, _id: `row-${index}`, name: `Row ${index}` })),
  );
  await page.getByText('Row 0', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('2001');
  await expect.poll(() => rowsShown().count()).toBeLessThan(200);
  await box('Row 0').focus();
  await page.mouse.move(700, 450);
  await page.mouse.wheel(0, 40_000);
  await page.getByText('Row 999', { exact: true }).waitFor();
  await page.mouse.wheel(0, 100_000);
  await expect.poll(() => row('Row 1999').getAttribute('aria-rowindex')).toBe('2001');
  await expect.poll(() => rowsShown().count()).toBeLessThan(200);
  // The focused row is still rendered, so that Tab continues there.
  await press('Tab');
  await expect.poll(() => focusedRow()).toBe('Row 0');
  await close();
});

test('one long word leaves every column in the window, and a column of text wider than a few letters', async () => {
  const [item, ...others] = (await company.call('GET /dealerships')).body.items;
  const word = 'W'.repeat(120);
  const close = await openWith([{ ...item, name: word, address: word }, ...others]);
  await page.getByText(word).first().waitFor();
  const frame = page.getByRole('table').locator('..');
  await expect.poll(() => frame.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0);
  await expect.poll(() => widthOf('Name')).toBeGreaterThan(150);
  await close();
});
