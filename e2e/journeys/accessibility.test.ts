import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codeOf } from '@forecourt/server/test/app-code';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, type OpenPage } from '../browser.ts';
import { DESKTOP, PASSWORD, PHONE, signIn, startCompany, type Company } from './company.fixture.ts';

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let company: Company;
let browser: Browser;
let twoStepEmail: string;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  const { templateId, deals } = company;
  await company.addPerson({ name: 'Cleo Clerk' });
  await company.call('POST /item-configurations', { body: { name: 'Dash cam', price: 349 } });
  await company.call(`PATCH /deals/${deals[2]!._id}`, { body: { version: 1, status: 'Called' } });
  await company.call('POST /backups');
  twoStepEmail = await addPersonWithApp();
  await company.call(`POST /email-templates/${templateId}/send`, { body: { dealId: deals[0]!._id } });
  const { body: daily } = await company.call(`GET /email-templates/${templateId}`);
  await company.call(`PUT /email-templates/${templateId}`, { body: { ...daily, subject: 'About a deal' } });
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

/** Somebody whose sign-in asks for a code; answers their address. */
async function addPersonWithApp(): Promise<string> {
  const { email, token } = await company.addPerson({ name: 'Tara Two' });
  const begun = await company.call('POST /auth/two-step', { token, body: { currentPassword: PASSWORD } });
  await company.call('POST /auth/two-step/confirm', { token, body: { code: codeOf(begun.body.secret, 0) } });
  return email;
}

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
  {
    name: 'second step of sign-in',
    path: '/login',
    async show(page) {
      await signIn(page, twoStepEmail);
      await page.getByLabel('Code of the app').waitFor();
    },
  },
  {
    name: 'sign-in with a recovery code',
    path: '/login',
    async show(page) {
      await signIn(page, twoStepEmail);
      await press(page, 'Use a recovery code');
      await page.getByLabel('Recovery code').waitFor();
    },
  },
  { name: 'forgotten password', path: '/forgot-password', show: heading('Forgot password') },
  {
    name: 'new password by link, refused',
    path: '/reset-password#key=made-up',
    async show(page) {
      await press(page, 'Save password');
      await page.getByText('Must be at least 12 characters').waitFor();
    },
  },
  { name: 'link without a key', path: '/reset-password', show: heading('This link is no longer valid') },
];

const everywhere: Screen[] = [
  { name: 'dashboard', path: '/dashboard', show: (page) => page.getByText('$3,703.50').first().waitFor() },
  {
    name: 'report by dealership',
    path: '/reports?by=dealership',
    show: (page) => page.getByRole('link', { name: 'Harbour New Cars' }).waitFor(),
  },
  {
    name: 'report by month',
    path: '/reports',
    show: (page) => page.getByRole('list', { name: 'Sales' }).waitFor(),
  },
  {
    name: 'commission statement',
    path: '/reports/commission-statement',
    show: heading('Commission statement'),
  },
  { name: 'changelog', path: '/changelog', show: heading('Changelog') },
  {
    name: 'backups with what a restore would do',
    path: '/settings/backups',
    async show(page) {
      await page.getByRole('button', { name: /^Restore backup_/ }).click();
      await dialog(page)
        .getByRole('row', { name: /^Deals/ })
        .waitFor();
    },
  },
  {
    name: 'command palette with a deal that it found',
    path: '/changelog',
    async show(page) {
      await heading('Changelog')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Go to/ }).fill('ann');
      await page.getByRole('option', { name: 'Ann Example' }).waitFor();
    },
  },
  {
    name: 'notifications',
    path: '/changelog',
    async show(page) {
      await press(page, 'Notifications');
      await page.getByText('Nothing new').waitFor();
    },
  },
  {
    name: 'audit log with a verification',
    path: '/settings/audit-logs',
    async show(page) {
      await press(page, 'Verify Log');
      await page.getByText('The log is whole').waitFor();
    },
  },
  {
    name: 'audit entry',
    path: '/settings/audit-logs?entity=deal&action=deal.updated',
    async show(page) {
      await page
        .getByRole('table')
        .getByRole('button', { name: /^Open / })
        .first()
        .click();
      await dialog(page).getByText('Before').waitFor();
    },
  },
  { name: 'exports', path: '/exports', show: (page) => page.getByText('No exports yet').waitFor() },
  {
    name: 'new export',
    path: '/exports',
    async show(page) {
      await press(page, 'New Export');
      await dialog(page).getByLabel('Contains').waitFor();
    },
  },
  {
    name: 'user activity',
    path: '/admin/user-activity',
    show: (page) => page.getByRole('table', { name: 'Work by hour' }).waitFor(),
  },
  {
    name: 'dealerships',
    path: '/settings/dealerships',
    show: (page) => page.getByText('Harbour New Cars').first().waitFor(),
  },
  {
    name: 'dealerships with the options of a column and a filter that nothing matches',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Column options of Name');
      await page.getByLabel('Contains').fill('nobody');
      await page.getByText('Nothing matches these filters').waitFor();
    },
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
    name: 'import of dealerships with a wrong cell',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Import');
      await dialog(page).getByLabel('Or paste rows').fill('Name,Address\nHarbour New Cars,\nInland Cars,');
      await press(page, 'Read pasted rows');
      await dialog(page).getByText('Address is required').waitFor();
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
    name: 'Share dialog with a warning',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Share Harbour New Cars');
      await dialog(page).getByRole('checkbox', { name: 'Cleo Clerk' }).check();
      await dialog(page).getByText('Edit', { exact: true }).click();
      await dialog(page).getByText('may not see or edit other dealerships').waitFor();
    },
  },
  {
    name: 'Share dialog with nobody chosen',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Share Harbour New Cars');
      await press(page, 'Update Sharing');
      await dialog(page).getByText('Please select a user').waitFor();
    },
  },
  {
    name: 'handing over a template',
    path: '/email-templates',
    async show(page) {
      await press(page, 'Hand over Daily');
      await dialog(page).getByRole('button', { name: 'Hand Over' }).click();
      await dialog(page).getByText('Please select a user').waitFor();
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
    name: 'where a template is used',
    path: '/email-templates',
    async show(page) {
      await press(page, 'Delete Daily');
      await dialog(page).getByText('Default template').waitFor();
    },
  },
  {
    name: 'versions of a template, compared',
    path: '/email-templates',
    async show(page) {
      await page.getByRole('link', { name: 'Daily' }).first().click();
      await press(page, 'Versions');
      await press(page, 'Compare version 1');
      await dialog(page).getByText('Words that went are crossed out').waitFor();
    },
  },
  {
    name: 'template tried on a deal, as a dark mail program shows it',
    path: '/email-templates',
    async show(page) {
      await page.getByRole('link', { name: 'Daily' }).first().click();
      await page.getByText('Preview', { exact: true }).click();
      await page.getByRole('region', { name: 'The message' }).getByText('Dark', { exact: true }).click();
      await page
        .frameLocator('iframe')
        .getByText(/Example/)
        .waitFor();
    },
  },
  {
    name: 'users',
    path: '/settings/users',
    show: (page) => page.getByText('Cleo Clerk').first().waitFor(),
  },
  {
    name: 'user form with refused fields',
    path: '/settings/users',
    async show(page) {
      await press(page, 'Add User');
      await dialog(page).getByRole('button', { name: 'Add User' }).click();
      await dialog(page).getByText('Name is required').waitFor();
    },
  },
  {
    name: 'new temporary password',
    path: '/settings/users',
    async show(page) {
      await page.getByRole('button', { name: 'More for Cleo Clerk' }).click();
      await page.getByRole('menuitem', { name: 'Reset password' }).click();
      await dialog(page).getByRole('button', { name: 'Reset password' }).click();
      await dialog(page).getByText('it will not be shown again').waitFor();
    },
  },
  {
    name: 'sessions of a person',
    path: '/settings/users',
    async show(page) {
      await press(page, 'Sessions of Ada Admin');
      await dialog(page).getByText('This device').waitFor();
    },
  },
  {
    name: 'hand-over of what a person owns',
    path: '/settings/users',
    async show(page) {
      await page.getByRole('button', { name: 'More for Ada Admin' }).click();
      await page.getByRole('menuitem', { name: 'Hand over' }).click();
      await dialog(page).getByText('Step 1 of 3').waitFor();
    },
  },
  {
    name: 'permissions with restrictions',
    path: '/settings/permissions',
    async show(page) {
      await page.getByRole('navigation', { name: 'People', exact: true }).getByText('Cleo Clerk').click();
      await page.getByRole('heading', { name: 'Cleo Clerk', level: 2 }).waitFor();
      await page.getByRole('switch', { name: /^All columns/ }).click();
      await press(page, 'Review and save');
      await page.getByText('Choose at least one column').waitFor();
    },
  },
  {
    name: 'what a change of permissions means',
    path: '/settings/permissions',
    async show(page) {
      await page.getByRole('switch', { name: /^Bulk changes/ }).click();
      await page.getByRole('switch', { name: /^Data Entry/ }).click();
      await press(page, 'Review and save');
      await dialog(page).getByText('Will no longer be able to').waitFor();
    },
  },
  {
    name: 'items',
    path: '/item-configuration',
    show: (page) => page.getByRole('button', { name: 'Move Dash cam' }).waitFor(),
  },
  {
    name: 'item form with refused fields',
    path: '/item-configuration',
    async show(page) {
      await press(page, 'Add Item');
      await dialog(page).getByLabel('Price').fill('much');
      await press(page, 'Save');
      await dialog(page).getByText('Item name is required').waitFor();
    },
  },
  {
    name: 'statuses',
    path: '/settings/status-configuration',
    show: (page) => page.getByRole('button', { name: 'Move To Call' }).waitFor(),
  },
  {
    name: 'status form with a refused colour',
    path: '/settings/status-configuration',
    async show(page) {
      await press(page, 'Edit Called');
      await dialog(page).getByLabel('Hex value').fill('#12');
      await press(page, 'Save');
      await dialog(page).getByText('Must be a colour').waitFor();
    },
  },
  {
    name: 'question before a status that deals have is deleted',
    path: '/settings/status-configuration',
    async show(page) {
      await press(page, 'Delete Called');
      await press(page, 'Delete');
      await dialog(page).getByText('Please choose a replacement').waitFor();
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
    name: 'general settings with a refused value',
    path: '/settings/general?user=company',
    async show(page) {
      await page.getByRole('textbox', { name: 'New sales commission' }).fill('101');
      await press(page, 'Save Commission Settings');
      await page.getByText('Enter a number from 0 to 100').waitFor();
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
  { name: 'own account', path: '/account', show: (page) => page.getByText('This device').waitFor() },
  {
    name: 'two-step sign-in with the QR code',
    path: '/two-step',
    async show(page) {
      await page.getByLabel('Current password').fill(PASSWORD);
      await press(page, 'Continue');
      await page.getByRole('img', { name: 'QR code' }).waitFor();
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
    name: 'debug panel',
    path: '/changelog',
    async show(page) {
      await press(page, 'Debug Panel');
      await page.getByRole('list', { name: 'Log' }).getByText('GET /auth/me').first().waitFor();
    },
  },
  {
    name: 'keys of every screen',
    path: '/changelog',
    async show(page) {
      await heading('Changelog')(page);
      await page.keyboard.press('?');
      await dialog(page).getByText('Search and commands').waitFor();
    },
  },
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
    name: 'import of deals with a wrong cell and a duplicate',
    path: '/data-entry',
    async show(page) {
      await press(page, 'Import');
      await dialog(page)
        .getByLabel('Or paste rows')
        .fill('Name,Dealer,Phone\nIda,Nowhere,0412345678\nIan,Harbour New Cars,0412345678');
      await press(page, 'Read pasted rows');
      await dialog(page).getByText('Same phone as line 2').waitFor();
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
  {
    name: 'send dialog with files',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await press(page, 'Send email');
      const chooser = page.waitForEvent('filechooser');
      await press(page, 'Attach files');
      const file = (name: string, words: string) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(words),
      });
      await (await chooser).setFiles([file('Offer.pdf', 'words'), file('Empty.txt', '')]);
      await dialog(page).getByText('The file is empty').waitFor();
      await dialog(page).getByRole('progressbar').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'items of a row with a refused price',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'Items…' }).click();
      await page.getByRole('option', { name: 'Dash cam' }).click();
      await dialog(page).getByLabel('Unit price of Dash cam').fill('much');
      await press(page, 'Save items');
      await dialog(page).getByText('Please enter a valid number').waitFor();
    },
  },
  {
    name: 'history of a row',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Cid Example' }).click();
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'History of the row' }).click();
      await dialog(page).getByText('changed it').waitFor();
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
    name: 'items in the deal form',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('button', { name: 'Ann Example' }).click();
      await press(page, 'Items: Choose items');
      await page.getByRole('option', { name: 'Dash cam' }).click();
      await page.getByLabel('Quantity of Dash cam').waitFor();
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
        : // The second step begins with a 401.
          openPage(browser, options, [/status of 401/]));
      // The company has an administrator already: the form is looked at, not sent.
      await open.page.route('**/api/auth/setup', (route) =>
        route.fulfill({ json: { open: true, mailsResetLinks: true } }),
      );
    });
    afterAll(() => open.close());

    test.each(screens)('$name', async ({ path, show }) => {
      const { page } = open;
      await page.goto(company.server.url + path);
      await page.evaluate(withoutTransitions);
      await show(page);
      await page.evaluate(axe);
      await switchTo(page, 'light');
      expect(await findings(page, WCAG_22_AA), 'light').toEqual([]);
      await switchTo(page, 'dark');
      expect(await findings(page, OF_COLOURS), 'dark').toEqual([]);
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
    { path: '/settings/dealerships', opener: 'Share Harbour New Cars', closer: 'Cancel' },
    { path: '/settings/users', opener: 'Add User', closer: 'Cancel' },
    { path: '/settings/users', opener: 'Sessions of Cleo Clerk', closer: 'Close' },
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
    // Pressed where it is found: on a slow machine the page's first field takes the focus after it is drawn.
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Custom variable' }).press('Enter');
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await focused()).toBe('Add');
  });
});

/**
 * From one theme to the other every colour fades: for half a second, in which nothing can be said of contrast. It is
 * for the page alone: the frame of an email runs no scripts, and the console would say so.
 */
function withoutTransitions(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
}

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

/** A theme is colours and nothing else: what the other one brings anew. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds on the page as it is, by tags or rules, and whether the page has to be scrolled sideways. */
async function findings(page: Page, runOnly: string[]): Promise<string[]> {
  const { violations, overflow } = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } };
    const { violations } = await axe.run({ runOnly });
    return { violations, overflow: document.documentElement.scrollWidth - window.innerWidth };
  }, runOnly);
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    ),
    ...(overflow > 0 ? [`${overflow} px wider than the window`] : []),
  ];
}
