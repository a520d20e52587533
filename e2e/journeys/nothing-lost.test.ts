import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDeal, addDealership } from '@forecourt/server/test/builders';
import { addPerson } from '@forecourt/server/test/people';
import { callServer, signInAsAdmin, startServer, type ServerProcess } from '@forecourt/server/test/process';
import { seededRandom } from '@forecourt/server/test/seeded-random';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, CONNECTION_LOST, openPage, sharedBrowser, signInAtFirst } from '../browser.ts';
import { copyElsewhere } from '../grid/spreadsheets.fixture.ts';
import { PASSWORD, signIn, TOO_OFTEN } from './company.fixture.ts';
import { CLERK, dataEntryOn, storedDrafts, WIDE, type DataEntry } from './data-entry.fixture.ts';

const ROUNDS = process.env['LONG_TESTS'] ? 30 : 2;
const LINE_ROUNDS = process.env['LONG_TESTS'] ? 100 : 2;

let server: ServerProcess;
let browser: Browser;
/** The session of the clerk's pages. */
let token: string;
let admin: { token: string };

const dataDir = await mkdtemp(join(tmpdir(), 'nothing-lost-'));
[server, browser] = await Promise.all([startServer(dataDir), sharedBrowser()]);
const clerk = await addPerson(dataDir, { name: 'Kim Clerk', permissions: CLERK });
beforeAll(async () => {
  token = await newSession();
  admin = { token: await signInAsAdmin(server.url) };
  await addDealership({ call }, admin);
});
afterAll(async () => {
  await closePages();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const call = (route: string, { token, body }: { token?: string; body?: unknown } = {}) =>
  callServer(server.url, route, token, body);

/** Signs the clerk in and returns the token. */
async function newSession(): Promise<string> {
  const { body } = await call('POST /auth/login', { body: { email: clerk.email, password: PASSWORD } });
  return body.token as string;
}

async function openScreen(session = token): Promise<DataEntry> {
  const { page, close } = await openPage(browser, WIDE, [
    CONNECTION_LOST,
    // When the session has ended.
    /status of 401/,
    TOO_OFTEN,
  ]);
  await signInAtFirst(page, server.url, session);
  await page.goto(`${server.url}/data-entry`);
  const screen = dataEntryOn(page, close);
  await screen.grid.waitFor();
  return screen;
}

type Stored = { customerName: string; customerNumber: string; vehicle: string; dealNumber: string };

const byCustomer = (a: Pick<Stored, 'customerName'>, b: Pick<Stored, 'customerName'>): number =>
  a.customerName.localeCompare(b.customerName, 'en', { numeric: true });

/** Returns the stored rows whose customer begins with the text, by customer. */
async function stored(beginning: string): Promise<Stored[]> {
  const { body } = await call(`GET /deals?limit=500&search=${encodeURIComponent(beginning)}`, admin);
  const found = body.items as Stored[];
  return found.toSorted(byCustomer);
}

/** Types a new row by keyboard alone. */
async function typeRow({ press, typeCells }: DataEntry, customer: string, vehicle: string): Promise<void> {
  await press('Alt+n');
  await typeCells([customer, '0412345678', 'Harb', 'DN', vehicle]);
  await press('Enter');
}

/** Pastes spreadsheet rows below the last row. */
async function pasteRows(
  { page, press }: DataEntry,
  rows: readonly Pick<Stored, 'customerName' | 'vehicle'>[],
): Promise<void> {
  const lines = rows.map(({ customerName, vehicle }) =>
    [customerName, '0412345678', 'Harbour New Cars', 'DN', vehicle].join('\t'),
  );
  await press('Alt+n');
  await copyElsewhere(page, { text: lines.join('\r\n') });
  await press('ControlOrMeta+v');
}

const newRow = (customerName: string, vehicle: string): object => ({
  customerName,
  customerNumber: '(0412) 345 678',
  dealNumber: 'DN',
  vehicle,
});

/** Waits until the browser's storage has the text, which a reload would lose before. */
async function expectKept(page: Page, text: string): Promise<void> {
  await expect.poll(async () => JSON.stringify(await storedDrafts(page, 'deal'))).toContain(text);
}

/** Adds a row of the clerk's and opens the screen, which shows it as the first one. */
async function openWithRow(customerName: string): Promise<DataEntry> {
  const [dealership] = (await call('GET /deals/options', { token })).body.dealerships;
  await addDeal({ call }, { token }, dealership._id, { customerName });
  const screen = await openScreen();
  await screen.row(customerName).waitFor();
  return screen;
}

test('without a connection everything is stored, marked and counted, also after a reload, and arrives exactly once', async () => {
  const screen = await openWithRow('Off Known');
  const { page, row, cell } = screen;
  await page.context().setOffline(true);
  await typeRow(screen, 'Off First', 'Kia');
  await typeRow(screen, 'Off Second', 'Audi');
  await screen.typeInto('Off Known', 'Vehicle', 'Mazda');
  await screen.press('Enter');
  const expectStored = async () => {
    await page.getByText(/3 unsaved rows/).waitFor();
    for (const customer of ['Off First', 'Off Second'])
      await expect.poll(() => row(customer).getAttribute('class')).toMatch(/\bunsaved\b/);
    const changed = cell('Off Known', 'Vehicle');
    await expect.poll(() => changed.textContent()).toBe('Mazda');
    await expect.poll(() => changed.getAttribute('class')).toMatch(/\bdeal-unsaved\b/);
  };
  await expectStored();
  await page.getByText('Waiting for the connection; everything typed is kept').waitFor();

  // The page can be reloaded, and its requests are lost.
  await page.route('**/api/deals**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  );
  await page.context().setOffline(false);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await row('Off Known').waitFor();
  await expectStored();

  await page.unroute('**/api/deals**');
  await screen.saved();
  await expect.poll(() => row('Off First').getAttribute('class')).not.toMatch(/\bunsaved\b/);
  await expect
    .poll(() => stored('Off '))
    .toMatchObject([
      newRow('Off First', 'Kia'),
      { customerName: 'Off Known', vehicle: 'Mazda' },
      newRow('Off Second', 'Audi'),
    ]);
  await screen.close();
});

test('the page reports unstored text if the browser has no space, warns before leaving, and stores it once there is space', async () => {
  const screen = await openScreen();
  const { page } = screen;
  await page.evaluate(() => {
    const full = { is: true };
    Object.assign(window, { full });
    const real = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put')?.value as () => unknown;
    const put = (store: object, given: unknown[]): unknown => {
      if (full.is) throw new DOMException('No room', 'QuotaExceededError');
      return Reflect.apply(real, store, given);
    };
    Object.defineProperty(IDBObjectStore.prototype, 'put', {
      value(this: object, ...given: unknown[]) {
        return put(this, given);
      },
    });
  });
  await page.route('**/api/deals/bulk/create', (route) => route.abort());
  await typeRow(screen, 'Fay Full', 'Kia');
  await page.getByRole('alert').getByText('1 entry of what you typed is in this page only').waitFor();
  await page.getByText('1 unsaved row · Waiting for the connection', { exact: true }).waitFor();
  const warning = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await (await warning).dismiss();

  await page.evaluate(() => void Object.assign(Reflect.get(window, 'full'), { is: false }));
  await screen.typeInto('Fay Full', 'Vehicle', 'Audi');
  await screen.press('Enter');
  await page.getByText('Waiting for the connection; everything typed is kept').waitFor();
  await page.unroute('**/api/deals/bulk/create');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect.poll(() => stored('Fay Full')).toMatchObject([{ vehicle: 'Audi' }]);
  await screen.saved();
  await screen.close();
});

test('a save whose response is lost is not applied twice', async () => {
  const screen = await openScreen();
  let lost = 0;
  await screen.page.route('**/api/deals**', async (route) => {
    if (route.request().method() === 'GET' || lost === 2) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await typeRow(screen, 'Lost Answer', 'Kia');
  await screen.saved();
  expect(lost).toBe(2);
  await expect.poll(() => stored('Lost Answer')).toMatchObject([newRow('Lost Answer', 'Kia')]);
  await screen.close();
});

test('a session ends while a user types: everything is restored after signing in again', async () => {
  const session = await newSession();
  const screen = await openScreen(session);
  const { page } = screen;
  await screen.press('Alt+n');
  await screen.typeCells(['Sue Session', '0412345678', 'Harb']);
  await call('POST /auth/logout', { token: session });
  // The third editor is open.
  await page.getByLabel('Email').waitFor();
  await expect.poll(() => stored('Sue Session')).toEqual([]);
  await signIn(page, clerk.email);
  await screen.saved();
  await screen.cell('Sue Session', 'Phone').getByText('(0412) 345 678').waitFor();
  await expect
    .poll(() => stored('Sue Session'))
    .toMatchObject([{ customerNumber: '(0412) 345 678', dealershipName: 'Harbour New Cars' }]);
  await expect.poll(() => screen.notice.count()).toBe(0);
  await screen.close();
});

test('leaving with unsaved work warns, also if it is only in an open editor', async () => {
  const screen = await openScreen();
  const { page } = screen;
  await screen.press('Alt+n');
  await page.keyboard.type('Wanda Warned');
  const warning = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await warning;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByText(/1 unsaved row/).waitFor();
  await expect.poll(() => screen.cell('Wanda Warned', 'Customer').textContent()).toBe('Wanda Warned');
  await expectKept(page, 'Wanda Warned');

  page.once('dialog', (question) => void question.accept());
  await page.reload();
  await screen.row('Wanda Warned').waitFor();
  await page.getByText(/1 unsaved row/).waitFor();
  page.once('dialog', (question) => void question.accept());
  await screen.close();
});

test('refused text is kept, counted and warned about, also after a reload, until it is corrected', async () => {
  const screen = await openWithRow('Rita Refused');
  const { page, press, cell } = screen;
  await screen.typeInto('Rita Refused', 'Sale', '12 apples');
  await press('Tab');
  const expectStored = async () => {
    await page.getByText('1 unsaved row · 1 cell to correct').waitFor();
    await screen.notice.getByText('Sale “12 apples” was not saved Please enter a valid number').waitFor();
    const sale = cell('Rita Refused', 'Sale');
    await expect.poll(() => sale.textContent()).toBe('12 apples');
    await expect.poll(() => sale.getAttribute('aria-invalid')).toBe('true');
  };
  await expectStored();
  await expectKept(page, '12 apples');
  const [dialog] = await Promise.all([
    page.waitForEvent('dialog').then(async (question) => {
      await question.accept();
      return question;
    }),
    page.reload(),
  ]);
  expect(dialog.type()).toBe('beforeunload');
  await expectStored();
  await cell('Rita Refused', 'Sale').click();
  await expect.poll(() => screen.note.textContent()).toBe('Please enter a valid number');
  await press('F2');
  await expect.poll(() => screen.editor.inputValue()).toBe('12 apples');
  await page.keyboard.type('12');
  for (let key = 0; key < 'apples12'.length; key += 1) await press('Backspace');
  await press('Enter');
  await screen.saved();
  await expect.poll(() => cell('Rita Refused', 'Sale').textContent()).toBe('$12.00');
  await screen.close();
});

/** Drops requests or responses at random. */
async function breakLine({ page }: DataEntry, random: () => number) {
  const count = { requests: 0, lostThere: 0, lostBack: 0 };
  const line = { isGood: false, count };
  await page.route('**/api/deals**', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    count.requests += 1;
    // One of each for certain, the others at random.
    const byLot = () => (count.lostThere === 0 ? 0.5 : count.lostBack === 0 ? 0 : random());
    const fate = line.isGood ? 1 : byLot();
    if (fate > 0.5) return route.continue();
    if (fate > 0.25) {
      count.lostThere += 1;
      return route.abort();
    }
    count.lostBack += 1;
    await route.fetch();
    return route.abort();
  });
  return line;
}

test(
  `a connection that drops requests and responses, ${LINE_ROUNDS} times: nothing is lost or duplicated`,
  { timeout: 300_000 + LINE_ROUNDS * 60_000 },
  async () => {
    const random = seededRandom('the line');
    const screen = await openWithRow('Line known');
    const { page, press } = screen;
    const context = page.context();
    const flicker = async () => context.setOffline(random() < 0.5);
    const line = await breakLine(screen, random);
    let rows = 0;
    for (let round = 1; round <= LINE_ROUNDS; round += 1) {
      const expected: Pick<Stored, 'customerName' | 'vehicle'>[] = [];
      for (let typed = 0; typed < 2; typed += 1) {
        await flicker();
        const customerName = `Line ${round} typed ${typed}.`;
        const vehicle = `Car ${Math.floor(random() * 1e6)}`;
        await typeRow(screen, customerName, vehicle);
        expected.push({ customerName, vehicle });
      }
      await flicker();
      const pasted = Array.from({ length: Math.floor(random() * 12) }, (_, at) => ({
        customerName: `Line ${round} pasted ${at}.`,
        vehicle: `Van ${Math.floor(random() * 1e6)}`,
      }));
      if (pasted.length > 0) await pasteRows(screen, pasted);
      expected.push(...pasted);
      await flicker();
      await press('Control+Home');
      await screen.typeInto('Line known', 'Deal number', `DN-${round}`);
      await press('Enter');

      line.isGood = true;
      await context.setOffline(true);
      await context.setOffline(false);
      await screen.saved();
      line.isGood = false;
      await expect.poll(() => stored(`Line ${round} `)).toMatchObject(expected.toSorted(byCustomer));
      await expect.poll(() => stored('Line known')).toMatchObject([{ dealNumber: `DN-${round}` }]);
      rows += expected.length;
    }
    const { requests, lostThere, lostBack } = line.count;
    process.stdout.write(
      `${LINE_ROUNDS} rounds: ${rows} rows and ${LINE_ROUNDS} edits, each there once; of ${requests} requests ${lostThere} were dropped before the write and ${lostBack} responses after it\n`,
    );
    expect(lostThere * lostBack).toBeGreaterThan(0);
    await screen.close();
  },
);

test(
  `the server killed with -9 while a user types, ${ROUNDS} times: every row arrives exactly once`,
  { timeout: 300_000 + ROUNDS * 60_000 },
  async () => {
    const random = seededRandom('nothing-lost');
    const screen = await openWithRow('Round known');
    const expected: object[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const rows = [1, 2, 3].map((number) => ({
        customer: `Round ${round} row ${number}`,
        vehicle: `Car ${Math.floor(random() * 1e6)}`,
      }));
      const { port } = new URL(server.url);
      let again: Promise<void> | undefined;
      const crash = async () => {
        await server.kill();
        server = await startServer(dataDir, { PORT: port });
      };
      // At a random key within these rows.
      let keysLeft = Math.floor(random() * 100);
      const typeCells: DataEntry['typeCells'] = async (texts) => {
        for (const [index, text] of texts.entries()) {
          if (index > 0) await screen.press('Tab');
          for (const key of text) {
            if (keysLeft === 0) again = crash();
            keysLeft -= 1;
            await screen.page.keyboard.type(key, { delay: 5 });
          }
        }
      };
      for (const { customer, vehicle } of rows) {
        await typeRow({ ...screen, typeCells }, customer, vehicle);
        expected.push(newRow(customer, vehicle));
      }
      // The first of many rows: rows do not move, but it may be out of view by now.
      await screen.press('Control+Home');
      await screen.typeInto('Round known', 'Deal number', `DN-${round}`);
      await screen.press('Enter');
      expect(again).toBeDefined();
      await again;
      await screen.saved();
      await expect
        .poll(() => stored('Round '))
        .toMatchObject([...expected, { customerName: 'Round known', dealNumber: `DN-${round}` }]);
    }
    await screen.close();
  },
);
