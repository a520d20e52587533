import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

/** Time for each typed row: thirty a minute. */
const ROWS = process.env['LONG_TESTS'] ? 30 : 4;
const ROW_MS = 2000;

const { company, browser } = await openCompany();
const clerk = await company.addPerson({ name: 'Kim Clerk', permissions: CLERK });
const PAIRS = ['ll', 'oo', 'tt', 'ss', 'ee', 'mm'];
/** Names with doubled letters, which reveal a lost or repeated key. */
const customerOf = (row: number): string =>
  `Pace ${row} ${PAIRS[row % 6]}a${PAIRS[(row + 1) % 6]} O'Bri${PAIRS[(row + 2) % 6]}en-Smith`;

test(
  `every typed character of ${ROWS} rows at thirty a minute is stored while others change rows too`,
  { timeout: 300_000 + ROWS * ROW_MS * 4 },
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
    /** Not awaited by the typing. */
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
          // Evenly distributed over the row's time; without a delay after a page that accepted keys late.
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
