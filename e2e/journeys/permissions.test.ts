import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { type OpenPage } from '../browser.ts';
import { DESKTOP, openCompany, type Person } from './company.fixture.ts';
import { onePage } from './one-page.fixture.ts';

/** Console messages about refusals that the tests provoke. */
const EXPECTED_ERRORS = [/status of 4(03|09)/, /ERR_FAILED/];

/** The users of the tests of the screen, each changed by one test, with their permissions. */
const PEOPLE: Record<string, object> = {
  'Dora Difference': {},
  'Nora Needs': { pages: { dataEntry: false } },
  'Ida Idle': { pages: { dataEntry: false }, features: { bulkEdit: true } },
  'Tom Target': {},
  'Rita Restricted': {},
  'Carl Copied': { maxSessions: 7 },
  'Fiona Filled': {},
  'Connie Conflict': {},
  'Luke Live': {},
  'Bea Background': {},
  'Lena Leaver': {},
};

const people = new Map<string, Person>();
const opened: OpenPage[] = [];

const { company, browser } = await openCompany();
// People are added before the page loads its list, because a row inserted in the database sends no live event.
for (const [name, permissions] of Object.entries(PEOPLE))
  people.set(name, await company.addPerson({ name, permissions }));
afterEach(async () => {
  for (const open of opened.splice(0)) await open.close();
});

/** Opens a page of this user with a live connection. */
async function openAt(person: Person, path: string): Promise<Page> {
  const open = await company.openAs(browser, person, DESKTOP, EXPECTED_ERRORS);
  opened.push(open);
  const connected = open.page.waitForResponse('**/api/events*');
  await open.page.goto(company.server.url + path);
  await connected;
  return open.page;
}

const show = onePage(() => company.openAs(browser, company.admin, DESKTOP, EXPECTED_ERRORS));
const recordUrl = (id: string) => `${company.server.url}/settings/permissions?user=${id}`;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const flag = (page: Page, name: string) => page.getByRole('switch', { name: new RegExp(`^${name}`) });
const recordOf = async ({ id }: Person) =>
  (await company.call('GET /permissions')).body.items.find(({ userId }: { userId: string }) => userId === id);
const change = (person: Person, body: unknown) =>
  company.call(`PUT /permissions/user/${person.id}`, { body });

/** Records every later call of a page that could change something. */
function writesOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  return sent;
}

/** Shows the permissions of a user on the administrator's screen. */
async function showRecordOf(name: string): Promise<{ page: Page; person: Person }> {
  const person = people.get(name)!;
  const page = await show(recordUrl(person.id));
  await page.getByRole('heading', { name, level: 2 }).waitFor();
  return { page, person };
}

/** Opens them on a page that is reloaded as that user. */
async function openRecordOf(name: string, permissions = {}): Promise<{ page: Page; person: Person }> {
  const person = await company.addPerson({ name, permissions });
  const page = await openAt(company.admin, `/settings/permissions?user=${person.id}`);
  await page.getByRole('heading', { name, level: 2 }).waitFor();
  return { page, person };
}

describe('a change of permissions reaches the user’s open pages', () => {
  test('a revoked page closes at once, and opens again when it is granted again', async () => {
    const person = await company.addPerson({ name: 'Olive Open' });
    const page = await openAt(person, '/data-entry?month=2026-11');
    const other = await page.context().newPage();
    await other.goto(`${company.server.url}/data-entry`);
    const shown = () => Promise.all([page, other].map((tab) => tab.getByRole('grid').waitFor()));
    await shown();

    await change(person, { pages: { dataEntry: false } });
    await Promise.all([page, other].map((tab) => heading(tab, 'You cannot open this page')));
    await page.getByText("You don't have permission to open this page").waitFor();

    await change(person, { pages: { dataEntry: true } });
    await shown();
    await expect.poll(() => new URL(page.url()).search).toBe('?month=2026-11');
  });

  test('the menu updates at once', async () => {
    const person = await company.addPerson({ name: 'Mena Menu' });
    const page = await openAt(person, '/dashboard');
    await heading(page, 'Dashboard');
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Dealerships' });
    await expect.poll(() => entry.count()).toBe(0);
    await change(person, { dealershipConfiguration: { viewDealerships: true } });
    await entry.waitFor();
    await change(person, { dealershipConfiguration: { viewDealerships: false } });
    await entry.waitFor({ state: 'detached' });
  });
});

describe('the Permissions screen', () => {
  test('the Permissions screen describes the changes before they are saved', async () => {
    const { page, person } = await showRecordOf('Dora Difference');
    await flag(page, 'View dealerships').click();
    await flag(page, 'Data Entry').click();
    await flag(page, 'Backups page').click();
    await page.getByLabel('Idle minutes').fill('30');
    await page.getByText('4 unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Save permissions of Dora Difference?' });
    const listed = (title: string) => dialog.getByRole('region', { name: title }).getByRole('listitem');
    await dialog.waitFor();
    await expect
      .poll(() => listed('Will be able to').allTextContents())
      .toEqual(['see every dealership with its contacts']);
    await expect
      .poll(() => listed('Will no longer be able to').allTextContents())
      .toEqual(['open Data Entry']);
    await expect
      .poll(() => listed('Limits and restrictions').allTextContents())
      .toEqual(['Backups page: on (opens nothing by itself)', 'Idle minutes before sign-out: 30 (now 60)']);
    await expect
      .poll(() => recordOf(person))
      .toMatchObject({ sessionTimeout: 60, pages: { dataEntry: true } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Permissions saved').waitFor();
    await expect
      .poll(() => recordOf(person))
      .toMatchObject({
        sessionTimeout: 30,
        pages: { dataEntry: false, backups: true },
        dealershipConfiguration: { viewDealerships: true },
      });
    await page.getByText('All changes saved').waitFor();
  });

  test('the Permissions screen disables a flag that would have no effect, and shows what it needs', async () => {
    const { page } = await showRecordOf('Nora Needs');
    const bulk = flag(page, 'Bulk changes');
    const described = page.getByText(
      'Change many rows at once, and import them. No effect without “Data Entry”.',
    );
    await described.waitFor();
    await expect.poll(() => bulk.isDisabled()).toBe(true);
    await expect.poll(() => flag(page, 'All months').isEnabled()).toBe(true);
    await flag(page, 'Data Entry').click();
    await described.waitFor({ state: 'detached' });
    await bulk.click();
    await flag(page, 'Data Entry').click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await expect.poll(() => bulk.evaluate((field) => field === document.activeElement)).toBe(true);
    await expect.poll(() => bulk.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await bulk.click();
    await page.getByText('All changes saved').waitFor();
    await expect.poll(() => bulk.isDisabled()).toBe(true);
  });

  test('the Permissions screen copies no flag that would have no effect, and names it', async () => {
    const { page, person } = await showRecordOf('Tom Target');
    await page.getByRole('button', { name: 'Fill in' }).first().click();
    await page.getByRole('menuitem', { name: 'Copy from person' }).click();
    await page.getByRole('combobox', { name: 'Person' }).fill('Ida');
    await page.getByRole('option', { name: /^Ida Idle/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fill in' }).click();
    await page.getByText('Left off, since they would have no effect: Bulk changes.').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Permissions saved').waitFor();
    await expect
      .poll(() => recordOf(person))
      .toMatchObject({
        pages: { dataEntry: false },
        features: { bulkEdit: false },
        dataEntry: { canAccessAllMonths: true },
      });
  });

  test('the Permissions screen restricts to own rows, and by name: columns, dealerships, statuses, single rows and days', async () => {
    const { page, person } = await showRecordOf('Rita Restricted');
    await flag(page, 'Own rows only').click();
    await flag(page, 'All columns').click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByText('Choose at least one column').waitFor();
    await page.getByRole('checkbox', { name: 'Customer', exact: true }).check();
    const choose = async (field: string, option: RegExp | string, search = '') => {
      await page.getByRole('combobox', { name: field }).fill(search);
      await page.getByRole('option', { name: option }).click();
      await page.keyboard.press('Escape');
    };
    await choose('Hidden dealerships', 'Harbour New Cars');
    await choose('Hidden statuses', 'Called');
    await choose('Hidden rows', /^Ann Example/, 'ann ex');
    await page.getByLabel('Rows made from').fill('1 nov 2026');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByLabel('Rows made from').inputValue()).toBe('01/11/2026');
    await page.getByRole('button', { name: 'Review and save' }).click();
    await expect
      .poll(() => page.getByRole('dialog').getByRole('listitem').allTextContents())
      .toEqual([
        'Will see only their own rows and those shared with them',
        'Will see only these columns: Customer',
        'Dealerships now hidden: Harbour New Cars',
        'Statuses now hidden: Called',
        'Rows now hidden: 1 row',
        'Rows made from 01/11/2026',
      ]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Permissions saved').waitFor();
    const { columnVisibility } = (await recordOf(person)).dataEntry;
    expect(columnVisibility).toMatchObject({
      restrictedToOwn: true,
      viewAllColumns: false,
      visibleColumns: ['customerName'],
      restrictedDealerships: [company.dealershipId],
      restrictedRows: [company.deals[0]!._id],
      dateRangeStart: '2026-11-01',
      dateRangeEnd: null,
    });
    expect(columnVisibility.restrictedStatuses).toHaveLength(1);
  });

  test('the Permissions screen fills in a preset, another user’s permissions and the defaults without saving', async () => {
    const { page, person } = await showRecordOf('Fiona Filled');
    const fillIn = async (choice: string) => {
      await page.getByRole('button', { name: 'Fill in' }).first().click();
      await page.getByRole('menuitem', { name: choice }).click();
    };
    await fillIn('Team lead');
    await expect.poll(() => flag(page, 'Bulk changes').isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('Sign-ins at once').inputValue()).toBe('100');
    await fillIn('Copy from person');
    await page.getByRole('combobox', { name: 'Person' }).fill('Carl');
    await page.getByRole('option', { name: /^Carl Copied/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fill in' }).click();
    await page.getByText('Filled in from Carl Copied').waitFor();
    await expect.poll(() => flag(page, 'Bulk changes').isChecked()).toBe(false);
    await expect.poll(() => page.getByLabel('Sign-ins at once').inputValue()).toBe('7');
    await fillIn('Reset to defaults');
    await expect.poll(() => page.getByLabel('Sign-ins at once').inputValue()).toBe('1');
    await expect.poll(async () => (await recordOf(person)).version).toBe(1);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('All changes saved').waitFor();
  });

  test('the Permissions screen keeps typed values when another administrator saved first, and shows their changes', async () => {
    const { page, person } = await showRecordOf('Connie Conflict');
    await flag(page, 'Add rows').click();
    await page.getByLabel('Idle minutes').fill('30');
    await change(person, { sessionTimeout: 90, features: { bulkEdit: true } });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else changed this in the meantime' });
    await notice.getByText('Bulk changes').waitFor();
    await notice.getByRole('button', { name: 'Take theirs: Idle minutes' }).click();
    await expect.poll(() => page.getByLabel('Idle minutes').inputValue()).toBe('90');
    await expect.poll(() => flag(page, 'Bulk changes').isChecked()).toBe(true);
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Permissions saved').waitFor();
    await expect
      .poll(() => recordOf(person))
      .toMatchObject({
        sessionTimeout: 90,
        features: { bulkEdit: true },
        dataEntry: { canAddRows: true },
      });
  });

  test('the Permissions screen shows another administrator’s change at once if nothing is typed', async () => {
    const { page, person } = await showRecordOf('Luke Live');
    await expect.poll(() => flag(page, 'Bulk changes').isChecked()).toBe(false);
    await change(person, { features: { bulkEdit: true } });
    await expect.poll(() => flag(page, 'Bulk changes').isChecked()).toBe(true);
    await page.getByText('All changes saved').waitFor();
  });

  test('the Permissions screen keeps typed values while a background load fails, shows the error, and recovers by itself', async () => {
    const { page, person } = await showRecordOf('Bea Background');
    await page.getByLabel('Idle minutes').fill('33');
    await page.route('**/api/permissions', (route) => route.abort());
    await change(person, { features: { bulkEdit: true } });
    const notice = page.getByText('Network error. Please check your connection. You see the data of');
    await notice.waitFor();
    await expect.poll(() => page.getByLabel('Idle minutes').inputValue()).toBe('33');
    await page.unroute('**/api/permissions');
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Idle minutes').inputValue()).toBe('33');
  });

  test('the Permissions screen asks before discarding changes, for another user and for another screen', async () => {
    const { page } = await showRecordOf('Lena Leaver');
    await flag(page, 'Add rows').click();
    await page.getByRole('navigation', { name: 'People', exact: true }).getByText('Ada Admin').click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Lena Leaver', level: 2 }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await heading(page, 'Dashboard');
  });

  test('the Permissions screen shows that an administrator’s record is ignored, and that an unknown id is no user, here and in Email Settings', async () => {
    const page = await show(recordUrl(company.admin.id));
    await page.getByText('only the session limits of this record apply').waitFor();
    await show(recordUrl('nobody'));
    await page.getByText('There is nobody with this id').waitFor();
    await show(`${company.server.url}/settings/email?user=nobody`);
    await page.getByText('There is nobody with this id').waitFor();
    await expect.poll(() => page.getByLabel('SMTP Host').count()).toBe(0);
  });
});

describe('viewing as another user', () => {
  test('viewing as another user shows the product as the user sees it, changes nothing, and does not affect other tabs', async () => {
    const { page, person } = await openRecordOf('Vera Viewed', {
      dataEntry: { canAddRows: true, canEditRows: true },
    });
    const own = await page.context().newPage();
    await own.goto(`${company.server.url}/dashboard`);
    await heading(own, 'Dashboard');

    await page.getByRole('button', { name: 'View as' }).click();
    const banner = page.getByRole('region', { name: 'Viewing as somebody else' });
    await banner.getByText('Viewing as Vera Viewed — nothing can be changed').waitFor();
    await heading(page, 'Dashboard');
    await page.getByRole('button', { name: 'Vera Viewed' }).waitFor();
    const menu = page.getByRole('navigation').getByRole('link');
    await expect
      .poll(() => menu.allTextContents())
      .toEqual([
        'Dashboard',
        'Data Entry',
        'Changes',
        'Do Not Contact',
        'Reports',
        'Changelog',
        'Email History',
      ]);
    await expect
      .poll(() => company.auditOf(person.id))
      .toContainEqual({ action: 'user.viewed', by: company.admin.id });

    const sent = writesOf(page);
    await page.getByRole('link', { name: 'Data Entry' }).first().click();
    await page.getByText('Type a customer…').dblclick();
    await page.keyboard.type('Nobody Real');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.goto(`${company.server.url}/settings/email`);
    await heading(page, 'You cannot open this page');
    expect(sent).toEqual([]);
    await expect.poll(() => page.evaluate(() => indexedDB.databases())).toEqual([]);

    await own.reload();
    await own.getByRole('button', { name: 'Ada Admin' }).waitFor();
    await expect.poll(() => own.getByText('Viewing as').count()).toBe(0);

    await banner.getByRole('button', { name: 'Stop viewing' }).click();
    await page.getByRole('heading', { name: 'Vera Viewed', level: 2 }).waitFor();
    await page.getByRole('region', { name: 'Account' }).getByText('Ada Admin').waitFor();
    await page.getByRole('link', { name: 'Data Entry' }).first().click();
    await page.getByRole('grid').waitFor();
    await expect.poll(() => page.getByText('Nobody Real').count()).toBe(0);
  });

  test('viewing as another user refuses a write with a message before it is sent', async () => {
    const { page } = await openRecordOf('Wanda Written', {
      dealershipConfiguration: { viewDealerships: true, editDealerships: true },
    });
    await page.getByRole('button', { name: 'View as' }).click();
    await heading(page, 'Dashboard');
    const sent = writesOf(page);
    await page.getByRole('link', { name: 'Dealerships' }).click();
    await page.getByRole('button', { name: 'Deactivate' }).first().click();
    await page.getByText('You are looking at this as somebody else. Nothing can be changed.').waitFor();
    expect(sent).toEqual([]);
  });

  test('viewing as another user follows a change of the user’s permissions at once; ends with a message when they are deactivated', async () => {
    const { page, person } = await openRecordOf('Edda Ended');
    await page.getByRole('button', { name: 'View as' }).click();
    await heading(page, 'Dashboard');
    await page.getByRole('link', { name: 'Data Entry' }).first().click();
    await page.getByRole('grid').waitFor();
    await change(person, { pages: { dataEntry: false } });
    await heading(page, 'You cannot open this page');
    const { version } = (await company.call(`GET /users/${person.id}`)).body;
    await company.call(`PUT /users/${person.id}`, { body: { isActive: false, version } });
    await page.getByText('Viewing as somebody else has ended').waitFor();
    await page.getByRole('heading', { name: 'Edda Ended', level: 2 }).waitFor();
    await page.getByRole('button', { name: 'View as' }).hover();
    await page.getByText('Only active people can be viewed as').waitFor();
  });
});
