import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { openDataEntry } from './data-entry.fixture.ts';

/** With Ann, Bob and Cid 253 more than a browser loads at once. */
const ROWS = 100_250;

const { company, browser } = await openCompany();
await company.addMany(ROWS);
const adas = await openDataEntry(company, browser, company.admin);
afterAll(() => adas.close());

const bar = () => adas.page.getByRole('group', { name: 'Rows of a large month' });
const expectInBar = (text: string) => bar().getByText(text).first().waitFor();
/** Whether the first row of the table has this customer. */
const firstRow = (customer: string) =>
  adas.grid.locator('[aria-rowindex="2"] [aria-colindex="3"]').getByText(customer, { exact: true }).waitFor();
const activeText = () =>
  adas.page.evaluate(() => {
    const id = document.querySelector('[role="grid"]')?.getAttribute('aria-activedescendant');
    return document.getElementById(id ?? '')?.textContent;
  });

test('a month that is shown in parts shows its newest rows and that they are a part', async () => {
  await firstRow('Cid Example');
  await expectInBar('of 100,253, newest first');
  await adas.page.getByText('100,253 deals').waitFor();
});

test('a month that is shown in parts cannot be grouped, and the button shows why', async () => {
  const { page } = adas;
  const button = page.getByRole('button', { name: 'Group', exact: true });
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  await button.hover();
  await page.getByRole('tooltip').getByText('More than 100,000 rows cannot be grouped').waitFor();
  await page.keyboard.press('Escape');
});

test('a month that is shown in parts is sorted by the server on a click on a header', async () => {
  await adas.page.getByRole('columnheader', { name: 'Customer' }).first().click();
  await firstRow('Ann Example');
  await expectInBar('Rows 1–100,000 of 100,253, sorted by Customer');
  await expectInBar('Ctrl+A, copying and undo reach these rows; the search looks in all.');
});

test('a month that is shown in parts ends at the last loaded row, and the bar shows how to continue', async () => {
  await adas.cell('Ann Example', 'Customer').click();
  await adas.press('Control+ArrowDown', 'ArrowUp');
  await expect.poll(activeText).toBe('Row 099997');
  await expectInBar('The last of these rows. Alt+Page Down brings the next ones.');
  await adas.press('Alt+PageDown');
  await firstRow('Row 099998');
  await expect.poll(activeText).toBe('Row 099998');
  await expectInBar('Rows 100,001–100,253 of 100,253, sorted by Customer');
});

test('values typed in a large month are saved without moving their rows, as are live changes', async () => {
  const { cell, typeInto, press, saved, page } = adas;
  await typeInto('Row 100000', 'Vehicle', 'Corolla');
  await press('Enter');
  await saved();
  await typeInto('Row 100001', 'Customer', 'Aaron First');
  await press('Enter');
  await saved();
  await firstRow('Row 099998');
  await cell('Aaron First', 'Customer').waitFor();
  const ann = company.deals[0]!._id;
  const { body } = await company.call('GET /deals?search=100002');
  for (const [id, notes] of [
    [ann, 'Elsewhere'],
    [body.items[0]._id, 'Here'],
  ])
    expect((await company.call(`PATCH /deals/${id}`, { body: { version: 1, notes } })).status).toBe(200);
  await cell('Row 100002', 'Notes').getByText('Here').waitFor();
  await expect.poll(() => adas.row('Ann Example').count()).toBe(0);
  await page.getByText('Rows 100,001–100,253 of 100,253').first().waitFor();
});

test('a month that is shown in parts goes back to the previous part, where edits of the later one cannot be undone', async () => {
  await bar().getByRole('button', { name: 'Previous rows' }).click();
  await firstRow('Aaron First');
  await expectInBar('Rows 1–');
  await adas.press('Control+z');
  await adas.page.getByText('That was done in another month, search or part of a large month.').waitFor();
});

test('a month that is shown in parts keeps its order after a reload', async () => {
  await adas.page.reload();
  await firstRow('Aaron First');
  await expectInBar('of 100,253, sorted by Customer');
});
