import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN, startServer, type ServerProcess } from '@forecourt/server/test/process';
import { openMailServer, readMail, type MailServer } from '@forecourt/server/test/smtp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser, willShow, type OpenPage } from '../browser.ts';
import { TOO_OFTEN } from './company.fixture.ts';

let server: ServerProcess;
let mail: MailServer;
let browser: Browser;
let open: OpenPage;
let page: Page;

const dataDir = await mkdtemp(join(tmpdir(), 'journey-'));
[server, mail, browser] = await Promise.all([
  startServer(dataDir, { UNDO_SEND_SECONDS: '2', COMPANY_NAME: 'Shine & Shield' }),
  openMailServer({ password: 'mail password' }),
  sharedBrowser(),
]);
// A wrong mail password returns 400, which the browser logs. Wide enough to render all columns that the test types
// into.
open = await openPage(browser, { viewport: { width: 2800, height: 900 } }, [/status of 400/, TOO_OFTEN]);
page = open.page;
afterAll(async () => {
  await open?.close();
  await closePages();
  await server?.stop();
  await mail?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const go = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

/** One morning of a new administrator: each step uses the results of the previous one. */
describe('a deal, from typing to email', () => {
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(hasFailed, 'a step before failed');
    onTestFailed(async () => {
      hasFailed = true;
      await page.screenshot({ path: join(tmpdir(), 'journey-failed.png') });
    });
  });

  test('the administrator signs in and sees the first steps', async () => {
    await page.goto(`${server.url}/settings/email`);
    await page.getByLabel('Email').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Email Settings' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/email');
  });

  test('the administrator enters SMTP settings; a wrong password is reported with its step, the correct one is verified and saved', async () => {
    await page.getByLabel('SMTP Host').fill('127.0.0.1');
    await page.getByLabel('SMTP Port').fill(String(mail.port));
    await page.getByLabel('SMTP Username').fill('ada');
    await page.getByLabel('From Email').fill('ada@shine.example');
    await page.getByLabel('SMTP Password').fill('wrong');
    await page.getByRole('button', { name: 'Test Connection' }).click();
    await page
      .getByText(/sign-in/i)
      .first()
      .waitFor();

    await page.getByRole('link', { name: 'Custom Fields' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByLabel('SMTP Password').fill('mail password');
    await page.getByRole('button', { name: 'Test Connection' }).click();
    await page.getByText('SMTP connection verified successfully').first().waitFor();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page.getByText('Email settings saved successfully').waitFor();
    await expect.poll(() => page.getByLabel('SMTP Password').inputValue()).toBe('');
  });

  test('the administrator adds a column to deals', async () => {
    await go('Custom Fields');
    await page.getByText('No custom fields yet').waitFor();
    await page.getByRole('button', { name: 'Add Field' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Name' }).fill('Stock number');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('Stock number').waitFor();
  });

  test('the administrator writes a template with variables and activates it', async () => {
    await go('Email Templates');
    await page.getByText('No templates yet').waitFor();
    await page.getByRole('link', { name: 'New Template' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('New deal');
    // The menu stays open until it is closed.
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    for (const variable of ['Customer name', 'Sale amount', 'Dealership name', 'Stock number'])
      await page.getByRole('menuitem', { name: variable }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Your customer {{customerName}}');
    const body = page.getByRole('textbox', { name: 'Message' });
    await body.click();
    await page.keyboard.type('Dear team of ');
    await page.getByRole('button', { name: 'Insert Dealership name' }).click();
    await page.keyboard.type(', ');
    await page.getByRole('button', { name: 'Insert Customer name' }).click();
    await page.keyboard.type(' bought for ');
    await page.getByRole('button', { name: 'Insert Sale amount' }).click();
    await page.keyboard.type(', stock number ');
    await page.getByRole('button', { name: 'Insert Stock number' }).click();
    await page.keyboard.type('.');
    await page.getByText('Active', { exact: true }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Template saved').waitFor();
  });

  test('the administrator creates a dealership with one contact in To and one in Cc', async () => {
    await go('Dealerships');
    // The button moves from the title into the empty list when this is loaded.
    await page.getByText('No dealerships available').waitFor();
    await page.getByRole('button', { name: 'Add Dealership' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Dealership name is required').waitFor();
    await page.getByText('Please fix the validation errors below').first().waitFor();

    await form.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Harbour & Sons New Cars');
    await form.getByLabel('Address').fill('1 Pier Street, Sydney NSW 2000');
    await form.getByRole('combobox', { name: 'Default email template' }).click();
    await page.getByRole('option', { name: 'New deal' }).click();
    const contacts = [
      { name: 'Tess To', email: 'tess@harbour.example', to: true },
      { name: 'Cam Copy', email: 'cam@harbour.example', to: false },
    ];
    for (const [index, contact] of contacts.entries()) {
      await form.getByRole('button', { name: 'Add contact' }).click();
      const fields = form.getByRole('group', { name: `Contact ${index + 1}` });
      await fields.getByLabel('Name', { exact: true }).fill(contact.name);
      await fields.getByLabel('Email').fill(contact.email);
      await fields.getByLabel('To', { exact: true }).setChecked(contact.to);
      await fields.getByLabel('Cc').setChecked(!contact.to);
    }
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('2 contacts').waitFor();
  });

  test('the administrator types a deal row by keyboard alone, and it is saved', async () => {
    await go('Data Entry');
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Alt+n');
    await page.keyboard.type('Ann Example');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0412345678');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Harb');
    await page.keyboard.press('Tab');
    await page.keyboard.type('DN-1');
    await page.keyboard.press('Enter');
    await page.getByText('All changes saved').waitFor();
    await page.getByRole('gridcell', { name: '(0412) 345 678' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Ann Example' });
    for (const [column, text] of [
      ['Sale', '1234.5'],
      ['Stock number', 'S-77'],
    ] as const) {
      await row
        .getByRole('gridcell')
        .nth(await columnIndex(column))
        .dblclick();
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.getByText('All changes saved').waitFor();
    }
    await page.getByRole('gridcell', { name: '$1,234.50' }).waitFor();
  });

  test('the administrator previews the email and sends it, by Ctrl+Enter twice', async () => {
    await page.getByRole('gridcell', { name: 'Ann Example' }).click();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    const message = dialog.frameLocator('iframe');
    await message.getByText('Ann Example bought for $1,234.50, stock number S-77.').waitFor();
    await dialog.getByText('tess@harbour.example').waitFor();
    await dialog.getByText('cam@harbour.example').waitFor();
    // It is shown while the email is queued, which is two seconds here.
    const queued = willShow(page, 'Email queued');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Send');
    await page.keyboard.press('Control+Enter');
    await queued;
    await dialog.waitFor({ state: 'detached' });
  });

  test('a real mail server receives To, Cc, HTML and plain text, filled from the row', async () => {
    await mail.whenArrived(1);
    const [received] = mail.accepted;
    const message = await readMail(received!);
    expect(received!.envelope.to).toEqual(['tess@harbour.example', 'cam@harbour.example']);
    expect(message).toMatchObject({
      from: { address: 'ada@shine.example' },
      to: [{ address: 'tess@harbour.example' }],
      cc: [{ address: 'cam@harbour.example' }],
      subject: 'Your customer Ann Example',
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@shine\.example>$/),
    });
    expect(message.text).toContain(
      'Dear team of Harbour & Sons New Cars, Ann Example bought for $1,234.50, stock number S-77.',
    );
    expect(message.html).toContain('Harbour &amp; Sons New Cars');
    expect(received!.raw).toMatch(/content-type: multipart\/alternative/i);
  });

  test('Email History shows it as sent', async () => {
    await go('Email History');
    const row = page.getByRole('row').filter({ hasText: 'Your customer Ann Example' });
    await row.getByText('Sent', { exact: true }).waitFor();
    open.checkConsole();
  });

  test('everything still exists after kill -9 and a restart', async () => {
    const { port } = new URL(server.url);
    await open.close();
    await server.kill();
    server = await startServer(dataDir, { PORT: port });
    open = await openPage(browser, { viewport: { width: 1440, height: 900 } }, [TOO_OFTEN]);
    page = open.page;
    await page.goto(`${server.url}/email-templates/history`);
    await page.getByLabel('Email').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const sent = page.getByRole('row').filter({ hasText: 'Your customer Ann Example' });
    await sent.getByText('Sent', { exact: true }).waitFor();
    await go('Data Entry');
    await page.getByRole('gridcell', { name: 'Ann Example' }).waitFor();
    await go('Dealerships');
    await page.getByText('Harbour & Sons New Cars').waitFor();
    await go('Email Settings');
    await page.getByLabel('SMTP Host').waitFor();
    await expect.poll(() => page.getByLabel('SMTP Host').inputValue()).toBe('127.0.0.1');
    expect(mail.accepted).toHaveLength(1);
  });
});

/** Returns the position of a column's cells in their row. */
async function columnIndex(header: string): Promise<number> {
  const headers = await page.getByRole('columnheader').allTextContents();
  return headers.findIndex((text) => text.trim() === header);
}
