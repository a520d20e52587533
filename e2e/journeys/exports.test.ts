import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { hideTab } from '../browser.ts';
import { DESKTOP, openCompany } from './company.fixture.ts';

let page: Page;
const { company, browser } = await openCompany();
const ada = await company.openAs(browser, company.admin);
page = ada.page;
afterAll(() => ada.close());

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** Returns the rows of the file that the browser downloads during `act`. */
async function downloaded(act: () => Promise<unknown>): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return parse(await readFile(await download.path()), { bom: true, columns: true });
}

test('an administrator exports deals, downloads the file and deletes it', async () => {
  await page.goto(`${company.server.url}/exports`);
  await page.getByText('No exports yet').waitFor();
  await press('New Export');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('CSV', { exact: true }).click();
  await dialog.getByLabel('Contains').fill('ann');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'Search ann' });
  await row.getByText('Ready').filter({ visible: true }).waitFor();
  const rows = await downloaded(() => row.getByRole('button', { name: /^Download Deals/ }).click());
  expect(rows.map(({ Customer, Sale }) => [Customer, Sale])).toEqual([['Ann Example', '1234.50']]);
  // The buttons at the end of a row cover what does not fit.
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect
    .poll(() =>
      row.evaluate((element) => {
        const [buttons, time] = [...element.children].toReversed();
        const text = document.createRange();
        text.selectNodeContents(time!);
        return text.getBoundingClientRect().right <= buttons!.getBoundingClientRect().left;
      }),
    )
    .toBe(true);
  await page.setViewportSize(DESKTOP.viewport);
  await row.getByRole('button', { name: /^Delete Deals/ }).click();
  await press('Delete');
  await page.getByText('No exports yet').waitFor();
});

test('an export of deals has the filter of Data Entry', async () => {
  const notes = { field: 'notes', operator: 'isEmpty' };
  const filter = JSON.stringify({ match: 'all', conditions: [notes] });
  await page.goto(
    `${company.server.url}/exports?${new URLSearchParams({ kind: 'deals', format: 'csv', filter })}`,
  );
  const dialog = page.getByRole('dialog', { name: 'New export' });
  const panel = page.getByRole('dialog', { name: /filter/i });
  await dialog.getByText('Notes is empty').waitFor();
  await dialog.getByRole('button', { name: '1 filter', exact: true }).click();
  await panel.getByRole('button', { name: 'Add condition' }).click();
  const second = panel.getByRole('group', { name: 'Condition 2' });
  await second.getByLabel('Column').selectOption('Customer');
  await second.getByLabel('Value').fill('bob');
  // Enter applies the filter and does not begin the export; Escape closes the panel and not the form.
  await page.keyboard.press('Enter');
  await dialog.getByText('Customer contains “bob”').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'filtered by columns' });
  await row.getByText('Ready').filter({ visible: true }).waitFor();
  const rows = await downloaded(() => row.getByRole('button', { name: /^Download Deals/ }).click());
  expect(rows.map(({ Customer }) => Customer)).toEqual(['Bob Example']);
  await row.getByRole('button', { name: /^Delete Deals/ }).click();
  await press('Delete');
  await row.waitFor({ state: 'detached' });
});

test('an export that an administrator cancelled is listed as cancelled, with who did', async () => {
  const clerk = await company.addPerson({ name: 'Eve Exporter' });
  const exported = { kind: 'deals', format: 'csv', filter: '{}', permissions_hash: Buffer.alloc(32) };
  const add = async (name: string, job: { status: string; message: string }) => {
    const [id, job_id] = [randomUUID(), randomUUID()];
    const finished_at = new Date().toISOString();
    await company.db
      .insertInto('jobs')
      .values({ id: job_id, kind: 'export', user_id: clerk.id, finished_at, ...job })
      .execute();
    await company.db
      .insertInto('exports')
      .values({ ...exported, id, name, user_id: clerk.id, job_id })
      .execute();
  };
  await add('Stopped.csv', { status: 'cancelled', message: 'Cancelled by Ada Admin. No file was kept.' });
  await add('Broken.csv', { status: 'failed', message: 'The disk is full' });
  await page.goto(`${company.server.url}/exports`);
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  await rowOf('Stopped.csv').getByText('Cancelled', { exact: true }).filter({ visible: true }).waitFor();
  const reason = rowOf('Stopped.csv').getByText('Cancelled by Ada Admin. No file was kept.');
  await reason.filter({ visible: true }).waitFor();
  await expect.poll(() => rowOf('Stopped.csv').getByText('Failed').count()).toBe(0);
  await rowOf('Broken.csv').getByText('Failed', { exact: true }).filter({ visible: true }).waitFor();
  await company.db.deleteFrom('exports').where('user_id', '=', clerk.id).execute();
});

test('an open list shows at once what somebody else exports', async () => {
  const own = await company.openAs(browser, company.admin);
  await own.page.goto(`${company.server.url}/exports`);
  await own.page.getByText('No exports yet').waitFor();
  await hideTab(own.page);
  const clerk = await company.addPerson({ name: 'Ed Exporter' });
  const { body } = await company.call('POST /exports', { token: clerk.token, body: { kind: 'deals' } });
  const row = own.page.getByRole('row').filter({ hasText: 'Ed Exporter' });
  await row.getByText('Ready').filter({ visible: true }).waitFor();
  await company.call(`DELETE /exports/${body._id}`);
  await own.close();
});

test('the audit log is exported with its filters', async () => {
  await page.goto(`${company.server.url}/settings/audit-logs?entity=export`);
  await page.getByRole('link', { name: 'Export', exact: true }).click();
  await page.getByText('Also only: export').waitFor();
  await page.getByRole('dialog').getByText('CSV', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  const rows = await downloaded(() => page.getByRole('button', { name: /^Download Audit log/ }).click());
  expect(new Set(rows.map(({ Action }) => Action!.split('.')[0]))).toEqual(new Set(['export']));
});

test('a clerk exports the chosen rows, and gets the file when it is ready', async () => {
  const clerk = await company.addPerson({ name: 'Cleo Clerk' });
  const own = await company.openAs(browser, clerk);
  ({ page } = own);
  await page.goto(`${company.server.url}/data-entry`);
  const grid = page.getByRole('grid');
  for (const name of ['Ann Example', 'Cid Example'])
    await grid.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await press('More actions');
  const rows = await downloaded(() => page.getByRole('menuitem', { name: 'Export as CSV' }).click());
  expect(rows.map(({ Customer }) => Customer)).toEqual(['Cid Example', 'Ann Example']);
  await own.close();
});
