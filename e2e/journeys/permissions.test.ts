import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, type OpenPage } from '../browser.ts';
import { DESKTOP, startCompany, type Company, type Person } from './company.fixture.ts';
import { live } from './live.fixture.ts';

/** What a browser writes down by itself about the refusals that are meant here. */
const MEANT = [/status of 4(03|09)/];

let company: Company;
let browser: Browser;
const opened: OpenPage[] = [];

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});
afterEach(async () => {
  for (const open of opened.splice(0)) await open.close();
});

/** A page of this person that hears of changes. */
async function openAt(person: Person, path: string): Promise<Page> {
  const open = await company.openAs(browser, person, DESKTOP, MEANT);
  opened.push(open);
  const connected = open.page.waitForResponse('**/api/events*');
  await open.page.goto(company.server.url + path);
  await connected;
  return open.page;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const flag = (page: Page, name: string) => page.getByRole('switch', { name: new RegExp(`^${name}`) });
const recordOf = async ({ id }: Person) =>
  (await company.call('GET /permissions')).body.items.find(({ userId }: { userId: string }) => userId === id);
const change = (person: Person, body: unknown) =>
  company.call(`PUT /permissions/user/${person.id}`, { body });

/** Every call of a page from now on that could change something. */
function writesOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  });
  return sent;
}

/** The record of a new person on the administrator's screen. */
async function openRecordOf(name: string, permissions = {}): Promise<{ page: Page; person: Person }> {
  const person = await company.addPerson({ name, permissions });
  const page = await openAt(company.admin, `/settings/permissions?user=${person.id}`);
  await page.getByRole('heading', { name, level: 2 }).waitFor();
  return { page, person };
}

describe('a change reaches the open pages of its person', () => {
  test('a page that is taken away closes at once, and opens again when it is given back', async () => {
    const person = await company.addPerson({ name: 'Olive Open' });
    const page = await openAt(person, '/data-entry?month=2026-11');
    const other = await page.context().newPage();
    await other.goto(`${company.server.url}/data-entry`);
    const shown = () => Promise.all([page, other].map((tab) => tab.getByRole('grid').waitFor()));
    await shown();

    await live(
      () => change(person, { pages: { dataEntry: false } }),
      () => Promise.all([page, other].map((tab) => heading(tab, 'You cannot open this page'))),
    );
    await page.getByText("You don't have permission to open this page").waitFor();

    await live(() => change(person, { pages: { dataEntry: true } }), shown);
    expect(new URL(page.url()).search).toBe('?month=2026-11');
  });

  test('the menu follows at once', async () => {
    const person = await company.addPerson({ name: 'Mena Menu' });
    const page = await openAt(person, '/dashboard');
    await heading(page, 'Dashboard');
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Dealerships' });
    expect(await entry.count()).toBe(0);
    await change(person, { dealershipConfiguration: { viewDealerships: true } });
    await entry.waitFor();
    await change(person, { dealershipConfiguration: { viewDealerships: false } });
    await entry.waitFor({ state: 'detached' });
  });
});

describe('the Permissions screen', () => {
  test('shows in words what would change before it is saved', async () => {
    const { page, person } = await openRecordOf('Dora Difference');
    await flag(page, 'Add rows').click();
    await flag(page, 'Data Entry').click();
    await flag(page, 'Backups page').click();
    await page.getByLabel('Idle minutes').fill('30');
    await page.getByText('4 unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Save permissions of Dora Difference?' });
    const told = (title: string) => dialog.getByRole('region', { name: title }).getByRole('listitem');
    await dialog.waitFor();
    expect(await told('Will be able to').allTextContents()).toEqual(['add rows']);
    expect(await told('Will no longer be able to').allTextContents()).toEqual(['open Data Entry']);
    expect(await told('Limits and restrictions').allTextContents()).toEqual([
      'Backups page: on (opens nothing by itself)',
      'Idle minutes before sign-out: 30 (now 60)',
    ]);
    expect(await recordOf(person)).toMatchObject({ sessionTimeout: 60, pages: { dataEntry: true } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Permissions saved').waitFor();
    expect(await recordOf(person)).toMatchObject({
      sessionTimeout: 30,
      pages: { dataEntry: false, backups: true },
      dataEntry: { canAddRows: true },
    });
    await page.getByText('All changes saved').waitFor();
  });

  test('restricts by name: columns, dealerships, statuses, single rows and days', async () => {
    const { page, person } = await openRecordOf('Rita Restricted');
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
    await page.getByLabel('Rows made from').fill('2026-11-01');
    await page.getByRole('button', { name: 'Review and save' }).click();
    expect(await page.getByRole('dialog').getByRole('listitem').allTextContents()).toEqual([
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
      viewAllColumns: false,
      visibleColumns: ['customerName'],
      restrictedDealerships: [company.dealershipId],
      restrictedRows: [company.deals[0]!._id],
      dateRangeStart: '2026-11-01',
      dateRangeEnd: null,
    });
    expect(columnVisibility.restrictedStatuses).toHaveLength(1);
  });

  test('fills in from a preset, another person and the defaults, saving nothing', async () => {
    await company.addPerson({ name: 'Carl Copied', permissions: { maxSessions: 7 } as object });
    const { page, person } = await openRecordOf('Fiona Filled');
    const fillIn = async (choice: string) => {
      await page.getByRole('button', { name: 'Fill in' }).first().click();
      await page.getByRole('menuitem', { name: choice }).click();
    };
    await fillIn('Team lead');
    expect(await flag(page, 'Bulk changes').isChecked()).toBe(true);
    expect(await page.getByLabel('Sign-ins at once').inputValue()).toBe('100');
    await fillIn('Copy from person');
    await page.getByRole('combobox', { name: 'Person' }).fill('Carl');
    await page.getByRole('option', { name: /^Carl Copied/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fill in' }).click();
    await page.getByText('Filled in from Carl Copied').waitFor();
    expect(await flag(page, 'Bulk changes').isChecked()).toBe(false);
    expect(await page.getByLabel('Sign-ins at once').inputValue()).toBe('7');
    await fillIn('Reset to defaults');
    expect(await page.getByLabel('Sign-ins at once').inputValue()).toBe('1');
    expect((await recordOf(person)).version).toBe(1);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('All changes saved').waitFor();
  });

  test('keeps what was typed when another administrator was faster, and says what they changed', async () => {
    const { page, person } = await openRecordOf('Connie Conflict');
    await flag(page, 'Add rows').click();
    await page.getByLabel('Idle minutes').fill('30');
    await change(person, { sessionTimeout: 90, features: { bulkEdit: true } });
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Somebody else changed this in the meantime' });
    await notice.getByText('Bulk changes').waitFor();
    await notice.getByRole('button', { name: 'Take theirs: Idle minutes' }).click();
    expect(await page.getByLabel('Idle minutes').inputValue()).toBe('90');
    expect(await flag(page, 'Bulk changes').isChecked()).toBe(true);
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Permissions saved').waitFor();
    expect(await recordOf(person)).toMatchObject({
      sessionTimeout: 90,
      features: { bulkEdit: true },
      dataEntry: { canAddRows: true },
    });
  });

  test('another administrator’s change shows at once where nothing is typed', async () => {
    const { page, person } = await openRecordOf('Luke Live');
    expect(await flag(page, 'Bulk changes').isChecked()).toBe(false);
    await change(person, { features: { bulkEdit: true } });
    await expect.poll(() => flag(page, 'Bulk changes').isChecked()).toBe(true);
    await page.getByText('All changes saved').waitFor();
  });

  test('asks before unsaved changes are left, for another person and for another screen', async () => {
    const { page } = await openRecordOf('Lena Leaver');
    await flag(page, 'Add rows').click();
    await page.getByRole('navigation', { name: 'People', exact: true }).getByText('Ada Admin').click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Lena Leaver', level: 2 }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await heading(page, 'Dashboard');
  });

  test('says that an administrator’s record is not consulted, and that an unknown id is nobody', async () => {
    const page = await openAt(company.admin, `/settings/permissions?user=${company.admin.id}`);
    await page.getByText('this record is not consulted').waitFor();
    await page.goto(`${company.server.url}/settings/permissions?user=nobody`);
    await page.getByText('There is nobody with this id').waitFor();
  });
});

describe('viewing as somebody else', () => {
  test('shows the product as they see it, changes nothing, and leaves other tabs alone', async () => {
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
    expect(await menu.allTextContents()).toEqual([
      'Dashboard',
      'Data Entry',
      'Reports',
      'Changelog',
      'Email History',
    ]);
    expect(await company.auditOf(person.id)).toContainEqual({ action: 'user.viewed', by: company.admin.id });

    const sent = writesOf(page);
    await page.getByRole('link', { name: 'Data Entry' }).first().click();
    await page.getByText('Type a customer…').dblclick();
    await page.keyboard.type('Nobody Real');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.goto(`${company.server.url}/settings/email`);
    await heading(page, 'You cannot open this page');
    expect(sent).toEqual([]);
    expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);

    await own.reload();
    await own.getByRole('button', { name: 'Ada Admin' }).waitFor();
    expect(await own.getByText('Viewing as').count()).toBe(0);

    await banner.getByRole('button', { name: 'Stop viewing' }).click();
    await page.getByRole('heading', { name: 'Vera Viewed', level: 2 }).waitFor();
    await page.getByRole('region', { name: 'Account' }).getByText('Ada Admin').waitFor();
    await page.getByRole('link', { name: 'Data Entry' }).first().click();
    await page.getByRole('grid').waitFor();
    expect(await page.getByText('Nobody Real').count()).toBe(0);
  });

  test('a write is refused in words before it is sent', async () => {
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

  test('a change of their rights shows at once; once they are deactivated it ends and says so', async () => {
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
