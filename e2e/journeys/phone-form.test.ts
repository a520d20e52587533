import { addDeal } from '@forecourt/server/test/builders';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasKeys, type OpenPage } from '../browser.ts';
import { PHONE, signIn, openCompany, type Person } from './company.fixture.ts';
import { CLERK, openForm, storedDrafts } from './data-entry.fixture.ts';

/** The conflict that a test provokes. */
const CONFLICT = /status of 409/;

const { company, browser } = await openCompany();
const kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;
/** A change by Ada meanwhile. */
const adaWrites = (id: string, body: object) => company.call(`PATCH /deals/${id}`, { body });
const ask = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Details' }).getByRole('alert').filter({ hasText: words });

describe('a row that a colleague changes while a value is edited on its page on a phone', () => {
  let phone: OpenPage;
  let page: Page;
  beforeAll(async () => {
    phone = await company.openAs(browser, kim, { ...PHONE, hasTouch: true }, [CONFLICT]);
    page = phone.page;
    await page.goto(`${company.server.url}/data-entry`);
  });
  afterAll(() => phone?.close());

  const value = (name: string) => page.getByRole('button', { name: `Edit ${name}` });
  const editor = (name: string) => page.getByLabel(name, { exact: true });

  /** Types notes into a row of Kim's while Ada changes the row, and saves them by finger. */
  async function meanwhile(customerName: string, changes: object): Promise<string> {
    const row = { customerName, notes: 'Before', vehicle: 'Mazda' };
    const id = (await addDeal(company, kim, company.dealershipId, row))._id as string;
    await page.getByRole('button', { name: customerName }).tap();
    await value('Notes: Before').tap();
    await editor('Notes').fill('Mine');
    await adaWrites(id, { version: 1, saleAmount: 77, ...changes });
    await value('Sale: $77.00').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    return id;
  }
  const close = () => page.getByRole('button', { name: 'Close (Escape)' }).tap();

  test('an edit on the page of a row on a phone, beside that of a colleague, does not overwrite the same field: Kim decides', async () => {
    const id = await meanwhile('Fay Field', { notes: 'Ada wrote this' });
    await ask(page, 'Ada Admin changed Notes to “Ada wrote this”').waitFor();
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Ada wrote this' });
    await page.getByRole('group', { name: 'Notes' }).getByRole('button', { name: 'Keep mine' }).tap();
    await expect.poll(async () => (await stored(id)).notes).toBe('Mine');
    await close();
  });

  test('an edit on the page of a row on a phone, beside that of a colleague, keeps Ada’s change of another field', async () => {
    const id = await meanwhile('Odo Other', { vehicle: 'Kia' });
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Mine', vehicle: 'Kia', saleAmount: 77 });
    await close();
  });

  test('a finger edits every value above the keyboard, cancels, and undoes', async () => {
    const id = (await addDeal(company, kim, company.dealershipId, { customerName: 'Fin Finger' }))._id;
    await page.getByRole('button', { name: 'Fin Finger' }).tap();
    await expect.poll(() => page.getByRole('button', { name: /^Edit / }).count()).toBeGreaterThan(10);
    /** A keyboard covers the lower half. */
    const half = PHONE.viewport.height / 2;
    for (const [name, keyboard] of [
      ['Phone', 'tel'],
      ['Dealership', null],
      ['Sale', 'decimal'],
      ['Notes', null],
      ['Customer email', 'email'],
    ] as const) {
      const shown = await value(name).boundingBox();
      expect(shown!.height).toBeGreaterThanOrEqual(44);
      await value(name).tap();
      const box = (await page.locator('.grid-editor').boundingBox())!;
      expect(box.y + box.height, name).toBeLessThan(half);
      for (const option of await page.getByRole('option').all())
        expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      await expect.poll(() => page.locator('.grid-editor').getAttribute('inputmode')).toBe(keyboard);
      await page.keyboard.press('Escape');
    }
    await value('Vehicle').tap();
    await editor('Vehicle').fill('Oops');
    await page.getByRole('button', { name: 'Cancel', exact: true }).tap();
    await value('Vehicle').tap();
    await editor('Vehicle').fill('Kia');
    // A tap on another value saves this one.
    await value('Deal number').tap();
    await editor('Deal number').waitFor();
    await expect.poll(() => stored(id)).toMatchObject({ vehicle: 'Kia', version: 2 });
    await page.getByRole('button', { name: 'Cancel', exact: true }).tap();
    await page.getByRole('button', { name: 'More actions' }).tap();
    await page.getByRole('menuitem', { name: 'Undo' }).tap();
    await expect.poll(() => stored(id)).toMatchObject({ vehicle: '', version: 3 });
    // Who may not transfer the row reads why.
    await page.getByText('You do not have permission to transfer').waitFor();
    await close();
  });
});

describe('text typed on the page of a saved row', () => {
  test('text typed on the page of a saved row stays when the phone is rotated, and is saved when the session has ended meanwhile', async () => {
    const pat = await company.addPerson({ name: 'Pat Page', permissions: CLERK });
    const id = (await addDeal(company, pat, company.dealershipId, { customerName: 'Pia Page' }))._id;
    const { page, close } = await company.openAs(browser, pat, PHONE, [/status of 401/]);
    await page.goto(`${company.server.url}/data-entry/${id}`);
    await page.getByRole('button', { name: 'Edit Notes' }).click();
    const notes = page.getByLabel('Notes', { exact: true });
    await notes.fill('Half a note');
    await page.setViewportSize({ width: 844, height: 390 });
    await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor();
    await expect.poll(() => notes.inputValue()).toBe('Half a note');
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor({ state: 'detached' });
    await expect.poll(() => notes.inputValue()).toBe('Half a note');
    await company.call('POST /auth/logout', { token: pat.token });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, pat.email);
    await page.getByRole('button', { name: 'Edit Notes: Half a note' }).waitFor();
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Half a note' });
    await close();
  });
});

describe('text typed into the form of a new row', () => {
  let phone: OpenPage;
  let page: Page;
  let lee: Person;
  let form: Locator;
  beforeAll(async () => {
    lee = await company.addPerson({ name: 'Lee Leaving', permissions: CLERK });
    phone = await company.openAs(browser, lee, PHONE, [/status of 401/]);
    page = phone.page;
    form = page.getByRole('dialog', { name: 'Add deal' });
    await page.goto(`${company.server.url}/data-entry`);
  });
  afterAll(() => phone?.close());

  const open = (shown = page) => shown.getByRole('button', { name: 'Add deal' }).click();
  const question = () => page.getByRole('dialog', { name: 'Close without saving?' });

  test('text typed into the form of a new row asks before the form closes, which closes at once if nothing has changed', async () => {
    await open();
    await hasKeys(form);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    await openForm(page, 'Lou Left');
    const save = await form.getByRole('button', { name: 'Save' }).boundingBox();
    expect(save!.y + save!.height).toBeLessThan(PHONE.viewport.height);
    await form.getByLabel('Notes').fill('Half a note');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
  });

  test('text typed into the form of a new row is kept when the phone is rotated', async () => {
    await page.setViewportSize({ width: 844, height: 390 });
    await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('grid', { name: 'Deals', includeHidden: true }).waitFor({ state: 'detached' });
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
  });

  test('text typed into the form of a new row is not opened in a second tab while it is open in the first', async () => {
    const second = await page.context().newPage();
    await second.goto(`${company.server.url}/data-entry`);
    await open(second);
    const other = second.getByRole('dialog', { name: 'Add deal' });
    await expect.poll(() => other.getByLabel('Notes').inputValue()).toBe('');
    await hasKeys(other);
    await second.keyboard.press('Escape');
    await other.waitFor({ state: 'detached' });
    await second.close();
  });

  test('text typed into the form of a new row warns before a reload and is restored after it', async () => {
    const [dialog] = await Promise.all([
      page.waitForEvent('dialog').then(async (asked) => {
        await asked.accept();
        return asked;
      }),
      page.reload(),
    ]);
    expect(dialog.type()).toBe('beforeunload');
    await form.getByText('Your unsaved text was restored. It is not saved yet.').waitFor();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note');
  });

  test('text typed into the form of a new row is restored after the session has ended, and is then saved', async () => {
    await form.getByLabel('Notes').fill('Half a note and more');
    await company.call('POST /auth/logout', { token: lee.token });
    // The form has a field of that name too.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, lee.email);
    await form.getByText('Your unsaved text was restored').waitFor();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('Half a note and more');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    const notes = async () => (await company.call('GET /deals?search=Lou%20Left')).body.items[0]?.notes;
    await expect.poll(notes).toBe('Half a note and more');
  });

  test('text typed into the form of a new row is removed once it was discarded', async () => {
    await open();
    await form.getByLabel('Notes').fill('Never mind');
    await page.keyboard.press('Escape');
    await question().getByRole('button', { name: 'Discard what I typed' }).click();
    await form.waitFor({ state: 'detached' });
    await expect.poll(() => storedDrafts(page, 'deal-form')).toEqual([]);
    await page.reload();
    await open();
    await expect.poll(() => form.getByLabel('Notes').inputValue()).toBe('');
  });
});
