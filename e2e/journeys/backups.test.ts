import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openSshHost } from '@forecourt/server/test/ssh-host';
import type { SshHost } from '@forecourt/server/test/sshd';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { DESKTOP, startCompany, type Company } from './company.fixture.ts';

let company: Company;
let browser: Browser;
let host: SshHost;
let page: Page;
let closePage: () => Promise<void>;

beforeAll(async () => {
  [company, browser, host] = await Promise.all([startCompany(), launchBrowser(), openSshHost()]);
  const open = await company.openAs(browser, company.admin, DESKTOP, [/status of 4(00|09)/]);
  ({ page, close: closePage } = open);
  await page.goto(`${company.server.url}/dashboard`);
  await page.getByRole('link', { name: 'Backups', exact: true }).click();
  await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor();
});
afterAll(async () => {
  await closePage?.();
  await browser?.close();
  await company?.close();
  await host?.close();
});

const press = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name }).click();
const dialog = (name: string) => page.getByRole('dialog', { name });
const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
const row = (type: string) => page.getByRole('row').filter({ hasText: type });
/** Of a row, as a wide screen shows it: a phone's lines are in the page too. */
const inRow = (type: string, text: string | RegExp) => row(type).getByText(text).filter({ visible: true });

describe('a backup', () => {
  test('is created, shown as processing, and found to be whole', async () => {
    await says('No backups available');
    await press('Create Backup');
    await inRow('Manual', 'Verified').waitFor();
    await inRow('Manual', /\d KB$/).waitFor();
  });

  test('is downloaded as a file that says what it is', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), press(/^Download backup_/)]);
    expect(download.suggestedFilename()).toMatch(/^backup_.*\.sql\.gz$/);
    const content = gunzipSync(await readFile(await download.path())).toString('utf8');
    expect(content).toContain('Ann Example');
  });

  test('brings back what was deleted, and says before what it would do', async () => {
    const [ann] = company.deals;
    expect((await company.call(`DELETE /deals/${ann!._id}`)).status).toBe(204);
    await press(/^Restore backup_/);
    const question = dialog('Restore Backup');
    const deals = question.getByRole('row', { name: /^Deals/ });
    await deals.waitFor();
    expect(await deals.getByRole('cell').allTextContents()).toEqual(['1', '0', '0', '3']);
    await press('Restore', question);
    await says('Creating pre-restore backup...');
    await says('Restoring database from backup...');
    const result = dialog('Restore Successful');
    await result.getByText(/is kept as|kept as pre_restore_/).waitFor();
    await press('Refresh Backup List', result);
    await row('Pre-restore').waitFor();
    expect((await company.call(`GET /deals/${ann!._id}`)).body.customerName).toBe('Ann Example');
  });

  test('that cannot be restored says so, and everything is as it was', async () => {
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

  test('that somebody may need most is asked about once more before it goes', async () => {
    await page.getByRole('checkbox', { name: /pre_restore_/ }).check();
    await says('1 backup selected');
    await press('Delete Selected');
    await press('Delete', dialog('Delete Backup'));
    await says('Confirm that this backup is to be deleted');
    await press('Delete anyway', dialog('Delete Backup'));
    await says('1 backup deleted');
    await row('Pre-restore').waitFor({ state: 'detached' });
  });
});

test('a file that is no backup is refused with the reason, and is not in the list', async () => {
  const input = page.getByLabel('Upload', { exact: true }).and(page.locator('input'));
  const words = Buffer.from('Dear diary');
  await input.setInputFiles([
    { name: 'diary.txt', mimeType: 'text/plain', buffer: words },
    { name: 'diary.sql.gz', mimeType: 'application/gzip', buffer: gzipSync(words) },
  ]);
  await says(/diary\.txt is not a backup file/);
  await says(/^diary\.sql\.gz: /);
  expect(await page.getByRole('row').filter({ hasText: 'diary' }).count()).toBe(0);
});

test('the scheduler is stopped and started again', async () => {
  const panel = page.getByRole('region', { name: 'Backup scheduler' });
  await press('Backup scheduler', panel);
  await panel.getByText('Active', { exact: true }).waitFor();
  await press('Stop', panel);
  await panel.getByText('Inactive', { exact: true }).waitFor();
  await press('Start', panel);
  await panel.getByText('Active', { exact: true }).waitFor();
});

describe('copies by SSH', () => {
  const form = () => dialog('SSH Remote Backup Settings');
  const fill = (name: string, value: string) => form().getByRole('textbox', { name }).fill(value);
  const step = (name: string, state: string) =>
    form().getByRole('listitem').filter({ hasText: name }).getByRole('img', { name: state });

  test('are set up once a test has shown which step fails, and then that none does', async () => {
    await press('SSH settings');
    await form().getByRole('switch', { name: 'Copy backups to an SSH server' }).click();
    expect(await form().getByRole('button', { name: 'Test Connection' }).isDisabled()).toBe(true);
    await fill('Host', '127.0.0.1');
    await fill('Port', String(host.port));
    await fill('Username', host.username);
    await fill('Private Key', host.privateKey);
    await form().getByLabel('Passphrase').fill('wrong');
    await fill('Remote Path', host.folder);
    await press('Test Connection', form());
    const reason = 'The private key cannot be read. Check the key and its passphrase.';
    await says(`SSH connection test failed: ${reason}`);
    await form().getByText(reason, { exact: true }).waitFor();
    await step('Sign-in', 'failed').waitFor();
    await step('Writing', 'not reached').waitFor();
    await form().getByLabel('Passphrase').fill(host.passphrase);
    await press('Test Connection', form());
    await step('Writing', 'passed').waitFor();
    await press('Save Settings', form());
    await says('SSH settings saved successfully');
    await press('SSH settings');
    await form().getByText(host.fingerprint()).waitFor();
    await form().getByText('Stored. Leave it empty to keep it.').first().waitFor();
    await press('Cancel', form());
  });

  test('are made of the next backup', async () => {
    await press('Create Backup');
    await inRow('Copied by SSH', 'Copied by SSH').waitFor({ timeout: 40_000 });
  });
});

test('nobody else gets there', async () => {
  const clerk = await company.addPerson({ name: 'Cleo Clerk', permissions: { pages: { backups: true } } });
  const own = await company.openAs(browser, clerk);
  await own.page.goto(`${company.server.url}/settings/backups`);
  await own.page.getByText('Admin access required').waitFor();
  expect(await own.page.getByRole('link', { name: 'Backups' }).count()).toBe(0);
  await own.close();
});
