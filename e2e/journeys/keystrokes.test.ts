import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { DESKTOP, openCompany } from './company.fixture.ts';
import { openDataEntry } from './data-entry.fixture.ts';

// The numbers of keystrokes of docs/product/keystrokes.md.

let pressed = 0;
const { company, browser } = await openCompany();
const { admin, dealershipId } = company;
for (let at = 0; at < 10; at += 1)
  await addDeal(company, admin, dealershipId, { customerName: `Buyer ${at}`, vehicle: `Van ${at}` });
const screen = await openDataEntry(company, browser, admin, { context: DESKTOP });
const page = screen.page;
await screen.row('Buyer 9').waitFor();
await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
afterAll(() => screen.close());
beforeEach(() => {
  pressed = 0;
});

/** Presses keys and counts them. Typed texts are not counted. */
async function press(...keys: string[]): Promise<void> {
  pressed += keys.length;
  await screen.press(...keys);
}
const focused = () =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );
const filterPanel = () => page.getByRole('dialog', { name: /filter/i });

test('a clerk types a buyer with phone and dealership with 3 keys beside the text', async () => {
  await expect.poll(() => screen.grid.evaluate((grid) => grid === document.activeElement)).toBe(true);
  await page.keyboard.type('Cleo Counted');
  await press('Tab');
  await page.keyboard.type('0412345678');
  await press('Tab');
  await page.keyboard.type('Harb');
  await press('Enter');
  await screen.saved();
  await expect.poll(() => screen.cell('Cleo Counted', 'Phone').textContent()).toBe('(0412) 345 678');
  await expect.poll(() => screen.cell('Cleo Counted', 'Dealership').textContent()).toContain('Harbour');
  expect(pressed).toBe(3);
});

test('a clerk finds the rows that were not sent with 4 keys', async () => {
  await screen.cell('Buyer 3', 'Vehicle').click();
  await press('Control+Shift+L');
  await expect.poll(focused).toBe('Column');
  await press('Shift+Tab');
  await expect.poll(focused).toBe('Not sent');
  await press('Space', 'Escape');
  await filterPanel().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Not sent', exact: true }).waitFor();
  expect(pressed).toBe(4);
});

test('a clerk sets one status for ten rows with 12 keys', async () => {
  await screen.cell('Buyer 9', 'Status').click();
  await page.keyboard.type('called');
  await press('Enter');
  await press('ArrowUp');
  for (let at = 0; at < 9; at += 1) await press('Shift+ArrowDown');
  await press('Control+D');
  await screen.saved();
  await expect.poll(() => screen.cell('Buyer 0', 'Status').textContent()).toBe('Called');
  expect(pressed).toBe(12);
});

test('a clerk mentions a colleague in a comment with 4 keys beside the text', async () => {
  await company.addPerson({ name: 'Kim Clerk' });
  await screen.cell('Buyer 5', 'Vehicle').click();
  await press('Alt+C');
  await expect.poll(focused).toBe('New comment');
  await page.keyboard.type('Please ring, @kim');
  await page.getByRole('option', { name: /Kim Clerk/ }).waitFor();
  await press('Enter', 'Control+Enter');
  await page.getByText('Please ring, @Kim Clerk').waitFor();
  await press('Escape');
  await expect.poll(() => screen.cell('Buyer 5', 'Vehicle').getAttribute('aria-selected')).toBe('true');
  expect(pressed).toBe(4);
});

test('a clerk opens what happened to a row, and returns to its cell, with 2 keys', async () => {
  await screen.cell('Buyer 5', 'Vehicle').click();
  await press('Space');
  await page.getByRole('heading', { name: 'Buyer 5', level: 1 }).waitFor();
  await page.getByText('added this row').waitFor();
  await press('Escape');
  await page.getByRole('heading', { name: 'Buyer 5', level: 1 }).waitFor({ state: 'detached' });
  await expect.poll(() => screen.cell('Buyer 5', 'Vehicle').getAttribute('aria-selected')).toBe('true');
  expect(pressed).toBe(2);
});
