import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { willShow } from '../browser.ts';
import { DESKTOP, PHONE, openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const SEEDED = ['Entered', 'Called', 'Deal', 'No deal', 'Deal Not Entered', 'To Call'];

const { company, browser } = await openCompany();
const ada = await company.openAs(browser, company.admin, DESKTOP, [/status of 40[0349]/]);
const page = ada.page;
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
await addDeal(company, kim, company.dealershipId, { customerName: 'Cara Called', status: 'Called' });
const kims = await openDataEntry(company, browser, kim);
await kims.row('Cara Called').waitFor();
await page.goto(`${company.server.url}/settings/status-configuration`);
beforeAll(async () => {
  await row('Called').waitFor();
});
afterAll(async () => {
  await kims.close();
  await ada.close();
});

const dialog = () => page.getByRole('dialog');
const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `Move ${name}`, exact: true }) });
const press = (name: string, at = page) => at.getByRole('button', { name, exact: true }).click();
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
const order = () =>
  page
    .getByRole('button', { name: /^Move / })
    .evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel?.slice(5)));
const savedOrder = async () =>
  (await company.call('GET /status-configurations')).body.items.map(({ name }: { name: string }) => name);
const background = (customer: string) =>
  kims.cell(customer, 'Customer').evaluate((cell) => getComputedStyle(cell).backgroundColor);
/** Returns the options of Kim's status cell. */
async function offered(): Promise<string[]> {
  await kims.cell('Cara Called', 'Status').dblclick();
  await kims.page.getByRole('option').first().waitFor();
  const options = await kims.page.getByRole('option').allTextContents();
  await kims.press('Escape');
  return options;
}

test('renaming and recolouring a status updates an open Data Entry at once, without a reload', async () => {
  await kims.page.evaluate(() => (document.body.dataset['sameDocument'] = 'yes'));
  const before = await background('Cara Called');
  await press('Edit Called');
  await dialog().getByLabel('Name').fill('Rung up');
  await dialog().getByRole('radio', { name: 'Red' }).check();
  await expect.poll(() => dialog().getByLabel('Hex value').inputValue()).toBe('#c92a2a');
  await expect
    .poll(() => dialog().getByRole('region', { name: 'Preview' }).getByText('Rung up').count())
    .toBe(4);
  const updated = willShow(page, 'Status updated successfully');
  await press('Save');
  await kims.cell('Cara Called', 'Status').getByText('Rung up').waitFor();
  await expect.poll(() => background('Cara Called')).not.toBe(before);
  await updated;
  await expect.poll(() => kims.page.evaluate(() => document.body.dataset['sameDocument'])).toBe('yes');
  await expect.poll(() => offered()).toContain('Rung up');
});

test('a colour is any hex value; an invalid one shows an error', async () => {
  await press('Add Status');
  await dialog().getByLabel('Name').fill('Waiting');
  await dialog().getByLabel('Hex value').fill('#12');
  await press('Save');
  await dialog().getByText('Must be a colour such as #2f6fb2').waitFor();
  await dialog().getByLabel('Hex value').fill('ffd400');
  await dialog().getByRole('switch', { name: 'Closed' }).click();
  await press('Save');
  await row('Waiting').getByRole('cell', { name: 'Yes', exact: true }).waitFor();
  await expect.poll(offered).toContain('Waiting');
});

test('the cycle is reordered with the keyboard and the mouse, for everyone', async () => {
  await page.getByRole('button', { name: 'Move Waiting' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByRole('status').filter({ hasText: 'Waiting is now at place 6 of 7' }).waitFor();
  await page.getByRole('button', { name: 'Move To Call' }).hover();
  await page.mouse.down();
  const box = (await row('Entered').boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 4, { steps: 8 });
  await page.mouse.up();
  const expected = ['To Call', 'Entered', 'Rung up', 'Deal', 'No deal', 'Deal Not Entered', 'Waiting'];
  await expect.poll(savedOrder).toEqual(expected);
  await expect.poll(() => order()).toEqual(expected);
  await expect.poll(offered).toEqual(expected);
});

test('an inactive status is no longer offered, and stays on its rows with its colour', async () => {
  const before = await background('Cara Called');
  await press('Deactivate Rung up');
  await toast('Status deactivated successfully');
  await expect.poll(offered).not.toContain('Rung up');
  await kims.cell('Cara Called', 'Status').getByText('Rung up').waitFor();
  await expect.poll(() => background('Cara Called')).toBe(before);
});

test('setting a default clears the previous one; the default can neither be retired nor deleted', async () => {
  await press('Edit To Call');
  await dialog().getByRole('switch', { name: 'Default' }).click();
  await press('Save');
  await row('To Call').getByRole('cell', { name: 'Yes', exact: true }).waitFor();
  await row('Entered').getByRole('cell', { name: 'Yes', exact: true }).waitFor({ state: 'detached' });
  for (const name of ['Deactivate To Call', 'Delete To Call']) {
    await page.getByRole('button', { name, disabled: true }).hover();
    await page.getByRole('tooltip').filter({ hasText: 'Make another status the default first' }).waitFor();
  }
});

test('a status with deals is deleted with a replacement, which they get at once', async () => {
  await press('Delete Rung up');
  await dialog().getByText('1 deal has this status').waitFor();
  await press('Delete');
  await dialog().getByText('Please choose a replacement').waitFor();
  await dialog().getByRole('combobox', { name: 'Replacement' }).click();
  await expect.poll(() => page.getByRole('option').allTextContents()).not.toContain('Rung up');
  await page.getByRole('option', { name: 'Deal', exact: true }).click();
  await press('Delete');
  await toast('Status deleted successfully');
  await row('Rung up').waitFor({ state: 'detached' });
  await kims.cell('Cara Called', 'Status').getByText('Deal', { exact: true }).waitFor();
});

test('deals added after the list was loaded are replaced too', async () => {
  await press('Delete Waiting');
  await dialog().getByText('Waiting', { exact: true }).waitFor();
  await addDeal(company, kim, company.dealershipId, { customerName: 'Wes Waiting', status: 'Waiting' });
  await press('Delete');
  await dialog()
    .getByText('1 deal has the status Waiting. Choose the status that they get instead.')
    .waitFor();
  await dialog().getByRole('combobox', { name: 'Replacement' }).click();
  await page.getByRole('option', { name: 'Entered', exact: true }).click();
  await press('Delete');
  await kims.cell('Wes Waiting', 'Status').getByText('Entered').waitFor();
  await expect
    .poll(async () => (await savedOrder()).sort())
    .toEqual(SEEDED.filter((name) => name !== 'Called').sort());
});

describe('a user with permission for one status', () => {
  test('a user with permission for one status changes its name and colour only, and sees why', async () => {
    const lea = await company.addPerson({
      name: 'Lea Lead',
      permissions: { pages: { statusConfiguration: true }, statusConfiguration: { viewStatuses: true } },
    });
    await press('Who may change No deal');
    await dialog().getByRole('combobox', { name: 'People' }).fill('Lea');
    const rings = () =>
      page.evaluate(() => {
        const isRinged = (element: Element) => getComputedStyle(element).outlineStyle !== 'none';
        return [...document.querySelectorAll('[role="dialog"] :is(:focus, :focus-within)')].filter(isRinged)
          .length;
      });
    await expect.poll(rings).toBe(1);
    await page.getByRole('option', { name: /^Lea Lead/ }).click();
    await page.keyboard.press('Tab');
    await press('Save');
    await toast('Saved who may change the status');
    const own = await company.openAs(browser, lea);
    await own.page.goto(`${company.server.url}/dashboard`);
    await own.page.getByRole('link', { name: 'Status Configuration' }).click();
    await press('Edit No deal', own.page);
    const form = own.page.getByRole('dialog');
    await expect.poll(() => form.getByRole('switch', { name: 'Closed' }).isDisabled()).toBe(true);
    await form.getByLabel('Name').fill('Lost');
    await press('Save', own.page);
    await row('Lost').waitFor();
    for (const [name, reason] of [
      ['Edit Deal', 'An administrator has to grant you this status'],
      ['Delete Lost', 'Only administrators can delete statuses'],
      ['Move Lost', 'Only administrators can change the order of statuses'],
      ['Add Status', 'Only administrators can add statuses'],
    ] as const) {
      await own.page.getByRole('button', { name, exact: true, disabled: true }).hover();
      await own.page.getByRole('tooltip').filter({ hasText: reason }).waitFor();
    }
    await own.close();
  });

  test('a phone shows below each name what the status is for', async () => {
    const own = await company.openAs(browser, company.admin, PHONE);
    await own.page.goto(`${company.server.url}/settings/status-configuration`);
    const cell = own.page
      .getByRole('row', { name: /^Move Deal/ })
      .getByRole('cell')
      .filter({ hasText: 'Deal' });
    await cell.getByText('Counts for commission').filter({ visible: true }).waitFor();
    const last = own.page.getByRole('button', { name: 'Delete Deal', exact: true });
    await expect.poll(async () => (await last.boundingBox())!.x + 16).toBeLessThan(PHONE.viewport.width - 16);
    await press('Open menu', own.page);
    await own.page.getByRole('link', { name: 'Data Entry' }).waitFor();
    await expect
      .poll(() => own.page.getByRole('link', { name: 'Status Configuration' }).isVisible())
      .toBe(false);
    await own.close();
  });
});

test('an administrator of an older installation decides which deals count for commission', async () => {
  await company.db.updateTable('statuses').set({ counts_for_commission: null }).execute();
  await page.reload();
  await kims.page.reload();
  await kims.page.locator('footer').getByText('Commission', { exact: true }).waitFor();
  await press('Decide');
  for (const name of (await savedOrder()).filter((status: string) => status !== 'Deal'))
    await dialog().getByRole('checkbox', { name, exact: true }).uncheck();
  const decided = willShow(page, 'Saved which deals count for commission');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await kims.page.locator('footer').getByText('Commission (Deal)').waitFor();
  await decided;
  await expect.poll(() => page.getByRole('button', { name: 'Decide' }).count()).toBe(0);
});
