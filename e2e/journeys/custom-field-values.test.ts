import { addDeal } from '@forecourt/server/test/builders';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { CONNECTION_LOST, isFocused } from '../browser.ts';
import { copyElsewhere } from '../grid/spreadsheets.fixture.ts';
import { PHONE, openCompany } from './company.fixture.ts';
import { CLERK, type DataEntry, editOnPage, openDataEntry, openForm } from './data-entry.fixture.ts';

const option = (name: string) => ({ name });
/** The fields in their order: their keys are custom1, custom2 and so on. */
const FIELDS = [
  { name: 'Registration', type: 'text', help: 'As on the plate' },
  { name: 'Story', type: 'longText' },
  { name: 'Kilometres', type: 'number' },
  { name: 'Deposit', type: 'currency' },
  { name: 'Discount', type: 'percent' },
  { name: 'Inspection', type: 'date' },
  { name: 'Financed', type: 'checkbox' },
  { name: 'Colour', type: 'select', options: ['Red', 'Blue'].map(option) },
  { name: 'Extras', type: 'multiSelect', options: ['Tow bar', 'Mats', 'Roof rack'].map(option) },
  { name: 'Helper', type: 'person' },
  { name: 'Advert', type: 'link' },
  { name: 'Approved', type: 'text', editableBy: 'administrators' },
  { name: 'Margin', type: 'number', visibleTo: 'administrators' },
];

/** Wide enough to render every column. */
const WIDER = { viewport: { width: 4800, height: 900 } };

/** Failures that the tests provoke. */
const provoked = [/status of 4(00|09)/, CONNECTION_LOST];

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
// Sequential: their order is that of creation.
for (const body of FIELDS) await company.call('POST /custom-fields', { body });
const [kims, adas] = await Promise.all([
  openDataEntry(company, browser, kim, { context: WIDER, expected: provoked }),
  openDataEntry(company, browser, company.admin, { context: WIDER, expected: provoked }),
]);
await Promise.all([kims, adas].map((screen) => screen.row('Ann Example').waitFor()));
afterAll(async () => {
  await kims.close();
  await adas.close();
});

const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;
const storedCustom = async (id: string) => (await stored(id)).custom;

/** Adds a row of Kim's that both see. */
async function addRow(customerName: string, custom: object = {}): Promise<string> {
  const deal = await addDeal(company, kim, company.dealershipId, { customerName, custom });
  await Promise.all([kims, adas].map((screen) => screen.row(customerName).waitFor()));
  return deal._id as string;
}

/** The cell of a column by its header, wherever it is. */
async function cellOf({ grid, row }: DataEntry, customer: string, header: string): Promise<Locator> {
  const index = await grid.getByRole('columnheader', { name: header }).getAttribute('aria-colindex');
  return row(customer).locator(`[aria-colindex="${index}"]`);
}

async function typeInto(screen: DataEntry, customer: string, header: string, text: string): Promise<void> {
  await (await cellOf(screen, customer, header)).click();
  await screen.page.keyboard.type(text);
}

/** The texts of the cells from one header on. */
async function textsFrom(screen: DataEntry, customer: string, header: string, count: number) {
  const first = Number(await (await cellOf(screen, customer, header)).getAttribute('aria-colindex'));
  const cells = Array.from({ length: count }, (_, at) =>
    screen
      .row(customer)
      .locator(`[aria-colindex="${first + at}"]`)
      .textContent(),
  );
  return Promise.all(cells);
}

const TYPED = [
  'ABC123',
  'One owner',
  '12,500',
  '$500',
  '12%',
  '20/11/2026',
  'y',
  'bl',
  'mats, tow',
  'Kim',
  'example.com/1',
];
const VALUES = {
  custom1: 'ABC123',
  custom2: 'One owner',
  custom3: 12_500,
  custom4: 500,
  custom5: 12,
  custom6: '2026-11-20',
  custom7: true,
  custom8: 'o2',
  custom9: ['o1', 'o2'],
};
const SHOWN = [
  'ABC123',
  'One owner',
  '12,500',
  '$500.00',
  '12%',
  '20/11/2026',
  '✓ Yes',
  'Blue',
  'Tow bar, Mats',
  'Kim Clerk',
  'https://example.com/1',
];

test('a clerk types a value of each type by keyboard, and a colleague sees it at once', async () => {
  const id = await addRow('Tia Types');
  await (await cellOf(kims, 'Tia Types', 'Registration')).click();
  await kims.typeCells(TYPED);
  await kims.press('Enter');
  await kims.saved();
  await expect
    .poll(() => storedCustom(id))
    .toEqual({ ...VALUES, custom10: kim.id, custom11: 'https://example.com/1' });
  await expect.poll(() => textsFrom(kims, 'Tia Types', 'Registration', SHOWN.length)).toEqual(SHOWN);
  await expect.poll(() => textsFrom(adas, 'Tia Types', 'Registration', SHOWN.length)).toEqual(SHOWN);
});

test('a wrong text stays in its cell with the reason', async () => {
  await addRow('Wes Wrong');
  await typeInto(kims, 'Wes Wrong', 'Extras', 'Wheels');
  await kims.press('Enter');
  await kims.note.getByText('There is no option “Wheels”. Choose from Tow bar, Mats, Roof rack.').waitFor();
  await kims.press('Escape');
  await typeInto(kims, 'Wes Wrong', 'Advert', 'javascript:alert(1)');
  await kims.press('Enter');
  await kims.note.getByText('Please enter a web address such as https://example.com').waitFor();
  await kims.press('Escape');
});

test('a field of administrators cannot be changed by a clerk, and one that only they see is absent', async () => {
  const id = await addRow('Adi Admins');
  await typeInto(kims, 'Adi Admins', 'Approved', 'x');
  await kims.note.getByText('Only administrators can change Approved').waitFor();
  await expect.poll(() => kims.grid.getByRole('columnheader', { name: 'Margin' }).count()).toBe(0);
  await typeInto(adas, 'Adi Admins', 'Margin', '-3.5');
  await adas.press('Enter');
  await adas.saved();
  await expect.poll(() => storedCustom(id)).toEqual({ custom13: -3.5 });
  const { body } = await company.call(`GET /deals/${id}`, { token: kim.token });
  expect(body.custom).toEqual({});
});

test('a block is pasted over custom columns, and one undo takes it back', async () => {
  const ids = [await addRow('Pia Paste'), await addRow('Pol Paste')];
  // The newest row is the upper one.
  await (await cellOf(kims, 'Pia Paste', 'Kilometres')).click();
  await kims.press('ArrowUp');
  const order = await Promise.all(
    ['Pol Paste', 'Pia Paste'].map(async (name) =>
      Number(await kims.row(name).getAttribute('aria-rowindex')),
    ),
  );
  const [upper, lower] = order[0]! < order[1]! ? ['Pol Paste', 'Pia Paste'] : ['Pia Paste', 'Pol Paste'];
  await (await cellOf(kims, upper!, 'Kilometres')).click();
  const block = [
    ['10', '20', '5', '1/12/2026', 'TRUE', 'Red', 'Mats'],
    ['30', '40', '6%', '2/12/2026', 'FALSE', 'Blue', 'Roof rack, Mats'],
  ];
  await copyElsewhere(kims.page, { text: block.map((cells) => cells.join('\t')).join('\r\n') });
  await kims.press('ControlOrMeta+v');
  await kims.saved();
  const idOf = (name: string): string => ids[name === 'Pia Paste' ? 0 : 1]!;
  await expect
    .poll(() => storedCustom(idOf(upper!)))
    .toEqual({
      custom3: 10,
      custom4: 20,
      custom5: 5,
      custom6: '2026-12-01',
      custom7: true,
      custom8: 'o1',
      custom9: ['o2'],
    });
  await expect
    .poll(() => storedCustom(idOf(lower!)))
    .toEqual({
      custom3: 30,
      custom4: 40,
      custom5: 6,
      custom6: '2026-12-02',
      custom8: 'o2',
      custom9: ['o2', 'o3'],
    });
  await kims.press('ControlOrMeta+z');
  await expect.poll(() => Promise.all(ids.map(storedCustom))).toEqual([{}, {}]);
});

test('Enter ticks and unticks a checkbox, and opens the options of a list', async () => {
  const id = await addRow('Tom Tick', { custom9: ['o3'] });
  await (await cellOf(kims, 'Tom Tick', 'Financed')).click();
  await kims.press('Enter');
  await expect.poll(() => storedCustom(id)).toEqual({ custom7: true, custom9: ['o3'] });
  await kims.press('Enter');
  await expect.poll(() => storedCustom(id)).toEqual({ custom9: ['o3'] });

  await (await cellOf(kims, 'Tom Tick', 'Extras')).click();
  await kims.press('Enter');
  const dialog = kims.page.getByRole('dialog', { name: 'Extras of Tom Tick' });
  // By keyboard: the first option has the focus.
  await expect.poll(() => dialog.locator(':focus').getAttribute('type')).toBe('checkbox');
  await kims.press('Space');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => storedCustom(id)).toEqual({ custom9: ['o1', 'o3'] });
});

test('two people who change one custom field decide, by its name; other fields merge', async () => {
  const id = await addRow('Cora Both', { custom1: 'Before' });
  await typeInto(kims, 'Cora Both', 'Registration', 'Mine');
  await typeInto(adas, 'Cora Both', 'Registration', 'Theirs');
  await adas.press('Enter');
  await adas.saved();
  await typeInto(adas, 'Cora Both', 'Kilometres', '7');
  await adas.press('Enter');
  await (await cellOf(kims, 'Cora Both', 'Kilometres')).getByText('7').waitFor();
  await kims.press('Enter');
  await kims.notice.getByText('Ada Admin changed Registration to “Theirs”').waitFor();
  await expect.poll(() => storedCustom(id)).toEqual({ custom1: 'Theirs', custom3: 7 });
  await kims.notice.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(() => storedCustom(id)).toEqual({ custom1: 'Mine', custom3: 7 });
});

test('the history of the row names the field and its values', async () => {
  await addRow('Hana History');
  await typeInto(kims, 'Hana History', 'Colour', 'Red');
  await kims.press('Enter');
  await kims.saved();
  await (await cellOf(kims, 'Hana History', 'Colour')).click({ button: 'right' });
  await kims.page.getByRole('menuitem', { name: 'History of the cell' }).click();
  const drawer = kims.page.getByRole('dialog', { name: 'History of Hana History' });
  await drawer.getByText('Red').waitFor();
  await expect.poll(() => drawer.getByLabel('Show').locator('option:checked').textContent()).toBe('Colour');
  await kims.press('Escape');
});

test('a column is hidden in a view and comes back with it', async () => {
  await kims.page.getByRole('button', { name: 'Columns' }).click();
  const panel = kims.page.getByRole('dialog', { name: 'Columns' });
  await panel.getByText('As on the plate').waitFor();
  await panel.getByRole('checkbox', { name: 'Registration' }).uncheck();
  await kims.press('Escape');
  const header = kims.grid.getByRole('columnheader', { name: 'Registration' });
  await header.waitFor({ state: 'detached' });
  await kims.page.getByRole('button', { name: /^View: / }).click();
  await kims.page.getByRole('menuitem', { name: 'Save as…' }).click();
  const dialog = kims.page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('Without plates');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const view = kims.page.getByRole('button', { name: 'View: Without plates', exact: true });
  await view.click();
  await kims.page.getByRole('menuitem', { name: 'All deals' }).click();
  await header.waitFor();
  await kims.page.getByRole('button', { name: /^View: / }).click();
  await kims.page.getByRole('menuitem', { name: 'Without plates' }).click();
  await header.waitFor({ state: 'detached' });
  await kims.page.getByRole('button', { name: /^View: / }).click();
  await kims.page.getByRole('menuitem', { name: 'All deals' }).click();
  await header.waitFor();
});

test('the page of a deal edits its fields and links to an address, and has a field that only administrators change if it has a value', async () => {
  const id = await addRow('Paz Page', { custom1: 'PAZ1', custom11: 'https://example.com/ad' });
  await kims.page.goto(`${company.server.url}/data-entry/${id}`);
  const details = kims.page.getByRole('region', { name: 'Details' });
  await details.getByText('PAZ1').waitFor();
  const link = details.getByRole('link', { name: 'Open https://example.com/ad' });
  await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer');
  await expect.poll(() => details.getByText('Approved').count()).toBe(0);
  await editOnPage(kims.page, 'Kilometres', 'many');
  await details.getByRole('alert').getByText('Please enter a valid number').waitFor();
  await details.getByLabel('Kilometres', { exact: true }).fill('1,000');
  await kims.press('Enter');
  await expect.poll(() => storedCustom(id)).toMatchObject({ custom3: 1000 });
  await details.getByText('As on the plate').waitFor();
  await details.getByRole('button', { name: 'Edit Financed' }).click();
  await details.getByRole('button', { name: 'Edit Extras' }).click();
  await kims.page.getByRole('dialog').getByRole('checkbox', { name: 'Tow bar' }).check();
  await kims.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => storedCustom(id)).toMatchObject({ custom7: true, custom9: ['o1'] });
  await kims.page.goto(`${company.server.url}/data-entry`);
  await kims.row('Ann Example').waitFor();
});

describe('on a phone', () => {
  test('the form has a control for each type', async () => {
    const phone = await company.openAs(browser, kim, PHONE);
    const { page } = phone;
    await page.goto(`${company.server.url}/data-entry`);
    const form = await openForm(page, 'Fay Form');
    await form.getByText('As on the plate').waitFor();
    await form.getByLabel('Registration').fill('FAY1');
    await form.getByLabel('Story').fill('One\nTwo');
    await form.getByLabel('Kilometres').fill('many');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Please enter a valid number').waitFor();
    await form.getByLabel('Kilometres').fill('1,000');
    await form.getByLabel('Inspection').fill('3/12/2026');
    await form.getByRole('checkbox', { name: 'Financed' }).check();
    await form.getByRole('combobox', { name: 'Colour' }).click();
    await page.getByRole('option', { name: 'Red' }).click();
    await form.getByRole('combobox', { name: 'Extras' }).click();
    for (const name of ['Tow bar', 'Roof rack']) await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
    await form.getByLabel('Advert').fill('example.com');
    await expect.poll(() => form.getByLabel('Approved').getAttribute('readonly')).not.toBeNull();
    await expect.poll(() => form.getByLabel('Margin').count()).toBe(0);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await company.call('GET /deals?search=Fay')).body.items[0]?.custom)
      .toEqual({
        custom1: 'FAY1',
        custom2: 'One\nTwo',
        custom3: 1000,
        custom6: '2026-12-03',
        custom7: true,
        custom8: 'o1',
        custom9: ['o1', 'o3'],
        custom11: 'https://example.com',
      });
    await phone.close();
  });
});

test('a retired field leaves the open tables at once, and comes back with its values', async () => {
  await addRow('Rita Retired', { custom4: 250 });
  const { items } = (await company.call('GET /custom-fields')).body;
  const { _id, version: _v, ...field } = items.find(({ key }: { key: string }) => key === 'custom4');
  const put = (active: boolean) => company.call(`PUT /custom-fields/${_id}`, { body: { ...field, active } });
  await put(false);
  for (const { grid } of [kims, adas])
    await grid.getByRole('columnheader', { name: 'Deposit' }).waitFor({ state: 'detached' });
  await put(true);
  for (const screen of [kims, adas]) {
    await screen.grid.getByRole('columnheader', { name: 'Deposit' }).waitFor();
    await expect
      .poll(async () => (await cellOf(screen, 'Rita Retired', 'Deposit')).textContent())
      .toBe('$250.00');
  }
});

test('a retired field leaves the filter with a message, and asks nothing about a form that is open', async () => {
  await addRow('Fia Filtered', { custom4: 251 });
  const { items } = (await company.call('GET /custom-fields')).body;
  const { _id, version: _v, ...field } = items.find(({ key }: { key: string }) => key === 'custom4');
  const put = (active: boolean) => company.call(`PUT /custom-fields/${_id}`, { body: { ...field, active } });
  const { page, close } = await company.openAs(browser, kim, PHONE, [/status of 400 .*filter=/]);
  const filter = { match: 'all', conditions: [{ field: 'custom4', operator: 'is', value: 251 }] };
  await page.goto(`${company.server.url}/data-entry?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  const form = await openForm(page, 'Fia Filtered');
  await form.getByLabel('Registration').fill('HALF');
  await put(false);
  await page.getByText('A condition of the filter was left out').waitFor();
  await expect.poll(() => page.url()).not.toContain('custom4');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
  await expect.poll(() => form.getByLabel('Registration').inputValue()).toBe('HALF');
  await put(true);
  await close();
});

describe('a change of the definitions', () => {
  test('a new row is saved once its required field has a value, and shows the reason until then', async () => {
    const required = { name: 'Stock number', type: 'text', isRequired: true };
    await company.call('POST /custom-fields', { body: required });
    const header = kims.grid.getByRole('columnheader', { name: 'Stock number' });
    await header.waitFor();
    await kims.press('Alt+n');
    await kims.typeCells(['Rita Required', '', 'Harbour']);
    await kims.press('Tab');
    await kims.page.getByText('saved once it has “Stock number”').waitFor();
    await typeInto(kims, 'Rita Required', 'Stock number', 'S-1');
    await kims.press('Enter');
    await kims.saved();
    const { body } = await company.call('GET /deals?search=Rita%20Required');
    expect(body.items).toMatchObject([{ custom: { custom14: 'S-1' } }]);
  });

  test('what was typed into a field that is retired meanwhile is not lost silently', async () => {
    await addRow('Ria Retired', { custom14: 'S-2' });
    await kims.page.context().setOffline(true);
    await typeInto(kims, 'Ria Retired', 'Registration', 'GONE1');
    await kims.press('Enter');
    const { body } = await company.call('GET /custom-fields');
    const { _id, key: _key, order: _order, createdAt: _at, updatedAt: _updated, ...field } = body.items[0];
    await company.call(`PUT /custom-fields/${_id}`, { body: { ...field, active: false } });
    await kims.page.context().setOffline(false);
    const notice = kims.notice.getByText(/A custom field that is no longer in use “GONE1” was not saved/);
    await notice.waitFor();
    await kims.grid.getByRole('columnheader', { name: 'Registration' }).waitFor({ state: 'detached' });
    await kims.notice.getByRole('button', { name: 'Discard' }).click();
    await kims.saved();
  });

  test('the text of a cell that is open when its field is retired is not lost, and the table keeps the focus', async () => {
    await typeInto(kims, 'Ria Retired', 'Stock number', 'OPEN1');
    const { body } = await company.call('GET /custom-fields');
    const {
      _id,
      order: _order,
      createdAt: _at,
      updatedAt: _updated,
      ...field
    } = body.items.find(({ name }: { name: string }) => name === 'Stock number');
    const { key: _key, ...input } = field;
    await company.call(`PUT /custom-fields/${_id}`, { body: { ...input, active: false } });
    await kims.notice.getByText(/A custom field that is no longer in use “OPEN1” was not saved/).waitFor();
    await expect.poll(() => isFocused(kims.grid)).toBe(true);
    await kims.notice.getByRole('button', { name: 'Discard' }).click();
    await kims.saved();
  });
});
