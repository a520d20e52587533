import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { willShow } from '../browser.ts';
import { DESKTOP, PHONE, openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
const ada = await company.openAs(browser, company.admin, DESKTOP, [/status of 40[0349]/]);
const page = ada.page;
const other = await company.addPerson({ name: 'Bea Boss', role: 'admin' });
const bea = await company.openAs(browser, other);
for (const { page: own } of [ada, bea]) {
  const connected = own.waitForResponse('**/api/events*');
  await own.goto(`${company.server.url}/settings/custom-fields`);
  await own.getByText('No custom fields yet').waitFor();
  await connected;
}
afterAll(async () => {
  await bea.close();
  await ada.close();
});

type Field = { _id: string; key: string; name: string; active: boolean; options: { name: string }[] };

const dialog = () => page.getByRole('dialog');
const row = (name: string, at = page) =>
  at.getByRole('row').filter({ has: at.getByRole('button', { name: `Move ${name}`, exact: true }) });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const keys = async (...all: string[]) => {
  for (const key of all) await page.keyboard.press(key);
};
const order = (at: Page) =>
  at
    .getByRole('button', { name: /^Move / })
    .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel?.slice(5)));
const stored = async (): Promise<Field[]> => (await company.call('GET /custom-fields')).body.items;
const optionsOf = async (name: string) =>
  (await stored()).find((field) => field.name === name)?.options.map((option) => option.name);

test('a select with options is added by keyboard, and another administrator sees it live', async () => {
  await page.getByRole('button', { name: 'Add Field' }).focus();
  await keys('Enter');
  await expect
    .poll(() =>
      dialog()
        .getByLabel('Name')
        .evaluate((e) => e === document.activeElement),
    )
    .toBe(true);
  await page.keyboard.type('Fuel');
  await keys('Tab', 'Enter');
  await page.getByRole('option', { name: 'Select', exact: true }).waitFor();
  // Just after it opens, the list highlights its first option once more.
  const highlighted = page.locator('[role="option"][data-combobox-selected]');
  await expect
    .poll(async () => {
      await keys('ArrowDown');
      return highlighted.textContent();
    })
    .toBe('Select');
  await keys('Enter');
  await dialog().getByText('One of the options that you list.').waitFor();
  await keys('Tab');
  await page.keyboard.type('Petrol');
  await keys('Enter');
  await page.keyboard.type('Diesel');
  await keys('Enter');
  await page.keyboard.type('Electric');
  await keys('Alt+ArrowUp', 'Alt+ArrowUp', 'Enter', 'Enter');
  await expect.poll(() => dialog().getByRole('listitem').count()).toBe(4);
  await dialog().getByLabel('Name').focus();
  const added = willShow(page, 'Field added successfully');
  await keys('Enter');
  await row('Fuel', bea.page).getByRole('cell', { name: 'Select', exact: true }).waitFor();
  await added;
  await expect.poll(() => optionsOf('Fuel')).toEqual(['Electric', 'Petrol', 'Diesel']);
});

test('errors are shown at their fields: options without a name or with the same one, no option, a wrong default', async () => {
  await press('Add Field');
  await dialog().getByLabel('Name').fill('fuel');
  await dialog().getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Multi-select' }).click();
  await inDialog('Save');
  await dialog().getByText('Add at least one option').waitFor();
  await dialog().getByRole('textbox', { name: 'Option 1' }).fill('Gap');
  await inDialog('Add option');
  await dialog().getByRole('textbox', { name: 'Option 2' }).fill('GAP');
  await inDialog('Save');
  await dialog()
    .getByRole('listitem')
    .nth(1)
    .getByText('There is already an option with this name')
    .waitFor();
  await inDialog('Remove GAP');
  await inDialog('Save');
  await dialog().getByText('There is already a field with this name').waitFor();
  await dialog().getByLabel('Name').fill('Registered');
  await dialog().getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Number' }).click();
  await dialog().getByLabel('Default').fill('many');
  await inDialog('Save');
  await dialog().getByText('Please enter a valid number').waitFor();
  await dialog().getByLabel('Default').fill('-1.5');
  await inDialog('Save');
  await row('Registered').waitFor();
  await expect
    .poll(async () => (await stored()).at(-1))
    .toMatchObject({ type: 'number', defaultValue: -1.5, options: [] });
});

test('a saved option is renamed, no longer offered, and never removed; a new one can be the default', async () => {
  await press('Edit Fuel');
  await expect.poll(() => dialog().getByRole('combobox', { name: 'Type' }).isDisabled()).toBe(true);
  await dialog().getByRole('textbox', { name: 'Option 2' }).fill('Unleaded');
  await inDialog('No longer offer Diesel');
  await dialog().getByText('No longer offered').waitFor();
  await expect
    .poll(() =>
      dialog()
        .getByRole('button', { name: /^Remove/ })
        .count(),
    )
    .toBe(0);
  await inDialog('Add option');
  await page.keyboard.type('Hybrid');
  await dialog().getByRole('combobox', { name: 'Default' }).click();
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Electric', 'Unleaded', 'Hybrid']);
  await page.getByRole('option', { name: 'Hybrid' }).click();
  await dialog().getByRole('switch', { name: 'Required' }).click();
  const updated = willShow(page, 'Field updated successfully');
  await inDialog('Save');
  await updated;
  await row('Fuel', bea.page).getByText('Required', { exact: true }).waitFor();
  await expect
    .poll(async () => (await stored())[0])
    .toMatchObject({
      isRequired: true,
      defaultValue: 'o4',
      options: [
        { id: 'o1', name: 'Electric', active: true },
        { id: 'o2', name: 'Unleaded', active: true },
        { id: 'o3', name: 'Diesel', active: false },
        { id: 'o4', name: 'Hybrid', active: true },
      ],
    });
});

test('fields are reordered by keyboard, for everyone', async () => {
  await page.getByRole('button', { name: 'Move Registered' }).focus();
  await keys('Alt+ArrowUp');
  await page.getByRole('status').filter({ hasText: 'Registered is now at place 1 of 2' }).waitFor();
  await expect.poll(() => order(bea.page)).toEqual(['Registered', 'Fuel']);
  await expect.poll(async () => (await stored()).map(({ name }) => name)).toEqual(['Registered', 'Fuel']);
});

test('a field is retired and reinstated, and the audit log names what changed', async () => {
  await press('Retire Fuel');
  await dialog().getByText('The values of all rows are kept').waitFor();
  const retired = willShow(page, 'Field retired successfully');
  await inDialog('Retire');
  await row('Fuel', bea.page).getByText('Retired', { exact: true }).first().waitFor();
  await retired;
  await expect
    .poll(async () => (await stored()).find(({ name }) => name === 'Fuel'))
    .toMatchObject({
      active: false,
      isRequired: true,
      defaultValue: 'o4',
    });
  await press('Reinstate Fuel');
  await inDialog('Reinstate');
  await row('Fuel').getByText('In use', { exact: true }).waitFor();
  await bea.page.goto(`${company.server.url}/settings/audit-logs`);
  await bea.page.getByText('Ada Admin changed active of custom field Fuel').first().waitFor();
});

test('a permission record offers the fields that everybody may see, by name', async () => {
  const [{ _id, ...registered }] = (await stored()) as [Field];
  await company.call(`PUT /custom-fields/${_id}`, { body: { ...registered, visibleTo: 'administrators' } });
  const lea = await company.addPerson({ name: 'Lea Limited' });
  await page.goto(`${company.server.url}/settings/permissions?user=${lea.id}`);
  await page.getByRole('switch', { name: /^All columns/ }).click();
  await page.getByRole('checkbox', { name: 'Status', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Fuel' }).check();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Registered' }).count()).toBe(0);
  await press('Review and save');
  await dialog().getByText('Will see only these columns: Status, Fuel').waitFor();
  await inDialog('Save');
  await expect
    .poll(async () => {
      const { body } = await company.call(`GET /permissions/user/${lea.id}`);
      return body.dataEntry.columnVisibility.visibleColumns;
    })
    .toEqual(['status', 'custom1']);
});

describe('the limit', () => {
  test('the limit of fields in use is stated by the buttons', async () => {
    for (let more = 3; more <= 50; more += 1)
      await company.call('POST /custom-fields', { body: { name: `Field ${more}`, type: 'text' } });
    await company.call('POST /custom-fields', { body: { name: 'Old', type: 'text', active: false } });
    await page.goto(`${company.server.url}/settings/custom-fields`);
    for (const name of ['Add Field', 'Reinstate Old']) {
      await page.getByRole('button', { name, exact: true, disabled: true }).hover();
      await page
        .getByRole('tooltip')
        .filter({ hasText: '50 fields are in use, which is the limit' })
        .waitFor();
    }
  });
});

test('a phone shows type and state below the name, and nothing wider than itself', async () => {
  const own = await company.openAs(browser, company.admin, PHONE);
  await own.page.goto(`${company.server.url}/settings/custom-fields`);
  await row('Fuel', own.page).getByText('Select · Required').filter({ visible: true }).waitFor();
  await expect
    .poll(() => own.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBe(0);
  await own.close();
});
