import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess } from '@forecourt/server/test/app';
import { testDatabase, urlOf, type TestDatabase } from '@forecourt/server/test/database';
import { insertSession } from '@forecourt/server/test/people';
import { callServer } from '@forecourt/server/test/process';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser, signInAtFirst } from '../browser.ts';
import { TOO_OFTEN } from './company.fixture.ts';

// `npm run pictures` makes the pictures of README.md from the demo company, and beside each a text with the names of
// its screen. `npm test` compares these names and those of the menu: what has changed needs new pictures.

const IMAGES = join(import.meta.dirname, '../../docs/images');
/** The menu of an administrator of the demo, which all pictures show but that of the phone. */
const MENU = join(IMAGES, 'menu.txt');
const SYDNEY = { timezoneId: 'Australia/Sydney' } as const;
const ON_A_PHONE = { ...SYDNEY, viewport: { width: 390, height: 804 }, colorScheme: 'dark' } as const;

let dataDir: string;
let database: TestDatabase;
let server: { url: string; stop(): Promise<void> };
let browser: Browser;
let token: string;
beforeAll(async () => {
  [dataDir, database, browser] = await Promise.all([
    mkdtemp(join(tmpdir(), 'pictures-')),
    testDatabase(),
    sharedBrowser(),
  ]);
  server = await startInProcess(dataDir, { DATABASE_URL: urlOf(database.connection), DEMO: '1' });
  token = await insertSession(database.db, await userId('ada@demo.example'));
});
afterAll(async () => {
  await closePages();
  await server?.stop();
  await database?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const userId = async (email: string): Promise<string> => {
  const users = database.db.selectFrom('users').where('email', '=', email).select('id');
  return (await users.executeTakeFirstOrThrow()).id;
};
const call = async (route: string, body?: unknown) => (await callServer(server.url, route, token, body)).body;

/** The rows of one person in the current month, newest first. */
const rowsOf = async (email: string): Promise<{ _id: string; version: number; customerName: string }[]> =>
  (await call(`GET /deals?owner=${await userId(email)}&limit=20`)).items;

const dialog = (page: Page) => page.getByRole('dialog');

/** Shows the rows of this month with a large sale, and waits for what is loaded after them. */
async function showDataEntry(
  page: Page,
  more: Record<string, string>,
  ...conditions: object[]
): Promise<void> {
  const large = { field: 'saleAmount', operator: 'moreThan', value: 2000 };
  const filter = JSON.stringify({ match: 'all', conditions: [...conditions, large] });
  await page.goto(`${server.url}/data-entry?${new URLSearchParams({ filter, ...more }).toString()}`);
  await page.getByText(/^\d+ deals$/).waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Notifications.*\d/ }).waitFor();
  await page.getByText('All changes saved').waitFor();
}

async function showGroups(page: Page): Promise<void> {
  const dealerships = (await call('GET /dealerships')).items as { _id: string; name: string }[];
  const harbour = dealerships.filter(({ name }) => name.startsWith('Harbour')).map(({ _id }) => _id);
  await showDataEntry(
    page,
    { group: 'status' },
    { field: 'dealershipId', operator: 'isAnyOf', value: harbour },
  );
}

/** Shows the row with comments and a file, and returns its title. */
async function showDealPage(page: Page): Promise<string> {
  const [deal] = await rowsOf('kim@demo.example');
  await page.goto(`${server.url}/data-entry/${deal!._id}`);
  for (const text of ['Saturday at nine is free.', 'Tick once the bank has confirmed.'])
    await page.getByText(text).waitFor();
  await page.getByText('fitting-order.txt', { exact: true }).first().waitFor();
  return deal!.customerName;
}

async function showReview(page: Page): Promise<void> {
  await page.goto(`${server.url}/data-entry`);
  await page.getByRole('gridcell').first().waitFor();
  const ticks = page.getByRole('row').getByRole('checkbox');
  for (const place of [2, 3, 5, 6, 8]) await ticks.nth(place).click();
  await page.getByRole('button', { name: 'Send email', exact: true }).click();
  await dialog(page).getByText('Ready').first().waitFor();
}

/** After the backup of the demo some rows are changed and one is deleted. */
async function showRestore(page: Page): Promise<void> {
  const rows = await rowsOf('lena@demo.example');
  for (const { _id, version } of rows.slice(0, 7))
    await call(`PATCH /deals/${_id}`, { version, notes: 'Call again on Monday' });
  await call(`DELETE /deals/${rows.at(-1)!._id}`);
  await page.goto(`${server.url}/settings/backups`);
  await page
    .getByRole('button', { name: /^Restore backup_/ })
    .first()
    .click();
  await dialog(page)
    .getByRole('row', { name: /^Deals/ })
    .waitFor();
}

const pictures: [
  name: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<string | void>,
][] = [
  // The heights end below a whole row and a whole card.
  ['data-entry', { ...SYDNEY, viewport: { width: 1440, height: 797 } }, showGroups],
  ['deal', { ...SYDNEY, viewport: { width: 1440, height: 934 } }, showDealPage],
  ['review', { ...SYDNEY, viewport: { width: 1440, height: 797 } }, showReview],
  ['restore', { ...SYDNEY, viewport: { width: 1440, height: 797 } }, showRestore],
  ['phone', ON_A_PHONE, (page) => showDataEntry(page, {})],
];

test.each(pictures)(
  'the picture %s.png shows the headings, buttons and menu of its screen',
  async (name, options, show) => {
    const { page, checkConsole } = await openPage(browser, options, [TOO_OFTEN]);
    await signInAtFirst(page, server.url, token);
    const title = await show(page);
    if (options !== ON_A_PHONE) {
      // Only a demo has this entry, which is loaded late.
      await page.locator('nav').getByText('Mailbox').waitFor();
      const entries = await page.locator('nav a').allInnerTexts();
      await expect(entries.map((entry) => `${entry.trim()}\n`).join('')).toMatchFileSnapshot(MENU);
    }
    await expect((await namesOf(page)).replace(title ?? 'no title', '(customer)')).toMatchFileSnapshot(
      join(IMAGES, `${name}.txt`),
    );
    if (process.env['PICTURES'])
      await page.screenshot({ path: join(IMAGES, `${name}.png`), animations: 'disabled' });
    checkConsole();
  },
);

/** Returns the names on a screen that do not depend on its rows, one in a line. */
const namesOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const root = document.querySelector('[role="dialog"]') ?? document.querySelector('main')!;
    const listed = (title: string, from: Element | null, selector: string) => {
      const parts = [...(from?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(
        (part) =>
          part.checkVisibility({ visibilityProperty: true }) &&
          !part.closest('[inert]') &&
          !(root.contains(part) && part.closest('[role="row"], tr, li')),
      );
      // A name such as `Edit Status: Called` ends with a value.
      const names = parts.map((part) => (part.ariaLabel ?? part.innerText).replace(/:.*/s, '').trim());
      const named = names.filter((text) => text !== '').map((text) => `  ${text.replaceAll(/\d+/g, '#')}\n`);
      return named.length > 0 ? `${title}\n${named.join('')}` : '';
    };
    return [listed('Headings', root, 'h1, h2, h3'), listed('Buttons', root, 'button, [role="button"]')].join(
      '',
    );
  });
