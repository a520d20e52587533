import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONNECTION_LOST, hasKeys } from '../browser.ts';
import { PHONE, openCompany, type Person } from './company.fixture.ts';
import { CLERK, editOnPage, openDataEntry, storedDrafts, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const annId = company.deals[0]!._id;
await company.addMany(200);
const NOT_FOUND = /status of 404/;
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const deal = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' });
const pathOf = (page: Page) => new URL(page.url()).pathname;
const isFocused = (screen: DataEntry) =>
  screen.grid.evaluate((element) => element === document.activeElement);
const openPage = async (id: string, person: Person = company.admin, options = {}) => {
  const opened = await company.openAs(browser, person, options, [NOT_FOUND]);
  await opened.page.goto(`${company.server.url}/data-entry/${id}`);
  return opened;
};

describe('from the table', () => {
  let screen: DataEntry;
  let page: Page;
  beforeAll(async () => {
    screen = await openDataEntry(company, browser, company.admin, {
      context: { viewport: { width: 1440, height: 600 } },
      expected: [CONNECTION_LOST, /status of 409/],
    });
    page = screen.page;
    await screen.row('Ann Example').waitFor();
    await page.evaluate(() => (document.body.dataset['sameDocument'] = 'yes'));
  });
  afterAll(() => screen?.close());

  const scrollTop = () => screen.grid.evaluate((element) => element.scrollTop);

  test('Space opens the page, and Escape returns to the cell and the place', async () => {
    await screen.cell('Ann Example', 'Vehicle').click();
    await screen.press('PageDown', 'PageDown');
    await expect.poll(scrollTop).toBeGreaterThan(0);
    const name = await screen.grid.locator('.grid-row:has(.active) [aria-colindex="3"]').textContent();
    const before = await scrollTop();
    await screen.press('Space');
    await heading(page, name!).waitFor();
    await expect.poll(() => pathOf(page)).toMatch(/^\/data-entry\/[\da-f-]{36}$/);
    await expect.poll(() => page.title()).toContain(name);
    // The table below is out of reach.
    await expect.poll(() => page.locator('[inert] [role="grid"]').count()).toBe(1);
    await timeline(page).getByText('Nothing has happened yet').waitFor();

    await screen.press('Escape');
    await deal(page, name!).waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(screen)).toBe(true);
    await expect.poll(scrollTop).toBe(before);
    await expect.poll(() => pathOf(page)).toBe('/data-entry');
    const active = screen.grid.locator('.grid-row:has(.active) [aria-colindex="3"]');
    await expect.poll(() => active.textContent()).toBe(name);
    await expect.poll(() => page.title()).toContain('Data Entry');
    await expect.poll(() => page.evaluate(() => document.body.dataset['sameDocument'])).toBe('yes');
  });

  test('Alt+Down and K move through the rows of the table, and Back leads to the table', async () => {
    // Both in one frame: the page opens before the browser reports that the table was scrolled.
    await screen.grid.evaluate(async (grid) => {
      for (const key of [{ key: 'Home', ctrlKey: true }, { key: ' ' }]) {
        grid.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }));
        await Promise.resolve();
      }
    });
    await heading(page, 'Cid Example').waitFor();
    await screen.press('Alt+ArrowDown');
    await heading(page, 'Bob Example').waitFor();
    await screen.press('j');
    await heading(page, 'Ann Example').waitFor();
    await screen.press('k');
    await heading(page, 'Bob Example').waitFor();
    await page.goBack();
    await deal(page, 'Bob Example').waitFor({ state: 'detached' });
    const active = screen.grid.locator('.grid-row:has(.active) [aria-colindex="3"]');
    await expect.poll(() => active.textContent()).toBe('Bob Example');
    await screen.row('Ann Example').waitFor();
    await expect.poll(scrollTop).toBe(0);
  });

  test('a draft that is not saved yet stays, and a new row has no page', async () => {
    await page.context().setOffline(true);
    await screen.typeInto('Ann Example', 'Vehicle', 'Kia');
    await screen.press('Enter', 'ArrowUp', 'Space');
    await heading(page, 'Ann Example').waitFor();
    await deal(page, 'Ann Example').getByText('Kia').waitFor();
    await page.context().setOffline(false);
    await screen.press('Escape');
    await screen.cell('Ann Example', 'Vehicle').getByText('Kia').waitFor();
    await screen.saved();
    await screen.press('Alt+n', 'Space');
    await page.getByText('The row must be saved first').waitFor();
    await expect.poll(() => pathOf(page)).toBe('/data-entry');
  });

  test('the menu opens the page, whose actions are those of the row', async () => {
    await screen.cell('Ann Example', 'Phone').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open', exact: true }).click();
    await heading(page, 'Ann Example').waitFor();
    await editOnPage(page, 'Notes', 'First\nSecond', 'Control+Enter');
    await deal(page, 'Ann Example').getByText('First Second').first().waitFor();
    await timeline(page).getByText('Ada Admin changed it').first().waitFor();
    await deal(page, 'Ann Example').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'History of the row' }).click();
    await hasKeys(page.getByRole('dialog', { name: 'History of Ann Example' }));
    // Escape closes the dialog only.
    await screen.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await heading(page, 'Ann Example').waitFor();
    await screen.press('Escape');
    await expect.poll(() => isFocused(screen)).toBe(true);
  });

  test('a value is edited in place by the rules of its cell: Enter and Tab save, Escape cancels', async () => {
    const read = async () => (await company.call(`GET /deals/${annId}`)).body;
    const value = (name: string) => deal(page, 'Ann Example').getByRole('button', { name });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await screen.cell('Ann Example', 'Phone').click();
    await screen.press('Space');
    await heading(page, 'Ann Example').waitFor();
    await editOnPage(page, 'Phone', '0412');
    await deal(page, 'Ann Example').getByText('Phone number must be in format (xxxx) xxx xxx').waitFor();
    await page.getByLabel('Phone', { exact: true }).fill('+61 498 765 432');
    await screen.press('Enter');
    await expect.poll(focused).toBe('Edit Phone: (0498) 765 432');
    const call = deal(page, 'Ann Example').getByRole('link', { name: 'Call (0498) 765 432' });
    await expect.poll(() => call.getAttribute('href')).toBe('tel:0498765432');
    await expect.poll(read).toMatchObject({ customerNumber: '(0498) 765 432' });

    // Letters are text here, and no keys of the page.
    await editOnPage(page, 'Vehicle', 'Jk', 'Escape');
    await value('Edit Vehicle: Kia').waitFor();
    await expect.poll(focused).toBe('Edit Vehicle: Kia');
    await editOnPage(page, 'Vehicle', 'Mazda', 'Shift+Tab');
    await expect.poll(focused).toBe('Edit Deal number');
    await expect.poll(read).toMatchObject({ vehicle: 'Mazda' });
    await value('Edit Status: Entered').click();
    await page.getByRole('option', { name: 'Called' }).click();
    await expect.poll(focused).toBe('Edit Status: Called');
    await expect.poll(read).toMatchObject({ status: 'Called' });

    // A click elsewhere saves as well, and keeps a text that is refused.
    await value('Edit Sale').click();
    await page.getByLabel('Sale', { exact: true }).fill('12 apples');
    await heading(page, 'Ann Example').click();
    await page.getByRole('group', { name: 'Sale' }).getByRole('button', { name: 'Discard' }).click();
    // Enter is a new line of the notes.
    await editOnPage(page, 'Notes', 'One');
    await page.keyboard.type('Two');
    await screen.press('Control+Enter');
    await expect.poll(read).toMatchObject({ notes: 'One\nTwo' });
    await screen.press('Control+z');
    await expect.poll(read).toMatchObject({ notes: 'First\nSecond' });
    await value('Edit Notes: First').waitFor();
    await screen.press('Escape');
    await screen.cell('Ann Example', 'Phone').getByRole('link', { name: 'Call (0498) 765 432' }).waitFor();
    await screen.press('Control+Home');
    await screen.saved();
  });

  test('what a colleague changed meanwhile is decided on the page, by button or key', async () => {
    const lee = await company.addPerson({ name: 'Lee Lead', role: 'admin' });
    const bob = company.deals[1]!;
    const stored = async () => (await company.call(`GET /deals/${bob._id}`)).body;
    const details = page.getByRole('region', { name: 'Details' });
    const vehicle = details.getByRole('group', { name: 'Vehicle' });
    const number = details.getByRole('group', { name: 'Deal number' });
    const keys = details.getByText('keep mine (Alt+M) / take theirs (Alt+T)');
    const leeWrites = async (theirs: Record<string, string>) => {
      const { version } = await stored();
      await company.call(`PATCH /deals/${bob._id}`, { token: lee.token, body: { version, ...theirs } });
    };

    await screen.cell('Bob Example', 'Phone').click();
    await screen.press('Space');
    await heading(page, 'Bob Example').waitFor();
    await details.getByRole('button', { name: /^Edit Vehicle/ }).click();
    await details.getByLabel('Vehicle', { exact: true }).fill('Mine');
    await leeWrites({ vehicle: 'Theirs' });
    await timeline(page).getByText('Theirs').first().waitFor();
    await screen.press('Enter');
    await vehicle.getByText('Lee Lead changed Vehicle to “Theirs”').waitFor();
    await details.locator('dd').getByText('Mine').first().waitFor();
    await expect.poll(stored).toMatchObject({ vehicle: 'Theirs' });
    await vehicle.getByRole('button', { name: 'Keep mine' }).click();
    await vehicle.waitFor({ state: 'detached' });
    await expect.poll(stored).toMatchObject({ vehicle: 'Mine' });
    // The button had the focus.
    await expect.poll(() => details.evaluate((card) => card.contains(document.activeElement))).toBe(true);

    // The keys are those of the conflict with the focus, or else of the first one.
    await company.call(`PATCH /deals/${bob._id}`, {
      body: { version: (await stored()).version, vehicle: 'Kia' },
    });
    await details.locator('dd').getByText('Kia').first().waitFor();
    await page.context().setOffline(true);
    await editOnPage(page, 'Vehicle', 'Mine');
    await editOnPage(page, 'Deal number', 'M-1');
    await leeWrites({ vehicle: 'Mazda', dealNumber: 'L-1' });
    await page.context().setOffline(false);
    await vehicle.getByText('Lee Lead changed Vehicle to “Mazda”').waitFor();
    await number.getByText('Lee Lead changed Deal number to “L-1”').waitFor();
    await number.getByText('(Alt+T)').waitFor();
    await expect.poll(() => keys.filter({ visible: true }).count()).toBe(1);
    await vehicle.getByRole('button', { name: 'Keep mine' }).focus();
    await vehicle.getByText('(Alt+T)').waitFor();
    await screen.press('Alt+t');
    await vehicle.waitFor({ state: 'detached' });
    await expect.poll(() => details.evaluate((card) => card.contains(document.activeElement))).toBe(true);
    await details.locator('dd').getByText('Mazda').first().waitFor();
    await number.getByText('(Alt+T)').waitFor();
    await screen.press('Alt+m');
    await number.waitFor({ state: 'detached' });
    await expect.poll(stored).toMatchObject({ vehicle: 'Mazda', dealNumber: 'M-1' });
    await screen.press('Escape');
    await screen.saved();
  });

  test('a refused value is discarded on the page', async () => {
    await screen.typeInto('Ann Example', 'Sale', '12 apples');
    await screen.press('Tab', 'Space');
    const sale = page.getByRole('region', { name: 'Details' }).getByRole('group', { name: 'Sale' });
    await sale.getByText('Sale “12 apples” was not saved').waitFor();
    await sale.getByRole('button', { name: 'Discard' }).click();
    await sale.waitFor({ state: 'detached' });
    await screen.press('Escape');
    await screen.saved();
  });
});

describe('by a link', () => {
  test('a link to a deal shows a row of another month with its duplicates, and closes into that month', async () => {
    const customerNumber = '(0412) 345 678';
    const row = { customerName: 'Otis Old', month: '2024-03', customerNumber, dealNumber: 'D-1' };
    const { _id: oldId } = await addDeal(company, company.admin, company.dealershipId, row);
    const twin = { customerName: 'Tess Twin', customerNumber };
    await addDeal(company, company.admin, company.dealershipId, twin);
    const { page, close } = await openPage(oldId);
    await heading(page, 'Otis Old').waitFor();
    const duplicates = page.getByRole('region', { name: 'Possible duplicates' });
    await duplicates.getByText('Same phone').waitFor();
    await duplicates.getByRole('link', { name: /^Tess Twin, Harbour New Cars/ }).click();
    await heading(page, 'Tess Twin').waitFor();
    await page.keyboard.press('Escape');
    await heading(page, 'Otis Old').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('month')).toBe('2024-03');
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: 'Otis Old' }).waitFor();
    await expect.poll(() => pathOf(page)).toBe('/data-entry');
    await close();
  });

  test('a row of a month that the table does not show is edited there, and its text survives a reload', async () => {
    const old = { customerName: 'Olga Old', month: '2024-03' };
    const { _id } = await addDeal(company, company.admin, company.dealershipId, old);
    const { month } = (await company.call(`GET /deals/${annId}`)).body;
    const { page, close } = await openPage(`${_id}?month=${month}`);
    await page.getByRole('gridcell', { name: 'Ann Example', includeHidden: true }).waitFor();
    await deal(page, 'Olga Old').getByRole('button', { name: 'Edit Vehicle' }).click();
    await page.getByLabel('Vehicle', { exact: true }).fill('Kia Rio');
    await expect.poll(() => storedDrafts(page, 'deal-text')).toMatchObject([{ text: 'Kia Rio' }]);
    await Promise.all([page.waitForEvent('dialog').then((asked) => asked.accept()), page.reload()]);
    await deal(page, 'Olga Old').locator('dd').getByText('Kia Rio').first().waitFor();
    // A text that was not sent before the reload is there to be reviewed.
    await deal(page, 'Olga Old').getByRole('button', { name: 'Edit Vehicle' }).click();
    await deal(page, 'Olga Old').getByRole('textbox', { name: 'Vehicle' }).press('Enter');
    await timeline(page).getByText('Ada Admin changed it').waitFor();
    await deal(page, 'Olga Old').locator('dd').getByText('Kia Rio').first().waitFor();
    await deal(page, 'Olga Old').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Items…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await deal(page, 'Olga Old').getByRole('button', { name: 'Edit Items' }).press('Alt+Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    // An open dialog takes Escape.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const inTable = page.getByRole('gridcell', { name: 'Olga Old', includeHidden: true });
    await expect.poll(() => inTable.count()).toBe(0);
    await page.keyboard.press('Escape');
    await deal(page, 'Olga Old').waitFor({ state: 'detached' });
    await page.getByRole('gridcell', { name: 'Olga Old' }).waitFor();
    expect((await company.call(`GET /deals/${_id}`)).body).toMatchObject({ vehicle: 'Kia Rio' });
    await close();
  });

  test('a colleague’s edit, comment and email appear at once', async () => {
    const { page, close } = await openPage(annId, kim);
    await heading(page, 'Ann Example').waitFor();
    await timeline(page).getByText('added this row').waitFor();
    const ann = (await company.call(`GET /deals/${annId}`)).body;
    await company.call(`PATCH /deals/${annId}`, { body: { version: ann.version, vehicle: 'Mazda 3' } });
    await timeline(page).getByText('Mazda 3').waitFor();
    await deal(page, 'Ann Example').locator('dd').getByText('Mazda 3').first().waitFor();
    await company.call(`POST /deals/${annId}/comments`, { body: { body: 'Please ring' } });
    await timeline(page).getByText('Please ring').waitFor();
    // Its sender and administrators see more of an email than its state.
    const { page: adas, close: closeAdas } = await openPage(annId);
    await heading(adas, 'Ann Example').waitFor();
    await company.call(`POST /deals/${annId}/email`, { body: {} });
    await timeline(adas).getByText('Queued').waitFor();
    await timeline(adas).getByText('To tess@harbour.example, copy to cam@harbour.example').waitFor();
    await deal(page, 'Ann Example').getByText('Queued').waitFor();
    // Requested after the email was queued.
    await company.call(`POST /deals/${annId}/comments`, { body: { body: 'Is sent' } });
    await timeline(page).getByText('Is sent').waitFor();
    await expect.poll(() => timeline(page).getByText('tess@harbour.example').count()).toBe(0);
    await timeline(adas).getByText('Emails', { exact: true }).click();
    await timeline(adas).getByText('added this row').waitFor({ state: 'detached' });
    await timeline(adas).getByRole('link', { name: 'About Ann Example' }).click();
    await heading(adas, 'Email History').waitFor();
    await adas.getByRole('dialog', { name: 'About Ann Example' }).waitFor();
    await Promise.all([close(), closeAdas()]);
  });

  test('Alt+C writes a comment, Escape leaves its text, which waits for the next time', async () => {
    const { page, close } = await openPage(annId, kim);
    await timeline(page).getByText('added this row').waitFor();
    await page.keyboard.press('Alt+c');
    const field = page.getByRole('textbox', { name: 'New comment' });
    await field.fill('Half');
    await page.keyboard.press('Escape');
    await heading(page, 'Ann Example').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: 'Ann Example' }).waitFor();
    await page.goBack();
    await heading(page, 'Ann Example').waitFor();
    await page.keyboard.press('Alt+c');
    await expect.poll(() => field.inputValue()).toBe('Half');
    await page.keyboard.type(' a comment');
    await page.keyboard.press('Control+Enter');
    await timeline(page).getByText('Half a comment').waitFor();
    await close();
  });

  test('a deleted row shows a message, and an administrator can restore it', async () => {
    const { _id: id } = await addDeal(company, kim, company.dealershipId, { customerName: 'Gus Gone' });
    const [ada, kims] = await Promise.all([openPage(id), openPage(id, kim)]);
    await Promise.all([ada, kims].map(({ page }) => heading(page, 'Gus Gone').waitFor()));
    await company.call(`DELETE /deals/${id}`);
    await kims.page.getByText('This row was deleted, or is hidden from you now').waitFor();
    await ada.page.getByText('This row was deleted', { exact: true }).waitFor();
    await ada.page.getByRole('button', { name: 'Restore' }).click();
    await Promise.all([ada, kims].map(({ page }) => timeline(page).getByText('restored it').waitFor()));
    await Promise.all([ada.close(), kims.close()]);
  });

  test('a hidden column and a hidden row are not shown', async () => {
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['customerName', 'vehicle'] };
    const rita = await company.addPerson({
      name: 'Rita Rest',
      permissions: { dataEntry: { columnVisibility } } as never,
    });
    const row = { customerName: 'Vic Visible', vehicle: 'Kia', saleAmount: 1234.5 };
    const { _id: id } = await addDeal(company, company.admin, company.dealershipId, row);
    await company.call(`PATCH /deals/${id}`, { body: { version: 1, vehicle: 'Mazda 3' } });
    await company.call(`POST /deals/${id}/email`, { body: {} });
    const { page, close } = await openPage(id, rita);
    await deal(page, 'Vic Visible').locator('dd').getByText('Mazda 3').first().waitFor();
    await timeline(page).getByText('Mazda 3').first().waitFor();
    const text = await deal(page, 'Vic Visible').textContent();
    for (const hidden of ['Sale', '1,234.50', 'Queued', 'Harbour', 'Phone'])
      expect(text).not.toContain(hidden);
    await close();

    const restricted = { restrictedRows: [id] };
    const hal = await company.addPerson({
      name: 'Hal Hidden',
      permissions: { dataEntry: { columnVisibility: restricted } } as never,
    });
    const hals = await openPage(id, hal);
    await hals.page.getByText('This row does not exist or is hidden from you').waitFor();
    await hals.page.getByRole('link', { name: 'Open Data Entry' }).click();
    await hals.page.getByRole('gridcell', { name: 'Bob Example' }).waitFor();
    await hals.close();
  });
});

test('on a phone the page opens by a tap on a card, covers the cards and has no values to edit for a reader', async () => {
  const { page, close } = await company.openAs(browser, kim, PHONE);
  await page.goto(`${company.server.url}/data-entry`);
  await page.getByRole('button', { name: /^Bob Example/ }).click();
  const opened = deal(page, 'Bob Example');
  await opened.waitFor();
  await opened.getByText('This row is owned by Ada Admin. Please contact Ada Admin').waitFor();
  await expect.poll(() => opened.getByRole('button', { name: 'Edit Vehicle' }).count()).toBe(0);
  await expect.poll(async () => (await opened.boundingBox())?.width).toBe(PHONE.viewport.width);
  await expect
    .poll(() => page.evaluate(() => document.scrollingElement!.scrollWidth))
    .toBe(PHONE.viewport.width);
  await opened.getByRole('button', { name: 'Next row (Alt+Down)' }).click();
  await deal(page, 'Ann Example').waitFor();
  await deal(page, 'Ann Example').getByRole('button', { name: 'Close (Escape)' }).click();
  await page.getByRole('button', { name: /^Bob Example/ }).waitFor();
  await expect.poll(() => pathOf(page)).toBe('/data-entry');
  await close();
});
