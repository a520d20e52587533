import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { isFocused } from '../browser.ts';
import { PHONE, openCompany, type Person } from './company.fixture.ts';
import { CLERK, type DataEntry, oneDataEntry, openDataEntry, openForm } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const clerk = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
await company.call('PUT /settings/user/company/commission.newSales', { body: { value: 10 } });
await addItem('Tint professional', 900);
const tint = await addItem('Tint', 499.5);
const dashCam = await addItem('Dash cam', 250);
await addItem('Wash', 20);

const showClerks = oneDataEntry(() => ({ company, browser, person: clerk }));

/** What the cell of items offers. */
const ITEMS = ['Tint professional', 'Tint', 'Dash cam', 'Wash', 'Quantities and prices (Alt+Enter)'];

async function addItem(name: string, price: number): Promise<string> {
  return (await company.call('POST /item-configurations', { body: { name, price } })).body._id;
}
const rowOf = (person: Person, changes: object) => addDeal(company, person, company.dealershipId, changes);
const read = async (id: string) => (await company.call(`GET /deals/${id}`)).body;
const choose = async ({ page }: DataEntry, action: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test('the commission of a row and of the month is updated when the sale is saved', async () => {
  const month = '2025-01';
  const { _id: id } = await rowOf(clerk, {
    month,
    customerName: 'Cora Commission',
    saleAmount: 100,
    status: 'Deal',
  });
  const screen = await showClerks(`?month=${month}`);
  await screen.cell('Cora Commission', 'Commission').getByText('$10.00').waitFor();
  await screen.cell('Cora Commission', 'Rate').getByText('10%').waitFor();
  await screen.typeInto('Cora Commission', 'Sale', '333.35');
  await screen.press('Enter');
  await screen.cell('Cora Commission', 'Commission').getByText('$33.34').waitFor();
  await screen.page.locator('footer').getByText('Commission (Deal)$33.34').waitFor();
  await expect.poll(() => read(id)).toMatchObject({ commissionRate: 10, commission: 33.34 });
});

test('items are typed into their cell without the mouse: it completes them, a comma starts the next one', async () => {
  const month = '2025-02';
  const { _id: id } = await rowOf(clerk, { month, customerName: 'Ida Items' });
  const screen = await showClerks(`?month=${month}`);
  const { page, press, cell } = screen;
  const items = cell('Ida Items', 'Items');
  const list = page.getByRole('listbox', { name: 'Items' });
  const marked = list.getByRole('option', { selected: true });
  await items.click();
  await press('Enter');
  await expect.poll(() => list.getByRole('option').allTextContents()).toEqual(ITEMS);
  await page.keyboard.type('tint');
  // The item of this name comes before one whose name begins so.
  await expect.poll(() => marked.textContent()).toBe('Tint');
  await page.keyboard.type(',');
  await expect.poll(() => screen.editor.inputValue()).toBe('Tint, ');
  await page.keyboard.type('cam x');
  await expect.poll(() => marked.textContent()).toBe('Dash cam');
  await page.keyboard.type('2');
  await press('Enter');
  await items.getByText('Tint, Dash cam ×2').waitFor();
  await cell('Ida Items', 'Sale').getByText('$999.50').waitFor();
  await screen.saved();

  // The dialog of prices: Enter adds the first match of what is typed, and saves nothing that it cannot add.
  await items.click();
  await press('Alt+Enter');
  const dialog = page.getByRole('dialog', { name: 'Items of Ida Items' });
  // The dialog has the focus before its field.
  await expect.poll(() => isFocused(dialog.getByLabel('Add an item'))).toBe(true);
  await page.keyboard.type('was');
  await page.getByRole('option', { name: 'Wash' }).waitFor();
  await press('Enter');
  await dialog.getByRole('row', { name: 'Wash' }).waitFor();
  await page.keyboard.type('wax');
  await press('Enter');
  await dialog.getByText('There is no item called “wax”').waitFor();
  await press('Control+A', 'Backspace');
  await dialog.getByLabel('Unit price of Dash cam').fill('200');
  await press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await items.getByText('Tint, Dash cam ×2, Wash').waitFor();
  await cell('Ida Items', 'Sale').getByText('$919.50').waitFor();
  await expect
    .poll(async () => (await read(id)).items)
    .toMatchObject([
      { itemId: tint, name: 'Tint', quantity: 1, unitPrice: 499.5 },
      { itemId: dashCam, name: 'Dash cam', quantity: 2, unitPrice: 200 },
      { name: 'Wash', quantity: 1, unitPrice: 20 },
    ]);
  await screen.saved();

  // In the cell an item keeps the price that it has in the row.
  await screen.typeInto('Ida Items', 'Items', 'dash x3');
  await press('Enter');
  await cell('Ida Items', 'Sale').getByText('$600.00').waitFor();
  await screen.typeInto('Ida Items', 'Items', 'wax');
  await press('Alt+Enter');
  await screen.note.getByText('There is no item called “wax”').waitFor();
  await press('Escape');
  await screen.saved();
  await expect
    .poll(() => read(id))
    .toMatchObject({ items: [{ name: 'Dash cam', quantity: 3, unitPrice: 200 }] });

  // By mouse: a click adds an item, the last entry of the list opens the dialog.
  await items.dblclick();
  await list.getByRole('option', { name: 'Tint professional' }).click();
  await list.getByRole('option', { name: 'Wash' }).click();
  await expect.poll(() => screen.editor.inputValue()).toBe('Dash cam ×3, Tint professional, Wash, ');
  await list.getByRole('option', { name: 'Quantities and prices' }).click();
  await dialog.getByRole('row', { name: 'Wash' }).waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await items.getByText('Dash cam ×3, Tint professional, Wash').waitFor();
  await screen.saved();
});

test('on a phone the form of a new row and its page have items, and the dealership stays when it is chosen again', async () => {
  const month = '2025-03';
  const context = { context: PHONE, search: `?month=${month}` };
  const { page, saved, close } = await openDataEntry(company, browser, clerk, context);
  await openForm(page, 'Phil Phone');
  await page.getByRole('button', { name: 'Items: Choose items' }).click();
  await page.getByRole('combobox', { name: 'Add an item' }).fill('Tint');
  await page.getByRole('option', { name: /^Tint at/ }).click();
  await page.getByRole('button', { name: 'Save items' }).click();
  await page.getByRole('button', { name: 'Items: Tint' }).waitFor();
  const dealership = page.getByRole('combobox', { name: 'Dealership' });
  const chosen = await dealership.inputValue();
  await dealership.click();
  await page.getByRole('option', { name: chosen }).click();
  await expect.poll(() => dealership.inputValue()).toBe(chosen);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('$499.50').first().waitFor();
  await saved();
  const phils = async () => (await company.call('GET /deals?search=Phil')).body.items[0];
  await expect.poll(phils).toMatchObject({ saleAmount: 499.5, items: [{ name: 'Tint' }] });

  await page.getByRole('button', { name: /Phil Phone/ }).click();
  await page.getByRole('button', { name: `Edit Dealership: ${chosen}` }).click();
  await page.getByRole('option', { name: chosen }).click();
  await page.getByRole('button', { name: /^Edit Items: Tint/ }).click();
  await page.getByRole('option', { name: 'Quantities and prices' }).click();
  await page.getByLabel('Quantity of Tint').fill('2');
  await page.getByRole('button', { name: 'Save items' }).click();
  await page.getByRole('button', { name: 'Edit Sale: $999.00' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change status…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change status' });
  await dialog.getByRole('combobox', { name: 'New status' }).fill('Called');
  await page.getByRole('option', { name: 'Called' }).click();
  await dialog.getByRole('button', { name: 'Change' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit Status: Called' }).waitFor();
  await expect
    .poll(phils)
    .toMatchObject({ status: 'Called', saleAmount: 999, dealershipName: chosen, items: [{ quantity: 2 }] });
  await close();
});

test('a user who may delete one row can undo that without bulk edit', async () => {
  const month = '2025-06';
  const alone = await company.addPerson({
    name: 'Al Alone',
    permissions: { dataEntry: { ...CLERK.dataEntry, canDeleteRows: true } },
  });
  await rowOf(alone, { month, customerName: 'Una Undone' });
  const screen = await openDataEntry(company, browser, alone, { search: `?month=${month}` });
  await screen.cell('Una Undone', 'Vehicle').click();
  await screen.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await screen.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await screen.row('Una Undone').waitFor({ state: 'detached' });
  await screen.page.getByRole('button', { name: 'Undo' }).click();
  await screen.row('Una Undone').waitFor();
  await screen.close();
});

test('the history of a row and of a cell shows who changed what', async () => {
  const month = '2025-09';
  const { _id: id } = await rowOf(clerk, { month, customerName: 'Hetty History', notes: 'Rang' });
  await company.call(`PATCH /deals/${id}`, { body: { version: 1, notes: 'Rang back', saleAmount: 500 } });
  const screen = await showClerks(`?month=${month}`);
  await screen.cell('Hetty History', 'Notes').click();
  await choose(screen, 'History of the row');
  const drawer = screen.page.getByRole('dialog', { name: 'History of Hetty History' });
  await drawer.getByText('Ada Admin changed it').waitFor();
  await drawer.getByText('Kim Clerk added this row').waitFor();
  await drawer.getByText('$50.00').waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await choose(screen, 'History of the cell');
  await drawer.getByText('Rang back').waitFor();
  await expect.poll(() => drawer.getByText('$500.00').count()).toBe(0);
  // Changes are shown at once while it is open.
  await company.call(`PATCH /deals/${id}`, { body: { version: 2, notes: 'Rang a third time' } });
  await drawer.getByText('Rang a third time').waitFor();
});
