import { addDeal, addDealership, addTemplate } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { willShow, type OpenPage } from '../browser.ts';
import { DESKTOP, openCompany, type Person } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const dialogOf = (page: Page) => page.getByRole('dialog');
const confirm = (page: Page, name: string) => dialogOf(page).getByRole('button', { name }).click();
const toast = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words }).waitFor();

describe('a dealership', () => {
  let ada: OpenPage;
  let kims: OpenPage;
  let kim: Person;
  let id: string;
  beforeAll(async () => {
    kim = await company.addPerson({ name: 'Kim Clerk' });
    id = await addDealership(company, company.admin, { name: 'Bayside Used Cars' });
    // Without a dealership of their own, Kim could not open the screen.
    const other = await addDealership(company, company.admin, { name: 'Kim’s Corner' });
    await company.call('POST /dealerships/transfer-ownership', {
      body: { resourceIds: [other], targetUserId: kim.id },
    });
    // The dialog reloads a list that was changed in the meantime.
    [ada, kims] = await Promise.all([
      company.openAs(browser, company.admin, DESKTOP, [/status of 409/]),
      company.openAs(browser, kim),
    ]);
    await Promise.all([ada, kims].map(({ page }) => page.goto(`${company.server.url}/settings/dealerships`)));
    await kims.page.getByText('Kim’s Corner').waitFor();
  });
  afterAll(async () => {
    await ada?.close();
    await kims?.close();
  });

  const share = async () => {
    await ada.page.getByRole('button', { name: 'Share Bayside Used Cars', exact: true }).click();
    await dialogOf(ada.page).getByText(`Kim Clerk (${kim.email})`).waitFor();
  };
  const kimsBox = () => dialogOf(ada.page).getByRole('checkbox', { name: `Kim Clerk (${kim.email})` });
  const kimsRow = () => kims.page.getByRole('row').filter({ hasText: 'Bayside Used Cars' });

  test('a dealership is shared for viewing and appears for the other user at once', async () => {
    await share();
    await confirm(ada.page, 'Update Sharing');
    await dialogOf(ada.page).getByText('Please select a user').waitFor();
    await kimsBox().check();
    await expect
      .poll(() => dialogOf(ada.page).getByRole('radio', { name: 'View Only' }).isChecked())
      .toBe(true);
    const shared = willShow(ada.page, 'Successfully shared 1 dealership(s) with 1 user(s)');
    await confirm(ada.page, 'Update Sharing');
    await kimsRow().waitFor();
    await shared;
    await kimsRow().getByRole('button', { name: 'Edit Bayside Used Cars', disabled: true }).waitFor();
    await expect.poll(() => kimsRow().getByRole('button', { name: 'Share' }).count()).toBe(0);
  });

  test('a dealership shows its users by initials, and by name on hover', async () => {
    const people = ada.page.getByRole('button', { name: 'Shared with Kim Clerk (View Only). Change' });
    await people.hover();
    await ada.page.getByRole('tooltip').filter({ hasText: 'Kim Clerk (View Only)' }).waitFor();
    await expect.poll(() => people.textContent()).toBe('KC');
  });

  test('a dealership is shared for editing, with a warning about a permission that Kim lacks', async () => {
    await share();
    await expect.poll(() => kimsBox().isChecked()).toBe(true);
    // The label of a segment is clicked; its radio button is hidden.
    await dialogOf(ada.page).getByText('Edit', { exact: true }).click();
    await dialogOf(ada.page).getByText('Kim Clerk may not see or edit other dealerships.').waitFor();
    await confirm(ada.page, 'Update Sharing');
    await kimsRow().getByRole('button', { name: 'Edit Bayside Used Cars', disabled: false }).waitFor();
    await kimsRow().getByRole('button', { name: 'Edit Bayside Used Cars' }).click();
    await dialogOf(kims.page).getByLabel('Address').fill('7 New Street');
    await confirm(kims.page, 'Save');
    await dialogOf(kims.page).waitFor({ state: 'detached' });
    const { body } = await company.call(`GET /dealerships/${id}`);
    expect(body).toMatchObject({ address: '7 New Street', sharedWith: [{ permissions: 'write' }] });
  });

  test('a dealership is unshared and disappears for the other user at once', async () => {
    await share();
    await kimsBox().uncheck();
    const unshared = willShow(ada.page, 'Successfully removed all sharing from 1 dealership(s)');
    await confirm(ada.page, 'Remove All Shares');
    await kimsRow().waitFor({ state: 'detached' });
    await unshared;
  });

  test('a dealership is shared with others of a selection', async () => {
    await ada.page.getByRole('checkbox', { name: 'Select Bayside Used Cars' }).check();
    await ada.page.getByRole('checkbox', { name: 'Select Harbour New Cars' }).check();
    await ada.page.getByRole('button', { name: 'Actions (2)' }).click();
    await ada.page.getByRole('menuitem', { name: 'Share Selected' }).click();
    await kimsBox().check();
    await confirm(ada.page, 'Update Sharing');
    await toast(ada.page, 'Successfully shared 2 dealership(s) with 1 user(s)');
    await kimsRow().waitFor();
  });
});

describe('a row', () => {
  let owner: Person;
  let colleague: Person;
  beforeAll(async () => {
    owner = await company.addPerson({
      name: 'Ola Owner',
      permissions: {
        dataEntry: { ...CLERK.dataEntry, canChangeOwnership: true },
        features: { bulkEdit: true },
      },
    });
    colleague = await company.addPerson({
      name: 'Cory Colleague',
      permissions: { dataEntry: { ...CLERK.dataEntry, canDeleteRows: true } },
    });
  });

  test('a row is shared by a clerk with a colleague, who can then edit the cell', async () => {
    const deal = await addDeal(company, owner, company.dealershipId, { customerName: 'Sam Shared' });
    const [olas, corys] = await Promise.all([
      openDataEntry(company, browser, owner),
      openDataEntry(company, browser, colleague),
    ]);
    await corys.cell('Sam Shared', 'Vehicle').click();
    await corys.press('F2');
    await corys.note.filter({ hasText: 'This row is owned by Ola Owner' }).waitFor();

    await olas.cell('Sam Shared', 'Vehicle').click();
    await olas.page.getByRole('button', { name: 'Share', exact: true }).click();
    await dialogOf(olas.page)
      .getByRole('checkbox', { name: `Cory Colleague (${colleague.email})` })
      .check();
    await dialogOf(olas.page).getByText('Edit', { exact: true }).click();
    await confirm(olas.page, 'Update Sharing');
    await corys.page.getByRole('button', { name: 'Delete', disabled: false }).waitFor();
    await corys.typeInto('Sam Shared', 'Vehicle', 'Kia Carnival');
    await corys.press('Enter');
    await corys.saved();
    await olas.cell('Sam Shared', 'Vehicle').getByText('Kia Carnival').waitFor();
    await expect
      .poll(async () => (await company.call(`GET /deals/${deal._id}`)).body)
      .toMatchObject({ vehicle: 'Kia Carnival' });
    await Promise.all([olas.close(), corys.close()]);
  });

  test('a row is transferred together with others', async () => {
    const names = ['Hal First', 'Hal Second'];
    for (const customerName of names) await addDeal(company, owner, company.dealershipId, { customerName });
    const olas = await openDataEntry(company, browser, owner);
    for (const name of names) await olas.row(name).getByRole('checkbox').check();
    await olas.page.getByRole('button', { name: 'Transfer' }).click();
    await dialogOf(olas.page).getByText('Transfer 2 deals').waitFor();
    await confirm(olas.page, 'Transfer');
    await dialogOf(olas.page).getByText('Please select a user').waitFor();
    await dialogOf(olas.page).getByRole('combobox', { name: 'New owner' }).click();
    await olas.page.getByRole('option', { name: `Cory Colleague (${colleague.email})` }).click();
    await dialogOf(olas.page).getByLabel('Reason').fill('Away until Monday');
    await confirm(olas.page, 'Transfer');
    await toast(olas.page, 'Successfully transferred 2 row(s)');
    for (const name of names) await olas.cell(name, 'Owner').getByText('Cory Colleague').waitFor();
    await olas.close();
  });

  test('a row warns an administrator if the new owner may not open Data Entry', async () => {
    const permissions = { pages: { dataEntry: false } };
    const closed = await company.addPerson({ name: 'Cleo Closed', permissions });
    const customerName = 'Wes Warned';
    await addDeal(company, owner, company.dealershipId, { customerName });
    const adas = await openDataEntry(company, browser, company.admin);
    const dialog = dialogOf(adas.page);
    const choose = async ({ email }: Person, name: string) => {
      await dialog.getByRole('combobox', { name: 'New owner' }).click();
      await adas.page.getByRole('option', { name: `${name} (${email})` }).click();
    };
    await adas.cell(customerName, 'Vehicle').click();
    await adas.page.getByRole('button', { name: 'Transfer' }).click();
    await choose(closed, 'Cleo Closed');
    await dialog.getByText('Cleo Closed may not open Data Entry').waitFor();
    await choose(colleague, 'Cory Colleague');
    await dialog.getByText('may not open Data Entry').waitFor({ state: 'detached' });
    await adas.close();
  });

  test('a row keeps its owner when a transfer is refused, with the reason', async () => {
    const leaver = await company.addPerson({ name: 'Lou Leaver' });
    const customerName = 'Kay Kept';
    const { _id } = await addDeal(company, owner, company.dealershipId, { customerName });
    const olas = await openDataEntry(company, browser, owner, { expected: [/status of 40[03]/] });
    const dialog = dialogOf(olas.page);
    const choose = async ({ email }: Person, name: string) => {
      await dialog.getByRole('combobox', { name: 'New owner' }).click();
      await olas.page.getByRole('option', { name: `${name} (${email})` }).click();
    };
    await olas.cell(customerName, 'Vehicle').click();
    await olas.page.getByRole('button', { name: 'Transfer' }).click();
    await choose(leaver, 'Lou Leaver');

    await company.call(`PUT /users/${leaver.id}`, { body: { isActive: false } });
    await confirm(olas.page, 'Transfer');
    await dialog.getByText('Lou Leaver is no longer active. Choose an active person').waitFor();

    await choose(colleague, 'Cory Colleague');
    await dialog.getByLabel('Reason').fill('Away until Monday');
    await company.call(`PUT /permissions/user/${owner.id}`, {
      body: { dataEntry: { canChangeOwnership: false } },
    });
    await confirm(olas.page, 'Transfer');
    await dialog.getByText('Access denied. You may no longer transfer rows. Nothing was changed').waitFor();
    await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('Away until Monday');
    expect((await company.call(`GET /deals/${String(_id)}`)).body).toMatchObject({ owner: owner.id });
    await olas.close();
  });
});

test('a template is shared by its owner, and transferred', async () => {
  const managers = { features: { manageTemplates: true } };
  const [owner, other] = [
    await company.addPerson({ name: 'Tom Templates', permissions: managers }),
    await company.addPerson({ name: 'Una Other', permissions: managers }),
  ];
  await addTemplate(company, owner, { name: 'Warm welcome' });
  const [toms, unas] = await Promise.all([company.openAs(browser, owner), company.openAs(browser, other)]);
  await Promise.all([toms, unas].map(({ page }) => page.goto(`${company.server.url}/email-templates`)));
  await unas.page.getByText('No templates yet').waitFor();
  await toms.page.getByRole('button', { name: 'Share Warm welcome' }).click();
  await dialogOf(toms.page)
    .getByRole('checkbox', { name: `Una Other (${other.email})` })
    .check();
  const unasRow = unas.page.getByRole('row').filter({ hasText: 'Warm welcome' });
  await confirm(toms.page, 'Update Sharing');
  await unasRow.waitFor();
  await unasRow.getByRole('button', { name: 'Share Warm welcome', disabled: true }).waitFor();

  await toms.page.getByRole('button', { name: 'Transfer Warm welcome' }).click();
  await dialogOf(toms.page).getByRole('combobox', { name: 'New owner' }).click();
  await toms.page.getByRole('option', { name: `Una Other (${other.email})` }).click();
  await confirm(toms.page, 'Transfer');
  await unasRow.getByRole('button', { name: 'Share Warm welcome', disabled: false }).waitFor();
  await toms.page.getByText('No templates yet').waitFor();
  await Promise.all([toms.close(), unas.close()]);
});
