import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasKeys, type OpenPage } from '../browser.ts';
import { DESKTOP, openCompany, type Person } from './company.fixture.ts';

const { company, browser } = await openCompany();
// The browser logs the provoked refusals.
const ada = await company.openAs(browser, company.admin, DESKTOP, [/status of 40[0349]/]);
const page = ada.page;
afterAll(() => ada.close());

const dialogOf = (at: Page) => at.getByRole('dialog');
const rowOf = (at: Page, name: string) => at.getByRole('row').filter({ hasText: name });
const press = (at: Page, name: string) => at.getByRole('button', { name, exact: true }).click();
const toast = (at: Page, text: string) => at.getByRole('alert').filter({ hasText: text }).waitFor();
const open = (at: Page, path = '/item-configuration') => at.goto(company.server.url + path);
/** Returns the names in the order of the table. */
const order = (at: Page) =>
  at
    .getByRole('button', { name: /^Move / })
    .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel?.slice(5)));
const savedOrder = async () =>
  (await company.call('GET /item-configurations')).body.items.map(({ name }: { name: string }) => name);

async function add(name: string, more: { category?: string; price?: string } = {}): Promise<void> {
  await press(page, 'Add Item');
  await dialogOf(page).getByLabel('Name').fill(name);
  if (more.category) await dialogOf(page).getByLabel('Category').fill(more.category);
  if (more.price) await dialogOf(page).getByLabel('Price').fill(more.price);
  await press(page, 'Save');
  await dialogOf(page).waitFor({ state: 'detached' });
}

test('the first items: an empty list shows what to do, and a form shows its errors', async () => {
  await open(page);
  await page.getByText('No items available').waitFor();
  await press(page, 'Add Item');
  await dialogOf(page).getByLabel('Price').fill('12,50');
  await press(page, 'Save');
  await dialogOf(page).getByText('Item name is required').waitFor();
  await dialogOf(page).getByText('Please enter a valid number').waitFor();
  await dialogOf(page).getByLabel('Name').fill('Window tint');
  await dialogOf(page).getByLabel('Category').fill('Protection');
  await dialogOf(page).getByLabel('Price').fill('$1,499.50');
  await press(page, 'Save');
  await toast(page, 'Item added successfully');
  await rowOf(page, 'Window tint').getByText('$1,499.50', { exact: true }).waitFor();

  await add('Dash cam', { price: '349' });
  await add('Service plan');
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Item Configuration', exact: true }).click();
  await press(page, 'Add Item');
  await dialogOf(page).getByLabel('Name').fill('WINDOW TINT');
  await press(page, 'Save');
  await dialogOf(page).getByText('There is already an item with this name').waitFor();
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Close without saving?' });
  await hasKeys(question);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => dialogOf(page).getByLabel('Name').inputValue()).toBe('WINDOW TINT');
  await press(page, 'Cancel');
  await press(page, 'Discard what I typed');
  await expect.poll(() => order(page)).toEqual(['Window tint', 'Dash cam', 'Service plan']);
});

test('a name may have as many emoji as characters, and one too many is refused with a message', async () => {
  const smiles = (count: number) => '\u{1F600}'.repeat(count);
  await open(page);
  await press(page, 'Add Item');
  const name = dialogOf(page).getByLabel('Name');
  await name.focus();
  await page.keyboard.insertText(smiles(81));
  await press(page, 'Save');
  await dialogOf(page).getByText('Must be at most 80 characters').waitFor();
  await expect.poll(() => name.inputValue()).toBe(smiles(81));
  await name.fill(smiles(80));
  await press(page, 'Save');
  await dialogOf(page).waitFor({ state: 'detached' });
  const { body } = await company.call('GET /item-configurations');
  const added = body.items.find((item: { name: string }) => item.name === smiles(80));
  await company.call(`DELETE /item-configurations/${added._id}`);
  await rowOf(page, smiles(80)).waitFor({ state: 'detached' });
});

describe('the order', () => {
  const expectStatus = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

  test('the order of items is changed by keyboard, which stays on the handle and announces the new position', async () => {
    const handle = page.getByRole('button', { name: 'Move Window tint' });
    await handle.focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expectStatus('Window tint is now at place 2 of 3');
    await page.keyboard.press('Alt+ArrowDown');
    await expectStatus('Window tint is now at place 3 of 3');
    await page.keyboard.press('Alt+ArrowDown');
    await expectStatus('Window tint cannot be moved any further');
    await expect.poll(() => handle.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(savedOrder).toEqual(['Dash cam', 'Service plan', 'Window tint']);
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(savedOrder).toEqual(['Dash cam', 'Window tint', 'Service plan']);
    await page.reload();
    await handle.waitFor();
    await expect.poll(() => order(page)).toEqual(['Dash cam', 'Window tint', 'Service plan']);
  });

  /** Drags a row by its handle over another one without releasing it. */
  async function drag(name: string, over: string): Promise<void> {
    await page.getByRole('button', { name: `Move ${name}` }).hover();
    await page.mouse.down();
    const box = (await rowOf(page, over).boundingBox())!;
    const below = box.y > (await rowOf(page, name).boundingBox())!.y;
    await page.mouse.move(box.x + 40, box.y + box.height * (below ? 0.8 : 0.2), { steps: 8 });
  }

  test('the order of items is changed by dragging; Escape cancels', async () => {
    await drag('Service plan', 'Dash cam');
    await expect.poll(() => order(page)).toEqual(['Service plan', 'Dash cam', 'Window tint']);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect.poll(() => order(page)).toEqual(['Dash cam', 'Window tint', 'Service plan']);
    await drag('Dash cam', 'Service plan');
    await page.mouse.up();
    await expectStatus('Dash cam is now at place 3 of 3');
    await expect.poll(savedOrder).toEqual(['Window tint', 'Service plan', 'Dash cam']);
  });

  test('the order of items is not changed while the list is sorted by something else, with a message', async () => {
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page.getByRole('button', { name: 'Move Dash cam' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await toast(page, 'The list is sorted by another column');
    await page.getByRole('button', { name: 'Order', exact: true }).click();
    await expect.poll(() => order(page)).toEqual(['Window tint', 'Service plan', 'Dash cam']);
  });
});

describe('a colleague who manages items', () => {
  let kim: Person;
  let kims: OpenPage;
  beforeAll(async () => {
    kim = await company.addPerson({ name: 'Kim Keeper', permissions: { features: { manageItems: true } } });
    kims = await company.openAs(browser, kim);
    await open(kims.page);
    await kims.page.getByText('No items available').waitFor();
  });
  afterAll(() => kims?.close());

  test('a colleague who manages items sees shared items at once, and why further actions are not allowed', async () => {
    await press(page, 'Share Window tint');
    await dialogOf(page)
      .getByRole('checkbox', { name: /^Kim Keeper/ })
      .check();
    await press(page, 'Update Sharing');
    await toast(page, 'Successfully shared the item with 1 user(s)');
    await rowOf(kims.page, 'Window tint').getByText('You (View)').waitFor();
    for (const [name, reason] of [
      ['Edit Window tint', 'You do not have permission to edit this item'],
      ['Share Window tint', 'Only the owner and administrators can share or transfer this item'],
      ['Move Window tint', 'You do not have permission to change the order of items'],
    ] as const) {
      await kims.page.getByRole('button', { name, disabled: true }).focus();
      await kims.page.getByRole('tooltip').filter({ hasText: reason }).waitFor();
    }
  });

  test('a colleague who manages items may change an item shared for editing, and owns it after a transfer', async () => {
    await page.getByRole('button', { name: 'Shared with Kim Keeper (View). Change' }).click();
    await dialogOf(page).getByText('Edit', { exact: true }).click();
    await press(page, 'Update Sharing');
    await kims.page.getByRole('button', { name: 'Edit Window tint', disabled: false }).click();
    await dialogOf(kims.page).getByLabel('Price').fill('1599');
    await press(kims.page, 'Save');
    await rowOf(page, 'Window tint').getByText('$1,599.00', { exact: true }).waitFor();

    await press(page, 'Transfer Window tint');
    await dialogOf(page).getByRole('combobox', { name: 'New owner' }).click();
    await page.getByRole('option', { name: /^Kim Keeper/ }).click();
    await dialogOf(page).getByRole('button', { name: 'Transfer' }).click();
    await toast(page, 'Successfully transferred the item');
    await kims.page.getByRole('button', { name: 'Delete Window tint', disabled: false }).waitFor();
  });
});

test('an item is deactivated and activated, and deleted after a confirmation with its name', async () => {
  await press(page, 'Deactivate Service plan');
  await toast(page, 'Item deactivated successfully');
  await rowOf(page, 'Service plan').getByText('Inactive').filter({ visible: true }).waitFor();
  await press(page, 'Activate Service plan');
  await rowOf(page, 'Service plan').getByText('Active', { exact: true }).waitFor();
  await press(page, 'Delete Service plan');
  await dialogOf(page).getByText('This action cannot be undone').waitFor();
  await dialogOf(page).getByText('Service plan', { exact: true }).waitFor();
  await press(page, 'Delete');
  await toast(page, 'Item deleted successfully');
  await rowOf(page, 'Service plan').waitFor({ state: 'detached' });
});
