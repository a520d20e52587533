import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openFaultyLine } from '@forecourt/server/test/faulty-line';
import { openS3Host } from '@forecourt/server/test/s3-host';
import { openSshHost } from '@forecourt/server/test/ssh-host';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { closePages, isFocused, sharedBrowser, willShow } from '../browser.ts';
import { DESKTOP, PHONE, startCompany } from './company.fixture.ts';

const [company, browser, host, store] = await Promise.all([
  startCompany(),
  sharedBrowser(),
  openSshHost(),
  openS3Host(),
]);
const line = await openFaultyLine(host.port);
const open = await company.openAs(browser, company.admin, DESKTOP, [/status of 4(00|09)/]);
const { page, close: closePage } = open;
await page.goto(`${company.server.url}/dashboard`);
await page.getByRole('link', { name: 'Backups', exact: true }).click();
await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor();
afterAll(async () => {
  await closePage();
  await closePages();
  await company.close();
  await line.close();
  await host.close();
  await store.close();
});

const press = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name }).click();
const dialog = (name: string) => page.getByRole('dialog', { name });
const expectText = (text: string | RegExp) => page.getByText(text).first().waitFor();
const row = (type: string) => page.getByRole('row').filter({ hasText: type });
/** A text in a row of the desktop layout; the texts of the phone layout are in the page too. */
const inRow = (type: string, text: string | RegExp) => row(type).getByText(text).filter({ visible: true });

describe('a backup', () => {
  test('a backup is created, shown as processing, and verified', async () => {
    await expectText('No backups available');
    await press('Create Backup');
    await inRow('Manual', 'Verified').waitFor();
    await inRow('Manual', /\d KB$/).waitFor();
  });

  test('a backup is downloaded as a file that describes itself', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), press(/^Download backup_/)]);
    expect(download.suggestedFilename()).toMatch(/^backup_.*\.sql\.gz$/);
    const content = gunzipSync(await readFile(await download.path())).toString('utf8');
    expect(content).toContain('Ann Example');
  });

  test('an administrator finds a deleted and a changed row in a backup, and copies both back as one change', async () => {
    const [ann, bob] = company.deals;
    const both = [ann!._id, bob!._id];
    const vehicles = async () =>
      Promise.all(both.map(async (id) => (await company.call(`GET /deals/${id}`)).body.vehicle));
    const before = await vehicles();
    await company.call(`DELETE /deals/${ann!._id}`);
    await company.call(`PATCH /deals/${bob!._id}`, { body: { version: 1, vehicle: 'Wrong row' } });
    await press(/^Copy rows from backup_/);
    const copy = dialog('Copy rows from a backup');
    await copy.getByRole('textbox', { name: 'Text' }).fill('example');
    await page.keyboard.press('Enter');
    await copy.getByText('Missing today').waitFor();
    await copy.getByText('Different today').waitFor();
    await copy.getByRole('checkbox', { name: 'Copy Ann Example' }).check();
    await copy.getByRole('checkbox', { name: 'Copy Bob Example' }).check();
    await press('Copy back 2 rows', copy);
    await expectText('Copied 2 rows back.');
    await expect.poll(vehicles).toEqual(before);
    await press('Show');
    await page.getByRole('dialog', { name: 'Copied 2 rows from a backup' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor();
  });

  test('a backup restores deleted records, after showing the effects', async () => {
    const [ann] = company.deals;
    expect((await company.call(`DELETE /deals/${ann!._id}`)).status).toBe(204);
    await press(/^Restore backup_/);
    const question = dialog('Restore Backup');
    const deals = question.getByRole('row', { name: /^Deals/ });
    await deals.waitFor();
    await expect
      .poll(() => question.getByRole('rowheader').allTextContents())
      .toEqual([
        'Deals',
        'Comments',
        'Attachments of rows',
        'Dealerships',
        'Email templates',
        'Items',
        'Statuses',
        'Custom fields',
        'Do not contact',
        'Closed months',
        'Statements',
        'Users',
        'Permissions',
        'Emails',
      ]);
    // Ann is deleted; Bob has another version since his row was copied back.
    await expect.poll(() => deals.getByRole('cell').allTextContents()).toEqual(['1', '0', '1', '3']);
    // Each is shown for two or three seconds.
    const steps = ['Creating pre-restore backup...', 'Restoring database from backup...'];
    const shown = Promise.all(steps.map((text) => willShow(page, text)));
    await press('Restore', question);
    await shown;
    const result = dialog('Restore Successful');
    await result.getByText(/is saved as pre_restore_/).waitFor();
    await press('Refresh Backup List', result);
    await row('Pre-restore').waitFor();
    await expect
      .poll(async () => (await company.call(`GET /deals/${ann!._id}`)).body.customerName)
      .toBe('Ann Example');
  });

  test('a backup that cannot be restored shows the reason, and nothing changes', async () => {
    await page.route('**/api/backups/*/restore', (route) =>
      route.fulfill({ status: 400, json: { message: 'This file is not a backup that can be restored' } }),
    );
    await press(/^Restore backup_/);
    await press('Restore', dialog('Restore Backup'));
    const result = dialog('Restore Failed');
    await result.getByText('This file is not a backup that can be restored').waitFor();
    await result.getByText('Close', { exact: true }).click();
    await page.unroute('**/api/backups/*/restore');
  });

  test('a backup made before a restore is deleted only after a second confirmation', async () => {
    await page.getByRole('checkbox', { name: /pre_restore_/ }).check();
    await expectText('1 backup selected');
    await press('Delete Selected');
    await press('Delete', dialog('Delete Backup'));
    await expectText('Confirm that this backup is to be deleted');
    await press('Delete anyway', dialog('Delete Backup'));
    await expectText('1 backup deleted');
    await row('Pre-restore').waitFor({ state: 'detached' });
  });
});

test('a file that is no backup is refused with the reason and not listed', async () => {
  const input = page.getByLabel('Upload', { exact: true }).and(page.locator('input'));
  const content = Buffer.from('Dear diary');
  await input.setInputFiles([
    { name: 'diary.txt', mimeType: 'text/plain', buffer: content },
    { name: 'diary.sql.gz', mimeType: 'application/gzip', buffer: gzipSync(content) },
  ]);
  await expectText(/diary\.txt is not a backup file/);
  await expectText(/^diary\.sql\.gz: /);
  const { body } = await company.call('GET /backups');
  expect(JSON.stringify(body)).not.toContain('diary');
});

/** Whether the header of its dialog does not cover a text. */
const isBelowHeader = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const header = element.closest('[role="dialog"]')!.querySelector('header')!;
    return element.getBoundingClientRect().top >= header.getBoundingClientRect().bottom;
  });

describe('copies by SSH', () => {
  const remoteOnly = 'On the SSH server only';
  const form = () => dialog('SSH Remote Backup Settings');
  const fill = (name: string, value: string) => form().getByRole('textbox', { name }).fill(value);
  const step = (name: string, state: string, at = form()) =>
    at.getByRole('listitem').filter({ hasText: name }).getByRole('img', { name: state });

  test('copies by SSH are configured after a test has shown the failing step and then success', async () => {
    await press('SSH settings');
    await form().getByRole('switch', { name: 'Copy backups to an SSH server' }).click();
    await expect.poll(() => form().getByRole('button', { name: 'Test Connection' }).isDisabled()).toBe(true);
    await fill('Host', '127.0.0.1');
    await fill('Port', String(line.port));
    await fill('Username', host.username);
    await fill('Private Key', host.privateKey);
    await form().getByLabel('Passphrase').fill('wrong');
    await fill('Remote Path', host.folder);
    await press('Test Connection', form());
    const reason = 'The private key cannot be read. Check the key and its passphrase.';
    await form().getByText(reason, { exact: true }).waitFor();
    await expect.poll(() => form().getByRole('listitem').count()).toBe(0);
    await form().getByLabel('Passphrase').fill(host.passphrase);
    await fill('Username', 'stranger');
    await press('Test Connection', form());
    const refused = 'The server did not accept the sign-in. Check Username and what proves it.';
    await expectText(`SSH connection test failed: ${refused}`);
    await step('Sign-in', 'failed').waitFor();
    await step('Writing', 'not reached').waitFor();
    await fill('Username', host.username);
    await press('Test Connection', form());
    await step('Writing', 'passed').waitFor();
    await press('Save Settings', form());
    await expectText('SSH settings saved successfully');
    await press('SSH settings');
    await form().getByText(host.fingerprint()).waitFor();
    await form().getByText('Stored. Leave it empty to keep it.').first().waitFor();
    await press('Cancel', form());
  });

  test('copies by SSH keep the settings that another user saved meanwhile, beside those that are typed', async () => {
    await press('SSH settings');
    await form().getByText(host.fingerprint()).waitFor();
    await fill('Server Name', 'office');
    const { body: stored } = await company.call('GET /backups/ssh-settings');
    const others = { ...stored, connectionTimeout: 45, version: undefined };
    expect((await company.call('POST /backups/ssh-settings', { body: others })).status).toBe(200);
    await page.setViewportSize(PHONE.viewport);
    await press('Save Settings', form());
    const notice = form().getByText('Somebody else changed this in the meantime');
    await form().getByText('Taken over').waitFor();
    await expect.poll(() => isBelowHeader(notice)).toBe(true);
    await page.setViewportSize(DESKTOP.viewport);
    await expect.poll(() => form().getByRole('textbox', { name: 'Server Name' }).inputValue()).toBe('office');
    await press('Save Settings', form());
    await form().waitFor({ state: 'detached' });
    expect((await company.call('GET /backups/ssh-settings')).body).toMatchObject({
      connectionTimeout: 45,
      serverName: 'office',
      hasPrivateKey: true,
    });
    await company.call('POST /backups/ssh-settings', { body: { ...others, serverName: stored.serverName } });
  });

  test('copies by SSH are made of the next backup', async () => {
    await press('Create Backup');
    await inRow('Copied by SSH', 'Copied by SSH').waitFor();
  });

  test('copies to S3 are configured after a test has shown the failing step, and made beside those by SSH', async () => {
    const bucket = dialog('S3 Backup Settings');
    const type = (name: string, value: string) => bucket.getByRole('textbox', { name }).fill(value);
    await press('S3 settings');
    await bucket.getByRole('switch', { name: 'Copy backups to S3' }).click();
    await bucket.getByRole('switch', { name: 'Path-style addresses' }).click();
    await type('Endpoint', store.endpoint);
    await type('Bucket', store.bucket);
    await type('Access Key ID', store.accessKeyId);
    await bucket.getByLabel('Secret Access Key').fill('wrong');
    await press('Test Connection', bucket);
    await expectText('S3 connection test failed: The store did not accept the keys.');
    await step('Keys', 'failed', bucket).waitFor();
    await bucket.getByLabel('Secret Access Key').fill(store.secretAccessKey);
    await press('Test Connection', bucket);
    await step('Reading', 'passed', bucket).waitFor();
    await press('Save Settings', bucket);
    await expectText('S3 settings saved successfully');
    await press('Create Backup');
    await inRow('Copied to S3', 'Copied to S3').waitFor();
    await inRow('Copied to S3', 'Copied by SSH').waitFor();
    await company.call('POST /backups/s3-settings', { body: { enabled: false } });
  });

  test('copies by SSH are the only files if Keep local copies is off, which the screen shows', async () => {
    await press('SSH settings');
    await form().getByRole('switch', { name: 'Keep local copies' }).click();
    await press('Save Settings', form());
    await expectText('SSH settings saved successfully');
    await press('Create Backup');
    await inRow(remoteOnly, remoteOnly).waitFor();
    const restore = row(remoteOnly).getByRole('button', { name: /^Restore/ });
    await expect.poll(() => restore.getAttribute('aria-disabled')).toBe('true');
    await restore.hover();
    await expectText('Only a copy of this file exists. Fetch it first.');

    await row(remoteOnly).getByRole('checkbox').check();
    await expectText('Of 1 backup only a copy exists: fetch it before Download All.');
    await press('Delete Selected');
    await dialog('Delete Backup').getByText('Copies on the SSH server and in S3 are not deleted.').waitFor();
    await press('Cancel', dialog('Delete Backup'));
    await row(remoteOnly).getByRole('checkbox').uncheck();
  });

  test('copies by SSH show why a fetch failed, and can be fetched later', async () => {
    const [{ name }] = (await company.call('GET /backups')).body.items;
    const path = join(host.folder, `forecourt_${name}`);
    await rename(path, `${path}.away`);
    await press(`Fetch the copy of ${name}`);
    await expectText(`${name}: The copy is not on the server. Looked for: ${path}.`);
    await row(remoteOnly)
      .getByRole('button', { name: /^Fetch/ })
      .waitFor();
    await rename(`${path}.away`, path);
  });

  test('copies by SSH are fetched, visibly to every administrator, and restored', async () => {
    const colleague = await company.addPerson({ name: 'Cora Colleague', role: 'admin' });
    const other = await company.openAs(browser, colleague, DESKTOP);
    await other.page.goto(`${company.server.url}/settings/backups`);
    const there = other.page.getByRole('row').filter({ hasText: remoteOnly });
    await there.waitFor();
    const released = Promise.withResolvers<void>();
    line.fail({ fault: () => released.promise, afterBytes: 3000 });
    await press(/^Fetch the copy of /, row(remoteOnly));
    await row(remoteOnly)
      .getByText(/^Fetching\.\.\./)
      .waitFor();
    await there.getByText(/^Fetching\.\.\./).waitFor();
    released.resolve();
    await expectText(/^backup_.* fetched\. It can be restored now\.$/);
    await there.waitFor({ state: 'detached' });
    await other.close();
    line.fail(undefined);

    const [newest] = (await company.call('GET /backups')).body.items;
    await press(`Restore ${newest.name}`);
    await press('Restore', dialog('Restore Backup'));
    const result = dialog('Restore Successful');
    await result.getByText(/saved as pre_restore_/).waitFor();
    await press('Refresh Backup List', result);
  });
});

// Last: a schedule that is on may test the newest backup by a restore, and no other backup can be made meanwhile.
test('the scheduler is started and stopped again, and a failure in between is on the dashboard and the screen', async () => {
  const panel = page.getByRole('region', { name: 'Backup scheduler' });
  await press('Backup scheduler', panel);
  await panel.getByText('Inactive', { exact: true }).waitFor();
  await press('Start', panel);
  await panel.getByText('Active', { exact: true }).waitFor();
  await expect.poll(() => isFocused(panel.getByRole('button', { name: 'Start' }))).toBe(true);
  await company.db.updateTable('backup_settings').set({ last_problem: 'The disk is full.' }).execute();
  const alert = 'The last automatic backup failed: The disk is full.';
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await page.getByText(alert).waitFor();
  await page.getByRole('link', { name: 'Open Backups' }).click();
  await panel.getByText(alert).waitFor();
  await press('Backup scheduler', panel);
  await press('Stop', panel);
  await panel.getByText('Inactive', { exact: true }).waitFor();
  await panel.getByText(alert).waitFor({ state: 'detached' });
});
