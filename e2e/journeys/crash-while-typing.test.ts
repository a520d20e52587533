import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDeal } from '@forecourt/server/test/builders';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { launchOptions, type OpenPage } from '../browser.ts';
import { openCompany, type Person } from './company.fixture.ts';
import { CLERK, dataEntryOn, storedDrafts, WIDE, type DataEntry } from './data-entry.fixture.ts';

let kim: Person;

const { company, browser } = await openCompany();

// Each test opens fewer pages than the rate limit for permissions allows.
beforeEach(async () => {
  kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
});
const ENDED = 'You were typing this when the page ended.';

const addRow = async (customerName: string): Promise<string> =>
  (await addDeal(company, kim, company.dealershipId, { customerName, notes: 'Before' }))._id;
const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;

const expectStored = async (page: Page, text: string): Promise<void> => {
  await expect
    .poll(async () => (await storedDrafts(page, 'deal-text')).map((draft) => draft['text']))
    .toContain(text);
};

const screenOn = async (page: Page): Promise<DataEntry> => {
  await page.goto(`${company.server.url}/data-entry`);
  const screen = dataEntryOn(page, () => page.close());
  await screen.row('Ann Example').waitFor();
  return screen;
};

/** Kills the browser process. */
async function killBrowser(context: BrowserContext): Promise<void> {
  const session = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const closed = new Promise((resolve) => context.once('close', resolve));
  process.kill(processInfo.find(({ type }) => type === 'browser')!.id, 'SIGKILL');
  await closed;
}

test('a killed browser keeps the note being typed, for its user only', async () => {
  const id = await addRow('Nora Note');
  const lee = await company.addPerson({ name: 'Lee Later', permissions: CLERK });
  const profile = await mkdtemp(join(tmpdir(), 'killed-browser-'));
  const start = async ({ token }: Person) => {
    const context = await chromium.launchPersistentContext(profile, { ...launchOptions(), ...WIDE });
    context.setDefaultTimeout(120_000);
    await context.addInitScript((text) => localStorage.setItem('token', text), token);
    return { context, screen: await screenOn(await context.newPage()) };
  };
  const note = 'Rang him twice.\nHe wants the tint before Friday';

  const first = await start(kim);
  await first.screen.cell('Nora Note', 'Notes').click();
  await first.screen.press('F2', 'ControlOrMeta+a');
  for (const line of note.split('\n')) {
    if (!note.startsWith(line)) await first.screen.press('Enter');
    await first.screen.page.keyboard.type(line, { delay: 5 });
  }
  await expectStored(first.screen.page, note);
  await killBrowser(first.context);

  const others = await start(lee);
  // Stored later than Kim's text would have been offered.
  await others.screen.press('Alt+n');
  await others.screen.typeCells(['Lee types']);
  await expectStored(others.screen.page, 'Lee types');
  await others.screen.press('Escape');
  await others.screen.saved();
  // Kim's initials stay in the cell until the server detects the lost connection.
  await expect.poll(() => others.screen.cell('Nora Note', 'Notes').textContent()).toMatch(/^Before(KC)?$/);
  await expect.poll(() => others.screen.notice.count()).toBe(0);
  await others.context.close();

  const again = await start(kim);
  const { screen } = again;
  await screen.page.getByText('1 unsaved row').waitFor();
  await screen.notice.getByText(ENDED).waitFor();
  const cell = screen.cell('Nora Note', 'Notes');
  await expect.poll(() => cell.textContent()).toBe(note);
  await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => stored(id)).toMatchObject({ notes: 'Before', version: 1 });
  await cell.click();
  await expect.poll(() => screen.note.textContent()).toContain(ENDED);
  await screen.press('F2');
  await expect.poll(() => screen.editor.inputValue()).toBe(note);
  await screen.page.keyboard.type('.');
  await screen.press('Control+Enter');
  await screen.saved();
  await expect.poll(() => stored(id)).toMatchObject({ notes: `${note}.`, version: 2 });
  await screen.page.reload();
  await screen.row('Nora Note').waitFor();
  await screen.saved();
  await again.context.close();
  await rm(profile, { recursive: true, force: true });
});

describe('a page that crashes while a user types', () => {
  let opened: OpenPage;
  let screen: DataEntry;

  beforeEach(async () => {
    opened = await company.openAs(browser, kim, WIDE);
    screen = await screenOn(opened.page);
  });
  afterEach(() => opened?.close());

  /** Crashes the page once it has stored the typed text. */
  async function crash(text: string): Promise<void> {
    const { page } = screen;
    await expectStored(page, text);
    const session = await page.context().newCDPSession(page);
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
  }
  const openAgain = async () => (screen = await screenOn(await opened.page.context().newPage()));
  const press = (name: string) => screen.notice.getByRole('button', { name }).click();

  test('a page that crashes while a user types restores a new row and saves it as one row', async () => {
    await screen.press('Alt+n');
    await screen.typeCells(['Nell New']);
    await crash('Nell New');
    await openAgain();
    await screen.page.getByText('1 unsaved row').waitFor();
    await screen.row('Nell New').waitFor();
    await screen.cell('Nell New', 'Customer').click();
    await screen.press('F2', 'Tab', 'Tab');
    await screen.typeCells(['Harb']);
    await screen.press('Enter');
    await screen.saved();
    await screen.row('Nell New').waitFor();
    await expect
      .poll(async () => (await company.call('GET /deals?search=Nell%20New')).body)
      .toMatchObject({ total: 1 });
  });

  test('a page that crashes while a user types restores the text into a row saved meanwhile, and adds no second row', async () => {
    const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>();
    await screen.page.route('**/api/deals/bulk/create', async (route) => {
      await isTyped;
      await route.continue();
    });
    await screen.press('Alt+n');
    await screen.typeCells(['Mo Meanwhile', '0412345678', 'Harb', 'DN-77']);
    await expectStored(screen.page, 'DN-77');
    goOn();
    await screen.saved();
    await crash('DN-77');
    await openAgain();
    await expect.poll(() => screen.cell('Mo Meanwhile', 'Deal number').textContent()).toBe('DN-77');
    await press('Save');
    await screen.saved();
    const { body } = await company.call('GET /deals?search=Mo%20Meanwhile');
    expect(body).toMatchObject({ total: 1, items: [{ dealNumber: 'DN-77' }] });
  });

  test('a page that crashes while a user types does not overwrite a colleague’s change: both values are shown', async () => {
    const id = await addRow('Cleo Conflict');
    await screen.typeInto('Cleo Conflict', 'Notes', 'Kim wrote this');
    await crash('Kim wrote this');
    await company.call(`PATCH /deals/${id}`, { body: { version: 1, notes: 'Ada wrote this' } });
    await openAgain();
    await screen.notice.getByText('Its cell holds “Ada wrote this” now.').waitFor();
    await press('Save');
    await screen.notice.getByText('Ada Admin changed Notes to “Ada wrote this”').waitFor();
    await screen.notice.getByText('You typed “Kim wrote this”').waitFor();
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Ada wrote this' });
    await press('Keep mine');
    await screen.saved();
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Kim wrote this' });
  });

  test('a page that crashes while a user types shows the text of a deleted row, which can be discarded', async () => {
    const id = await addRow('Gus Gone');
    await screen.typeInto('Gus Gone', 'Notes', 'Too late');
    await crash('Too late');
    await company.call(`DELETE /deals/${id}`);
    await openAgain();
    await screen.notice.getByText('Notes “Too late” was not saved').waitFor();
    await press('Discard');
    await screen.saved();
    await screen.page.reload();
    await screen.row('Ann Example').waitFor();
    await screen.saved();
  });

  test('a page that crashes while a user types shows the text and the reason to a user who may no longer edit the cell, and can discard it', async () => {
    const { _id: id } = await addDeal(company, company.admin, company.dealershipId, {
      customerName: 'Rae Revoked',
      notes: 'Before',
    });
    const share = (sharedWith: object[]) =>
      company.call(`PUT /deals/${id}/sharing`, { body: { sharedWith } });
    const shared = await share([{ userId: kim.id, permissions: 'write' }]);
    expect(shared).toMatchObject({ status: 200 });
    await screen.page.reload();
    await screen.row('Rae Revoked').waitFor();
    await screen.typeInto('Rae Revoked', 'Notes', 'Half a note');
    await crash('Half a note');
    const unshared = await share([]);
    expect(unshared).toMatchObject({ status: 200 });
    await openAgain();
    const cell = screen.cell('Rae Revoked', 'Notes');
    await expect.poll(() => cell.textContent()).toBe('Half a note');
    await screen.notice.getByRole('button', { name: 'Save' }).hover();
    await screen.page.getByText('This row is owned by Ada Admin').waitFor();
    await press('Discard');
    await screen.saved();
    await expect.poll(() => cell.textContent()).toBe('Before');
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Before' });
  });

  test('a page that crashes while a user types does not restore text that was saved or discarded', async () => {
    const id = await addRow('Etta Escape');
    await screen.typeInto('Etta Escape', 'Notes', 'Never mind');
    await expectStored(screen.page, 'Never mind');
    await screen.press('Escape');
    await expect.poll(() => storedDrafts(screen.page, 'deal-text')).toEqual([]);
    await screen.typeInto('Etta Escape', 'Vehicle', 'Mazda');
    await expectStored(screen.page, 'Mazda');
    await screen.press('Enter');
    await screen.saved();
    await expect.poll(() => storedDrafts(screen.page, 'deal-text')).toEqual([]);
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Before', vehicle: 'Mazda' });
  });

  test('a page that crashes while a user types leaves the text being typed in another tab there', async () => {
    const id = await addRow('Tess Tab');
    await screen.typeInto('Tess Tab', 'Notes', 'Half a');
    await expectStored(screen.page, 'Half a');
    const second = await screenOn(await screen.page.context().newPage());
    // Stored later than the other tab's text would have been offered.
    await second.typeInto('Tess Tab', 'Vehicle', 'Maz');
    await expectStored(second.page, 'Maz');
    await second.press('Escape');
    await second.saved();
    await expect.poll(() => second.cell('Tess Tab', 'Notes').textContent()).toBe('Before');
    await expect.poll(() => second.notice.count()).toBe(0);
    await second.page.close();
    await expectStored(screen.page, 'Half a');
    await screen.page.keyboard.type(' note');
    await screen.press('Control+Enter');
    await screen.saved();
    await expect.poll(() => stored(id)).toMatchObject({ notes: 'Half a note' });
  });
});
