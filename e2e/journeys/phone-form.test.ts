import { addDeal } from '@forecourt/server/test/builders';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closePages, hasKeys, sharedBrowser, type OpenPage } from '../browser.ts';
import { PHONE, signIn, startCompany, type Company, type Person } from './company.fixture.ts';
import { CLERK, openForm, storedDrafts } from './data-entry.fixture.ts';

let company: Company;
let browser: Browser;
let kim: Person;

/** The conflict that a test provokes. */
const CONFLICT = /status of 409/;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), sharedBrowser()]);
  kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
});
afterAll(async () => {
  await closePages();
  await company?.close();
});

const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;
/** A change by Ada meanwhile. */
const adaWrites = (id: string, body: object) => company.call(`PATCH /deals/${id}`, { body });
const ask = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Details' }).getByRole('alert').filter({ hasText: words });

describe('a row that a colleague changes while its form is open on a phone', () => {
  let phone: OpenPage;
  let page: Page;
  beforeAll(async () => {
    phone = await company.openAs(browser, kim, PHONE, [CONFLICT]);
    page = phone.page;
    await page.goto(`${company.server.url}/data-entry`);
  });
  afterAll(() => phone?.close());

  /** Opens the form of a row of Kim's; Ada changes the row and adds another, and the cards behind the form show it. */
  async function meanwhile(customerName: string, changes: object): Promise<string> {
    const row = { customerName, notes: 'Before', vehicle: 'Mazda' };
    const id = (await addDeal(company, kim, company.dealershipId, row))._id as string;
    await openForm(page, customerName);
    await page.getByRole('dialog').waitFor();
    const save = await page.getByRole('button', { name: 'Save' }).boundingBox();
    expect(save!.y + save!.height).toBeLessThan(PHONE.viewport.height);
    await adaWrites(id, { version: 1, saleAmount: 77, ...changes });
    const next = `After ${customerName}`;
    await addDeal(company, company.admin, company.dealershipId, { customerName: next });
    const card = (name: string) =>
      page.locator('button').filter({ has: page.getByText(name, { exact: true }) });
    await card(customerName).getByText('$77.00').waitFor();
    await card(next).waitFor();
    return id;
  }

  test('does not overwrite the same field: Kim decides', async () => {
    const id = await meanwhile('Fay Field', { notes: 'Ada wrote this' });
    await page.getByRole('dialog').getByLabel('Notes').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await ask(page, 'Ada Admin changed Notes to “Ada wrote this”').waitFor();
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Ada wrote this' });
    await page.getByRole('group', { name: 'Notes' }).getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await stored(id)).notes).toBe('Mine');
    await page.getByRole('button', { name: 'Close (Escape)' }).click();
  });

  test('keeps Ada’s change of another field', async () => {
    const id = await meanwhile('Odo Other', { vehicle: 'Kia' });
    await page.getByRole('dialog').getByLabel('Notes').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await stored(id)).notes).toBe('Mine');
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Mine', vehicle: 'Kia', saleAmount: 77 });
  });
});

describe('text typed into the form', () => {
  let phone: OpenPage;
  let page: Page;
  let lee: Person;
  let form: Locator;
  beforeAll(async () => {
    lee = await company.addPerson({ name: 'Lee Leaving', permissions: CLERK });
    await addDeal(company, lee, company.dealershipId, { customerName: 'Lou Left', notes: '' });
    phone = await company.openAs(browser, lee, PHONE, [/status of 401/]);
    page = phone.page;
    form = page.getByRole('dialog', { name: 'Edit deal' });
    await page.goto(`${company.server.url}/data-entry`);
    await page.getByRole('button', { name: 'Lou Left' }).click();
  });
  afterAll(() => phone?.close());

  const open = () => page.getByRole('button', { name: 'Edit', exact: true }).click();
  const question = () => page.getByRole('dialog', { name: 'Close without saving?' });

  test('asks before the form closes, which closes at once if nothing has changed', async () => {
    await open();
    await hasKeys(form);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    await open();
    await form.getByLabel('Notes').fill('Half a note');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
  });

  test('is kept when the phone is rotated', async () => {
    await page.setViewportSize({ width: 844, height: 390 });
    await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor({ state: 'detached' });
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
  });

  test('is not opened in a second tab while it is open in the first', async () => {
    const second = await page.context().newPage();
    await second.goto(`${company.server.url}/data-entry`);
    await openForm(second, 'Lou Left');
    const other = second.getByRole('dialog', { name: 'Edit deal' });
    await expect.poll(() => other.getByLabel('Notes').inputValue()).toBe('');
    await hasKeys(other);
    await second.keyboard.press('Escape');
    await other.waitFor({ state: 'detached' });
    await second.close();
  });

  test('warns before a reload and is restored after it', async () => {
    const [dialog] = await Promise.all([
      page.waitForEvent('dialog').then(async (asked) => {
        await asked.accept();
        return asked;
      }),
      page.reload(),
    ]);
    expect(dialog.type()).toBe('beforeunload');
    await form.getByText('What you typed here before is back. It is not saved yet.').waitFor();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
  });

  test('is restored after the session has ended, and is then saved', async () => {
    await form.getByLabel('Notes').fill('Half a note and more');
    await company.call('POST /auth/logout', { token: lee.token });
    // The form has a field of that name too.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, lee.email);
    await form.getByText('What you typed here before is back').waitFor();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note and more');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const notes = async () => (await company.call('GET /deals?search=Lou%20Left')).body.items[0].notes;
    await expect.poll(notes).toBe('Half a note and more');
  });

  test('is removed once it was discarded', async () => {
    await open();
    await form.getByLabel('Notes').fill('Never mind');
    await page.keyboard.press('Escape');
    await question().getByRole('button', { name: 'Discard what I typed' }).click();
    await form.waitFor({ state: 'detached' });
    await expect.poll(() => storedDrafts(page, 'deal-form')).toEqual([]);
    await page.reload();
    await open();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note and more');
  });
});
