import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, type OpenPage } from '../browser.ts';
import { DESKTOP, PHONE, startCompany, type Company } from './company.fixture.ts';

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let company: Company;
let browser: Browser;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  const { templateId, deals } = company;
  await company.addPerson({ name: 'Cleo Clerk' });
  await company.call(`POST /email-templates/${templateId}/send`, { body: { dealId: deals[0]!._id } });
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

type Screen = {
  name: string;
  path: string;
  /** Takes the page to the state that is meant, and waits until it is there. */
  show: (page: Page) => Promise<unknown>;
};

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

const signedOut: Screen[] = [
  { name: 'sign-in', path: '/login', show: heading('Sign in') },
  {
    name: 'sign-in with nothing filled in',
    path: '/login',
    async show(page) {
      await press(page, 'Sign in');
      await page.getByText('Password is required').waitFor();
    },
  },
  {
    name: 'set-up',
    path: '/register',
    async show(page) {
      await press(page, 'Create administrator');
      await page.getByText('Set-up key is required').waitFor();
    },
  },
];

const everywhere: Screen[] = [
  { name: 'dashboard', path: '/dashboard', show: (page) => page.getByText('$3,703.50').first().waitFor() },
  {
    name: 'dealerships',
    path: '/settings/dealerships',
    show: (page) => page.getByText('Harbour New Cars').first().waitFor(),
  },
  {
    name: 'dealership form with refused fields',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Add Dealership');
      await press(page, 'Add contact');
      await press(page, 'Save');
      await dialog(page).getByText('Dealership name is required').waitFor();
    },
  },
  {
    name: 'question before a dealership is deleted',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Delete Harbour New Cars');
      await dialog(page).getByText('This action cannot be undone').waitFor();
    },
  },
  {
    name: 'templates',
    path: '/email-templates',
    show: (page) => page.getByText('Daily').first().waitFor(),
  },
  {
    name: 'template editor',
    path: '/email-templates',
    async show(page) {
      await page.getByRole('link', { name: 'Daily' }).first().click();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
    },
  },
  {
    name: 'email settings',
    path: '/settings/email',
    async show(page) {
      await page.getByLabel('SMTP Host').waitFor();
      await page.getByText('Cleo Clerk').first().waitFor();
    },
  },
  {
    name: 'email history',
    path: '/email-templates/history',
    show: (page) => page.getByText('Queued', { exact: true }).first().waitFor(),
  },
  {
    name: 'email history with a message',
    path: '/email-templates/history',
    async show(page) {
      await page.getByRole('button', { name: 'Open “About Ann Example”' }).click();
      await dialog(page).frameLocator('iframe').getByText('Ann Example').waitFor();
    },
  },
  { name: 'own password', path: '/change-password', show: heading('Change password') },
  {
    name: 'no access',
    path: '/unauthorized?message=Admin+access+required&code=INSUFFICIENT_PERMISSIONS',
    show: heading('You cannot open this page'),
  },
  { name: 'not found', path: '/no/such/page', show: heading('Page not found') },
];

const wide: Screen[] = [
  {
    name: 'data entry with an open editor',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).dblclick();
      await page.locator('.grid-editor').waitFor();
    },
  },
  {
    name: 'data entry with an open list',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Entered' }).first().dblclick();
      await page.getByRole('option', { name: 'To Call' }).waitFor();
    },
  },
  {
    name: 'data entry with a chosen row',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('row').filter({ hasText: 'Ann Example' }).getByRole('checkbox').click();
      await page.getByText('1 row selected').waitFor();
    },
  },
  {
    name: 'send dialog',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await press(page, 'Send email');
      await dialog(page).frameLocator('iframe').getByText('Ann Example').waitFor();
    },
  },
];

const narrow: Screen[] = [
  {
    name: 'data entry as cards',
    path: '/data-entry',
    show: (page) => page.getByRole('button', { name: 'Ann Example' }).waitFor(),
  },
  {
    name: 'deal form',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('button', { name: 'Ann Example' }).click();
      await dialog(page).getByLabel('Sale').waitFor();
    },
  },
  {
    name: 'open menu',
    path: '/dashboard',
    async show(page) {
      await press(page, 'Open menu');
      await page.getByRole('link', { name: 'Email Settings' }).waitFor();
    },
  },
];

describe.each([
  { size: DESKTOP, own: wide },
  { size: PHONE, own: narrow },
])('at $size.viewport.width px', ({ size, own }) => {
  const options = { ...size, reducedMotion: 'reduce' } as const;

  describe.each([
    { who: 'signed out', screens: signedOut },
    { who: 'signed in', screens: [...everywhere, ...own] },
  ])('$who', ({ who, screens }) => {
    let open: OpenPage;
    beforeAll(async () => {
      open = await (who === 'signed in'
        ? company.openAs(browser, company.admin, options)
        : openPage(browser, options));
      // The company has an administrator already: the form is looked at, not sent.
      await open.page.route('**/api/auth/setup', (route) => route.fulfill({ json: { open: true } }));
    });
    afterAll(() => open.close());

    test.each(screens)('$name', async ({ path, show }) => {
      const { page } = open;
      await page.goto(company.server.url + path);
      await show(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await switchTo(page, colorScheme);
        expect(await findings(page), colorScheme).toEqual([]);
      }
      open.checkConsole();
    });
  });
});

describe('when a dialog is gone, the keyboard goes on where it was', () => {
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    open = await company.openAs(browser, company.admin);
    page = open.page;
  });
  afterAll(() => open.close());

  const focused = () =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

  test.each([
    { path: '/settings/dealerships', opener: 'Add Dealership', closer: 'Cancel' },
    { path: '/settings/dealerships', opener: 'Delete Harbour New Cars', closer: 'Cancel' },
    { path: '/email-templates/history', opener: 'Open “About Ann Example”', closer: 'Close' },
  ])('$opener', async ({ path, opener, closer }) => {
    await page.goto(company.server.url + path);
    const button = page.getByRole('button', { name: opener });
    for (const close of [() => press(page, closer), () => page.keyboard.press('Escape')]) {
      await button.focus();
      await page.keyboard.press('Enter');
      await dialog(page).waitFor();
      await close();
      await dialog(page).waitFor({ state: 'detached' });
      expect(await focused()).toBe(opener);
    }
  });

  test('a row of deals, after its email was looked at', async () => {
    await page.goto(`${company.server.url}/data-entry`);
    await page.getByRole('gridcell', { name: 'Bob Example' }).click();
    await page.keyboard.press('Control+Enter');
    await press(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog', { name: 'Send email about Ann Example' }).waitFor();
  });

  test('the button of a menu whose entry opened it', async () => {
    await page.goto(`${company.server.url}/email-templates/new`);
    const button = page.getByRole('button', { name: 'Add', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Custom variable' }).press('Enter');
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await focused()).toBe('Add');
  });
});

/** What the operating system prefers; the page follows, and nothing on it moves or fades any more. */
async function switchTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  // Transitions begin others: of an inherited colour each child has its own, after that of its parent.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Infinity),
  );
}

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds on the page as it is, and whether the page has to be scrolled sideways. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations, overflow } = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } };
    const { violations } = await axe.run({ runOnly });
    return { violations, overflow: document.documentElement.scrollWidth - window.innerWidth };
  }, WCAG_22_AA);
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    ),
    ...(overflow > 0 ? [`${overflow} px wider than the window`] : []),
  ];
}
