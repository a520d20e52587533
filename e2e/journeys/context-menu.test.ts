import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasKeys, isFocused } from '../browser.ts';
import { PHONE, openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
await addDeal(company, kim, company.dealershipId, { customerName: 'Kay Own', vehicle: 'Kombi' });
/** A menu is part of the landmark of the page, where screen readers look for it. */
const menuOf = (page: Page) => page.getByRole('main').getByRole('menu');
const entry = (page: Page, name: string) => menuOf(page).getByRole('menuitem', { name, exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

/** Resolves once a press that began before would be a long one: timers of a page end in the order of their times. */
const untilLongPress = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => setTimeout(() => requestAnimationFrame(() => resolve()), 500)),
  );

/** Expects the menu to be within the window. */
async function expectInside(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await expect
    .poll(async () => {
      const place = (await menuOf(page).boundingBox())!;
      return (
        place.x >= 0 && place.y >= 0 && place.x + place.width <= width && place.y + place.height <= height
      );
    })
    .toBe(true);
}

describe('in the table', () => {
  let screen: DataEntry;
  let page: Page;
  beforeAll(async () => {
    screen = await openDataEntry(company, browser, kim, {
      context: { viewport: { width: 1800, height: 700 } },
    });
    page = screen.page;
    await screen.row('Ann Example').waitFor();
    await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  });
  afterEach(async () => {
    await menuOf(page).waitFor({ state: 'detached' });
  });
  afterAll(() => screen?.close());

  test('a right click activates a cell and opens its menu; Escape returns to the cell', async () => {
    await screen.cell('Ann Example', 'Vehicle').click();
    await screen.cell('Kay Own', 'Vehicle').click({ button: 'right' });
    await menuOf(page).getByText('Kay Own').waitFor();
    await expect.poll(() => screen.cell('Kay Own', 'Vehicle').getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => focused(page)).toContain('Open');
    await screen.press('Escape');
    await menuOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(screen.grid)).toBe(true);
    await screen.press('ArrowRight');
    await expect.poll(() => screen.cell('Kay Own', 'Items').getAttribute('aria-selected')).toBe('true');
  });

  test('the menu key and Shift+F10 open it, and keys pressed at once reach the menu', async () => {
    await screen.cell('Kay Own', 'Vehicle').click();
    await page.keyboard.press('Shift+F10');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toContain('Paste');
    await screen.press('Escape', 'ContextMenu', 'ArrowDown', 'Enter');
    await screen.editor.waitFor();
    await expect.poll(() => screen.editor.inputValue()).toBe('Kombi');
    await screen.press('Escape');
  });

  test('the commands of the menu of a cell do what their keys do', async () => {
    const vehicle = screen.cell('Kay Own', 'Vehicle');
    await vehicle.click({ button: 'right' });
    await entry(page, 'Clear').click();
    await expect.poll(() => vehicle.textContent()).toBe('');
    await screen.press('Control+z');
    await vehicle.getByText('Kombi').waitFor();
    await screen.saved();
  });

  test('a refused action of a menu shows its reason and cannot be chosen by mouse or keyboard', async () => {
    await screen.cell('Ann Example', 'Vehicle').click({ button: 'right' });
    const clear = entry(page, 'Clear');
    await expect.poll(() => clear.textContent()).toContain('This row is owned by');
    await expect.poll(() => clear.getAttribute('aria-disabled')).toBe('true');
    await clear.click({ force: true });
    await menuOf(page).waitFor();
    await entry(page, 'Delete').getByText('You do not have permission to delete rows').waitFor();
    await screen.press('Tab');
  });

  test('a menu opened in a selection keeps the selection, and is about all of its rows', async () => {
    await screen.cell('Cid Example', 'Vehicle').click();
    await screen.press('Shift+ArrowUp');
    const selected = page.locator('.in-block');
    await expect.poll(() => selected.count()).toBe(2);
    await screen.cell('Cid Example', 'Vehicle').click({ button: 'right' });
    await menuOf(page).getByText('2 deals').waitFor();
    await expect.poll(() => selected.count()).toBe(2);
    await screen.press('Escape', 'Escape');
  });

  test('the checkbox of a row opens the menu of the row, without commands on cells', async () => {
    const box = screen.row('Bob Example').getByRole('checkbox', { name: 'Select Bob Example' });
    await box.click({ button: 'right' });
    await entry(page, 'History of the row').waitFor();
    await expect.poll(() => entry(page, 'Edit').count()).toBe(0);
    await expect.poll(() => box.getAttribute('aria-checked')).toBe('false');
    await entry(page, 'History of the row').click();
    await hasKeys(page.getByRole('dialog', { name: 'History of Bob Example' }));
    await screen.press('Escape');
    await expect.poll(() => isFocused(screen.grid)).toBe(true);
  });

  test('a header sorts, pins and hides its column, and opens the panel of the columns', async () => {
    const header = page.getByRole('columnheader', { name: 'Vehicle' });
    const choose = async (name: string) => {
      await header.click({ button: 'right' });
      await expectInside(page);
      await entry(page, name).click();
    };
    await choose('Sort descending');
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    await choose('Clear order');
    await expect.poll(() => header.getAttribute('aria-sort')).toBeNull();
    await choose('Pin to the left');
    await expect.poll(() => header.getAttribute('class')).toContain('grid-pinned');
    await choose('Unpin');
    await expect.poll(() => header.getAttribute('class')).not.toContain('grid-pinned');
    await choose('Hide column');
    await header.waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: 'Items' }).click({ button: 'right' });
    await entry(page, 'Columns…').click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Vehicle' }).check();
    await header.waitFor();
    await screen.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

test('a long press on a cell of a tablet opens its menu, a tap chooses, and a moving finger scrolls', async () => {
  const { page, close } = await company.openAs(browser, kim, {
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto(`${company.server.url}/data-entry`);
  const cell = page.getByRole('gridcell', { name: 'Kay Own', exact: true });
  await cell.waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  const { x, y } = (await cell.boundingBox())!;
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy = 0) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + 30, y: y + 10 + dy }],
    });
  await touch('touchStart');
  await menuOf(page).waitFor();
  await touch('touchEnd');
  await expectInside(page);
  await entry(page, 'History of the row').tap();
  await hasKeys(page.getByRole('dialog', { name: 'History of Kay Own' }));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const other = page.locator('[role="row"]', { has: cell }).locator('[aria-colindex="6"]');
  await other.tap();
  await expect.poll(() => other.getAttribute('aria-selected')).toBe('true');
  // At once: a finger that stays for half a second opens the menu.
  await Promise.all([touch('touchStart'), touch('touchMove', 60)]);
  await untilLongPress(page);
  await expect.poll(() => menuOf(page).count()).toBe(0);
  await touch('touchEnd');
  await expect.poll(() => other.getAttribute('aria-selected')).toBe('true');
  await close();
});

describe('on a phone', () => {
  test('a long press on a card opens its menu, and a moving finger scrolls', async () => {
    const { page, close } = await company.openAs(browser, kim, { ...PHONE, hasTouch: true, isMobile: true });
    await page.goto(`${company.server.url}/data-entry`);
    const card = page.getByRole('button', { name: 'Kay Own' });
    await card.waitFor();
    await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
    const { x, y } = (await card.boundingBox())!;
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy = 0) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + 150, y: y + 20 + dy }],
      });
    await touch('touchStart');
    await menuOf(page).waitFor();
    await touch('touchEnd');
    await expectInside(page);
    await entry(page, 'History of the row').click();
    await hasKeys(page.getByRole('dialog', { name: 'History of Kay Own' }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // A press that ends at once, or moves, opens the page or scrolls.
    // At once: a finger that stays for half a second opens the menu.
    await Promise.all([touch('touchStart'), touch('touchMove', 60)]);
    await untilLongPress(page);
    await expect.poll(() => menuOf(page).count()).toBe(0);
    await touch('touchEnd');
    await card.tap();
    await page.getByRole('heading', { name: 'Kay Own', level: 1 }).waitFor();
    await close();
  });
});
