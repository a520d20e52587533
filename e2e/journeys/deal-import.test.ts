import type { Request } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { workbook } from '../../web/src/ui/import/workbook.fixture.ts';
import { hasKeys } from '../browser.ts';
import { DESKTOP, openCompany, PHONE } from './company.fixture.ts';
import { CLERK } from './data-entry.fixture.ts';

const IMPORTER = {
  features: { bulkEdit: true },
  dataEntry: { ...CLERK.dataEntry, canDeleteRows: true },
};

const { company, browser } = await openCompany();
await company.call('POST /deals', {
  body: {
    dealershipId: company.dealershipId,
    customerName: 'Old Olga',
    customerNumber: '(0412) 345 678',
    month: '2026-01',
  },
});
await company.call('POST /item-configurations', { body: { name: 'Tint', price: 499.5 } });
const clerk = await company.addPerson({ name: 'Cleo Clerk', permissions: IMPORTER });
const open = await company.openAs(browser, clerk, DESKTOP, [/status of 400/]);
const { page, close: closePage } = open;
afterAll(() => closePage());

const dialog = () => page.getByRole('dialog', { name: 'Import Deals' });
const cell = (column: string, line: number) =>
  dialog().getByRole('textbox', { name: `${column}, line ${line}` });
const row = (customer: string) =>
  page.getByRole('grid', { name: 'Deals' }).getByRole('gridcell', { name: customer, exact: true });
const submit = (label: string) => dialog().getByRole('button', { name: label, exact: true });

type Row = { customerName: string };
async function customers(query = ''): Promise<string[]> {
  const { items } = (await company.call(`GET /deals${query}`)).body;
  return items.map(({ customerName }: Row) => customerName);
}

async function openImport(month = ''): Promise<void> {
  await page.goto(`${company.server.url}/data-entry${month}`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog().waitFor();
}

const chooseFile = (name: string, content: string | Uint8Array) =>
  dialog()
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

const CSV = `Client,Dealer,Mobile,Deal #,Delivery date,Amount,Products
Ida Inland,harbour new cars,0499 111 222,D-1,5/3/26,"$1,200.00",Tint
Ian Inland,Harbor,0499 111 333,D-2,,,
Old Olga again,Harbour New Cars,412345678,D-3,,,
Ida twice,Harbour New Cars,+61 499 111 222,d-1,,,
`;

test('a CSV file: errors are corrected in place, corrections and duplicates are shown', async () => {
  await openImport();
  await chooseFile('deals.csv', CSV);
  await dialog().getByText('2 deals will be added').waitFor();
  await dialog().getByText('There is no dealership called “Harbor”').waitFor();
  await dialog().getByText('was 5/3/26').waitFor();
  await dialog().getByText('was 0499 111 222', { exact: true }).waitFor();
  await dialog().getByText('Same phone as Old Olga, Harbour New Cars, January 2026').waitFor();
  await dialog().getByText('Same phone and deal number as line 2').waitFor();
  await dialog().getByText('2 duplicates, all left out').waitFor();

  await expect.poll(() => submit('Import 2 deals').getAttribute('aria-disabled')).toBe('true');
  await dialog().getByRole('combobox', { name: 'Dealership, line 3' }).fill('Harbour New');
  await dialog().getByText('1 cell to correct').waitFor({ state: 'detached' });
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('dialog', { name: 'Close without saving?' });
  await hasKeys(question);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await dialog().getByRole('checkbox', { name: 'Import line 4 anyway' }).check();
  await dialog().getByText('2 duplicates, 1 line left out').waitFor();
  await expect.poll(() => customers()).not.toContain('Ida Inland');
  await submit('Import 3 deals').click();
  // It stays for 10 s, and while the pointer is on it.
  await page.getByText(/^3 deals imported into/).hover();
  await dialog().waitFor({ state: 'detached' });
  await row('Ida Inland').waitFor();
  const [ida, ian, olga] = (await company.call('GET /deals')).body.items;
  expect(ida).toMatchObject({
    customerNumber: '(0499) 111 222',
    deliveryDate: '2026-03-05',
    saleAmount: 1200,
    items: [{ name: 'Tint', quantity: 1, unitPrice: 499.5 }],
    ownerName: 'Cleo Clerk',
  });
  expect([ian.customerName, olga.customerName]).toEqual(['Ian Inland', 'Old Olga again']);

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Took back 3 rows.').waitFor();
  await row('Ida Inland').waitFor({ state: 'detached' });
  await expect.poll(() => customers()).not.toContain('Ida Inland');
});

test('pasted rows with other column names are matched by hand, and unknown names are mapped once', async () => {
  await openImport('?month=2026-02');
  await dialog()
    .getByLabel('Or paste rows, with their header')
    .fill(
      [
        'Kunde\tTelefon\tDealer',
        'Pia Pasted\t0499 222 111\tHNC',
        'Per Pasted\t0499 222 112\t',
        'Pam Pasted\t0499 222 113\thnc',
      ].join('\n'),
    );
  await dialog().getByRole('button', { name: 'Read pasted rows' }).click();
  await dialog().getByText('6 cells to correct').waitFor();
  for (const [field, column] of [
    ['Customer', 'Kunde'],
    ['Phone', 'Telefon'],
  ] as const) {
    await dialog().getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: column }).filter({ visible: true }).click();
  }
  await dialog().getByText('In 2 lines').waitFor();
  for (const choice of ['Dealership “HNC”', 'Dealership for lines without one']) {
    await dialog().getByRole('combobox', { name: choice }).click();
    await page.getByRole('option', { name: 'Harbour New Cars' }).filter({ visible: true }).click();
  }
  await submit('Import 3 deals').click();
  await page.getByText('3 deals imported into February 2026').waitFor();
  await row('Per Pasted').waitFor();
  await expect.poll(() => customers('?month=2026-02')).toEqual(['Pia Pasted', 'Per Pasted', 'Pam Pasted']);
});

test('columns of custom fields are matched by name, with options by name and errors in their cells', async () => {
  const addField = async (body: object): Promise<string> =>
    (await company.call('POST /custom-fields', { body })).body.key;
  const colour = await addField({
    name: 'Colour',
    type: 'select',
    options: [{ name: 'Red' }, { name: 'Deep Blue' }],
  });
  const deposit = await addField({ name: 'Deposit', type: 'currency' });
  await openImport('?month=2026-03');
  await dialog()
    .getByLabel('Or paste rows, with their header')
    .fill(
      [
        'Customer\tDealership\tColour\tDeposit',
        'Cora Custom\tHarbour New Cars\tdeep blue\t$1,250.50',
        'Curt Custom\tHarbour New Cars\tGreen\t',
      ].join('\n'),
    );
  await dialog().getByRole('button', { name: 'Read pasted rows' }).click();
  await dialog().getByText('1 cell to correct').waitFor();
  await dialog().getByRole('combobox', { name: 'Colour, line 3' }).fill('Red');
  await submit('Import 2 deals').click();
  await page.getByText('2 deals imported into March 2026').waitFor();
  await row('Cora Custom').waitFor();
  const { items } = (await company.call('GET /deals?month=2026-03')).body;
  expect(items.map(({ custom }: { custom: object }) => custom)).toEqual([
    { [colour]: 'o2', [deposit]: 1250.5 },
    { [colour]: 'o1' },
  ]);
});

test('an Excel file with many rows: errors found by the server are shown in their cells, and nothing is written', async () => {
  const underWay = new Set<Request>();
  page.on('request', (request) => request.url().endsWith('/deals/options') && underWay.add(request));
  const hasEnded = (request: Request): void => void underWay.delete(request);
  page.on('requestfinished', hasEnded).on('requestfailed', hasEnded);
  await openImport();
  const many = Array.from({ length: 1500 }, (_, index) => [
    `Excel ${index}`,
    'Harbour New Cars',
    index,
    { day: 46_000 },
    index === 1200 ? 'Tint' : '',
  ]);
  await chooseFile('deals.xlsx', workbook([['Name', 'Dealership', 'Deal no', 'Delivery', 'Items'], ...many]));
  await dialog().getByText('1,500 deals will be added').waitFor();
  const { promise: notified, resolve: notify } = Promise.withResolvers<void>();
  await page.route('**/api/deals/options', async (route) => {
    underWay.delete(route.request());
    await notified;
    await route.continue();
  });
  // The page requests the choices again because of recent events: that response must come before the change.
  await expect.poll(() => underWay.size).toBe(0);
  const [item] = (await company.call('GET /item-configurations')).body.items;
  await company.call(`PUT /item-configurations/${item._id}`, { body: { ...item, active: false } });
  await submit('Import 1,500 deals').click();
  await dialog().getByText('Choose one of the items').waitFor();
  await expect
    .poll(() => cell('Items', 1202).evaluate((input) => input === document.activeElement))
    .toBe(true);
  await expect.poll(() => customers()).not.toContain('Excel 0');
  notify();

  await cell('Items', 1202).fill('');
  await submit('Import 1,500 deals').click();
  await page.getByText(/^1,500 deals imported into/).waitFor();
  const { total, items } = (await company.call('GET /deals?search=Excel&limit=1')).body;
  expect([total, items[0].deliveryDate]).toEqual([1000, '2025-12-09']);
});

const radio = (name: string) => dialog().getByRole('radio', { name, exact: true });
const lineChoice = (line: number) =>
  dialog().getByRole('combobox', { name: `What happens with line ${line}`, exact: true });
async function chooseColumn(field: string, column: string): Promise<void> {
  await dialog().getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: column, exact: true }).filter({ visible: true }).click();
}

test('a clerk imports a file by keyboard that updates rows and adds others, takes it back, and on a phone finds its columns matched and merges the rows of a line', async () => {
  const add = async (customerName: string, dealNumber: string) => {
    const body = { dealershipId: company.dealershipId, customerName, dealNumber, month: '2026-05' };
    return (await company.call('POST /deals', { token: clerk.token, body })).body._id as string;
  };
  const uma = await add('Uma Update', 'K-1');
  const twins = [await add('Twin One', 'K-2'), await add('Twin Two', 'k-2')];
  const same = await add('Sam Same', 'K-3');
  const read = async (id: string) => (await company.call(`GET /deals/${id}`)).body;
  const file = [
    'Vertrag,Amount,Client',
    'k-1,250,',
    'K-2,300,',
    'K-3,,Sam Same',
    'K-9,10,Nia New',
    'K-8,20,Not This',
  ].join('\n');
  await openImport('?month=2026-05');
  await chooseFile('list.csv', file);
  await radio('Add rows').focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => radio('Update rows').isChecked()).toBe(true);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => radio('Add and update rows').isChecked()).toBe(true);
  // Without the deal number only the customer identifies a row.
  await expect
    .poll(() => dialog().getByRole('combobox', { name: 'A line finds its row by' }).inputValue())
    .toBe('Customer');
  await chooseColumn('Deal number', 'Vertrag');
  await dialog().getByText('2 cells to correct').waitFor();
  await chooseColumn('Dealership for lines without one', 'Harbour New Cars');
  await dialog().getByText('1 row will change').waitFor();
  for (const text of ['2 rows will be added', '1 line stays the same', '1 line matches several rows'])
    await dialog().getByText(text, { exact: true }).waitFor();
  await lineChoice(3).selectOption({ label: 'Update Twin Two, Harbour New Cars, May 2026' });
  await dialog().getByText('2 rows will change').waitFor();
  await lineChoice(6).focus();
  await page.keyboard.press('L');
  await dialog().getByText('1 row will be added').waitFor();
  await hasKeys(dialog());
  await submit('Import 3 deals').focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 deals updated, 1 added.').hover();
  await row('Nia New').waitFor();
  expect([await read(uma), await read(twins[1]!)]).toMatchObject([
    { saleAmount: 250, dealNumber: 'K-1', customerName: 'Uma Update' },
    { saleAmount: 300, dealNumber: 'k-2' },
  ]);
  expect([(await read(twins[0]!)).version, (await read(same)).version]).toEqual([1, 1]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Took back 3 rows.').waitFor();
  await row('Nia New').waitFor({ state: 'detached' });
  await expect.poll(() => read(uma)).toMatchObject({ saleAmount: null, dealNumber: 'K-1' });

  await page.setViewportSize(PHONE.viewport);
  await openImport('?month=2026-05');
  await chooseFile('again.csv', 'Vertrag,Amount\nK-1,99\nK-2,5\n');
  await dialog().getByText('Update rows', { exact: true }).click();
  await chooseColumn('Dealership for lines without one', 'Harbour New Cars');
  await dialog().getByText('1 row will change').waitFor();
  await dialog().getByText('1 line matches several rows').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBe(PHONE.viewport.width);
  await dialog().getByRole('button', { name: 'Merge these rows of line 3…' }).click();
  await page
    .getByRole('dialog', { name: 'Merge rows' })
    .getByRole('button', { name: 'Merge 2 rows' })
    .click();
  await dialog().getByText('2 rows will change').waitFor();
  await dialog().getByText('1 line matches several rows').waitFor({ state: 'detached' });
  // Somebody changes the row meanwhile.
  await company.call(`PATCH /deals/${uma}`, { body: { version: 3, saleAmount: 77 } });
  await submit('Import 2 deals').click();
  await page
    .getByText(/^1 deal updated\. 1 line was left out: Line 2: .* changed Sale of this row since\./)
    .waitFor();
  await expect.poll(() => read(uma)).toMatchObject({ saleAmount: 77 });
  await expect.poll(() => read(twins[1]!)).toMatchObject({ saleAmount: 5, customerName: 'Twin Two' });
  await page.setViewportSize(DESKTOP.viewport);
});

test('a user without bulk edit sees no import, and a user who may not add rows can only update', async () => {
  const people = [
    { name: 'Vera One', permissions: CLERK, buttons: 0 },
    { name: 'Vic Two', permissions: { features: { bulkEdit: true } }, buttons: 1 },
  ];
  for (const { buttons, ...person } of people) {
    const own = await company.openAs(browser, await company.addPerson(person));
    await own.page.goto(`${company.server.url}/data-entry?search=Ann`);
    await own.page.getByRole('gridcell', { name: 'Ann Example' }).waitFor();
    await expect
      .poll(() => own.page.getByRole('button', { name: 'Import', exact: true }).count())
      .toBe(buttons);
    await own.close();
  }
});
