import { addDeal } from '@forecourt/server/test/builders';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { startCompany, type Company, type Person } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

/** Rows that are typed, each within this time: thirty a minute. */
const ROWS = process.env['LONG_TESTS'] ? 30 : 4;
const ROW_MS = 2000;

let company: Company;
let browser: Browser;
let clerk: Person;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  clerk = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

const PAIRS = ['ll', 'oo', 'tt', 'ss', 'ee', 'mm'];
/** Names with doubled letters, which a key that is lost or comes twice would change. */
const customerOf = (row: number): string =>
  `Pace ${row} ${PAIRS[row % 6]}a${PAIRS[(row + 1) % 6]} O'Bri${PAIRS[(row + 2) % 6]}en-Smith`;

test(
  `${ROWS} rows at thirty a minute, while others change rows too: every typed character is there`,
  { timeout: 60_000 + ROWS * ROW_MS * 4 },
  async () => {
    const screen = await openDataEntry(company, browser, clerk);
    const { page, press } = screen;
    await screen.row('Ann Example').waitFor();
    const { _id: others } = await addDeal(company, company.admin, company.dealershipId, {
      customerName: 'Otto Others',
    });
    let version = 0;
    const change = async (): Promise<void> => {
      version += 1;
      const body = { version, notes: `Change ${version}` };
      const { status } = await company.call(`PATCH /deals/${others}`, { body });
      expect(status).toBe(200);
    };
    /** Beside the typing, which waits for none of it. */
    let colleague = Promise.resolve();

    const expected = [];
    const began = performance.now();
    for (let row = 1; row <= ROWS; row += 1) {
      const number = `04123${String(10_000 + row)}`;
      const cells = [customerOf(row), number, 'Harb', `D-${row * 7919}`, `Mazda CX-${row} AA${row}BB`];
      await press('Alt+n');
      const keys = cells.join('').length;
      let typed = 0;
      for (const [at, text] of cells.entries()) {
        if (at > 0) await press('Tab');
        colleague = colleague.then(change);
        for (const key of text) {
          typed += 1;
          // Evenly over the row's time; at once after a page that was slow to take the keys before.
          const due = began + (row - 1 + typed / keys) * ROW_MS;
          await page.keyboard.type(key, { delay: Math.max(0, due - performance.now()) });
        }
      }
      await press('Enter');
      const [customerName, , , dealNumber, vehicle] = cells;
      const customerNumber = `(0412) ${number.slice(4, 7)} ${number.slice(7)}`;
      expected.push({ customerName, customerNumber, dealNumber, vehicle });
    }
    const seconds = (performance.now() - began) / 1000;
    await colleague;
    await screen.saved();
    const { body } = await company.call('GET /deals?limit=500&search=Pace');
    expect(body.items.toReversed()).toMatchObject(expected);
    expect(body.total).toBe(ROWS);
    const perMinute = Math.round((ROWS / seconds) * 60);
    process.stdout.write(
      `${ROWS} rows typed at ${perMinute} a minute beside ${version} changes of a colleague\n`,
    );
    await screen.close();
  },
);
