import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage } from '../browser.ts';
import { DESKTOP, PASSWORD, signIn, startCompany, type Company, type Person } from './company.fixture.ts';

/** What a browser writes down by itself about what is meant here: refusals, and requests that are cut off. */
const MEANT = [/status of 40[01]/, /ERR_FAILED/];

let company: Company;
let browser: Browser;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

/** The dashboard in a browser of this person's own. */
async function openDashboard(person: Person) {
  const open = await company.openAs(browser, person, DESKTOP, MEANT);
  await open.page.goto(`${company.server.url}/dashboard`);
  await heading(open.page, 'Dashboard');
  return open;
}

test('signing in keeps the token under its key; a wrong password says so and keeps the email', async () => {
  const person = await company.addPerson({ name: 'Ines In' });
  const open = await openPage(browser, DESKTOP, MEANT);
  const { page } = open;
  await page.goto(company.server.url);
  await signIn(page, person.email, 'not her password');
  await page.getByText('Email or password is incorrect').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
  expect(await stored(page, 'token')).toBeNull();
  await signIn(page, person.email.toUpperCase());
  await heading(page, 'Dashboard');
  const token = (await stored(page, 'token'))!;
  const me = await company.call('GET /auth/me', { token });
  expect(me).toMatchObject({ status: 200, body: { data: { user: { email: person.email } } } });
  await open.close();
});

test('signing out ends the session on the server and in every tab, and a reload stays signed out', async () => {
  const person = await company.addPerson({ name: 'Olga Out' });
  const open = await openDashboard(person);
  const { page } = open;
  const other = await page.context().newPage();
  await other.goto(`${company.server.url}/data-entry`);
  await other.getByRole('grid').waitFor();

  const answered = page.waitForResponse('**/api/auth/logout');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await Promise.all([heading(page, 'Sign in'), heading(other, 'Sign in')]);
  expect((await answered).status()).toBe(204);
  expect(new URL(page.url()).search).toBe('');
  expect(await stored(other, 'token')).toBeNull();
  expect(await company.call('GET /auth/me', { token: person.token })).toMatchObject({ status: 401 });
  await page.goto(`${company.server.url}/dashboard`);
  await heading(page, 'Sign in');
  await open.close();
});

test('signing in in one tab takes the other tab along', async () => {
  const person = await company.addPerson({ name: 'Tia Tabs' });
  const open = await openPage(browser, DESKTOP);
  const { page } = open;
  const other = await page.context().newPage();
  await Promise.all([page.goto(company.server.url), other.goto(`${company.server.url}/data-entry`)]);
  await Promise.all([heading(page, 'Sign in'), heading(other, 'Sign in')]);
  await signIn(page, person.email);
  await heading(page, 'Dashboard');
  await other.getByRole('grid').waitFor();
  await other.getByRole('button', { name: 'Tia Tabs' }).waitFor();
  await open.close();
});

test('a new password ends every other session, which is told at once; this one goes on', async () => {
  const person = await company.addPerson({ name: 'Pia Password' });
  const [here, elsewhere] = await Promise.all([openDashboard(person), openDashboard(person)]);
  const { page } = here;
  // The same token in both would end both: the one elsewhere is a sign-in of its own.
  await elsewhere.page.evaluate(() => localStorage.clear());
  await elsewhere.page.goto(`${company.server.url}/data-entry`);
  await signIn(elsewhere.page, person.email);
  await elsewhere.page.getByRole('grid').waitFor();

  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('link', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill('not it');
  await page.getByLabel('New password', { exact: true }).fill('too short');
  await page.getByLabel('New password again').fill('too shirt');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Must be at least 12 characters').waitFor();
  await page.getByLabel('New password', { exact: true }).fill('four unrelated green words');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('The two passwords are not the same').waitFor();
  await page.getByLabel('New password again').fill('four unrelated green words');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Your current password is incorrect').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save password' }).click();

  await heading(page, 'Dashboard');
  await elsewhere.page.getByText('Session expired. Please log in again.').waitFor();
  const { pathname, search } = new URL(elsewhere.page.url());
  expect(pathname + search).toBe('/login?redirect=%2Fdata-entry');
  await page.getByRole('link', { name: 'Data Entry' }).click();
  await page.getByRole('grid').waitFor();
  expect(await stored(page, 'token')).not.toBe(person.token);
  await Promise.all([here.close(), elsewhere.close()]);
});

describe('the theme', () => {
  /** Waits until the page is in that theme, attribute and ground alike. */
  const isDark = (page: Page, dark: boolean) =>
    page.waitForFunction((dark) => {
      const [red] = /\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? [];
      const { mantineColorScheme } = document.documentElement.dataset;
      return (
        mantineColorScheme === (dark ? 'dark' : 'light') && (dark ? Number(red) < 50 : Number(red) > 230)
      );
    }, dark);

  test('follows the system until one is chosen, and the choice stays in this browser', async () => {
    const open = await openDashboard(company.admin);
    const { page } = open;
    await page.emulateMedia({ colorScheme: 'light' });
    await isDark(page, false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await isDark(page, true);

    await page.getByRole('radio', { name: 'Light' }).check({ force: true });
    await isDark(page, false);
    expect(await stored(page, 'theme')).toBe('light');
    await page.reload();
    await heading(page, 'Dashboard');
    await isDark(page, false);

    await page.getByRole('radio', { name: 'System' }).check({ force: true });
    await isDark(page, true);
    expect(await stored(page, 'theme')).toBe('system');
    await page.emulateMedia({ colorScheme: 'light' });
    await isDark(page, false);
    await open.close();
  });

  test('is there before the first paint: no script of the page has run yet', async () => {
    const open = await openDashboard(company.admin);
    const { page } = open;
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    await isDark(page, true);
    await open.close();
  });
});
