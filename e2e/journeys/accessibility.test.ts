import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codeOf } from '@forecourt/server/test/app-code';
import { addDeal } from '@forecourt/server/test/builders';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { follow, hasKeys, openPage, type OpenPage } from '../browser.ts';
import { DESKTOP, PASSWORD, PHONE, signIn, openCompany } from './company.fixture.ts';
import { editOnPage } from './data-entry.fixture.ts';
import { onePage } from './one-page.fixture.ts';

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const { company, browser } = await openCompany();
const { templateId, deals } = company;
await company.addPerson({ name: 'Cleo Clerk' });
await company.call('POST /custom-fields', {
  body: { name: 'Fuel', type: 'select', options: [{ name: 'Petrol' }, { name: 'Diesel' }] },
});
const extras = { name: 'Extras', type: 'multiSelect', options: [{ name: 'Tow bar' }], help: 'Sold apart' };
await company.call('POST /custom-fields', { body: extras });
await company.call('POST /do-not-contact', { body: { values: ['0498 765 432'], reason: 'Asked' } });
for (const type of ['longText', 'percent', 'date', 'checkbox', 'person', 'link'])
  await company.call('POST /custom-fields', { body: { name: `A ${type}`, type, help: 'Ask if unsure' } });
const custom = { custom2: ['o1'], custom6: true, custom8: 'https://example.com' };
await company.call(`PATCH /deals/${deals[0]!._id}`, { body: { version: 1, custom } });
await company.call('POST /item-configurations', { body: { name: 'Dash cam', price: 349 } });
await company.call(`PATCH /deals/${deals[2]!._id}`, { body: { version: 1, status: 'Called' } });
await company.call('POST /backups');
await company.call(`POST /deals/${deals[0]!._id}/comments`, { body: { body: 'Please look' } });
await attachContract(deals[2]!._id);
const twoStepEmail = await addPersonWithApp();
await company.call(`POST /email-templates/${templateId}/send`, { body: { dealId: deals[0]!._id } });
const { body: daily } = await company.call(`GET /email-templates/${templateId}`);
await company.call(`PUT /email-templates/${templateId}`, { body: { ...daily, subject: 'About a deal' } });

const openMonth = (await company.call('GET /deals/options')).body.currentMonth as string;
const statementId = await closeMonth('2024-05');

/** Closes a month with one deal. Returns the id of its commission statement. */
async function closeMonth(month: string): Promise<string> {
  await company.call('PUT /settings/user/company/commission.newSales', { body: { value: 10 } });
  const sold = { customerName: 'Mia Example', month, status: 'Deal', saleAmount: 1100 };
  await addDeal(company, company.admin, company.dealershipId, sold);
  for (const { key, count } of (await company.call(`GET /months/${month}`)).body.checks)
    if (count > 0) {
      const body = { check: key, rows: count, reason: 'Agreed' };
      await company.call(`POST /months/${month}/waive`, { body });
    }
  await company.call(`POST /months/${month}/close`);
  const { body } = await company.call(`GET /statements?month=${month}&kind=commission`);
  return body.items[0]._id;
}

/** Adds a user with two-step sign-in and returns their address. */
async function addPersonWithApp(): Promise<string> {
  const { email, token } = await company.addPerson({ name: 'Tara Two' });
  const begun = await company.call('POST /auth/two-step', { token, body: { currentPassword: PASSWORD } });
  await company.call('POST /auth/two-step/confirm', { token, body: { code: codeOf(begun.body.secret, 0) } });
  return email;
}

/** Adds the file `Contract.txt` to a deal. */
async function attachContract(dealId: string): Promise<void> {
  const body = new FormData();
  body.append('file', new Blob(['signed']), 'Contract.txt');
  const headers = { authorization: `Bearer ${company.admin.token}` };
  await fetch(`${company.server.url}/api/deals/${dealId}/attachments`, { method: 'POST', headers, body });
}

type Screen = {
  name: string;
  path: string;
  /** Includes the side panel, which is the same on other screens. */
  sidePanel?: true;
  /** Brings the page into the state to check and waits for it. */
  show: (page: Page) => Promise<unknown>;
};

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

/** Neither a screen nor the shell: between two screens it unmounts the first. */
const notFound: Screen = { name: 'not found', path: '/no/such/page', show: heading('Page not found') };

const signedOut: Screen[] = [
  { name: 'sign-in', path: '/login', show: heading('Sign in') },
  {
    name: 'sign-in with nothing filled in',
    path: '/login',
    async show(page) {
      await press(page, 'Sign in');
      await page.getByText('Password is required').waitFor();
    },
  },
  {
    name: 'set-up',
    path: '/register',
    async show(page) {
      await press(page, 'Create administrator');
      await page.getByText('Set-up key is required').waitFor();
    },
  },
  {
    name: 'second step of sign-in',
    path: '/login',
    async show(page) {
      await signIn(page, twoStepEmail);
      await page.getByLabel('Code of the app').waitFor();
    },
  },
  {
    name: 'sign-in with a recovery code',
    path: '/login',
    async show(page) {
      await signIn(page, twoStepEmail);
      await press(page, 'Use a recovery code');
      await page.getByLabel('Recovery code').waitFor();
    },
  },
  { name: 'forgotten password', path: '/forgot-password', show: heading('Forgot password') },
  {
    name: 'new password by link, refused',
    path: '/reset-password#key=made-up',
    async show(page) {
      await press(page, 'Save password');
      await page.getByText('Must be at least 12 characters').waitFor();
    },
  },
  { name: 'link without a key', path: '/reset-password', show: heading('This link is no longer valid') },
];

/** The button of the first change of one row. */
const aChange = (page: Page) => page.getByRole('button', { name: /^Open “By a program: / }).first();

const everywhere: Screen[] = [
  {
    name: 'dashboard',
    path: '/dashboard',
    sidePanel: true,
    show: (page) => page.getByText('$3,703.50').first().waitFor(),
  },
  {
    name: 'page of a dealership',
    path: '/settings/dealerships',
    async show(page) {
      await page.getByRole('link', { name: 'Harbour New Cars' }).click();
      await page.getByText('added this dealership').waitFor();
      await page.getByText('Queued').first().waitFor();
    },
  },
  { name: 'changes', path: '/changes', show: (page) => aChange(page).waitFor() },
  {
    name: 'do not contact',
    path: '/do-not-contact',
    show: (page) => page.getByText('(0498) 765 432').waitFor(),
  },
  {
    name: 'addition to the Do not contact list with refused values',
    path: '/do-not-contact',
    async show(page) {
      await press(page, 'Add to List');
      await dialog(page).getByLabel('Phone numbers and email addresses').fill('nobody');
      await press(page, 'Add');
      await dialog(page).getByText('nobody is neither').waitFor();
    },
  },
  {
    name: 'rows of a change',
    path: '/changes',
    async show(page) {
      await aChange(page).click();
      await dialog(page).getByRole('table', { name: 'Rows of this change' }).waitFor();
    },
  },
  {
    name: 'report by dealership',
    path: '/reports?by=dealership',
    show: (page) => page.getByRole('link', { name: 'Harbour New Cars' }).waitFor(),
  },
  {
    name: 'report by month',
    path: '/reports',
    show: (page) => page.getByRole('list', { name: 'Sales' }).waitFor(),
  },
  {
    name: 'checks of a month',
    path: `/month-close?month=${openMonth}`,
    show: (page) => page.getByRole('link', { name: /Status still open$/ }).waitFor(),
  },
  {
    name: 'waiver of a check without a reason',
    path: `/month-close?month=${openMonth}`,
    async show(page) {
      await press(page, 'Waive: Status still open');
      await press(page, 'Waive');
      await dialog(page).getByText('Reason is required').waitFor();
    },
  },
  {
    name: 'closed month',
    path: '/month-close?month=2024-05',
    show: (page) => page.getByRole('link', { name: 'Harbour New Cars' }).waitFor(),
  },
  {
    name: 'reopening of a month without a reason',
    path: '/month-close?month=2024-05',
    async show(page) {
      await press(page, 'Reopen…');
      await press(page, 'Reopen month');
      await dialog(page).getByText('Reason is required').waitFor();
    },
  },
  {
    name: 'statements of closed months',
    path: '/statements',
    show: (page) => page.getByRole('link', { name: 'Harbour New Cars' }).waitFor(),
  },
  {
    name: 'statement of a closed month',
    path: `/statements/${statementId}`,
    show: (page) => page.getByRole('region', { name: 'Rows' }).waitFor(),
  },
  {
    name: 'question about a statement without a text',
    path: `/statements/${statementId}`,
    async show(page) {
      await press(page, 'Ask a question…');
      await press(page, 'Ask');
      await dialog(page).getByText('Enter a text').waitFor();
    },
  },
  {
    name: 'commission statement',
    path: '/reports/commission-statement',
    show: heading('Commission statement'),
  },
  { name: 'changelog', path: '/changelog', show: heading('Changelog') },
  {
    name: 'backups with what a restore would do',
    path: '/settings/backups',
    async show(page) {
      await page.getByRole('button', { name: /^Restore backup_/ }).click();
      await dialog(page)
        .getByRole('row', { name: /^Deals/ })
        .waitFor();
    },
  },
  {
    name: 'rows of a backup',
    path: '/settings/backups',
    async show(page) {
      await page.getByRole('button', { name: /^Copy rows from backup_/ }).click();
      await dialog(page).getByRole('textbox', { name: 'Text' }).press('Enter');
      await dialog(page).getByRole('checkbox', { name: 'Also show rows that are the same' }).check();
      await dialog(page).getByRole('table', { name: 'Rows of the backup' }).waitFor();
    },
  },
  {
    name: 'command palette with a deal that it found',
    path: '/changelog',
    async show(page) {
      await heading('Changelog')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Go to/ }).fill('ann');
      await page.getByRole('option', { name: 'Ann Example' }).waitFor();
    },
  },
  {
    name: 'notifications',
    path: '/changelog',
    sidePanel: true,
    async show(page) {
      await press(page, 'Notifications');
      await page.getByText('Nothing new').waitFor();
    },
  },
  {
    name: 'audit log with a verification',
    path: '/settings/audit-logs',
    async show(page) {
      await press(page, 'Verify Log');
      await page.getByText('The log is whole').waitFor();
    },
  },
  {
    name: 'audit entry',
    path: '/settings/audit-logs?entity=deal&action=deal.updated',
    async show(page) {
      await page
        .getByRole('table')
        .getByRole('button', { name: /^Open / })
        .first()
        .click();
      await dialog(page).getByText('Before').waitFor();
    },
  },
  {
    name: 'background work',
    path: '/settings/jobs',
    show: (page) => page.getByText('Hourly backup').waitFor(),
  },
  { name: 'exports', path: '/exports', show: (page) => page.getByText('No exports yet').waitFor() },
  {
    name: 'new export',
    path: '/exports',
    async show(page) {
      await press(page, 'New Export');
      await dialog(page).getByLabel('Contains').waitFor();
      // At its end no field lies partly below the buttons, which stay in view.
      await dialog(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    },
  },
  {
    name: 'user activity',
    path: '/admin/user-activity',
    show: (page) => page.getByRole('table', { name: 'Work by hour' }).waitFor(),
  },
  {
    name: 'dealerships',
    path: '/settings/dealerships',
    show: (page) => page.getByText('Harbour New Cars').first().waitFor(),
  },
  {
    name: 'dealerships with the options of a column and a filter that nothing matches',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Column options of Name');
      await page.getByLabel('Contains').fill('nobody');
      await page.getByText('Nothing matches these filters').waitFor();
    },
  },
  {
    name: 'dealership form with refused fields',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Add Dealership');
      await press(page, 'Add contact');
      await press(page, 'Save');
      await dialog(page).getByText('Dealership name is required').waitFor();
    },
  },
  {
    name: 'import of dealerships with a wrong cell',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Import');
      await dialog(page).getByLabel('Or paste rows').fill('Name,Address\nHarbour New Cars,\nInland Cars,');
      await press(page, 'Read pasted rows');
      await dialog(page).getByText('Address is required').waitFor();
    },
  },
  {
    name: 'question before a dealership is deleted',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Delete Harbour New Cars');
      await dialog(page).getByText('This action cannot be undone').waitFor();
    },
  },
  {
    name: 'Share dialog with a warning',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Share Harbour New Cars');
      await dialog(page).getByRole('checkbox', { name: 'Cleo Clerk' }).check();
      await dialog(page).getByText('Edit', { exact: true }).click();
      await dialog(page).getByText('may not see or edit other dealerships').waitFor();
    },
  },
  {
    name: 'Share dialog with nobody chosen',
    path: '/settings/dealerships',
    async show(page) {
      await press(page, 'Share Harbour New Cars');
      await press(page, 'Update Sharing');
      await dialog(page).getByText('Please select a user').waitFor();
    },
  },
  {
    name: 'transferring a template',
    path: '/email-templates',
    async show(page) {
      await press(page, 'Transfer Daily');
      await dialog(page).getByRole('button', { name: 'Transfer' }).click();
      await dialog(page).getByText('Please select a user').waitFor();
    },
  },
  {
    name: 'templates',
    path: '/email-templates',
    show: (page) => page.getByText('Daily').first().waitFor(),
  },
  {
    name: 'template editor',
    path: '/email-templates',
    async show(page) {
      await page.getByRole('link', { name: 'Daily' }).first().click();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
    },
  },
  {
    name: 'where a template is used',
    path: '/email-templates',
    async show(page) {
      await press(page, 'Delete Daily');
      await dialog(page).getByText('Default template').waitFor();
    },
  },
  {
    name: 'versions of a template, compared',
    path: '/email-templates',
    async show(page) {
      await page.getByRole('link', { name: 'Daily' }).first().click();
      await press(page, 'Versions');
      await press(page, 'Compare version 1');
      await dialog(page).getByText('Removed words are crossed out').waitFor();
    },
  },
  {
    name: 'template tried on a deal, as a dark mail program shows it',
    path: '/email-templates',
    async show(page) {
      await page.getByRole('link', { name: 'Daily' }).first().click();
      await page.getByText('Preview', { exact: true }).click();
      await page.getByRole('region', { name: 'The message' }).getByText('Dark', { exact: true }).click();
      await page
        .frameLocator('iframe')
        .getByText(/Example/)
        .waitFor();
    },
  },
  {
    name: 'users',
    path: '/settings/users',
    show: (page) => page.getByText('Cleo Clerk').first().waitFor(),
  },
  {
    name: 'user form with refused fields',
    path: '/settings/users',
    async show(page) {
      await press(page, 'Add User');
      await dialog(page).getByRole('button', { name: 'Add User' }).click();
      await dialog(page).getByText('Name is required').waitFor();
    },
  },
  {
    name: 'new temporary password',
    path: '/settings/users',
    async show(page) {
      await page.getByRole('button', { name: 'More for Cleo Clerk' }).click();
      await page.getByRole('menuitem', { name: 'Reset password' }).click();
      await dialog(page).getByRole('button', { name: 'Reset password' }).click();
      await dialog(page).getByText('it will not be shown again').waitFor();
    },
  },
  {
    name: 'sessions of a person',
    path: '/settings/users',
    async show(page) {
      await press(page, 'Sessions of Ada Admin');
      await dialog(page).getByText('This device').waitFor();
    },
  },
  {
    name: 'transfer of all records of a person',
    path: '/settings/users',
    async show(page) {
      await page.getByRole('button', { name: 'More for Ada Admin' }).click();
      await page.getByRole('menuitem', { name: 'Transfer' }).click();
      await dialog(page).getByText('Step 1 of 3').waitFor();
    },
  },
  {
    name: 'permissions with restrictions',
    path: '/settings/permissions',
    async show(page) {
      await page.getByRole('navigation', { name: 'People', exact: true }).getByText('Cleo Clerk').click();
      await page.getByRole('heading', { name: 'Cleo Clerk', level: 2 }).waitFor();
      await page.getByRole('switch', { name: /^All columns/ }).click();
      await press(page, 'Review and save');
      await page.getByText('Choose at least one column').waitFor();
    },
  },
  {
    name: 'what a change of permissions means',
    path: '/settings/permissions',
    async show(page) {
      await page.getByRole('switch', { name: /^View statuses/ }).click();
      await page.getByRole('switch', { name: /^Data Entry/ }).click();
      await press(page, 'Review and save');
      await dialog(page).getByText('Will no longer be able to').waitFor();
    },
  },
  {
    name: 'items',
    path: '/item-configuration',
    show: (page) => page.getByRole('button', { name: 'Move Dash cam' }).waitFor(),
  },
  {
    name: 'item form with refused fields',
    path: '/item-configuration',
    async show(page) {
      await press(page, 'Add Item');
      await dialog(page).getByLabel('Price').fill('much');
      await press(page, 'Save');
      await dialog(page).getByText('Item name is required').waitFor();
    },
  },
  {
    name: 'statuses',
    path: '/settings/status-configuration',
    show: (page) => page.getByRole('button', { name: 'Move To Call' }).waitFor(),
  },
  {
    name: 'status form with a refused colour',
    path: '/settings/status-configuration',
    async show(page) {
      await press(page, 'Edit Called');
      await dialog(page).getByLabel('Hex value').fill('#12');
      await press(page, 'Save');
      await dialog(page).getByText('Must be a colour').waitFor();
    },
  },
  {
    name: 'question before a status that deals have is deleted',
    path: '/settings/status-configuration',
    async show(page) {
      await press(page, 'Delete Called');
      await press(page, 'Delete');
      await dialog(page).getByText('Please choose a replacement').waitFor();
    },
  },
  {
    name: 'custom fields',
    path: '/settings/custom-fields',
    show: (page) => page.getByRole('button', { name: 'Move Fuel' }).waitFor(),
  },
  {
    name: 'custom field with options and a refused name',
    path: '/settings/custom-fields',
    async show(page) {
      await press(page, 'Edit Fuel');
      await dialog(page).getByLabel('Name').fill(' ');
      await press(page, 'No longer offer Diesel');
      await press(page, 'Save');
      await dialog(page).getByText('Field name is required').waitFor();
    },
  },
  {
    name: 'email settings',
    path: '/settings/email',
    async show(page) {
      await page.getByLabel('SMTP Host').waitFor();
      await page.getByText('Cleo Clerk').first().waitFor();
    },
  },
  {
    name: 'general settings with a refused value',
    path: '/settings/general?user=company',
    async show(page) {
      await page.getByRole('textbox', { name: 'New sales commission' }).fill('101');
      await press(page, 'Save Commission Settings');
      await page.getByText('Enter a number from 0 to 100').waitFor();
    },
  },
  {
    name: 'email history',
    path: '/email-templates/history',
    show: (page) => page.getByText('Queued', { exact: true }).filter({ visible: true }).first().waitFor(),
  },
  {
    name: 'email history with a message',
    path: '/email-templates/history',
    async show(page) {
      await page.getByRole('link', { name: 'Open “About Ann Example”' }).click();
      await dialog(page).frameLocator('iframe').getByText('Ann Example').waitFor();
    },
  },
  { name: 'own account', path: '/account', show: (page) => page.getByText('This device').waitFor() },
  {
    name: 'two-step sign-in with the QR code',
    path: '/two-step',
    async show(page) {
      await page.getByLabel('Current password').fill(PASSWORD);
      await press(page, 'Continue');
      await page.getByRole('img', { name: 'QR code' }).waitFor();
    },
  },
  { name: 'own password', path: '/change-password', show: heading('Change password') },
  {
    name: 'no access',
    path: '/unauthorized?message=Admin+access+required&code=INSUFFICIENT_PERMISSIONS',
    show: heading('You cannot open this page'),
  },
  notFound,
];

/** Every row meets it, since it stays for the screens after it. */
const FILTERED = `/data-entry?${new URLSearchParams({
  filter: JSON.stringify({
    match: 'any',
    conditions: [
      { field: 'status', operator: 'isNoneOf', value: ['01930000-0000-7000-8000-000000000003'] },
      { field: 'saleAmount', operator: 'between', value: [1, 2] },
      {
        match: 'all',
        conditions: [
          { field: 'deliveryDate', operator: 'inNextDays', value: 7 },
          { field: 'notes', operator: 'isEmpty' },
        ],
      },
    ],
  }),
})}`;

const wide: Screen[] = [
  {
    name: 'debug panel',
    path: '/changelog',
    async show(page) {
      await press(page, 'Debug Panel');
      await page.getByRole('list', { name: 'Log' }).getByText('GET /auth/me').first().waitFor();
    },
  },
  {
    name: 'keys of every screen',
    path: '/changelog',
    async show(page) {
      await heading('Changelog')(page);
      await page.keyboard.press('?');
      await dialog(page).getByText('Search and commands').waitFor();
    },
  },
  {
    name: 'data entry with an open editor',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).dblclick();
      await page.locator('.grid-editor').waitFor();
    },
  },
  {
    name: 'data entry with an open list',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Entered' }).first().dblclick();
      await page.getByRole('option', { name: 'To Call' }).waitFor();
    },
  },
  {
    name: 'import of deals with a wrong cell and a duplicate',
    path: '/data-entry',
    async show(page) {
      await press(page, 'Import');
      await dialog(page)
        .getByLabel('Or paste rows')
        .fill('Name,Dealer,Phone\nIda,Nowhere,0412345678\nIan,Harbour New Cars,0412345678');
      await press(page, 'Read pasted rows');
      await dialog(page).getByText('Same phone as line 2').waitFor();
    },
  },
  {
    name: 'data entry with groups',
    path: '/data-entry',
    async show(page) {
      await press(page, 'Group');
      await page.getByRole('menuitem', { name: 'Status' }).click();
      await page.locator('.grid-group').first().waitFor();
    },
  },
  {
    name: 'data entry with a chosen row',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('row').filter({ hasText: 'Ann Example' }).getByRole('checkbox').click();
      await page.getByText('1 row selected').waitFor();
    },
  },
  {
    name: 'send dialog',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await press(page, 'Send email');
      await dialog(page).frameLocator('iframe').getByText('Ann Example').waitFor();
    },
  },
  {
    name: 'send dialog with files',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await press(page, 'Send email');
      const chooser = page.waitForEvent('filechooser');
      await press(page, 'Attach files');
      const file = (name: string, text: string) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      });
      await (await chooser).setFiles([file('Offer.pdf', 'words'), file('Empty.txt', '')]);
      await dialog(page).getByText('The file is empty').waitFor();
      await dialog(page).getByRole('progressbar').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'items of a row with a refused price',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'Items…' }).click();
      await page.getByRole('option', { name: 'Dash cam' }).click();
      await dialog(page).getByLabel('Unit price of Dash cam').fill('much');
      await press(page, 'Save items');
      await dialog(page).getByText('Please enter a valid number').waitFor();
    },
  },
  {
    name: 'history of a row',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Cid Example' }).click();
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'History of the row' }).click();
      await dialog(page).getByText('changed it').waitFor();
    },
  },
  {
    name: 'attachments of a row',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Cid Example' }).click();
      await press(page, 'More actions');
      await page.getByRole('menuitem', { name: 'Attachments…' }).click();
      const chooser = page.waitForEvent('filechooser');
      await press(page, 'Attach files');
      const empty = { name: 'Empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) };
      await (await chooser).setFiles(empty);
      await dialog(page).getByText('The file is empty').waitFor();
      await dialog(page).getByRole('button', { name: 'Download Contract.txt' }).waitFor();
    },
  },
  {
    name: 'page of a deal with its files',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Cid Example' }).click();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Download Contract.txt' }).first().waitFor();
    },
  },
  {
    name: 'emails about several rows with the files of each',
    path: '/data-entry',
    async show(page) {
      for (const name of ['Bob Example', 'Cid Example'])
        await page.getByRole('checkbox', { name: `Select ${name}` }).click();
      await press(page, 'Send email');
      await dialog(page).getByRole('checkbox', { name: 'Attach the files of each row' }).check();
      await dialog(page)
        .getByText(/Contract\.txt/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'data entry with a filter and its panel',
    path: FILTERED,
    async show(page) {
      await page.getByRole('list', { name: 'Filter' }).getByRole('button').first().click();
      await dialog(page).getByRole('checkbox', { name: 'Called', exact: true }).waitFor();
    },
  },
  {
    name: 'options of a custom field',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await page.keyboard.press('End');
      // A column at the edge is in the page a moment after it is active.
      await expect
        .poll(async () => {
          await page.keyboard.press('ArrowLeft');
          return page.locator('.grid-cell.active').textContent();
        })
        .toContain('Tow bar');
      await page.keyboard.press('Enter');
      await dialog(page).getByRole('checkbox', { name: 'Tow bar' }).waitFor();
    },
  },
  {
    name: 'context menu of the blank row, with its refusals',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Type a customer…' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Send email' }).waitFor();
    },
  },
  {
    name: 'context menu of a header',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('columnheader', { name: 'Phone' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Hide column' }).waitFor();
    },
  },
  {
    name: 'comments of a row with the list of people',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await page.keyboard.press('Alt+c');
      await page.getByRole('textbox', { name: 'New comment' }).waitFor();
      await page.getByText('Please look').waitFor();
      await page.keyboard.type('@');
      await page.getByRole('option', { name: 'Cleo Clerk' }).waitFor();
    },
  },
  {
    name: 'page of a deal',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('gridcell', { name: 'Ann Example' }).click();
      await page.keyboard.press('Space');
      await page.getByText('Please look').waitFor();
      await page.getByText('Queued').first().waitFor();
    },
  },
];

const narrow: Screen[] = [
  {
    name: 'page of a deal with its comments',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('button', { name: 'Ann Example' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Open', exact: true }).click();
      await page.getByRole('button', { name: 'Comment (Alt+C)' }).click();
      await page.getByRole('textbox', { name: 'New comment' }).waitFor();
      await page.getByText('Please look').waitFor();
    },
  },
  {
    name: 'data entry as cards',
    path: '/data-entry',
    show: (page) => page.getByRole('button', { name: 'Ann Example' }).waitFor(),
  },
  {
    name: 'selected cards',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('checkbox', { name: 'Select Ann Example' }).check();
      await page.getByText('1 row selected').waitFor();
    },
  },
  {
    name: 'context menu of a card',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('button', { name: 'Ann Example' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Send email' }).waitFor();
    },
  },
  {
    name: 'deal form',
    path: '/data-entry',
    async show(page) {
      await press(page, 'Add deal');
      await dialog(page).getByLabel('Sale').waitFor();
    },
  },
  {
    name: 'page of a deal with a value in its editor and one that is refused',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('button', { name: 'Ann Example' }).click();
      await editOnPage(page, 'Phone', '0412', 'Tab');
      await page.getByRole('group', { name: 'Phone' }).waitFor();
      await page.getByRole('button', { name: /^Edit Status/ }).click();
      await page.getByRole('option', { name: 'Called' }).waitFor();
    },
  },
  {
    name: 'comments of a card',
    path: '/data-entry',
    async show(page) {
      await page.getByRole('button', { name: '1 comment', exact: true }).click();
      await dialog(page).getByText('Please look').waitFor();
    },
  },
  {
    name: 'items in the deal form',
    path: '/data-entry',
    async show(page) {
      await press(page, 'Add deal');
      await press(page, 'Items: Choose items');
      await page.getByRole('option', { name: 'Dash cam' }).click();
      await page.getByLabel('Quantity of Dash cam').waitFor();
    },
  },
  {
    name: 'open menu',
    path: '/dashboard',
    sidePanel: true,
    async show(page) {
      await press(page, 'Open menu');
      await page.getByRole('link', { name: 'Email Settings' }).waitFor();
    },
  },
  {
    name: 'data entry with a filter and its panel',
    path: FILTERED,
    async show(page) {
      await page.getByRole('list', { name: 'Filter' }).getByRole('button').first().click();
      await dialog(page).getByRole('checkbox', { name: 'Called', exact: true }).waitFor();
    },
  },
];

describe.each([
  // Opened on the phone, where a control may be missing, and widened then: the layout depends only on style sheets.
  { who: 'signed out', screens: signedOut, sizes: [PHONE, DESKTOP] },
  { who: 'signed in', screens: everywhere, sizes: [PHONE, DESKTOP] },
  { who: 'signed in on a phone', screens: narrow, sizes: [PHONE] },
  { who: 'signed in on a wide screen', screens: wide, sizes: [DESKTOP] },
])('$who', ({ screens, sizes }) => {
  const [first] = sizes as [typeof PHONE];
  let open: OpenPage;
  beforeAll(async () => {
    const options = { ...first, reducedMotion: 'reduce' } as const;
    open = await (screens === signedOut
      ? // The second step begins with a 401.
        openPage(browser, options, [/status of 401/])
      : company.openAs(browser, company.admin, options));
    // The company already has an administrator: the form is shown and not sent.
    await open.page.route('**/api/auth/setup', (route) =>
      route.fulfill({ json: { open: true, mailsResetLinks: true } }),
    );
    await open.page.goto(company.server.url + notFound.path);
    await open.page.evaluate(withoutTransitions);
    await open.page.evaluate(axe);
  });
  afterAll(() => open.close());

  test.each(screens)('$name', async ({ path, sidePanel, show }) => {
    const { page } = open;
    if (sizes.length > 1) await page.setViewportSize(first.viewport);
    // A screen that is opened twice is mounted anew.
    await follow(page, notFound.path);
    await notFound.show(page);
    await follow(page, path);
    await show(page);
    for (const [index, { viewport }] of sizes.entries()) {
      const [all, other] = index === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
      if (index > 0) await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: all });
      await expect
        .poll(() => findings(page, all, EVERY_RULE, sidePanel), { message: `${viewport.width} px, ${all}` })
        .toEqual([]);
      await page.emulateMedia({ colorScheme: other });
      await expect
        .poll(() => findings(page, other, OF_COLOURS, sidePanel), {
          message: `${viewport.width} px, ${other}`,
        })
        .toEqual([]);
    }
    open.checkConsole();
  });
});

describe('the list of statuses', () => {
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    const tablet = { viewport: { width: 820, height: 1180 }, forcedColors: 'active' } as const;
    open = await company.openAs(browser, company.admin, tablet);
    page = open.page;
    await page.goto(`${company.server.url}/settings/status-configuration`);
    await page
      .getByRole('row', { name: /Entered/ })
      .first()
      .waitFor();
  });
  afterAll(() => open.close());

  test('the list of statuses shows the last button of a row completely on a tablet', async () => {
    const right = async (part: Locator) => {
      const { x, width } = (await part.boundingBox())!;
      return x + width;
    };
    const space = async () =>
      (await right(page.getByRole('main'))) -
      (await right(page.getByRole('button', { name: 'Delete Entered' })));
    await expect.poll(space).toBeGreaterThan(0);
  });

  test('the list of statuses keeps the colours of statuses and greys disabled buttons in forced colours mode', async () => {
    const dotOf = (name: string) =>
      page
        .getByText(name, { exact: true })
        .first()
        .evaluate((element) => getComputedStyle(element, '::before').backgroundColor);
    const differing = async (names: string[], colourOf: (name: string) => Promise<string>) =>
      new Set(await Promise.all(names.map(colourOf))).size;
    await expect.poll(() => differing(['Entered', 'Called'], dotOf)).toBe(2);
    await page.goto(`${company.server.url}/data-entry`);
    await page.getByRole('gridcell', { name: 'Ann Example' }).waitFor();
    const colourOf = (name: string) =>
      page.getByRole('button', { name, exact: true }).evaluate((button) => getComputedStyle(button).color);
    await expect.poll(() => differing(['Delete', 'Import'], colourOf)).toBe(2);
  });
});

test('the title of a failure has the colour of text in the dark theme', async () => {
  const options = { ...DESKTOP, colorScheme: 'dark' } as const;
  const { page, close } = await company.openAs(browser, company.admin, options, [/status of 500/]);
  await page.route('**/api/jobs/recurring/*/run', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${company.server.url}/settings/jobs`);
  const run = page.getByRole('button', { name: 'Run now: Hourly backup' });
  await run.waitFor();
  const isLegible = page.waitForFunction(() => {
    const title = document.querySelector('.mantine-Notification-title');
    return title !== null && getComputedStyle(title).color === getComputedStyle(document.body).color;
  });
  await run.click();
  await isLegible;
  await close();
});

describe('closing a dialog restores the focus to', () => {
  const show = onePage(() => company.openAs(browser, company.admin));
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

  test.each([
    { path: '/settings/dealerships', opener: 'Share Harbour New Cars', closer: 'Cancel' },
    { path: '/email-templates/history', opener: 'Open “About Ann Example”', closer: 'Close' },
  ])('closing a dialog restores the focus to $opener', async ({ path, opener, closer }) => {
    const page = await show(company.server.url + path);
    const button = page.getByRole('button', { name: opener }).or(page.getByRole('link', { name: opener }));
    for (const close of [() => press(page, closer), () => page.keyboard.press('Escape')]) {
      await button.focus();
      await page.keyboard.press('Enter');
      await hasKeys(dialog(page));
      await close();
      await dialog(page).waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe(opener);
    }
  });

  test('closing a dialog restores the focus to a row of deals, after its email was viewed', async () => {
    const page = await show(`${company.server.url}/data-entry`);
    await page.getByRole('gridcell', { name: 'Bob Example' }).click();
    await page.keyboard.press('Control+Enter');
    await press(page, 'Cancel');
    await dialog(page).waitFor({ state: 'detached' });
    await hasKeys(page.getByRole('grid', { name: 'Deals' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog', { name: 'Send email about Ann Example' }).waitFor();
  });

  test('closing a dialog restores the focus to the button of the menu that opened it', async () => {
    const page = await show(`${company.server.url}/email-templates/new`);
    // Focused before the key press: on a slow machine the page's first field takes the focus later.
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Custom variable' }).press('Enter');
    await hasKeys(dialog(page));
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Add');
  });
});

describe('the buttons of a dialog keep their places while', () => {
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    await attachContract(company.deals[1]!._id);
    open = await company.openAs(browser, company.admin);
    page = open.page;
  });
  afterAll(() => open.close());

  test.each(['Bob Example', 'Ann Example'])(
    'the buttons of a dialog keep their places while the preview of an email about %s and the files of its row are loaded',
    async (customer) => {
      await page.goto(`${company.server.url}/data-entry`);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      for (const slow of ['**/preview', '**/attachments'])
        await page.route(slow, async (route) => {
          await released;
          await route.continue();
        });
      await page.getByRole('gridcell', { name: customer }).click();
      await page.keyboard.press('Control+Enter');
      const places = () =>
        dialog(page)
          .getByRole('button', { name: /^(Cancel|Send.*)$/ })
          .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().toJSON()));
      await dialog(page).getByText('Loading').waitFor();
      const before = await places();
      release();
      if (customer === 'Bob Example')
        await dialog(page)
          .getByRole('checkbox', { name: /^Contract/ })
          .waitFor();
      if (customer === 'Ann Example') await dialog(page).getByText('sent this on').waitFor();
      await dialog(page).locator('iframe').waitFor();
      await expect.poll(places).toEqual(before);
    },
  );
});

/**
 * Disables CSS transitions: a theme change fades every colour for half a second, in which contrast cannot be measured.
 * Only for the page itself: scripts do not run in the frame of an email, and an error in the console would result.
 */
function withoutTransitions(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
}

const EVERY_RULE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  // Beyond WCAG: the names of landmarks and dialogs.
  rules: { 'aria-dialog-name': { enabled: true }, 'landmark-no-duplicate-banner': { enabled: true } },
};

/** A theme changes only colours, so the other theme is checked only with these rules. */
const OF_COLOURS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/**
 * Returns the findings of axe as soon as the page has the theme, and whether the page scrolls sideways. Without
 * `sidePanel` the panel is empty meanwhile, because axe spends time on each element of the page.
 */
async function findings(
  page: Page,
  theme: 'light' | 'dark',
  rules: RunOptions,
  sidePanel = false,
): Promise<string[]> {
  const { violations, overflow } = await page.evaluate(
    async (given) => {
      // Transitions start others: an inherited colour fades in each child after its parent.
      while (
        document.documentElement.dataset['mantineColorScheme'] !== given.theme ||
        document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      )
        await new Promise(requestAnimationFrame);
      const overflow = document.documentElement.scrollWidth - window.innerWidth;
      const { axe } = window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } };
      const panel = given.sidePanel ? null : document.querySelector('#side-panel');
      const parts = [...(panel?.childNodes ?? [])];
      panel?.replaceChildren();
      const { violations } = await axe.run(given.options).finally(() => panel?.append(...parts));
      return { violations, overflow };
    },
    {
      theme,
      sidePanel,
      // Scripts, and so axe, do not run in the frame of an email; axe would wait for it.
      options: { ...rules, iframes: false, resultTypes: ['violations' as const] },
    },
  );
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    ),
    ...(overflow > 0 ? [`${overflow} px wider than the window`] : []),
  ];
}
