import { addDeal, addDealership } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { copyElsewhere } from '../grid/spreadsheets.fixture.ts';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const kim = await company.addPerson({
  name: 'Kim Clerk',
  permissions: { dataEntry: { ...CLERK.dataEntry, canDeleteRows: true } },
});
const closed = await addDealership(company, company.admin, { name: 'Closed Motors' });
const { body: tint } = await company.call('POST /item-configurations', {
  body: { name: 'Tint', price: 500 },
});
const items = [{ itemId: tint._id, name: 'Tint', quantity: 2, unitPrice: 500 }];
const dealId = (await addDeal(company, kim, closed, { customerName: 'Dee Old', items }))._id;
await company.call('POST /dealerships/bulk/active', { body: { ids: [closed], active: false } });
const dearer = { ...tint, price: 600 };
await company.call(`PUT /item-configurations/${tint._id}`, { body: dearer });
const screen = await openDataEntry(company, browser, kim);
afterAll(() => screen.close());

const stored = async () => (await company.call(`GET /deals/${dealId}`)).body;

test('opening a cell and leaving it keeps a dealership that is no longer offered', async () => {
  await screen.cell('Dee Old', 'Dealership').dblclick();
  await expect.poll(() => screen.editor.inputValue()).toBe('Closed Motors');
  await screen.press('Tab');
  await screen.press('F2', 'Enter');
  await expect.poll(() => screen.editor.count()).toBe(0);
  await expect.poll(() => screen.cell('Dee Old', 'Dealership').textContent()).toBe('Closed Motors');
  await screen.saved();
  await expect.poll(() => screen.notice.count()).toBe(0);
});

test('pasting a row’s own texts over it keeps its dealership and the price of its items', async () => {
  const before = await stored();
  await screen.cell('Dee Old', 'Dealership').click();
  // Dealership, deal number, vehicle, items.
  await screen.press('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
  await screen.press('Control+c', 'Control+v');
  await screen.page.getByText('1 by 4 cells selected').waitFor();
  await screen.saved();
  await expect.poll(() => screen.cell('Dee Old', 'Sale').textContent()).toBe('$1,000.00');
  await expect.poll(() => screen.notice.count()).toBe(0);
  await expect.poll(() => stored()).toEqual(before);
});

test('a refused text is taken as soon as it can be chosen, for a saved and a new row', async () => {
  const choose = async (name: string) => {
    await screen.cell(name, 'Dealership').click();
    await screen.page.keyboard.type('Brand');
    await screen.press('Tab');
  };
  await screen.press('Alt+n');
  await screen.page.keyboard.type('Nia New');
  await screen.press('Tab');
  await choose('Nia New');
  await choose('Dee Old');
  await screen.page.getByText('2 cells to correct').waitFor();
  const dealershipId = await addDealership(company, company.admin, { name: 'Brand New Motors' });
  await screen.saved();
  await expect.poll(() => screen.notice.count()).toBe(0);
  for (const name of ['Nia New', 'Dee Old'])
    await expect.poll(() => screen.cell(name, 'Dealership').textContent()).toBe('Brand New Motors');
  await expect.poll(stored).toMatchObject({ dealershipId });
});

test('undo of a paste covers a text that was taken later', async () => {
  await screen.press('Alt+n');
  await copyElsewhere(screen.page, { text: 'Pat New\t\tLater Motors' });
  await screen.press('ControlOrMeta+v');
  await screen.page.getByText('1 cell to correct').waitFor();
  await addDealership(company, company.admin, { name: 'Later Motors' });
  await screen.saved();
  await screen.press('Control+z');
  await screen.page.getByText('Undone: 2 cells').waitFor();
  await expect.poll(() => screen.row('Pat New').count()).toBe(0);
  await screen.press('Control+y');
  await screen.saved();
  await expect.poll(() => screen.cell('Pat New', 'Dealership').textContent()).toBe('Later Motors');
});
