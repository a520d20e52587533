import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, type OpenPage } from '../browser.ts';
import { DESKTOP, PASSWORD, signIn, startCompany, type Company, type Person } from './company.fixture.ts';

/** What a browser writes down by itself about what is meant here: refusals, and requests that are cut off. */
const MEANT = [/status of 40[13]/, /ERR_FAILED/, /dynamically imported module/];

let company: Company;
let clerk: Person;
let browser: Browser;
let open: OpenPage;
let page: Page;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  clerk = await company.addPerson({ name: 'Cleo Clerk', permissions: { pages: { emailTemplates: false } } });
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});
afterEach(() => open.close());

const go = (target: string) => page.goto(company.server.url + target);
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const storedToken = () => page.evaluate(() => localStorage.getItem('token'));

/** Path and query as the address bar shows them, once the screen with that heading is there. */
async function addressAt(title: string): Promise<string> {
  await heading(title);
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

async function openAs(person: Person): Promise<void> {
  open = await company.openAs(browser, person, DESKTOP, MEANT);
  page = open.page;
}

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
    await signIn(page, clerk.email);
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
    await openAs(clerk);
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
    await openAs(clerk);
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
    const everybodys = ['Dashboard', 'Data Entry', 'Email History'];
    await openAs(company.admin);
    await go('/dashboard');
    await heading('Dashboard');
    expect(await menu()).toEqual([...everybodys, 'Dealerships', 'Email Settings', 'Email Templates']);
    await open.close();
    await openAs(clerk);
    await go('/dashboard');
    await heading('Dashboard');
    expect(await menu()).toEqual(everybodys);
  });

  test('an address that leads nowhere says so', async () => {
    await openAs(clerk);
    await go('/no/such/page');
    await heading('Page not found');
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await heading('Dashboard');
  });

  test('a session that ended is told by the next call, and sign-in leads back', async () => {
    const person = await company.addPerson({ name: 'Eve Ended' });
    await openAs(person);
    // No stream, which would tell it before anybody calls.
    await page.route('**/api/events', (route) => route.abort());
    await go('/dashboard');
    await heading('Dashboard');
    await company.call('POST /auth/logout', { token: person.token });
    await page.getByRole('link', { name: 'Data Entry' }).click();
    await page.getByText('Session expired. Please log in again.').waitFor();
    expect(await addressAt('Sign in')).toBe('/login?redirect=%2Fdata-entry');
    expect(await storedToken()).toBeNull();
    await signIn(page, person.email);
    expect(await addressAt('Data Entry')).toBe('/data-entry');
  });

  test('a server that does not say who this is costs no session', async () => {
    await openAs(clerk);
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
    await openAs(clerk);
    await page.route('**/assets/ChangePasswordScreen-*.js', (route) => route.abort());
    await go('/change-password');
    expect(await addressAt('Dashboard')).toBe('/dashboard');
  });
});
