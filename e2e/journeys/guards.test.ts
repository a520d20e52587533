import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, type OpenPage } from '../browser.ts';
import {
  DESKTOP,
  PASSWORD,
  PHONE,
  signIn,
  startCompany,
  type Company,
  type Person,
} from './company.fixture.ts';

/** What a browser writes down by itself about what is meant here: refusals, and requests that are cut off. */
const MEANT = [/status of (40[13]|500)/, /ERR_FAILED/, /dynamically imported module/, /has a cold/];

let company: Company;
let browser: Browser;
let open: OpenPage;
let page: Page;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});
afterEach(() => open.close());

const go = (target: string) => page.goto(company.server.url + target);
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
/** A link of the menu; screens have links of the same name. */
const menuLink = (name: string) => page.getByRole('navigation').getByRole('link', { name });
const storedToken = () => page.evaluate(() => localStorage.getItem('token'));

/** Path and query as the address bar shows them, once the screen with that heading is there. */
async function addressAt(title: string): Promise<string> {
  await heading(title);
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

async function openAs(person: Person, options = DESKTOP): Promise<void> {
  open = await company.openAs(browser, person, options, MEANT);
  page = open.page;
}

/** Somebody without the email pages. A new one each time: what a person may do is told five times a minute. */
async function openAsClerk(options = DESKTOP): Promise<Person> {
  const permissions = { pages: { emailTemplates: false } };
  const clerk = await company.addPerson({ name: 'Cleo Clerk', permissions });
  await openAs(clerk, options);
  return clerk;
}

/** Answers a call with something that no server of ours says. */
const answerRubbish = (path: string) => page.route(`**/api${path}`, (route) => route.fulfill({ json: {} }));

describe('signed out', () => {
  beforeEach(async () => {
    open = await openPage(browser, DESKTOP, MEANT);
    page = open.page;
  });

  test('a protected screen asks for sign-in first and is shown afterwards, query included', async () => {
    const target = '/email-templates/history?status=sent&search=a%26b';
    await go(target);
    await heading('Sign in');
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(target);
    await signIn(page, company.admin.email);
    expect(await addressAt('Email History')).toBe(target);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(document.domain)',
    '/api/auth/me',
    '/login',
    '/no/such/page',
  ])('the target %s is not gone to after sign-in', async (target) => {
    page.on('dialog', (dialog) => expect.fail(dialog.message()));
    await go(`/login?redirect=${encodeURIComponent(target)}`);
    await signIn(page, company.admin.email);
    expect(await addressAt('Dashboard')).toBe('/dashboard');
    expect(new URL(page.url()).origin).toBe(company.server.url);
  });

  test('a sign-in screen whose script does not come reloads, and then says so instead of reloading for ever', async () => {
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.route('**/assets/LoginScreen-*.js', (route) => route.abort());
    await go('/login');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    // The first one, the router's own second try, and the reload of spec section 2.
    expect(loads).toBe(3);
  });

  test('a screen whose script does not come leads to sign-in', async () => {
    await page.route('**/assets/RegisterScreen-*.js', (route) => route.abort());
    await go('/register');
    expect(await addressAt('Sign in')).toBe('/login');
  });

  test('whoever must change their password can do nothing else, and begins at the dashboard then', async () => {
    const person = await company.addPerson({ name: 'Nina New', mustChangePassword: true });
    await go('/login?redirect=/data-entry');
    await signIn(page, person.email);
    expect(await addressAt('Change password')).toBe('/change-password');
    await go('/data-entry');
    expect(await addressAt('Change password')).toBe('/change-password');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('four unrelated green words');
    await page.getByLabel('New password again').fill('four unrelated green words');
    await page.getByRole('button', { name: 'Save password' }).click();
    expect(await addressAt('Dashboard')).toBe('/dashboard');
    await page.getByText('Password changed').waitFor();
  });
});

describe('signed in', () => {
  test('sign-in is not offered again', async () => {
    await openAsClerk();
    await go('/login?redirect=/data-entry');
    expect(await addressAt('Dashboard')).toBe('/dashboard');
    await go('/');
    expect(await addressAt('Dashboard')).toBe('/dashboard');
  });

  test.each([
    ['/settings/email', 'Admin access required'],
    ['/email-templates/history', "You don't have permission to open this page"],
    ['/email-templates/new', "You don't have permission to open this page"],
  ])('a clerk who opens %s is told: %s', async (target, reason) => {
    await openAsClerk();
    await go(target);
    await heading('You cannot open this page');
    await page.getByText(reason).waitFor();
    await page.getByText('INSUFFICIENT_PERMISSIONS').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      message: reason,
      code: 'INSUFFICIENT_PERMISSIONS',
    });
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await heading('Dashboard');
  });

  test('the menu shows each person what they may use', async () => {
    const menu = () => page.getByRole('navigation').getByRole('link').allTextContents();
    const everybodys = ['Dashboard', 'Data Entry', 'Reports', 'Changelog', 'Email History'];
    await openAs(company.admin);
    await go('/dashboard');
    await heading('Dashboard');
    expect(await menu()).toEqual([
      ...everybodys,
      'Exports',
      'Users',
      'General',
      'Dealerships',
      'Item Configuration',
      'Status Configuration',
      'Email Settings',
      'Email Templates',
      'Backups',
      'Audit Logs',
    ]);
    await open.close();
    await openAsClerk();
    await go('/dashboard');
    await heading('Dashboard');
    expect(await menu()).toEqual(everybodys);
  });

  test('an address that leads nowhere says so', async () => {
    await openAsClerk();
    await go('/no/such/page');
    await heading('Page not found');
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await heading('Dashboard');
  });

  test('a session that ended is told by the next call, and sign-in leads back', async () => {
    const person = await company.addPerson({ name: 'Eve Ended' });
    await openAs(person);
    // No stream, which would tell it before anybody calls.
    await page.route('**/api/events*', (route) => route.abort());
    await go('/dashboard');
    await heading('Dashboard');
    // A call of the dashboard's own that is late would be the one that is told.
    await page.waitForLoadState('networkidle');
    await company.call('POST /auth/logout', { token: person.token });
    await page.getByRole('link', { name: 'Data Entry' }).click();
    await page.getByText('Session expired. Please log in again.').waitFor();
    expect(await addressAt('Sign in')).toBe('/login?redirect=%2Fdata-entry');
    expect(await storedToken()).toBeNull();
    await signIn(page, person.email);
    expect(await addressAt('Data Entry')).toBe('/data-entry');
  });

  test('a server that does not say who this is costs no session', async () => {
    const clerk = await openAsClerk();
    await page.route('**/api/auth/me', () => new Promise(() => undefined));
    const began = performance.now();
    await go('/dashboard');
    await heading('Dashboard');
    expect(performance.now() - began).toBeGreaterThan(2900);
    // The limit is 3 s; the rest is for a slow machine.
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(await storedToken()).toBe(clerk.token);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('link', { name: 'Data Entry' }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('button', { name: 'Cleo Clerk' }).waitFor();
  });

  test('a screen whose script does not come leads to the dashboard', async () => {
    await openAsClerk();
    await page.route('**/assets/ChangePasswordScreen-*.js', (route) => route.abort());
    await go('/change-password');
    expect(await addressAt('Dashboard')).toBe('/dashboard');
  });

  test('a start that breaks clears the session', async () => {
    await openAsClerk();
    await answerRubbish('/auth/me');
    await go('/data-entry?month=2026-11');
    expect(await addressAt('Sign in')).toBe('/login?redirect=%2Fdata-entry%3Fmonth%3D2026-11');
    expect(await storedToken()).toBeNull();
  });

  test('a guard that breaks leads to sign-in with the target, and signing in leads on', async () => {
    const clerk = await openAsClerk();
    // The start does without an answer. The guard of the next screen asks again and gets a broken one.
    await page.route('**/api/auth/me', (route) => route.abort());
    await go('/dashboard');
    await heading('Dashboard');
    await page.unroute('**/api/auth/me');
    await answerRubbish('/auth/me');
    await page.getByRole('link', { name: 'Data Entry' }).click();
    expect(await addressAt('Sign in')).toBe('/login?redirect=%2Fdata-entry&error=guard_error');
    await page.getByText('That page could not be opened. Please sign in and try again.').waitFor();
    expect(await storedToken()).toBe(clerk.token);
    await page.unroute('**/api/auth/me');
    await signIn(page, clerk.email);
    expect(await addressAt('Data Entry')).toBe('/data-entry');
  });

  test('a page whose permission cannot be asked stays closed, says so, and opens once it can', async () => {
    await openAsClerk();
    // No stream either, which would tell it by itself.
    await page.route('**/api/events*', (route) => route.abort());
    await page.route('**/api/permissions/**', (route) =>
      route.fulfill({ status: 500, json: { message: 'The server has a cold', code: 'SERVER_ERROR' } }),
    );
    await go('/data-entry');
    await page.getByRole('alert').getByText('The server has a cold').waitFor();
    expect(await page.getByRole('grid').count()).toBe(0);
    await page.unroute('**/api/permissions/**');
    const grid = page.getByRole('grid');
    // The shell asks by itself as well and may be first: then the button is gone.
    await Promise.any([page.getByRole('button', { name: 'Try again' }).click(), grid.waitFor()]);
    await grid.waitFor();
  });

  test('permissions are asked for once, and again at focus when they are a minute old', async () => {
    await openAsClerk();
    // The live connection would bring them by itself whenever it is made anew.
    await page.route('**/api/events*', (route) => route.abort());
    await page.clock.install();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/permissions/user/')) asked.push(request.url());
    });
    const focus = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await go('/data-entry');
    await page.getByRole('grid').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await heading('Dashboard');
    await page.clock.runFor(50_000);
    await focus();
    await page.getByRole('link', { name: 'Data Entry' }).click();
    await page.getByRole('grid').waitFor();
    expect(asked).toHaveLength(1);
    const again = page.waitForRequest('**/api/permissions/user/*');
    await page.clock.runFor(120_000);
    await focus();
    await again;
  });
});

describe('the shell', () => {
  const widthOf = async (name: string) =>
    (
      await page
        .getByRole('complementary')
        .filter({ has: page.getByText(name) })
        .boundingBox()
    )?.width;

  test('the side panel is 52 units wide, 14 when collapsed, and stays as it was left', async () => {
    await openAs(company.admin);
    await go('/dashboard');
    await heading('Dashboard');
    expect(await widthOf('Sign Out')).toBe(208);
    await page.getByRole('button', { name: 'Collapse side panel' }).click();
    await expect.poll(() => widthOf('Sign Out')).toBe(56);
    await menuLink('Data Entry').click();
    await page.getByRole('grid').waitFor();
    await page.reload();
    await page.getByRole('grid').waitFor();
    expect(await widthOf('Sign Out')).toBe(56);
  });

  test('a phone has a bar with a menu that closes with the choice', async () => {
    await openAs(company.admin, PHONE);
    await go('/dashboard');
    await heading('Dashboard');
    expect(await menuLink('Data Entry').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menuLink('Dealerships').click();
    await heading('Dealership Management');
    expect(await menuLink('Data Entry').isVisible()).toBe(false);
  });

  test('the card says who is signed in, their email on hover, and when they last were', async () => {
    const clerk = await openAsClerk();
    await go('/dashboard');
    const card = page.getByRole('region', { name: 'Account' });
    await card.getByText('CC', { exact: true }).waitFor();
    await card.getByText('Cleo Clerk').waitFor();
    await card.getByText('User', { exact: true }).waitFor();
    await card.getByText(/^Last login: \d\d\/\d\d\/\d{4}, /).waitFor();
    await card.getByRole('button', { name: 'Cleo Clerk' }).hover();
    await page.getByRole('tooltip').getByText(clerk.email).waitFor();
  });
});
