import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { copyElsewhere } from '../grid/spreadsheets.fixture.ts';
import { PHONE, openCompany } from './company.fixture.ts';
import { dataEntryOn, WIDE } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({
  name: 'Kim Clerk',
  permissions: {
    dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true },
    features: { bulkEdit: true },
  },
});
const kims = await company.openAs(browser, kim, WIDE);
const page = kims.page;
await page.goto(`${company.server.url}/data-entry`);
const screen = dataEntryOn(page, kims.close);
afterAll(() => kims.close());

const titlesOn = (of: Page): Promise<string[]> =>
  of
    .getByRole('table', { name: 'Changes' })
    .getByRole('button', { name: /^Open “/ })
    .allTextContents();
const open = (title: string): Promise<void> => page.getByRole('button', { name: `Open “${title}”` }).click();
const rows = (): Locator => page.getByRole('dialog').getByRole('table', { name: 'Rows of this change' });
const rowOf = (name: string): Locator => rows().getByRole('row').filter({ hasText: name });
const show = async (): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name: 'Changes' }).click();
  await page.getByRole('heading', { name: 'Changes', level: 1 }).waitFor();
};

const THREE = ['Lee', 'Mae', 'Ned']
  .map((name) => `${name} Pasted\t0412345678\tHarbour New Cars`)
  .join('\r\n');

test('a clerk’s paste, fill and typing are listed in words, newest first, an action that was redone once', async () => {
  await show();
  await page.getByText('No changes yet').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Data Entry' }).click();
  await screen.grid.waitFor();
  await screen.press('Alt+n');
  await copyElsewhere(page, { text: THREE });
  await screen.press('ControlOrMeta+v');
  await screen.cell('Ned Pasted', 'Status').waitFor();
  await screen.saved();
  await screen.typeInto('Lee Pasted', 'Vehicle', 'Ute');
  await screen.press('Enter');
  await screen.saved();
  await screen.cell('Lee Pasted', 'Vehicle').click();
  await screen.cell('Ned Pasted', 'Vehicle').click({ modifiers: ['Shift'] });
  await screen.press('ControlOrMeta+d');
  await expect.poll(() => screen.cell('Ned Pasted', 'Vehicle').textContent()).toBe('Ute');
  await screen.saved();
  await screen.press('ControlOrMeta+z');
  await expect.poll(() => screen.cell('Ned Pasted', 'Vehicle').textContent()).toBe('');
  await screen.saved();
  await screen.press('ControlOrMeta+y');
  await expect.poll(() => screen.cell('Ned Pasted', 'Vehicle').textContent()).toBe('Ute');
  await screen.saved();
  await show();
  const fill = page.getByRole('row').filter({ hasText: 'Filled 2 rows: vehicle' });
  await fill.getByText('Redone', { exact: true }).waitFor();
  await expect
    .poll(() => titlesOn(page))
    .toEqual([
      'Filled 2 rows: vehicle',
      'Typed: Lee Pasted, vehicle',
      expect.stringMatching(/^Pasted 3 rows into \w+ \d{4}$/),
    ]);
});

test('a set opens as a table with the values before and after of each row; its link opens it again', async () => {
  await open('Filled 2 rows: vehicle');
  await expect.poll(() => rows().getByRole('row').count()).toBe(3);
  await expect.poll(() => rowOf('Ned Pasted').textContent()).toMatch(/Vehicleempty → .*Ute$/);
  await page.reload();
  await rowOf('Mae Pasted').getByRole('link', { name: 'Mae Pasted' }).click();
  await page.getByRole('heading', { name: 'Mae Pasted' }).waitFor();
  await page.goBack();
  await rowOf('Mae Pasted').waitFor();
  await page.getByRole('link', { name: 'Show each undo and redo' }).click();
  const filled = 'Filled 2 rows: vehicle';
  await expect.poll(() => titlesOn(page)).toEqual([filled, 'Undid changes of 2 rows: vehicle', filled]);
  await page.goBack();
  await rowOf('Mae Pasted').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await rows().waitFor({ state: 'detached' });
});

test('the list is filtered, and follows changes at once', async () => {
  await page.getByRole('combobox', { name: 'How' }).click();
  await page.getByRole('option', { name: 'Pasted' }).click();
  await expect.poll(() => titlesOn(page)).toHaveLength(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => titlesOn(page)).toHaveLength(3);
  // The list of the filter has the focus again, and covers the first lines.
  await page.keyboard.press('Escape');
  const [deal] = (await company.call('GET /deals?search=Lee', { token: kim.token })).body.items;
  const deleted = await company.call('POST /deals/bulk/delete', {
    token: kim.token,
    body: { ids: [deal._id] },
  });
  expect(deleted.status).toBe(204);
  await expect.poll(async () => (await titlesOn(page))[0]).toBe('Deleted Lee Pasted');
  await open('Deleted Lee Pasted');
  await rowOf('Lee Pasted (deleted)').getByText('Deleted', { exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
});

test('an administrator sees the changes of everybody, by person, also on a phone', async () => {
  const ada = await company.openAs(browser, company.admin, PHONE);
  await ada.page.goto(`${company.server.url}/changes?by=${kim.id}`);
  await expect.poll(() => titlesOn(ada.page)).toHaveLength(4);
  await ada.page
    .getByText(/^Kim Clerk, /)
    .first()
    .waitFor();
  await ada.page.goto(`${company.server.url}/changes`);
  await expect
    .poll(() => titlesOn(ada.page))
    .toContainEqual(expect.stringMatching(/^By a program: .* Example, added/));
  await ada.page.getByRole('button', { name: /^Open “Pasted 3 rows/ }).click();
  await ada.page.getByRole('dialog').getByRole('row').filter({ hasText: 'Mae Pasted' }).waitFor();
  await expect
    .poll(() => ada.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
    .toBe(true);
  await ada.close();
});

test('a clerk takes back a fill without the value that an administrator has changed since, takes that back from its notice, and one row from its history', async () => {
  const dialog = page.getByRole('dialog', { name: 'Take back changes' });
  const vehicleOf = async (name: string): Promise<string> =>
    (await company.call(`GET /deals?search=${name}`, { token: kim.token })).body.items[0].vehicle;
  const [mae] = (await company.call('GET /deals?search=Mae')).body.items;
  const van = { version: mae.version, vehicle: 'Van' };
  expect((await company.call(`PATCH /deals/${mae._id}`, { body: van })).status).toBe(200);
  await open('Filled 2 rows: vehicle');
  await page.getByRole('button', { name: 'Take back…' }).press('Enter');
  const line = (name: string) => dialog.getByRole('row').filter({ hasText: name });
  await line('Mae Pasted').getByText('Stays', { exact: true }).waitFor();
  await line('Mae Pasted')
    .getByText(/changed by .*, /)
    .waitFor();
  await dialog.getByRole('button', { name: 'Take back 1 row' }).press('Enter');
  await page.getByText('Took back 1 row.').waitFor();
  expect([await vehicleOf('Mae'), await vehicleOf('Ned')]).toEqual(['Van', '']);

  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await rowOf('Ned Pasted').waitFor();
  await page.getByRole('button', { name: 'Take back…' }).press('Enter');
  await dialog.getByRole('button', { name: 'Take back 1 row' }).press('Enter');
  await expect.poll(() => vehicleOf('Ned')).toBe('Ute');

  await page.goto(`${company.server.url}/data-entry`);
  await screen.cell('Mae Pasted', 'Vehicle').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^History of the row/ }).click();
  await page.getByRole('button', { name: 'Take back this change' }).first().click();
  await dialog.getByText('Set Vehicle back to “empty”').click();
  await dialog.getByRole('button', { name: 'Take back 1 row' }).press('Enter');
  await expect.poll(() => screen.cell('Mae Pasted', 'Vehicle').textContent()).toBe('');
});
