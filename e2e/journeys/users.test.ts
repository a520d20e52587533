import { addDeal } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { openPage } from '../browser.ts';
import { DESKTOP, PASSWORD, signIn, openCompany } from './company.fixture.ts';

const NEW_PASSWORD = 'four unrelated green words';

const { company, browser } = await openCompany();
// The browser logs the provoked refusals.
const open = await company.openAs(browser, company.admin, DESKTOP, [/status of 40[019]/]);
const { page, close: closePage } = open;
afterAll(() => closePage());

const heading = (at: Page, name: string) => at.getByRole('heading', { name, level: 1 }).waitFor();
const dialog = () => page.getByRole('dialog');
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

async function openUsers(): Promise<void> {
  await page.goto(`${company.server.url}/settings/users`);
  await row('Ada Admin').waitFor();
}

/** Chooses an entry in the menu of a user's row. */
async function choose(name: string, what: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}` }).click();
  await page.getByRole('menuitem', { name: what, exact: true }).click();
}

async function fillNewPerson(name: string, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Add User' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog().getByRole('textbox', { name: 'Email' }).fill(email);
}

const addPerson = () => dialog().getByRole('button', { name: 'Add User' }).click();

describe('a new user', () => {
  test('a new user gets a temporary password that is shown once, changes it, and works', async () => {
    await openUsers();
    await fillNewPerson('Nia New', 'nia@');
    await addPerson();
    await dialog().getByText('Must be an email address').waitFor();
    await dialog().getByRole('textbox', { name: 'Email' }).fill('nia@shine.example');
    await addPerson();
    await dialog().getByText('Pass it on now: it will not be shown again.').waitFor();
    const password = await dialog().getByLabel('Temporary password').inputValue();
    await dialog().getByRole('button', { name: 'Copy' }).click();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row('Nia New').getByText('Must change password').filter({ visible: true }).waitFor();

    // The copied text can be pasted.
    const search = page.getByRole('searchbox', { name: 'Search by name or email' });
    await search.focus();
    await page.keyboard.press('Control+V');
    await expect.poll(() => search.inputValue()).toBe(password);
    await page.getByText('Nobody matches').waitFor();
    await page.getByRole('button', { name: 'Show everybody' }).click();

    const own = await openPage(browser, DESKTOP);
    await own.page.goto(`${company.server.url}/data-entry`);
    await signIn(own.page, 'nia@shine.example', password);
    await heading(own.page, 'Change password');
    await own.page.getByLabel('Current password').fill(password);
    await own.page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await own.page.getByLabel('New password again').fill(NEW_PASSWORD);
    await own.page.getByRole('button', { name: 'Save password' }).click();
    await own.page.getByRole('button', { name: 'Nia New' }).waitFor();
    await own.page.getByRole('link', { name: 'Data Entry' }).click();
    await own.page.getByRole('grid').waitFor();
    await own.close();
  });

  test('a new user gets an invitation link, with which they choose their own password', async () => {
    await openUsers();
    await fillNewPerson('Ivo Vine', 'ivo@shine.example');
    await dialog().getByText('Invitation link').click();
    await addPerson();
    await page.getByRole('dialog', { name: 'Invitation for Ivo Vine' }).waitFor();
    const link = await dialog().getByLabel('Invitation link').inputValue();
    expect(link.startsWith(`${company.server.url}/`)).toBe(true);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row('Ivo Vine').getByText('Invited', { exact: true }).filter({ visible: true }).waitFor();

    const own = await openPage(browser, DESKTOP);
    await own.page.goto(link);
    await own.page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await own.page.getByLabel('New password again').fill(NEW_PASSWORD);
    await own.page.getByRole('button', { name: 'Save password' }).click();
    await heading(own.page, 'Sign in');
    await signIn(own.page, 'ivo@shine.example', NEW_PASSWORD);
    await heading(own.page, 'Dashboard');
    await own.close();
    await openUsers();
    await row('Ivo Vine').getByText('Active').filter({ visible: true }).waitFor();
  });
});

test('a leaving user transfers everything to a colleague, who then owns the rows', async () => {
  const leaver = await company.addPerson({
    name: 'Lea Leaver',
    permissions: { dataEntry: { canAddRows: true } },
  });
  await company.addPerson({ name: 'Hal Heir' });
  for (const customerName of ['Eve Example', 'Fay Example']) {
    await addDeal(company, leaver, company.dealershipId, { customerName });
  }
  await openUsers();
  await choose('Lea Leaver', 'Transfer');
  await dialog().getByText('Step 1 of 3').waitFor();
  await expect
    .poll(() => dialog().getByRole('definition').allTextContents())
    .toEqual(['0', '0', '0', '2', '0']);
  await dialog().getByRole('button', { name: 'Next' }).click();
  await dialog().getByText('Choose who gets it').waitFor();
  await dialog().getByRole('combobox', { name: 'Goes to' }).fill('Hal');
  await page.getByRole('option', { name: /^Hal Heir/ }).click();
  await dialog().getByRole('button', { name: 'Next' }).click();
  await dialog().getByRole('switch', { name: 'Also deactivate Lea Leaver' }).click();
  await dialog().getByRole('textbox', { name: 'Reason' }).fill('Moved away');
  await dialog().getByRole('button', { name: 'Next' }).click();
  await expect
    .poll(() => dialog().getByRole('listitem').allTextContents())
    .toEqual([
      '2 deals of Lea Leaver will belong to Hal Heir.',
      'Lea Leaver loses the access that came with owning them.',
      'Lea Leaver is signed out everywhere and can no longer sign in.',
      'The audit log keeps the reason: Moved away',
    ]);
  await dialog().getByRole('button', { name: 'Transfer' }).click();
  await dialog().getByText('Hal Heir now owns 2 deals.').waitFor();
  await dialog().getByRole('button', { name: 'Done' }).click();
  await row('Lea Leaver').getByText('Inactive').filter({ visible: true }).waitFor();
  await expect
    .poll(async () => (await company.call('GET /auth/me', { token: leaver.token })).status)
    .toBe(401);

  const colleague = await company.openAs(browser, await company.addPerson({ name: 'Cory Colleague' }));
  await colleague.page.goto(`${company.server.url}/data-entry`);
  await colleague.page.getByRole('gridcell', { name: 'Eve Example' }).dblclick();
  await colleague.page.getByText('This row is owned by Hal Heir.').waitFor();
  await colleague.close();
});

test('a deactivated user is signed out of an open browser at once', async () => {
  const person = await company.addPerson({ name: 'Otto Out' });
  const own = await company.openAs(browser, person, DESKTOP, [/status of 401/]);
  await own.page.goto(`${company.server.url}/data-entry`);
  await own.page.getByRole('grid').waitFor();
  await openUsers();
  await choose('Otto Out', 'Deactivate');
  await dialog().getByText('Otto Out is signed out at once').waitFor();
  await dialog().getByRole('button', { name: 'Deactivate' }).click();
  await heading(own.page, 'Sign in');
  await own.close();

  await choose('Otto Out', 'Activate');
  await row('Otto Out').getByText('Active', { exact: true }).filter({ visible: true }).waitFor();
  expect(
    (await company.call('POST /auth/login', { body: { email: person.email, password: PASSWORD } })).status,
  ).toBe(200);
});

test('one session of a user is ended in the drawer and disappears from it', async () => {
  const person = await company.addPerson({ name: 'Sid Signed' });
  await openUsers();
  await page.getByRole('button', { name: 'Sessions of Sid Signed' }).click();
  await dialog()
    .getByRole('button', { name: /^End session: / })
    .click();
  await dialog().getByText('Not signed in anywhere').waitFor();
  await expect
    .poll(async () => (await company.call('GET /auth/me', { token: person.token })).status)
    .toBe(401);
});

test('another user’s change is shown, and typed text is kept', async () => {
  const person = await company.addPerson({ name: 'Cara Changed' });
  await openUsers();
  await page.getByRole('button', { name: 'Edit Cara Changed' }).click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Cara Typed');
  await company.call(`PUT /users/${person.id}`, { body: { name: 'Cara Theirs', role: 'admin' } });
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('Somebody else changed this in the meantime').waitFor();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await company.call(`GET /users/${person.id}`)).body)
    .toMatchObject({
      name: 'Cara Typed',
      role: 'admin',
    });
});

test('changes by others appear without a reload, and the permissions of a user are one click away', async () => {
  const connected = page.waitForResponse('**/api/events*');
  await openUsers();
  await connected;
  const person = await company.addPerson({ name: 'Pat Person' });
  await company.call(`PUT /users/${person.id}`, { body: { name: 'Pat Promoted' } });
  await row('Pat Promoted').waitFor();
  await choose('Pat Promoted', 'Permissions');
  await page.waitForURL(`**/settings/permissions?user=${person.id}`);
});

test('the last administrator cannot be deactivated, and the dialog shows why', async () => {
  const { items } = (await company.call('GET /users')).body;
  for (const { _id, role } of items) {
    if (role === 'admin' && _id !== company.admin.id) {
      await company.call(`PUT /users/${_id}`, { body: { role: 'user' } });
    }
  }
  await openUsers();
  await choose('Ada Admin', 'Deactivate');
  await dialog().getByRole('button', { name: 'Deactivate' }).click();
  await dialog().getByText('There must be at least one active administrator').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await row('Ada Admin').getByText('Active').filter({ visible: true }).waitFor();
});
