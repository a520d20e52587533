import { addDealership } from '@forecourt/server/test/builders';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { willShow } from '../browser.ts';
import { DESKTOP, openCompany, type Person } from './company.fixture.ts';

const BAYSIDE = 'Bayside Used Cars';

const { company, browser } = await openCompany();
const sharedId = await addDealership(company, company.admin, { name: BAYSIDE });
const dialogOf = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Opens the screen as this user. Responses to `GET /dealerships` come from `list`, if there is one. */
async function openAs(person: Person, list?: () => { status?: number; json: unknown } | undefined) {
  const open = await company.openAs(browser, person, DESKTOP, [/status of 500/]);
  const { page } = open;
  await page.route('**/api/dealerships', (route) => {
    const given = route.request().method() === 'GET' ? list?.() : undefined;
    return given ? route.fulfill(given) : route.continue();
  });
  await page.goto(`${company.server.url}/settings/dealerships`);
  return { page, close: open.close };
}

test('a user without the view permission is sent to Data Entry, with the reason', async () => {
  const { page, close } = await openAs(await company.addPerson({ name: 'Cleo Clerk' }));
  await page.getByText("You don't have permission to access dealership settings").waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/data-entry');
  await close();
});

test('a user with a share sees that the list could not be loaded, and stays', async () => {
  const kim = await company.addPerson({ name: 'Kim Clerk' });
  await company.call(`PUT /dealerships/${sharedId}/sharing`, { body: { sharedWith: [{ userId: kim.id }] } });
  let isBroken = true;
  const { page, close } = await openAs(kim, () => (isBroken ? { status: 500, json: {} } : undefined));
  await page.getByText('Failed to load dealership data. Please refresh the page.').waitFor();
  isBroken = false;
  // The event of the sharing may load the list first.
  await Promise.any([button(page, 'Try again').click(), rowOf(page, BAYSIDE).waitFor()]);
  await rowOf(page, BAYSIDE).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/dealerships');
  await close();
});

test('a user with the view permission sees why each action is not permitted, and no sharing', async () => {
  const dealershipConfiguration = { viewDealerships: true };
  const viewer = await company.addPerson({ name: 'Vic Viewer', permissions: { dealershipConfiguration } });
  const { page, close } = await openAs(viewer);
  await rowOf(page, 'Harbour New Cars').getByText('2 contacts').waitFor();
  for (const [action, reason] of [
    ['Edit', 'You do not have permission to edit dealerships'],
    ['Deactivate', 'You do not have permission to change dealership status'],
    ['Delete', 'You do not have permission to delete dealerships'],
  ] as const) {
    await button(page, `${action} ${BAYSIDE}`).hover();
    await page.getByRole('tooltip').filter({ hasText: reason }).waitFor();
  }
  await expect.poll(() => button(page, `Share ${BAYSIDE}`).count()).toBe(0);
  await expect.poll(() => button(page, 'Add Dealership').count()).toBe(0);
  await expect.poll(() => page.getByRole('columnheader', { name: 'Shared With' }).count()).toBe(0);
  await button(page, 'Actions').and(page.locator(':disabled')).waitFor();
  await page.getByRole('checkbox', { name: `Select ${BAYSIDE}` }).check();
  await button(page, 'Actions (1)').click();
  await page.getByRole('menuitem', { name: 'Deactivate Selected', disabled: true }).waitFor();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Share Selected' }).count()).toBe(0);
  await close();
});

describe('an administrator', () => {
  test('an administrator deactivates and activates one dealership and several', async () => {
    const { page, close } = await openAs(company.admin);
    for (const [action, message] of [
      ['Deactivate', 'Dealership deactivated successfully'],
      ['Activate', 'Dealership activated successfully'],
    ] as const) {
      const shown = willShow(page, message);
      await button(page, `${action} ${BAYSIDE}`).click();
      await shown;
    }
    for (const action of ['Deactivate', 'Activate']) {
      await page.getByRole('checkbox', { name: `Select ${BAYSIDE}` }).check();
      await page.getByRole('checkbox', { name: 'Select Harbour New Cars' }).check();
      await button(page, 'Actions (2)').click();
      const shown = willShow(page, `Successfully ${action.toLowerCase()}d 2 dealership(s)`);
      await page.getByRole('menuitem', { name: `${action} Selected`, exact: true }).click();
      await shown;
      // The message precedes the end of the selection.
      await button(page, 'Actions').waitFor();
    }
    await close();
  });

  test('an administrator deletes a dealership after a question, and sees a failure', async () => {
    await addDealership(company, company.admin, { name: 'Corner Cars' });
    const { page, close } = await openAs(company.admin);
    const remove = async () => {
      await button(page, 'Delete Corner Cars').click();
      await dialogOf(page).getByRole('heading', { name: 'Delete Dealership' }).waitFor();
      await dialogOf(page)
        .getByText('Are you sure you want to delete this dealership? This action cannot be undone.')
        .waitFor();
      await dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).click();
    };
    await page.route('**/api/dealerships/*', (route) => route.fulfill({ status: 500, json: {} }));
    const failed = willShow(page, 'Failed to delete dealership. Please try again.');
    await remove();
    await failed;
    await page.unroute('**/api/dealerships/*');
    const deleted = willShow(page, 'Dealership deleted successfully');
    await remove();
    await deleted;
    await rowOf(page, 'Corner Cars').waitFor({ state: 'detached' });
    await close();
  });

  test('an administrator sees which fields a new dealership needs', async () => {
    const { page, close } = await openAs(company.admin);
    await button(page, 'Add Dealership').click();
    await dialogOf(page).getByRole('heading', { name: 'Add Dealership' }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Add contact' }).click();
    const toast = willShow(page, 'Please fix the validation errors below');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await toast;
    for (const text of [
      'Dealership name is required',
      'Address is required',
      'Default email template is required',
      'Contact name is required',
      'Must be an email address',
      'Template name is required',
    ])
      await dialogOf(page).getByText(text).waitFor();
    await close();
  });

  test('an administrator sees that there are no dealerships', async () => {
    const { page, close } = await openAs(company.admin, () => ({ json: { items: [], total: 0 } }));
    await page.getByText('No dealerships available').waitFor();
    await button(page, 'Add Dealership').waitFor();
    await close();
  });
});
