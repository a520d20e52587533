import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CONNECTION_LOST, hasKeys } from '../browser.ts';
import { copyElsewhere } from '../grid/spreadsheets.fixture.ts';
import { DESKTOP, openCompany } from './company.fixture.ts';
import { CLERK, oneDataEntry, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const dataEntry = { ...CLERK.dataEntry, canDeleteRows: true };
const clerk = await company.addPerson({ name: 'Kim Clerk', permissions: { dataEntry } });
/** For tests without unsaved rows at the end. Responses are lost and refused; events name rows that an undo deleted. */
const show = oneDataEntry(() => ({
  company,
  browser,
  person: clerk,
  expected: [CONNECTION_LOST, /status of 40[49]/],
}));

/** Returns spreadsheet rows with the columns from customer to delivery. */
const spreadsheet = (name: string, count: number): string =>
  Array.from({ length: count }, (_, row) => {
    const cells = [
      `${name} ${row}`,
      `041234${String(row).padStart(4, '0')}`,
      'Harbour New Cars',
      `${name}-${row}`,
    ];
    return [...cells, 'Kia', '', `$1,${String(row).padStart(3, '0')}.50`, '5/3/2026'].join('\t');
  }).join('\r\n');

const customers = async (search: string): Promise<string[]> => {
  const { body } = await company.call(`GET /deals?limit=500&search=${encodeURIComponent(search)}`);
  return (body.items as { customerName: string }[]).map(({ customerName }) => customerName);
};

/** Pastes into the blank row. */
async function paste({ page, press }: DataEntry, text: string): Promise<void> {
  await press('Alt+n');
  await copyElsewhere(page, { text });
  await press('ControlOrMeta+v');
}

const SAVES = '**/api/deals/bulk/create';

/** Lets this many saves of up to 200 rows each pass, and drops later ones before the server. */
async function breakAfter(page: Page, passes: number): Promise<void> {
  let passed = 0;
  await page.route(SAVES, (route) => {
    passed += 1;
    return passed <= passes ? route.continue() : route.abort();
  });
}

test('rows pasted from a spreadsheet arrive once each, also if the page is reloaded meanwhile', async () => {
  const screen = await show('?month=2026-01');
  const { page } = screen;
  await screen.grid.waitFor();
  await breakAfter(page, 1);
  await paste(screen, spreadsheet('Mid', 250));
  await expect.poll(async () => (await customers('Mid ')).length).toBe(200);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText(/\d+ unsaved rows/).waitFor();
  await page.unroute(SAVES);
  await screen.saved();
  // Newest first, so in reverse order of the spreadsheet.
  await expect
    .poll(() => customers('Mid '))
    .toEqual(Array.from({ length: 250 }, (_, row) => `Mid ${249 - row}`));
});

test('a thousand pasted rows are saved in a few requests, and an invalid row does not block the others', async () => {
  const screen = await openDataEntry(company, browser, clerk, { search: '?month=2026-03' });
  const { page } = screen;
  await screen.grid.waitFor();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/deals/bulk/create')) requests += 1;
  });
  // One name is too long.
  const rows = spreadsheet('Thousand', 1000).replace('Thousand 500\t', `Thousand ${'x'.repeat(150)}\t`);
  const began = performance.now();
  await paste(screen, rows);
  await page.getByText(/\b1 unsaved row\b/).waitFor();
  process.stdout.write(
    `1,000 pasted rows were saved after ${((performance.now() - began) / 1000).toFixed(1)} s\n`,
  );
  expect(requests).toBeLessThanOrEqual(6);
  const { total } = (await company.call('GET /deals/summary?search=Thousand')).body;
  expect(total).toBe(999);
  await screen.notice.getByText('At most 120 characters').waitFor();
  await screen.close();
});

test('a paste is undone in one step, also after its rows were saved, and redone', async () => {
  const screen = await show();
  await screen.grid.waitFor();
  await paste(screen, spreadsheet('Back', 12));
  await screen.saved();
  await expect.poll(async () => (await customers('Back ')).length).toBe(12);
  await screen.press('Control+z');
  await screen.page.getByText('Undone: 84 cells').waitFor();
  await expect.poll(() => customers('Back ')).toEqual([]);
  await expect.poll(() => screen.row('Back 3').count()).toBe(0);
  await screen.press('Control+y');
  await screen.saved();
  await expect.poll(async () => (await customers('Back ')).length).toBe(12);
});

test('rows changed by another user since are skipped, with a message', async () => {
  const screen = await show('?month=2026-04');
  await screen.grid.waitFor();
  await paste(screen, spreadsheet('Shared', 3));
  // Ada's change follows the response.
  await expect.poll(async () => (await customers('Shared ')).length).toBe(3);
  await screen.saved();
  const [row] = (await company.call('GET /deals?limit=500&search=Shared%201')).body.items;
  await company.call(`PATCH /deals/${row._id}`, { body: { version: row.version, vehicle: 'Ada was here' } });
  await screen.page.getByRole('gridcell', { name: 'Ada was here' }).waitFor();
  await screen.press('Control+z');
  await screen.page
    .getByText('1 new row could not be taken back: somebody else has changed it since.')
    .waitFor();
  await expect.poll(() => customers('Shared ')).toEqual(['Shared 1']);
});

test('a row changed by another user before the response to its paste is skipped too', async () => {
  const screen = await show('?month=2026-02');
  const { page } = screen;
  await screen.grid.waitFor();
  let isFirst = true;
  await page.route(SAVES, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const { items } = await (await route.fetch()).json();
    const body = { version: 1, vehicle: 'Ada was faster' };
    await company.call(`PATCH /deals/${items[0].deal._id}`, { body });
    return route.abort();
  });
  await paste(screen, spreadsheet('Late', 2));
  await screen.saved();
  await page.getByRole('gridcell', { name: 'Ada was faster' }).waitFor();
  await screen.press('Control+z');
  await page.getByText('1 new row could not be taken back: somebody else has changed it since.').waitFor();
  await expect.poll(() => customers('Late ')).toEqual(['Late 0']);
  await page.unroute(SAVES);
});

test('undo does not overwrite a value changed by another user since: the user decides', async () => {
  const deal = await addDeal(company, clerk, company.dealershipId, {
    customerName: 'Una Undo',
    vehicle: 'Kia',
  });
  const screen = await show();
  await screen.typeInto('Una Undo', 'Vehicle', 'Mazda');
  await screen.press('Enter');
  await screen.saved();
  const version = (await company.call(`GET /deals/${deal._id}`)).body.version;
  await company.call(`PATCH /deals/${deal._id}`, { body: { version, vehicle: 'Audi' } });
  await expect.poll(() => screen.cell('Una Undo', 'Vehicle').textContent()).toBe('Audi');
  await screen.press('Control+z');
  await screen.notice.getByText('changed Vehicle to “Audi”').waitFor();
  await expect.poll(async () => (await company.call(`GET /deals/${deal._id}`)).body.vehicle).toBe('Audi');
  await screen.notice.getByRole('button', { name: 'Keep mine' }).click();
  await screen.saved();
  await expect.poll(async () => (await company.call(`GET /deals/${deal._id}`)).body.vehicle).toBe('Kia');
});

test('undo does not restore a status that is inactive by now, and shows the reason', async () => {
  const deal = await addDeal(company, clerk, company.dealershipId, {
    customerName: 'Stan Status',
    status: 'No deal',
  });
  const screen = await show();
  await screen.typeInto('Stan Status', 'Status', 'Called');
  await screen.press('Enter');
  await screen.saved();
  const { items } = (await company.call('GET /status-configurations')).body;
  const { _id, name, isDefault, isClosed } = items.find(
    (status: { name: string }) => status.name === 'No deal',
  );
  // The page has the new options as soon as it has the new color.
  const colors = () =>
    screen.page.evaluate(() =>
      Array.from(document.querySelectorAll('style'), ({ textContent }) => textContent).find((text) =>
        text.includes('.deal-status-0'),
      ),
    );
  const before = await colors();
  const body = { name, isDefault, isClosed, color: '#123456', active: false };
  expect((await company.call(`PUT /status-configurations/${_id}`, { body })).status).toBe(200);
  await expect.poll(colors).not.toBe(before);
  await screen.press('Control+z');
  await screen.page
    .getByText('1 cell not changed: the previous value is inactive and cannot be chosen again')
    .waitFor();
  await screen.saved();
  await expect.poll(async () => (await company.call(`GET /deals/${deal._id}`)).body.status).toBe('Called');
});

test('the status bar sums selected amounts', async () => {
  const screen = await show();
  await screen.grid.waitFor();
  await paste(screen, spreadsheet('Sum', 3));
  await screen.saved();
  await screen.cell('Sum 0', 'Sale').click();
  await screen.cell('Sum 2', 'Sale').click({ modifiers: ['Shift'] });
  await screen.page.getByText('Sum $3,004.50').waitFor();
  await screen.page.getByText('Average $1,001.50').waitFor();
});

test('Enter and F3 step through search results', async () => {
  const screen = await show();
  await screen.grid.waitFor();
  await paste(screen, spreadsheet('Step', 3));
  await screen.saved();
  await screen.press('Control+f');
  await screen.page.keyboard.type('Step');
  await screen.page.getByText('3 deals found').first().waitFor();
  const active = screen.grid.locator('.grid-cell.active');
  const seen: (string | null)[] = [];
  for (const key of ['Enter', 'F3', 'F3', 'Shift+F3']) {
    await screen.press(key);
    await active.and(screen.grid.locator('.found')).waitFor();
    seen.push(await active.textContent());
  }
  expect(new Set(seen).size).toBe(3);
  expect(seen[3]).toBe(seen[1]);
});

test('the list of keys opens with ? outside an editor, with Ctrl+/ in one, and by its button', async () => {
  const screen = await openDataEntry(company, browser, clerk);
  const { page, grid, press } = screen;
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await grid.waitFor();
  await press('?');
  await help.getByText('Undo, redo').first().waitFor();
  await hasKeys(help);
  await press('Escape');
  await help.waitFor({ state: 'hidden' });
  await press('Alt+n', '?');
  await hasKeys(help);
  await press('Escape');
  await help.waitFor({ state: 'hidden' });
  await expect.poll(() => screen.editor.count()).toBe(0);
  await press('Alt+n', 'F2', '?');
  await expect.poll(() => screen.editor.inputValue()).toBe('?');
  await press('Control+/');
  await hasKeys(help);
  await press('Escape');
  await help.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Keyboard shortcuts (?)' }).click();
  await help.waitFor();
  await screen.close();
});

test('after a paste of 200 rows the cell to correct is in view, above the notice and the blank row, while the others are saved', async () => {
  const screen = await openDataEntry(company, browser, clerk, { context: DESKTOP });
  await screen.grid.waitFor();
  const rows = spreadsheet('Pam Paste', 200).split('\r\n');
  rows[5] = rows[5]!.replace('Harbour New Cars', 'Nowhere');
  await paste(screen, rows.join('\r\n'));
  await expect.poll(() => customers('Pam Paste')).toHaveLength(199);
  await screen.notice.getByText('Nowhere').waitFor();
  // The rows that were saved are above the one that is not.
  await expect.poll(() => screen.row('Pam Paste 199').getAttribute('class')).not.toContain('unsaved');
  const shown = () =>
    screen.grid.evaluate((grid) => {
      const cell = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')!;
      const { x, top, bottom } = cell.getBoundingClientRect();
      const isSeen = [top + 2, bottom - 3].every((y) => document.elementFromPoint(x + 4, y) === cell);
      return isSeen && cell.textContent;
    });
  await expect.poll(shown).toBe('Nowhere');
  await screen.close();
});
