import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPage, type OpenPage } from '../browser.ts';
import { DESKTOP, PASSWORD, PHONE, signIn, openCompany, type Person } from './company.fixture.ts';
import { callsOf } from './lost-calls.fixture.ts';
import { onePage } from './one-page.fixture.ts';

/** Console messages about refusals and aborted requests that the tests provoke. */
const EXPECTED_ERRORS = [
  /status of (40[13]|500)/,
  /ERR_(FAILED|ABORTED)/,
  /dynamically imported module/,
  /ApiError: (The server has a cold|Request timeout|Network error)/,
];

let open: OpenPage | undefined;
let page: Page;

const { company, browser } = await openCompany();
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const go = (target: string) => page.goto(company.server.url + target);
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
/** A link of the menu; screens have links with the same name. */
const menuLink = (name: string) => page.getByRole('navigation').getByRole('link', { name });
const storedToken = () => page.evaluate(() => localStorage.getItem('token'));

/** Returns path and query of the URL once the screen with this heading is shown. */
async function addressAt(title: string): Promise<string> {
  await heading(title);
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

async function openAs(person: Person, options = DESKTOP): Promise<void> {
  open = await company.openAs(browser, person, options, EXPECTED_ERRORS);
  page = open.page;
}

/** Adds a user without the email pages. */
const addClerk = () =>
  company.addPerson({ name: 'Cleo Clerk', permissions: { pages: { emailTemplates: false } } });
const clerk = await addClerk();

/** Opens a page as a new clerk each time, because permissions may be requested five times a minute. */
async function openAsClerk(): Promise<Person> {
  const person = await addClerk();
  await openAs(person);
  return person;
}

const show = onePage(() => company.openAs(browser, clerk, DESKTOP, EXPECTED_ERRORS));

/** Shows a screen to the clerk, in one page of all tests that only look. */
async function showToClerk(target: string): Promise<void> {
  page = await show(company.server.url + target);
}

/** Responds to a call with a body that no server of ours sends. */
const respondInvalid = (path: string) => page.route(`**/api${path}`, (route) => route.fulfill({ json: {} }));

describe('signed out', () => {
  beforeEach(async () => {
    open = await openPage(browser, DESKTOP, EXPECTED_ERRORS);
    page = open.page;
  });

  test('a protected screen requires sign-in first and is shown afterwards, query included', async () => {
    const target = '/email-templates/history?status=sent&search=a%26b';
    await go(target);
    await heading('Sign in');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
    await expect.poll(() => new URL(page.url()).searchParams.get('redirect')).toBe(target);
    await signIn(page, company.admin.email);
    await expect.poll(() => addressAt('Email History')).toBe(target);
  });

  test('a target that is not a screen for signed-in users is ignored after sign-in', async () => {
    page.on('dialog', (dialog) => expect.fail(dialog.message()));
    // web/src/app/redirect-target.test.ts has the others.
    for (const target of ['//evil.example/', 'javascript:alert(document.domain)', '/api/auth/me']) {
      await go(`/login?redirect=${encodeURIComponent(target)}`);
      await signIn(page, company.admin.email);
      await expect.poll(() => addressAt('Dashboard'), { message: target }).toBe('/dashboard');
      await expect.poll(() => new URL(page.url()).origin, { message: target }).toBe(company.server.url);
      await page.evaluate(() => localStorage.clear());
    }
  });

  test('a sign-in screen whose script fails reloads once and then shows an error', async () => {
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.route('**/assets/LoginScreen-*.js', (route) => route.abort());
    await go('/login');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    // The first load, the router's own retry, and the reload (docs/product/screens.md, Who opens a screen).
    expect(loads).toBe(3);
  });

  test('a user who must change their password can do nothing else, and continues at the dashboard', async () => {
    const person = await company.addPerson({ name: 'Nina New', mustChangePassword: true });
    await go('/login?redirect=/data-entry');
    await signIn(page, person.email);
    await expect.poll(() => addressAt('Change password')).toBe('/change-password');
    await go('/data-entry');
    await expect.poll(() => addressAt('Change password')).toBe('/change-password');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('four unrelated green words');
    await page.getByLabel('New password again').fill('four unrelated green words');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect.poll(() => addressAt('Dashboard')).toBe('/dashboard');
    await page.getByText('Password changed').waitFor();
  });
});

describe('signed in', () => {
  test('a signed-in user does not see the sign-in screen again', async () => {
    await openAsClerk();
    await go('/login?redirect=/data-entry');
    await expect.poll(() => addressAt('Dashboard')).toBe('/dashboard');
    await go('/');
    await expect.poll(() => addressAt('Dashboard')).toBe('/dashboard');
  });

  test('a clerk who opens a screen without permission sees why', async () => {
    for (const [target, reason] of [
      ['/settings/email', 'Admin access required'],
      ['/email-templates/history', "You don't have permission to open this page"],
      ['/email-templates/new', "You don't have permission to open this page"],
    ] as const) {
      await showToClerk(target);
      await heading('You cannot open this page');
      await page.getByText(reason).waitFor();
      await page.getByText('INSUFFICIENT_PERMISSIONS').waitFor();
      await expect
        .poll(() => Object.fromEntries(new URL(page.url()).searchParams), { message: target })
        .toEqual({ message: reason, code: 'INSUFFICIENT_PERMISSIONS' });
      await page.getByRole('link', { name: 'Go to Dashboard' }).click();
      await heading('Dashboard');
    }
  });

  test('an administrator who loses the role at /settings/email is sent to the dashboard with a message', async () => {
    const ada = await company.addPerson({ name: 'Ada Second', role: 'admin' });
    await openAs(ada);
    await go('/settings/email');
    await heading('Email Settings');
    await page.getByText('Ada Second').first().waitFor();
    await company.call(`PUT /users/${ada.id}`, { token: ada.token, body: { role: 'user' } });
    await page.getByText('Access denied. Admin privileges required.').waitFor();
    await expect.poll(() => addressAt('Dashboard')).toBe('/dashboard');
  });

  test('/unauthorized shows no text from its URL', async () => {
    await showToClerk('/unauthorized?message=Call+0900+123&code=Pay+now');
    await page.reload();
    await heading('You cannot open this page');
    await page.getByText('Access denied').waitFor();
    await expect.poll(() => page.getByText(/0900|Pay now/).count()).toBe(0);
  });

  test('an unknown URL shows a message', async () => {
    await showToClerk('/no/such/page');
    await page.reload();
    await heading('Page not found');
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await heading('Dashboard');
  });

  test('the next call detects an ended session, and sign-in leads back', async () => {
    const person = await company.addPerson({ name: 'Eve Ended' });
    await openAs(person);
    // Without the live stream, which would notify the page first.
    await page.route('**/api/events*', (route) => route.abort());
    const loseCalls = callsOf(page);
    await go('/dashboard');
    await heading('Dashboard');
    // No call of the dashboard itself may detect it.
    const restore = await loseCalls();
    await company.call('POST /auth/logout', { token: person.token });
    await page.getByRole('link', { name: 'Data Entry' }).click();
    await page.waitForURL('**/data-entry');
    await restore();
    await page.getByText('Session expired. Please log in again.').waitFor();
    await expect.poll(() => addressAt('Sign in')).toBe('/login?redirect=%2Fdata-entry');
    await expect.poll(() => storedToken()).toBeNull();
    await signIn(page, person.email);
    await expect.poll(() => addressAt('Data Entry')).toBe('/data-entry');
  });

  test('a slow session check keeps the session, and the screens recover by themselves', async () => {
    const person = await openAsClerk();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/auth/me', async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    const began = performance.now();
    await go('/data-entry');
    await page.getByRole('alert').getByText('Request timeout. Please try again.').waitFor();
    expect(performance.now() - began).toBeGreaterThan(2900);
    await page.getByText('your account has not loaded yet').waitFor();
    await menuLink('Dashboard').click();
    await heading('Dashboard');
    await expect.poll(() => storedToken()).toBe(person.token);
    release();
    await page.getByRole('button', { name: 'Cleo Clerk' }).waitFor();
    await page.getByText('your account has not loaded yet').waitFor({ state: 'detached' });
  });

  test('a guarded screen opens without a click once the session check succeeds', async () => {
    await openAsClerk();
    let isDown = true;
    await page.route('**/api/auth/me', (route) => (isDown ? route.abort() : route.continue()));
    await go('/data-entry');
    await page.getByRole('alert').getByText('Network error. Please check your connection.').waitFor();
    isDown = false;
    await page.getByRole('grid').waitFor();
  });

  test('a refused screen shows why, also if the session check succeeds late', async () => {
    await openAsClerk();
    let isDown = true;
    await page.route('**/api/auth/me', (route) => (isDown ? route.abort() : route.continue()));
    await go('/settings/email');
    await page.getByRole('alert').getByText('Network error. Please check your connection.').waitFor();
    isDown = false;
    await heading('You cannot open this page');
    await page.getByText('Admin access required').waitFor();
  });

  test('a screen whose script fails leads to the dashboard', async () => {
    await openAsClerk();
    await page.route('**/assets/ChangePasswordScreen-*.js', (route) => route.abort());
    await go('/change-password');
    await expect.poll(() => addressAt('Dashboard')).toBe('/dashboard');
  });

  test('a start that fails clears the session', async () => {
    await openAsClerk();
    await respondInvalid('/auth/me');
    await go('/data-entry?month=2026-11');
    await expect.poll(() => addressAt('Sign in')).toBe('/login?redirect=%2Fdata-entry%3Fmonth%3D2026-11');
    await expect.poll(() => storedToken()).toBeNull();
  });

  test('a guard that fails leads to sign-in with the target, and signing in leads on', async () => {
    const person = await openAsClerk();
    // The start does not need the response. The guard of the next screen repeats the call and gets an invalid body.
    let isRubbish = false;
    await page.route('**/api/auth/me', (route) => (isRubbish ? route.fulfill({ json: {} }) : route.abort()));
    await go('/dashboard');
    await heading('Dashboard');
    isRubbish = true;
    await page.getByRole('link', { name: 'Data Entry' }).click();
    await expect.poll(() => addressAt('Sign in')).toBe('/login?redirect=%2Fdata-entry&error=guard_error');
    await page.getByText('That page could not be opened. Please sign in and try again.').waitFor();
    await expect.poll(() => storedToken()).toBe(person.token);
    await page.unroute('**/api/auth/me');
    await signIn(page, person.email);
    await expect.poll(() => addressAt('Data Entry')).toBe('/data-entry');
  });

  test('a page whose permission cannot be loaded stays closed with a message, and opens once it is', async () => {
    await openAsClerk();
    // Without the live stream, which would deliver it.
    await page.route('**/api/events*', (route) => route.abort());
    await page.route('**/api/permissions/**', (route) =>
      route.fulfill({ status: 500, json: { message: 'The server has a cold', code: 'SERVER_ERROR' } }),
    );
    await go('/data-entry');
    await page.getByRole('alert').getByText('The server has a cold').waitFor();
    await expect.poll(() => page.getByRole('grid').count()).toBe(0);
    await page.unroute('**/api/permissions/**');
    const grid = page.getByRole('grid');
    // The shell retries by itself and may be first: then the button is gone.
    await Promise.any([page.getByRole('button', { name: 'Try again' }).click(), grid.waitFor()]);
    await grid.waitFor();
  });

  test('permissions are requested once, and again at focus when they are a minute old', async () => {
    await openAsClerk();
    // A new live connection would deliver them.
    await page.route('**/api/events*', (route) => route.abort());
    await page.clock.install();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/permissions/user/')) requests.push(request.url());
    });
    const focus = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await go('/data-entry');
    await page.getByRole('grid').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await heading('Dashboard');
    // The clock also runs by itself: on a busy machine the rest of the minute is for the screens.
    await page.clock.runFor(5000);
    await focus();
    await page.getByRole('link', { name: 'Data Entry' }).click();
    await page.getByRole('grid').waitFor();
    expect(requests).toHaveLength(1);
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

  test('the side panel is 52 units wide, 14 when collapsed, and keeps its state', async () => {
    await openAs(company.admin);
    await go('/dashboard');
    await heading('Dashboard');
    await expect.poll(() => widthOf('Sign Out')).toBe(208);
    await page.getByRole('button', { name: 'Collapse side panel' }).click();
    await expect.poll(() => widthOf('Sign Out')).toBe(56);
    await menuLink('Data Entry').click();
    await page.getByRole('grid').waitFor();
    await page.reload();
    await page.getByRole('grid').waitFor();
    await expect.poll(() => widthOf('Sign Out')).toBe(56);
  });

  test('a phone has a bar with a menu that closes with the choice', async () => {
    await openAs(company.admin, PHONE);
    await go('/dashboard');
    await heading('Dashboard');
    await expect.poll(() => menuLink('Data Entry').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menuLink('Dealerships').click();
    await heading('Dealership Management');
    await expect.poll(() => menuLink('Data Entry').isVisible()).toBe(false);
  });

  test('the card shows the signed-in user, their email on hover, and their last sign-in', async () => {
    await showToClerk('/dashboard');
    const card = page.getByRole('region', { name: 'Account' });
    await card.getByText('CC', { exact: true }).waitFor();
    await card.getByText('Cleo Clerk').waitFor();
    await card.getByText('User', { exact: true }).waitFor();
    await card.getByText(/^Last login: \d\d\/\d\d\/\d{4}, /).waitFor();
    await card.getByRole('button', { name: 'Cleo Clerk' }).hover();
    await page.getByRole('tooltip').getByText(clerk.email).waitFor();
  });
});
