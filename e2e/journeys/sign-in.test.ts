import { codeOf } from '@forecourt/server/test/app-code';
import { freePort } from '@forecourt/server/test/free-port';
import { openMailServer, readMail } from '@forecourt/server/test/smtp';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../browser.ts';
import { DESKTOP, PASSWORD, signIn, startCompany, type Person } from './company.fixture.ts';
import { callsOf } from './lost-calls.fixture.ts';

/** Console messages that the tests provoke. */
const EXPECTED_ERRORS = [/status of 40[013]/, /ERR_FAILED/];
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
const NEW_PASSWORD = 'four unrelated green words';

const mail = await openMailServer({ password: 'right' });
const SMTP_URL = `smtp://desk:right@127.0.0.1:${mail.port}?from=desk@shine.example`;
// Links contain the port of the configuration.
const PORT = String(await freePort());
const [company, browser] = await Promise.all([startCompany({ SMTP_URL, PORT }), sharedBrowser()]);
afterAll(async () => {
  await closePages();
  await company.close();
  await mail.close();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('token'));

const openLogin = async (options: BrowserContextOptions = {}) => {
  const open = await openPage(browser, { ...DESKTOP, ...options }, EXPECTED_ERRORS);
  await open.page.goto(company.server.url);
  return open;
};

/** Navigates from the dashboard to the account. */
async function toAccount(page: Page): Promise<void> {
  await heading(page, 'Dashboard');
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await heading(page, 'Your account');
}

/** Completes the set-up on the page; returns the app's secret, its code that was used, and the recovery codes. */
async function setUpApp(page: Page): Promise<{ secret: string; used: string; codes: string[] }> {
  await page.getByLabel('Current password').fill('not it');
  await press(page, 'Continue');
  await page.getByText('Your current password is incorrect').waitFor();
  await page.getByLabel('Current password').fill(PASSWORD);
  await press(page, 'Continue');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = (await page.locator('code').innerText()).replaceAll(/\s/g, '');
  const used = codeOf(secret, 0);
  await page.getByLabel('Code of the app').fill(used);
  await press(page, 'Turn on');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const codes = await page
    .getByRole('listitem')
    .filter({ hasText: /^\w{6}-\w{6}-\w{6}$/ })
    .allTextContents();
  expect(codes).toHaveLength(10);
  return { secret, used, codes };
}

test('a user who forgot the password gets a link by mail, chooses a new one and signs in with it', async () => {
  const person = await company.addPerson({ name: 'Fay Forgot' });
  const open = await openLogin();
  const { page } = open;
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await heading(page, 'Forgot password');
  await page.getByLabel('Email').fill(person.email);
  await press(page, 'Send link');
  await heading(page, 'Check your email');
  await page.getByText('If there is an account with this email').waitFor();

  await mail.whenArrived(1);
  const { text = '', to } = await readMail(mail.arrived[0]!);
  expect(to?.[0]?.address).toBe(person.email);
  const link = /http\S+/.exec(text)![0];
  await page.goto(link);
  await heading(page, 'Choose a password');
  // The key is removed from the URL before it can be copied from there.
  await expect.poll(() => page.url()).toBe(`${company.server.url}/reset-password`);
  await page.getByLabel('New password', { exact: true }).fill(person.email);
  await page.getByLabel('New password again').fill(person.email);
  await press(page, 'Save password');
  await page.getByText('Must not be your name or e-mail address').waitFor();
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('New password again').fill(NEW_PASSWORD);
  await press(page, 'Save password');
  await heading(page, 'Sign in');
  await page.getByText('Password saved. You can sign in now.').waitFor();
  await expect.poll(() => stored(page)).toBeNull();
  await signIn(page, person.email);
  await page.getByText('Email or password is incorrect').waitFor();
  await signIn(page, person.email, NEW_PASSWORD);
  await heading(page, 'Dashboard');
  await open.close();

  const late = await openLogin();
  await late.page.goto(link);
  await late.page.getByLabel('New password', { exact: true }).fill('other unrelated green words');
  await late.page.getByLabel('New password again').fill('other unrelated green words');
  await press(late.page, 'Save password');
  await heading(late.page, 'This link is no longer valid');
  await late.page.getByRole('link', { name: 'Ask for a new link' }).click();
  await heading(late.page, 'Forgot password');
  await late.close();
});

test('two-step sign-in: set up, then sign in with the code of the app, then with a recovery code', async () => {
  const person = await company.addPerson({ name: 'Tara Two' });
  const open = await company.openAs(browser, person, DESKTOP, EXPECTED_ERRORS);
  const { page } = open;
  await page.goto(`${company.server.url}/dashboard`);
  await toAccount(page);
  await press(page, 'Set up');
  const { secret, used, codes } = await setUpApp(page);
  await page.evaluate(() => {
    window.addEventListener('copy', (event) => {
      document.body.dataset['copied'] = event.clipboardData?.getData('text/plain');
    });
  });
  await press(page, 'Copy');
  await expect.poll(() => page.evaluate(() => document.body.dataset['copied'])).toBe(codes.join('\n'));
  await press(page, 'I have kept them');
  await page.getByText('10 recovery codes left.').waitFor();
  await press(page, 'Sign Out');

  await signIn(page, person.email);
  await heading(page, 'Two-step sign-in');
  await expect.poll(() => stored(page)).toBeNull();
  const code = page.getByLabel('Code of the app');
  await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code');
  // Each code can be used once.
  await page.keyboard.insertText(used);
  await page.keyboard.press('Enter');
  await page.getByText('This code is not correct. Wait for the next one and try again.').waitFor();
  const next = codeOf(secret, 1);
  await code.fill(`${next.slice(0, 3)} ${next.slice(3)}`);
  await press(page, 'Sign in');
  await heading(page, 'Dashboard');
  await press(page, 'Sign Out');

  await signIn(page, person.email);
  await press(page, 'Use a recovery code');
  const recovery = page.getByLabel('Recovery code');
  await expect.poll(() => recovery.evaluate((field) => field === document.activeElement)).toBe(true);
  await recovery.fill('not-one-of-them');
  await page.keyboard.press('Enter');
  await page.getByText('This recovery code is incorrect or has already been used.').waitFor();
  await recovery.fill(codes[0]!.toUpperCase());
  await press(page, 'Sign in');
  await toAccount(page);
  await page.getByText('9 recovery codes left.').waitFor();

  await press(page, 'Turn off');
  const question = page.getByRole('dialog', { name: 'Turn off two-step sign-in?' });
  await question.getByLabel('Current password').fill(PASSWORD);
  await question.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
  await open.close();
});

test('a user who must set it up can do nothing else first, and continues from there', async () => {
  const person = await company.addPerson({ name: 'Ruby Required' });
  const body = { required: true };
  const response = await company.call(`PUT /users/${person.id}/two-step`, { body });
  expect(response).toMatchObject({ status: 200 });
  const open = await openLogin();
  const { page } = open;
  await signIn(page, person.email);
  await heading(page, 'Two-step sign-in');
  await expect.poll(() => new URL(page.url()).pathname).toBe('/two-step');
  await page.goto(`${company.server.url}/data-entry`);
  await heading(page, 'Two-step sign-in');
  await setUpApp(page);
  await press(page, 'I have kept them');
  await toAccount(page);
  await page.getByRole('button', { name: 'Turn off' }).hover();
  await page.getByRole('tooltip').getByText('Your administrator requires two-step sign-in.').waitFor();
  await open.close();
});

test('an open page leads there at once when it becomes required, or with the next call', async () => {
  const person = await company.addPerson({ name: 'Rita Required' });
  const [live, offline] = await Promise.all([
    company.openAs(browser, person, DESKTOP, EXPECTED_ERRORS),
    company.openAs(browser, person, DESKTOP, EXPECTED_ERRORS),
  ]);
  await offline.page.route('**/api/events*', (route) => route.abort());
  const loseCalls = callsOf(offline.page);
  for (const { page } of [live, offline]) {
    await page.goto(`${company.server.url}/dashboard`);
    await heading(page, 'Dashboard');
  }
  // No call of the dashboard itself is the next one.
  const restore = await loseCalls();
  await company.call(`PUT /users/${person.id}/two-step`, { body: { required: true } });
  await heading(live.page, 'Two-step sign-in');
  await offline.page.getByRole('link', { name: 'Data Entry' }).click();
  await offline.page.waitForURL('**/data-entry');
  await restore();
  await heading(offline.page, 'Two-step sign-in');
  await Promise.all([live.close(), offline.close()]);
});

test('a session ended from another browser is signed out at once, with the reason', async () => {
  const person: Person = await company.addPerson({ name: 'Sue Sessions' });
  const here = await company.openAs(browser, person, DESKTOP, EXPECTED_ERRORS);
  const elsewhere = await openLogin({ userAgent: FIREFOX });
  await signIn(elsewhere.page, person.email);
  await heading(elsewhere.page, 'Dashboard');

  const { page } = here;
  await page.goto(`${company.server.url}/account`);
  const sessions = page.getByRole('table', { name: 'Where you are signed in' });
  await expect.poll(() => sessions.getByRole('row').count()).toBe(3);
  await expect.poll(() => sessions.getByText('This device').count()).toBe(1);
  await sessions.getByRole('button', { name: 'End session of Firefox on Windows' }).click();
  const question = page.getByRole('dialog', { name: 'End this session?' });
  await question.getByText('Firefox on Windows, 127.0.0.1').waitFor();
  await question.getByRole('button', { name: 'End', exact: true }).click();
  await elsewhere.page.getByText('You ended this session from another device.').waitFor();
  await elsewhere.page.getByText('Session expired. Please log in again.').waitFor();
  await expect.poll(() => stored(elsewhere.page)).toBeNull();
  await expect.poll(() => sessions.getByRole('row').count()).toBe(2);
  await Promise.all([here.close(), elsewhere.close()]);
});
