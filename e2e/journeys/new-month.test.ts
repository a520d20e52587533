import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openCompany, TOO_OFTEN } from './company.fixture.ts';
import { CLERK, dataEntryOn, WIDE, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
/** The server refuses other months to a user with the current month only. */
const ANOTHER_MONTH = /status of 403/;

/** Returns the month before the server's current one. */
function monthBefore(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString().slice(0, 7);
}

/** Returns the name of a month: `November 2026`. */
const nameOf = (month: string): string =>
  new Date(`${month}-01`).toLocaleDateString('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Opens a clerk's page in the previous month; `begin` notifies the page of the current one. */
async function openBefore(name: string, canAccessAllMonths: boolean) {
  const permissions = { dataEntry: { ...CLERK.dataEntry, canAccessAllMonths } };
  const person = await company.addPerson({ name, permissions });
  const present = (await company.call('GET /deals/options')).body.currentMonth as string;
  const before = monthBefore(present);
  const known = await addDeal(company, person, company.dealershipId, {
    customerName: `Row of ${name}`,
    ...(canAccessAllMonths && { month: before }),
  });
  const { page, close } = await company.openAs(browser, person, WIDE, [TOO_OFTEN, ANOTHER_MONTH]);
  let served = before;
  await page.route('**/api/deals/options', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), currentMonth: served } });
  });
  await page.route('**/api/deals/summary*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    await route.fulfill({ response, json: { ...json, ...(json.onlyMonth && { onlyMonth: served }) } });
  });
  // The rows of the user's only month, as they were before the new one began.
  if (!canAccessAllMonths)
    await page.route(`**/api/deals?*month=${before}*`, (route) =>
      route.continue({ url: route.request().url().replace(before, present) }),
    );
  await page.goto(`${company.server.url}/data-entry`);
  const screen: DataEntry = dataEntryOn(page, async () => {
    await page.unrouteAll({ behavior: 'wait' });
    await close();
  });
  await screen.grid.waitFor();
  return { screen, page, person, present, before, known, begin: () => (served = present) };
}

/** Changes a status, which notifies open pages and makes them reload their options. */
async function notifyPage(page: Page): Promise<void> {
  const [status] = (await company.call('GET /status-configurations')).body.items;
  const { name, active, isDefault, isClosed, color } = status;
  const reloaded = page.waitForResponse('**/api/deals/options');
  await company.call(`PUT /status-configurations/${status._id}`, {
    // Another color each time: an equal one is no change.
    body: { name, active, isDefault, isClosed, color: color === '#123456' ? '#654321' : '#123456' },
  });
  await reloaded;
}

test('a user with the current month only: a row typed after a new month began is saved in the new one', async () => {
  const { screen, present, begin, page } = await openBefore('Mia Midnight', false);
  begin();
  await screen.press('Alt+n');
  await screen.typeCells(['Nina Night', '0412345678', 'Harb']);
  await screen.press('Enter');
  await screen.saved();
  await expect.poll(() => screen.row('Nina Night').count()).toBe(1);
  const { body } = await company.call('GET /deals?search=Nina%20Night');
  expect(body.items).toMatchObject([{ month: present }]);
  await page.reload();
  await screen.row('Nina Night').waitFor();
  await screen.close();
});

test('a user with the current month only sees the new month at once, but not while typing', async () => {
  const { screen, page, person, present, before, begin } = await openBefore('Sue Sums', false);
  const { total } = (await company.call('GET /deals/summary', { token: person.token })).body;
  const add = (customerName: string) => addDeal(company, person, company.dealershipId, { customerName });
  const expectText = (text: string) => page.getByText(text, { exact: true }).waitFor();
  await expectText(nameOf(before));
  await expectText(`${total} deals`);
  await screen.press('Alt+n');
  await page.keyboard.type('Half a na');
  begin();
  await add('Sums Go On');
  await expectText(`${total + 1} deals in ${nameOf(present)}`);
  await notifyPage(page);
  await page.keyboard.type('me');
  await expectText(nameOf(before));
  await expect.poll(() => screen.editor.inputValue()).toBe('Half a name');
  await screen.press('Escape');
  await expectText(nameOf(present));
  await expectText(`${total + 1} deals`);
  await screen.row('Sums Go On').waitFor();
  await screen.close();
});

/** Simulates that the user switches to another window and back. */
const lookAway = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'hidden');
    document.dispatchEvent(new Event('visibilitychange'));
  });

test('a new month does not remove the row that is being edited', async () => {
  const { screen, page, present, before, known, begin } = await openBefore('Otto October', true);
  const month = page.getByLabel('Month', { exact: true });
  await screen.typeInto('Row of Otto October', 'Notes', 'Half a sen');
  begin();
  await notifyPage(page);
  await page.keyboard.type('tence');
  await screen.press('Control+Enter');
  await screen.saved();
  await expect.poll(() => month.inputValue()).toBe(before);
  await expect.poll(() => screen.cell('Row of Otto October', 'Notes').textContent()).toBe('Half a sentence');
  await expect
    .poll(async () => (await company.call(`GET /deals/${known._id}`)).body)
    .toMatchObject({ notes: 'Half a sentence' });
  await expect.poll(() => lookAway(page).then(() => month.inputValue())).toBe(present);
  await screen.close();
});
