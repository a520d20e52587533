import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from '../browser.ts';
import { DESKTOP, PASSWORD, signIn, openCompany, type Person } from './company.fixture.ts';

/** Console messages about refusals and aborted requests that the tests provoke. */
const EXPECTED_ERRORS = [/status of 40[01]/, /ERR_FAILED/];

const { company, browser } = await openCompany();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

/** Opens the dashboard in a new browser context of this user. */
async function openDashboard(person: Person) {
  const open = await company.openAs(browser, person, DESKTOP, EXPECTED_ERRORS);
  await open.page.goto(`${company.server.url}/dashboard`);
  await heading(open.page, 'Dashboard');
  return open;
}

test('signing in stores the token under its key; a wrong password shows a message and keeps the email', async () => {
  const person = await company.addPerson({ name: 'Ines In' });
  const open = await openPage(browser, DESKTOP, EXPECTED_ERRORS);
  const { page } = open;
  await page.goto(company.server.url);
  await signIn(page, person.email, 'not her password');
  await page.getByText('Email or password is incorrect').waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(person.email);
  await expect.poll(() => stored(page, 'token')).toBeNull();
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

  const response = page.waitForResponse('**/api/auth/logout');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await Promise.all([heading(page, 'Sign in'), heading(other, 'Sign in')]);
  expect((await response).status()).toBe(204);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await expect.poll(() => stored(other, 'token')).toBeNull();
  await expect
    .poll(() => company.call('GET /auth/me', { token: person.token }))
    .toMatchObject({ status: 401 });
  await page.goto(`${company.server.url}/dashboard`);
  await heading(page, 'Sign in');
  await open.close();
});

test('signing in in one tab signs in the other tab', async () => {
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

test('a new password ends every other session with an immediate message; this one continues', async () => {
  const person = await company.addPerson({ name: 'Pia Password' });
  const [here, elsewhere] = await Promise.all([openDashboard(person), openDashboard(person)]);
  const { page } = here;
  // With the same token both would end; the one elsewhere needs a session of its own.
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
  await elsewhere.page.waitForURL('**/login?redirect=%2Fdata-entry');
  await page.getByRole('link', { name: 'Data Entry' }).click();
  await page.getByRole('grid').waitFor();
  await expect.poll(() => stored(page, 'token')).not.toBe(person.token);
  await Promise.all([here.close(), elsewhere.close()]);
});

describe('the theme', () => {
  /** Waits until attribute and background match the theme. */
  const isDark = (page: Page, dark: boolean) =>
    page.waitForFunction((dark) => {
      const [red] = /\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? [];
      const { mantineColorScheme } = document.documentElement.dataset;
      return (
        mantineColorScheme === (dark ? 'dark' : 'light') && (dark ? Number(red) < 50 : Number(red) > 230)
      );
    }, dark);

  test('the theme follows the system until one is chosen, and the choice is kept in this browser', async () => {
    const open = await openDashboard(company.admin);
    const { page } = open;
    await page.emulateMedia({ colorScheme: 'light' });
    await isDark(page, false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await isDark(page, true);

    await page.getByRole('radio', { name: 'Light' }).check({ force: true });
    await isDark(page, false);
    await expect.poll(() => stored(page, 'theme')).toBe('light');
    await page.reload();
    await heading(page, 'Dashboard');
    await isDark(page, false);

    await page.getByRole('radio', { name: 'System' }).check({ force: true });
    await isDark(page, true);
    await expect.poll(() => stored(page, 'theme')).toBe('system');
    await page.emulateMedia({ colorScheme: 'light' });
    await isDark(page, false);
    await open.close();
  });

  test('the theme is applied before the first paint, without a script of the page', async () => {
    const open = await openDashboard(company.admin);
    const { page } = open;
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    await isDark(page, true);
    await open.close();
  });
});
