import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PHONE, openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

/** Their keys are custom1, custom2 and so on. The options are not in the order of their names. */
const FIELDS = [
  { name: 'Finance', type: 'select', options: ['Loan', 'Cash', 'Lease'].map((name) => ({ name })) },
  { name: 'Paid', type: 'checkbox' },
  { name: 'Helper', type: 'person' },
  { name: 'Inspection', type: 'date' },
  { name: 'Extras', type: 'multiSelect', options: [{ name: 'Mats' }] },
];

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
// Sequential: their order is that of creation.
for (const body of FIELDS) await company.call('POST /custom-fields', { body });
for (const [customerName, custom] of [
  ['Lea Lease', { custom1: 'o3', custom2: true, custom4: '2026-11-20' }],
  ['Lou Loan', { custom1: 'o1', custom3: kim.id, custom5: ['o1'] }],
] as const)
  await addDeal(company, kim, company.dealershipId, { customerName, custom });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const named = async (customerName: string) =>
  (await company.call(`GET /deals?search=${encodeURIComponent(customerName)}`)).body.items[0];

describe('in the table', () => {
  let screen: DataEntry;
  let page: Page;
  beforeAll(async () => {
    const wide = { viewport: { width: 3600, height: 900 } };
    // A field may be retired between two requests that filter by it.
    const expected = [/status of 400 .*filter=/];
    screen = await openDataEntry(company, browser, kim, { context: wide, expected });
    page = screen.page;
    await screen.row('Lea Lease').waitFor();
    await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  });
  afterAll(() => screen?.close());

  const groupBy = async (name: string) => {
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await item(page, name).click();
  };
  const heads = () => screen.grid.locator('.grid-group-content strong').allTextContents();

  test('a filter selects rows by a custom field, also after a reload', async () => {
    await page.keyboard.press('Control+Shift+L');
    const column = page.getByLabel('Column', { exact: true });
    await column.selectOption('Finance');
    await page.getByRole('group', { name: 'Values of Finance' }).getByLabel('Lease').click();
    await page.keyboard.press('Escape');
    await screen.row('Lou Loan').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Finance is Lease', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Finance is Lease', exact: true }).waitFor();
    await screen.row('Lea Lease').waitFor();
    await expect.poll(() => screen.row('Lou Loan').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove: Finance is Lease' }).click();
    await screen.row('Lou Loan').waitFor();
  });

  test.each([
    ['Finance', ['Loan', 'Lease', 'No Finance']],
    ['Paid', ['Yes', 'No Paid']],
    ['Helper', ['Kim Clerk', 'No Helper']],
    ['Inspection', ['20/11/2026', 'No Inspection']],
  ])('groups by %s are in their order, and empty cells are last', async (field, order) => {
    await groupBy(field);
    await expect.poll(heads).toEqual(order);
  });

  test.each([
    ['Finance', 'Lease', 'Neo Lease', { custom1: 'o3' }],
    ['Paid', 'Yes', 'Peg Paid', { custom2: true }],
    ['Inspection', '20/11/2026', 'Ina Day', { custom4: '2026-11-20' }],
  ])('a new row in a group by %s has its value', async (field, group, name, custom) => {
    await groupBy(field);
    await screen.grid.getByRole('button', { name: `New row in ${group}` }).click();
    await page.keyboard.type(name);
    await screen.press('Tab', 'Tab');
    await page.keyboard.type('Harbour');
    await screen.press('Enter');
    await screen.saved();
    await expect.poll(async () => (await named(name))?.custom).toEqual(custom);
  });

  test('the menu of a header groups by a choice and not by several, and a view has the group', async () => {
    await groupBy('No groups');
    await page.getByRole('columnheader', { name: 'Extras' }).click({ button: 'right' });
    await item(page, 'Sort ascending').waitFor();
    await expect.poll(() => item(page, 'Group by this column').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Helper' }).click({ button: 'right' });
    await item(page, 'Group by this column').click();
    await expect.poll(heads).toEqual(['Kim Clerk', 'No Helper']);
    await page.getByRole('button', { name: /^View: / }).click();
    await item(page, 'Save as…').click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill('By helper');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'View: By helper', exact: true }).waitFor();
    const { body } = await company.call('GET /deal-views', { token: kim.token });
    expect(body.items).toMatchObject([{ name: 'By helper', group: 'custom3' }]);
  });

  test('a retired field takes its conditions and its groups with it, and the rows stay', async () => {
    await groupBy('Finance');
    await expect.poll(heads).toContain('Loan');
    await page.keyboard.press('Control+Shift+L');
    await page.getByLabel('Column', { exact: true }).selectOption('Finance');
    await page.getByRole('group', { name: 'Values of Finance' }).getByLabel('Lease').click();
    await page.keyboard.press('Escape');
    await expect.poll(heads).toEqual(['Lease']);
    const { body: fields } = await company.call('GET /custom-fields');
    const finance = fields.items[0];
    await company.call(`PUT /custom-fields/${finance._id}`, { body: { ...finance, active: false } });
    await screen.row('Lou Loan').waitFor();
    await expect.poll(heads).toEqual([]);
    await expect.poll(() => page.getByRole('button', { name: /^Remove: / }).count()).toBe(0);
    await expect.poll(() => page.url()).not.toContain('custom1');
    const { body: retired } = await company.call(`GET /custom-fields/${finance._id}`);
    await company.call(`PUT /custom-fields/${finance._id}`, { body: { ...retired, active: true } });
    await page.getByRole('columnheader', { name: 'Finance' }).waitFor();
  });
});

test('on a phone the form of a new row begins with the value of the group', async () => {
  const { page, close } = await company.openAs(browser, kim, { ...PHONE, hasTouch: true });
  await page.goto(`${company.server.url}/data-entry`);
  await page.getByText('Lou Loan', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Group', exact: true }).tap();
  await item(page, 'Finance').tap();
  await page.getByRole('button', { name: 'New row in Lease' }).tap();
  const form = page.getByRole('dialog');
  await expect.poll(() => form.getByRole('combobox', { name: 'Finance' }).inputValue()).toBe('Lease');
  await close();
});
