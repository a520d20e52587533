import { addFailedJob } from '@forecourt/server/test/builders';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser, willShow, type OpenPage } from '../browser.ts';
import { DESKTOP, PHONE, startCompany, type Company } from './company.fixture.ts';

const EXPORT = '01930000-0000-7000-8000-00000000e001';

let company: Company;
let browser: Browser;
let ada: OpenPage;
let page: Page;
let failedId: string;
beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), sharedBrowser()]);
  await company.db
    .insertInto('jobs')
    .values({
      id: EXPORT,
      kind: 'export',
      user_id: company.admin.id,
      step: 'rows',
      percent: 40,
      // Its server reports again later than the test ends.
      heartbeat_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    .execute();
  failedId = await addFailedJob(company.db, 'The database was restarted');
  ada = await company.openAs(browser, company.admin);
  page = ada.page;
});
afterAll(async () => {
  await ada?.close();
  await closePages();
  await company?.close();
});

const rowOf = (table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });

test('an administrator follows work until it fails, and reads why', async () => {
  await page.goto(`${company.server.url}/dashboard`);
  await page.getByRole('link', { name: 'Background Work' }).click();
  await page.getByRole('heading', { name: 'Background Work', level: 1 }).waitFor();
  const row = rowOf('Started by people', 'Export');
  await row.getByText('40%').filter({ visible: true }).waitFor();
  await row.getByText('Ada Admin').filter({ visible: true }).waitFor();
  await company.db
    .updateTable('jobs')
    .set({ status: 'failed', message: 'The disk is full', finished_at: new Date().toISOString() })
    .where('id', '=', EXPORT)
    .execute();
  await row.getByText('The disk is full').filter({ visible: true }).waitFor();
});

test('an administrator runs recurring work now', async () => {
  await rowOf('Repeated by the program', 'Hourly backup').waitFor();
  const started = willShow(page, 'Started: Hourly backup');
  await page.getByRole('button', { name: 'Run now: Hourly backup' }).click();
  await started;
  const row = rowOf('Repeated by the program', 'Hourly backup');
  await row.getByText('Done').filter({ visible: true }).waitFor();
  const { items } = (await company.call('GET /backups')).body;
  expect(items.map(({ type }: { type: string }) => type)).toEqual(['automatic']);
});

test('an administrator tries a failed job again', async () => {
  const row = rowOf('Failed jobs of queues', 'Email');
  await row.getByText('The database was restarted').waitFor();
  const queued = willShow(page, 'The job is queued again');
  await page.getByRole('button', { name: 'Try again now: Email' }).click();
  await queued;
  await page.getByText('No failed jobs').waitFor();
  await expect
    .poll(() => company.auditOf(failedId))
    .toEqual([{ action: 'job.retried', by: company.admin.id }]);
});

test.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('shows everything within the width of %s', async (_width, { viewport }) => {
  await page.setViewportSize(viewport);
  await page.getByRole('heading', { name: 'Queues', exact: true }).waitFor();
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(overflow).toBe(0);
});

test('is not offered to a clerk', async () => {
  const clerk = await company.addPerson({ name: 'Cleo Clerk' });
  const own = await company.openAs(browser, clerk);
  await own.page.goto(`${company.server.url}/settings/jobs`);
  await own.page.getByRole('heading', { name: 'You cannot open this page' }).waitFor();
  await expect.poll(() => own.page.getByRole('link', { name: 'Background Work' }).count()).toBe(0);
  await own.close();
});
