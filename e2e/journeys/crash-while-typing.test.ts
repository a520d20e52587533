import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDeal } from '@forecourt/server/test/builders';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, launchOptions, type OpenPage } from '../browser.ts';
import { startCompany, type Company, type Person } from './company.fixture.ts';
import { CLERK, dataEntryOn, WIDE, type DataEntry } from './data-entry.fixture.ts';

let company: Company;
let browser: Browser;
let kim: Person;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
});
// Each opens fewer pages than there are answers a minute to what a person may do.
beforeEach(async () => {
  kim = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

const ENDED = 'You were typing this when the page ended.';

const addRow = async (customerName: string): Promise<string> =>
  (await addDeal(company, kim, company.dealershipId, { customerName, notes: 'Before' }))._id;
const stored = async (id: string) => (await company.call(`GET /deals/${id}`)).body;

/** What the browser's own storage has of editors that are open. */
const keptTexts = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('drafts');
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          const db = opening.result;
          const range = IDBKeyRange.lowerBound([]);
          const reading = db.transaction('drafts').objectStore('drafts');
          const [keys, values] = [reading.getAllKeys(range), reading.getAll(range)];
          values.addEventListener('success', () => {
            db.close();
            const kinds = keys.result.map((key) => (key as string[])[1]);
            resolve(
              values.result.flatMap(({ content }, at) => (kinds[at] === 'deal-text' ? [content.text] : [])),
            );
          });
        });
      }),
  );
const isKept = async (page: Page, text: string): Promise<void> => {
  await expect.poll(() => keptTexts(page)).toContain(text);
};

const screenOn = async (page: Page): Promise<DataEntry> => {
  await page.goto(`${company.server.url}/data-entry`);
  const screen = dataEntryOn(page, () => page.close());
  await screen.row('Ann Example').waitFor();
  return screen;
};

/** The whole browser goes from one moment to the next. */
async function killBrowser(context: BrowserContext): Promise<void> {
  const session = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const closed = new Promise((resolve) => context.once('close', resolve));
  process.kill(processInfo.find(({ type }) => type === 'browser')!.id, 'SIGKILL');
  await closed;
}

test('a browser that is killed keeps the note that was being typed, for whoever typed it', async () => {
  const id = await addRow('Nora Note');
  const lee = await company.addPerson({ name: 'Lee Later', permissions: CLERK });
  const profile = await mkdtemp(join(tmpdir(), 'killed-browser-'));
  const start = async ({ token }: Person) => {
    const context = await chromium.launchPersistentContext(profile, { ...launchOptions(), ...WIDE });
    context.setDefaultTimeout(30_000);
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
  await isKept(first.screen.page, note);
  await killBrowser(first.context);

  const others = await start(lee);
  // Lee's own is kept later than Kim's would have been offered.
  await others.screen.press('Alt+n');
  await others.screen.typeCells(['Lee types']);
  await isKept(others.screen.page, 'Lee types');
  await others.screen.press('Escape');
  await others.screen.saved();
  await expect.poll(() => others.screen.cell('Nora Note', 'Notes').textContent()).toBe('Before');
  expect(await others.screen.notice.count()).toBe(0);
  await others.context.close();

  const again = await start(kim);
  const { screen } = again;
  await screen.page.getByText('1 unsaved row').waitFor();
  await screen.notice.getByText(ENDED).waitFor();
  const cell = screen.cell('Nora Note', 'Notes');
  await expect.poll(() => cell.textContent()).toBe(note);
  await expect.poll(() => cell.getAttribute('aria-invalid')).toBe('true');
  expect(await stored(id)).toMatchObject({ notes: 'Before', version: 1 });
  await cell.click();
  expect(await screen.note.textContent()).toContain(ENDED);
  await screen.press('F2');
  expect(await screen.editor.inputValue()).toBe(note);
  await screen.page.keyboard.type('.');
  await screen.press('Control+Enter');
  await screen.saved();
  expect(await stored(id)).toMatchObject({ notes: `${note}.`, version: 2 });
  await screen.page.reload();
  await screen.row('Nora Note').waitFor();
  await screen.saved();
  await again.context.close();
  await rm(profile, { recursive: true, force: true });
});

describe('a page that crashes while somebody types', () => {
  let opened: OpenPage;
  let screen: DataEntry;

  beforeEach(async () => {
    opened = await company.openAs(browser, kim, WIDE);
    screen = await screenOn(opened.page);
  });
  afterEach(() => opened?.close());

  /** Ends the page without a word to it, once it has kept what was typed. */
  async function crash(text: string): Promise<void> {
    const { page } = screen;
    await isKept(page, text);
    const session = await page.context().newCDPSession(page);
    const crashed = new Promise((resolve) => page.once('crash', resolve));
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
    await page.close();
  }
  const openAgain = async () => (screen = await screenOn(await opened.page.context().newPage()));
  const press = (name: string) => screen.notice.getByRole('button', { name }).click();

  test('a new row comes back and becomes one row', async () => {
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
    expect((await company.call('GET /deals?search=Nell%20New')).body).toMatchObject({ total: 1 });
  });

  test('a row that was saved meanwhile gets its text, and no second row begins', async () => {
    const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>();
    await screen.page.route('**/api/deals/bulk/create', async (route) => {
      await isTyped;
      await route.continue();
    });
    await screen.press('Alt+n');
    await screen.typeCells(['Mo Meanwhile', '0412345678', 'Harb', 'DN-77']);
    await isKept(screen.page, 'DN-77');
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

  test('what a colleague wrote meanwhile is not overwritten: both are shown', async () => {
    const id = await addRow('Cleo Conflict');
    await screen.typeInto('Cleo Conflict', 'Notes', 'Kim wrote this');
    await crash('Kim wrote this');
    await company.call(`PATCH /deals/${id}`, { body: { version: 1, notes: 'Ada wrote this' } });
    await openAgain();
    await screen.notice.getByText('Its cell holds “Ada wrote this” now.').waitFor();
    await press('Save');
    await screen.notice.getByText('Ada Admin changed Notes to “Ada wrote this”').waitFor();
    await screen.notice.getByText('You typed “Kim wrote this”').waitFor();
    expect(await stored(id)).toMatchObject({ notes: 'Ada wrote this' });
    await press('Keep mine');
    await screen.saved();
    expect(await stored(id)).toMatchObject({ notes: 'Kim wrote this' });
  });

  test('a row that is gone still shows its text, which can be given up', async () => {
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

  test('who may not edit the cell any more sees the text, is told why, and can give it up', async () => {
    const { _id: id } = await addDeal(company, company.admin, company.dealershipId, {
      customerName: 'Rae Revoked',
      notes: 'Before',
    });
    const share = (sharedWith: object[]) =>
      company.call(`PUT /deals/${id}/sharing`, { body: { sharedWith } });
    expect(await share([{ userId: kim.id, permissions: 'write' }])).toMatchObject({ status: 200 });
    await screen.page.reload();
    await screen.row('Rae Revoked').waitFor();
    await screen.typeInto('Rae Revoked', 'Notes', 'Half a note');
    await crash('Half a note');
    expect(await share([])).toMatchObject({ status: 200 });
    await openAgain();
    const cell = screen.cell('Rae Revoked', 'Notes');
    await expect.poll(() => cell.textContent()).toBe('Half a note');
    await screen.notice.getByRole('button', { name: 'Save' }).hover();
    await screen.page.getByText('This row is owned by Ada Admin').waitFor();
    await press('Discard');
    await screen.saved();
    await expect.poll(() => cell.textContent()).toBe('Before');
    expect(await stored(id)).toMatchObject({ notes: 'Before' });
  });

  test('what was saved or given up does not come back', async () => {
    const id = await addRow('Etta Escape');
    await screen.typeInto('Etta Escape', 'Notes', 'Never mind');
    await isKept(screen.page, 'Never mind');
    await screen.press('Escape');
    await expect.poll(() => keptTexts(screen.page)).toEqual([]);
    await screen.typeInto('Etta Escape', 'Vehicle', 'Mazda');
    await isKept(screen.page, 'Mazda');
    await screen.press('Enter');
    await screen.saved();
    await expect.poll(() => keptTexts(screen.page)).toEqual([]);
    expect(await stored(id)).toMatchObject({ notes: 'Before', vehicle: 'Mazda' });
  });

  test('what is being typed in another tab stays there', async () => {
    const id = await addRow('Tess Tab');
    await screen.typeInto('Tess Tab', 'Notes', 'Half a');
    await isKept(screen.page, 'Half a');
    const second = await screenOn(await screen.page.context().newPage());
    // Kept later than the other tab's would have been offered.
    await second.typeInto('Tess Tab', 'Vehicle', 'Maz');
    await isKept(second.page, 'Maz');
    await second.press('Escape');
    await second.saved();
    await expect.poll(() => second.cell('Tess Tab', 'Notes').textContent()).toBe('Before');
    expect(await second.notice.count()).toBe(0);
    await second.page.close();
    await isKept(screen.page, 'Half a');
    await screen.page.keyboard.type(' note');
    await screen.press('Control+Enter');
    await screen.saved();
    expect(await stored(id)).toMatchObject({ notes: 'Half a note' });
  });
});
