import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { follow, type OpenPage } from '../browser.ts';
import { PHONE, openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
for (const [customerName, status, saleAmount] of [
  ['Kay Called', 'Called', 100],
  ['Ken Called', 'Called', 50.5],
  ['Dee Deal', 'Deal', 1000],
] as const)
  await addDeal(company, kim, company.dealershipId, { customerName, status, saleAmount });
const named = async (customerName: string) =>
  (await company.call(`GET /deals?search=${encodeURIComponent(customerName)}`)).body.items[0];
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const groupBy = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await item(page, name).click();
};

describe('in the table', () => {
  let screen: DataEntry;
  let page: Page;
  beforeAll(async () => {
    screen = await openDataEntry(company, browser, kim);
    page = screen.page;
    await screen.row('Kay Called').waitFor();
    await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  });
  afterAll(() => screen?.close());

  const head = (name: string) =>
    screen.grid.locator('.grid-group').filter({ has: page.getByText(name, { exact: true }) });
  const headText = (name: string) => head(name).textContent();
  const isExpanded = (name: string) =>
    head(name).locator('[aria-expanded]').first().getAttribute('aria-expanded');
  /** The rows of the table from top to bottom: the names of groups and of customers. */
  const order = () =>
    screen.grid.evaluate((grid) =>
      [...grid.querySelectorAll<HTMLElement>('.grid-body [role="row"]')]
        .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
        .map(
          (row) =>
            (row.querySelector('.grid-group-content strong') ?? row.querySelector('[aria-colindex="3"]'))
              ?.textContent,
        )
        .filter((text) => text !== 'Type a customer…'),
    );
  const active = () =>
    page.evaluate(() => {
      const id = document.querySelector('[role="grid"]')?.getAttribute('aria-activedescendant');
      return document.getElementById(id ?? '')?.textContent ?? '';
    });

  test('Ctrl+Shift+G opens the menu; the keys choose a group, whose head has its number and sums', async () => {
    await page.keyboard.press('Control+Shift+G');
    await item(page, 'Status').waitFor();
    await screen.press('ArrowDown', 'Enter');
    await expect
      .poll(order)
      .toEqual([
        'Entered',
        'Cid Example',
        'Bob Example',
        'Ann Example',
        'Called',
        'Ken Called',
        'Kay Called',
        'Deal',
        'Dee Deal',
      ]);
    await expect.poll(() => headText('Called')).toContain('2Sale $150.50');
    await expect.poll(() => headText('Entered')).toContain('3Sale $3,703.50');
    // No rate is set in this company.
    await expect.poll(() => headText('Deal')).toContain('Commission (Deal) Not set');
  });

  test('the groups are in the address: a reload, a link and Back restore them', async () => {
    const group = () => new URL(page.url()).searchParams.get('group');
    const heads = () => screen.grid.locator('.grid-group strong').allTextContents();
    await expect.poll(group).toBe('status');
    await page.reload();
    await expect.poll(heads).toEqual(['Entered', 'Called', 'Deal']);
    await follow(page, '/data-entry?group=dealershipId');
    await expect.poll(heads).toEqual(['Harbour New Cars']);
    await page.goBack();
    await expect.poll(heads).toEqual(['Entered', 'Called', 'Deal']);
    // What is no group, or not for this user, is left out.
    for (const unknown of ['notes', 'custom9', 'x']) {
      await follow(page, `/data-entry?group=${unknown}`);
      await expect.poll(heads).toEqual([]);
      await expect.poll(group).toBeNull();
      await page.goBack();
      await expect.poll(heads).toEqual(['Entered', 'Called', 'Deal']);
    }
    await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  });

  test('the keys move onto heads, and collapse and expand them', async () => {
    await screen.cell('Ken Called', 'Vehicle').click();
    await screen.press('ArrowUp');
    await expect.poll(active).toContain('Called');
    await screen.press('ArrowLeft');
    await screen.row('Ken Called').waitFor({ state: 'detached' });
    await screen.press('Enter');
    await screen.row('Ken Called').waitFor();
    await screen.press('Control+ArrowLeft');
    await expect.poll(order).toEqual(['Entered', 'Called', 'Deal']);
    await screen.press('Control+ArrowRight');
    await screen.row('Dee Deal').waitFor();
  });

  test('the keys that the menu of a head names collapse and expand all groups', async () => {
    const keyOf = async (name: string) => (await item(page, name).getAttribute('aria-keyshortcuts')) ?? '';
    await screen.press('Shift+F10');
    const [collapse, expand] = [await keyOf('Collapse all'), await keyOf('Expand all')];
    await screen.press('Escape');
    await item(page, 'Collapse all').waitFor({ state: 'detached' });
    await screen.press(collapse);
    await expect.poll(order).toEqual(['Entered', 'Called', 'Deal']);
    await screen.press(expand);
    await screen.row('Dee Deal').waitFor();
  });

  test('the active row moves to its group of another column at once', async () => {
    await screen.cell('Cid Example', 'Vehicle').click();
    await screen.press('Control+Shift+G');
    await item(page, 'Owner').click();
    await expect.poll(order).toContain('Ada Admin');
    await expect.poll(async () => (await order()).indexOf('Cid Example')).toBe(1);
    await groupBy(page, 'Status');
    await expect.poll(order).toContain('Entered');
  });

  test('Alt+N in a group types a row with its value, which joins the group when it is left', async () => {
    await screen.cell('Kay Called', 'Vehicle').click();
    await screen.press('Alt+n');
    await page.keyboard.type('Nia New');
    await expect.poll(() => screen.cell('Nia New', 'Status').textContent()).toBe('Called');
    await screen.press('Tab', 'Tab');
    await page.keyboard.type('Harbour');
    await screen.press('Enter');
    await screen.saved();
    await expect.poll(async () => (await named('Nia New'))?.status).toBe('Called');
    await screen.cell('Dee Deal', 'Vehicle').click();
    await expect
      .poll(async () => (await order()).slice(4, 9))
      .toEqual(['Called', 'Ken Called', 'Kay Called', 'Nia New', 'Deal']);
    await expect.poll(() => headText('Called')).toContain('3Sale');
  });

  test('a row begun in a group and left without typing is no unsaved row', async () => {
    await screen.cell('Ken Called', 'Vehicle').click();
    await screen.press('Alt+n');
    await page.getByText(/1 unsaved row/).waitFor();
    await screen.press('Escape', 'ArrowUp');
    await screen.saved();
    await screen.cell('Ken Called', 'Vehicle').click();
    await screen.press('Alt+n');
    await page.keyboard.type('Nat Next');
    await screen.press('Escape');
    await screen.cell('Ken Called', 'Vehicle').click();
    await screen.saved();
  });

  test('a row whose status is changed stays until it is left; its group counts it at once', async () => {
    const isAbove = async () => {
      const rows = await order();
      return rows.indexOf('Kay Called') < rows.indexOf('Deal');
    };
    await screen.cell('Kay Called', 'Status').click();
    await page.keyboard.type('Deal');
    await screen.press('Tab');
    await expect.poll(() => headText('Deal')).toContain('2Sale $1,100.00');
    await expect.poll(isAbove).toBe(true);
    await screen.cell('Ken Called', 'Vehicle').click();
    await expect.poll(isAbove).toBe(false);
    await screen.saved();
  });

  test('a colleague’s change moves the row and the active cell keeps its row', async () => {
    const { _id, version } = await named('Cid Example');
    await screen.cell('Ken Called', 'Notes').click();
    await company.call(`PATCH /deals/${_id}`, { body: { version, status: 'Called' } });
    await expect
      .poll(async () => {
        const rows = await order();
        return rows.indexOf('Cid Example') > rows.indexOf('Called');
      })
      .toBe(true);
    await expect.poll(() => screen.cell('Ken Called', 'Notes').getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => headText('Entered')).toContain('2Sale');
  });

  test('the mouse collapses a group and adds a row to it', async () => {
    await head('Deal').getByText('Deal', { exact: true }).click();
    await screen.row('Dee Deal').waitFor({ state: 'detached' });
    await head('Deal').getByRole('button', { name: 'New row in Deal' }).click();
    await page.keyboard.type('Mo Mouse');
    await screen.press('Enter');
    await expect.poll(() => screen.cell('Mo Mouse', 'Status').textContent()).toBe('Deal');
    await screen.press('Control+z', 'Control+z');
    await screen.row('Mo Mouse').waitFor({ state: 'detached' });
    await expect.poll(() => isExpanded('Deal')).toBe('false');
  });

  test('groups and collapsed groups return after a reload, before the row is used', async () => {
    await page.reload();
    await head('Deal').waitFor();
    await expect.poll(() => isExpanded('Deal')).toBe('false');
    await expect.poll(() => isExpanded('Called')).toBe('true');
    await head('Deal').getByText('Deal', { exact: true }).click();
    await screen.row('Dee Deal').waitFor();
  });

  test('the menu of a head has its actions, and the reason why it takes no row', async () => {
    await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
    await groupBy(page, 'Day of creation');
    const day = screen.grid.locator('.grid-group').first();
    await day.getByText(/^\d\d\/\d\d\/\d{4}$/).waitFor();
    await expect.poll(() => day.getByRole('button').count()).toBe(0);
    await day.locator('strong').click({ button: 'right' });
    await page
      .getByRole('menuitem', { name: 'New row in this group' })
      .getByText('A new row cannot have')
      .waitFor();
    await item(page, 'Collapse').click();
    await expect.poll(() => day.locator('[aria-expanded]').getAttribute('aria-expanded')).toBe('false');
    await day.locator('strong').click({ button: 'right' });
    await item(page, 'Ungroup').click();
    await day.waitFor({ state: 'detached' });
  });

  test('a new row in a group of a day has that day, and a follow-up its morning', async () => {
    const row = {
      customerName: 'Dot Day',
      deliveryDate: '2026-11-20',
      followUpAt: '2026-11-20T03:00:00.000Z',
    };
    await addDeal(company, kim, company.dealershipId, row);
    await screen.row('Dot Day').waitFor();
    const addTo = async (field: string, day: string, name: string) => {
      await groupBy(page, field);
      await head(day)
        .getByRole('button', { name: `New row in ${day}` })
        .click();
      await page.keyboard.type(name);
      await screen.press('Enter');
    };
    await addTo('Delivery day', '20/11/2026', 'Del Ivery');
    await expect.poll(() => screen.cell('Del Ivery', 'Delivery').textContent()).toBe('20/11/2026');
    await addTo('Follow-up day', '20/11/2026', 'Fol Low');
    await expect.poll(() => screen.cell('Fol Low', 'Follow up').textContent()).toBe('20/11/2026, 9:00 am');
    // A group of empty cells is the last one, and a row in it has none.
    await addTo('Delivery day', 'No delivery date', 'Emp Ty');
    await expect.poll(() => screen.cell('Emp Ty', 'Delivery').textContent()).toBe('');
    await groupBy(page, 'No groups');
  });

  test('the menu of a header groups by its column, and a view has the groups', async () => {
    await page.getByRole('columnheader', { name: 'Owner' }).click({ button: 'right' });
    await item(page, 'Group by this column').click();
    await expect.poll(() => headText('Ada Admin')).toContain('3');
    await page.getByRole('button', { name: /^View: / }).click();
    await item(page, 'Save as…').click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill('By owner');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'View: By owner', exact: true }).waitFor();
    const { body } = await company.call('GET /deal-views', { token: kim.token });
    expect(body.items).toMatchObject([{ name: 'By owner', group: 'owner' }]);
    await page.getByRole('button', { name: /^View: / }).click();
    await item(page, 'All deals').click();
    await head('Ada Admin').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^View: / }).click();
    await item(page, 'By owner').click();
    await head('Ada Admin').waitFor();
    await groupBy(page, 'No groups');
  });
});

test('groups by a hidden column are not offered', async () => {
  const narrow = await company.addPerson({
    name: 'Nat Narrow',
    permissions: {
      dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns: ['customerName', 'owner'] } },
    } as never,
  });
  const screen = await openDataEntry(company, browser, narrow);
  await screen.row('Ann Example').waitFor();
  await screen.page.getByRole('button', { name: 'Group', exact: true }).click();
  await item(screen.page, 'Owner').waitFor();
  await expect
    .poll(() => screen.page.getByRole('menuitem').allTextContents())
    .toEqual(['No groups', 'Owner', 'Day of creation']);
  await item(screen.page, 'Owner').click();
  const head = screen.grid.locator('.grid-group').first();
  await head.waitFor();
  await expect.poll(() => head.textContent()).toBe('Ada Admin3');
  await screen.close();
});

describe('on a phone', () => {
  let phone: OpenPage;
  let page: Page;
  beforeAll(async () => {
    phone = await company.openAs(browser, kim, { ...PHONE, hasTouch: true });
    page = phone.page;
    await page.goto(`${company.server.url}/data-entry`);
    await page.getByText('Ann Example', { exact: true }).waitFor();
  });
  afterAll(() => phone?.close());

  const heading = (name: string) =>
    page.locator('button[aria-expanded]').filter({ has: page.getByText(name, { exact: true }) });

  test('headings between the cards collapse by touch and add a row', async () => {
    await page.getByRole('button', { name: 'Group', exact: true }).tap();
    await item(page, 'Status').tap();
    await heading('Entered').tap();
    await page.getByText('Ann Example', { exact: true }).waitFor({ state: 'detached' });
    await heading('Entered').tap();
    await page.getByText('Ann Example', { exact: true }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'New row in Called' }).tap();
    const form = page.getByRole('dialog');
    await expect.poll(() => form.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('Called');
    // Nothing was typed, so nothing of it is kept.
    await form.getByRole('button', { name: 'Cancel' }).tap();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New row in Called' }).tap();
    await form.getByRole('textbox', { name: 'Customer', exact: true }).fill('Pho Phone');
    await form.getByRole('combobox', { name: 'Dealership' }).tap();
    await page.getByRole('option', { name: 'Harbour New Cars' }).tap();
    await form.getByRole('button', { name: 'Save' }).tap();
    await expect.poll(async () => (await named('Pho Phone'))?.status).toBe('Called');
  });
});

test('a row of a group that is saved while its next cell is typed keeps its place and the open editor', async () => {
  const screen = await openDataEntry(company, browser, kim);
  const { page } = screen;
  await screen.cell('Kay Called', 'Vehicle').click();
  await groupBy(page, 'Dealership');
  await screen.grid.locator('.grid-group').first().waitFor();
  const typed = Promise.withResolvers<void>();
  await page.route('**/deals/bulk/create', async (route) => {
    await typed.promise;
    await route.continue();
  });
  await screen.cell('Kay Called', 'Vehicle').click();
  await screen.press('Alt+n');
  await page.keyboard.type('Sol Saved');
  await screen.press('Tab');
  await page.keyboard.type('0412');
  typed.resolve();
  await expect.poll(() => screen.row('Sol Saved').getAttribute('class')).not.toContain('unsaved');
  await page.keyboard.type(' 345 678');
  await screen.press('Enter');
  await expect.poll(() => screen.cell('Sol Saved', 'Phone').textContent()).toBe('(0412) 345 678');
  await screen.saved();
  await screen.close();
});
