import { afterAll, expect, test } from 'vitest';
import { workbook } from '../../web/src/ui/import/workbook.fixture.ts';
import { DESKTOP, openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
// The browser logs the provoked refusals.
const open = await company.openAs(browser, company.admin, DESKTOP, [/status of 400/, /ERR_FAILED/]);
const { page, close: closePage } = open;
afterAll(() => closePage());

const dialog = () => page.getByRole('dialog', { name: 'Import Dealerships' });
const cell = (column: string, line: number) =>
  dialog().getByRole('textbox', { name: `${column}, line ${line}` });
const names = async (): Promise<string[]> =>
  (await company.call('GET /dealerships')).body.items.map(({ name }: { name: string }) => name);

async function openImport(): Promise<void> {
  await page.goto(`${company.server.url}/settings/dealerships`);
  await page.getByText('Harbour New Cars').first().waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog().waitFor();
}

const chooseFile = (name: string, content: string | Uint8Array) =>
  dialog()
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

const CSV = `Dealership,Address,Default Template,Contact,E-mail,To,Cc
Inland Used Cars,1 Dry Road,Daily,Ida To,ida@inland.example,yes,
Inland Used Cars,,,Ian Copy,ian@,no,yes
Coastal Cars,2 Sand Street,Daily,,,,
harbour new cars,1 Pier Street,Daily,,,,
`;

test('a CSV file with a bad cell shows it; once corrected, all rows except duplicates are added', async () => {
  await openImport();
  await chooseFile('dealerships.csv', CSV);
  await dialog().getByText('dealerships.csv').waitFor();
  await dialog().getByText('2 dealerships with 2 contacts will be added').waitFor();
  await dialog().getByText('1 dealership here already, left out').waitFor();
  await dialog().getByText('1 cell to correct').waitFor();
  await dialog().getByText('Must be an email address').waitFor();

  const submit = dialog().getByRole('button', { name: 'Import 2 dealerships' });
  await expect.poll(() => submit.getAttribute('aria-disabled')).toBe('true');
  await cell('Contact email', 3).fill('ian@inland.example');
  await dialog().getByText('1 cell to correct').waitFor({ state: 'detached' });
  await expect.poll(() => names()).toEqual(['Harbour New Cars']);
  await submit.click();
  await page.getByText('2 dealerships imported successfully').waitFor();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('Inland Used Cars').first().waitFor();
  await expect.poll(() => names()).toEqual(['Coastal Cars', 'Harbour New Cars', 'Inland Used Cars']);
  const { items } = (await company.call('GET /dealerships')).body;
  expect(items[2].contacts).toMatchObject([
    { name: 'Ida To', email: 'ida@inland.example', includeInTo: true, includeInCc: false },
    { name: 'Ian Copy', email: 'ian@inland.example', includeInTo: false, includeInCc: true },
  ]);
});

test('an Excel file of any size is read, and a record added meanwhile by another user is reported in its cell', async () => {
  await openImport();
  const many = Array.from({ length: 1500 }, (_, index) => [
    `Outback Cars ${index}`,
    `${index} ${'Long Road '.repeat(20)}`,
    'Daily',
    'Olga Outback',
    `olga${index}@outback.example`,
  ]);
  const header = ['Name', 'Address', 'Default Template', 'Contact name', 'Contact email'];
  await chooseFile('dealerships.xlsx', workbook([header, ...many]));
  await dialog().getByText('1,500 dealerships with 1,500 contacts will be added').waitFor();
  await dialog().getByRole('button', { name: 'Show 100 more lines' }).click();
  await dialog().getByText('Outback Cars 150', { exact: true }).waitFor();

  const [first] = (await company.call('GET /dealerships')).body.items;
  // Only the server knows the new dealership until this page is notified.
  await page.route('**/api/dealerships', (route) => route.abort());
  await company.call('POST /dealerships', {
    body: {
      name: 'outback cars 1200',
      address: '1 Pier Street',
      defaultEmailTemplateId: first.defaultEmailTemplateId,
    },
  });
  await dialog().getByRole('button', { name: 'Import 1,500 dealerships' }).click();
  await dialog().getByText('There is already a dealership with this name').waitFor();
  await expect.poll(() => names()).not.toContain('Outback Cars 0');
  await expect
    .poll(() => cell('Name', 1202).evaluate((input) => input === document.activeElement))
    .toBe(true);
  await cell('Name', 1202).fill('Outback Cars twelve hundred');
  await page.unroute('**/api/dealerships');
  await dialog().getByRole('button', { name: 'Import 1,500 dealerships' }).click();
  await page.getByText('1,500 dealerships imported successfully').waitFor();
  await expect.poll(() => names()).toHaveLength(1504);
});

test('an unreadable file shows what to do, and a user with view permission has no import', async () => {
  await openImport();
  await chooseFile('dealerships.xlsx', 'PK but no Excel file');
  await dialog().getByText('This file cannot be read. Save it as .xlsx or CSV and try again.').waitFor();
  const viewer = await company.addPerson({
    name: 'Vera Viewer',
    permissions: { dealershipConfiguration: { viewDealerships: true } },
  });
  const own = await company.openAs(browser, viewer);
  await own.page.goto(`${company.server.url}/settings/dealerships`);
  await own.page.getByText('Harbour New Cars').first().waitFor();
  await expect.poll(() => own.page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
  await own.close();
});
