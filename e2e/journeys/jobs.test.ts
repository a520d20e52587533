import { randomUUID } from 'node:crypto';
import { addFailedJob } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { hideTab, willShow } from '../browser.ts';
import { DESKTOP, PHONE, openCompany } from './company.fixture.ts';
import { CLERK } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const exportId = await addRunning({ kind: 'export', user_id: company.admin.id, step: 'rows', percent: 40 });
const failedId = await addFailedJob(company.db, 'The database was restarted');
const ada = await company.openAs(browser, company.admin);
const page = ada.page;
afterAll(async () => {
  await ada.close();
});

type NewJob = {
  kind: string;
  user_id: string;
  step?: string;
  percent?: number;
  done?: number;
  total?: number;
};

/** Adds a running job, whose server reports again later than the test ends. */
async function addRunning(job: NewJob): Promise<string> {
  const id = randomUUID();
  const heartbeat_at = new Date(Date.now() + 3_600_000).toISOString();
  await company.db
    .insertInto('jobs')
    .values({ ...job, id, heartbeat_at })
    .execute();
  return id;
}

const rowOf = (table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });

test('an administrator follows work until it fails, and reads why', async () => {
  await page.goto(`${company.server.url}/dashboard`);
  await page.getByRole('link', { name: 'Background Work' }).click();
  await page.getByRole('heading', { name: 'Background Work', level: 1 }).waitFor();
  const { outdatedDatabase } = (await company.call('GET /jobs')).body;
  // The PostgreSQL of this machine may be the newest one.
  if (outdatedDatabase)
    await page
      .getByText(`The database runs PostgreSQL ${outdatedDatabase.version}, which is older`)
      .waitFor();
  const row = rowOf('Started by people', 'Export');
  await row.getByText('40%').filter({ visible: true }).waitFor();
  await row.getByText('Ada Admin').filter({ visible: true }).waitFor();
  await company.db
    .updateTable('jobs')
    .set({ status: 'failed', message: 'The disk is full', finished_at: new Date().toISOString() })
    .where('id', '=', exportId)
    .execute();
  await row.getByText('The disk is full').filter({ visible: true }).waitFor();
});

test('an open list shows at once what somebody else starts', async () => {
  const own = await company.openAs(browser, company.admin);
  await own.page.goto(`${company.server.url}/settings/jobs`);
  const table = own.page.getByRole('table', { name: 'Started by people' });
  await table.getByText('The disk is full').filter({ visible: true }).waitFor();
  await hideTab(own.page);
  const clerk = await company.addPerson({ name: 'Eve Exporter', permissions: CLERK });
  await company.call('POST /exports', { token: clerk.token, body: { kind: 'deals' } });
  const row = table.getByRole('row').filter({ hasText: 'Eve Exporter' });
  await row.getByText('Done').filter({ visible: true }).waitFor();
  await own.close();
});

test('an administrator cancels an import by keyboard, and its user and other administrators see who did', async () => {
  const permissions = { ...CLERK, features: { bulkEdit: true } };
  const clerk = await company.addPerson({ name: 'Ivy Importer', permissions });
  const bea = await company.addPerson({ name: 'Bea Admin', role: 'admin' });
  const importer = await company.openAs(browser, clerk);
  const phone = await company.openAs(browser, bea, PHONE);
  // An import that runs as long as the test needs. A real one is cancelled in server/test/cancel-jobs.test.ts.
  const jobId = await addRunning({ kind: 'import', user_id: clerk.id, step: 'writing', done: 1, total: 2 });
  await importer.page.route('**/api/deals/import', (route) =>
    route.fulfill({ status: 202, json: { jobId } }),
  );
  await importer.page.goto(`${company.server.url}/data-entry`);
  await importer.page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = importer.page.getByRole('dialog', { name: 'Import Deals' });
  const content = 'Client,Dealer\nOne,Harbour New Cars\nTwo,Harbour New Cars';
  const file = { name: 'deals.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Import 2 deals', exact: true }).click();
  await dialog.getByText('1 of 2 deals').waitFor();

  const cancel = 'Cancel: Import of deals (Ivy Importer)';
  await phone.page.goto(`${company.server.url}/settings/jobs`);
  await phone.page.getByRole('button', { name: cancel }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: cancel }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Cancel: Import of deals' });
  await question.getByText('None of its rows are imported. What was there before is kept.').waitFor();
  const letItRun = question.getByRole('button', { name: 'Let it run' });
  await expect.poll(() => letItRun.evaluate((one) => one.matches(':focus'))).toBe(true);
  await question.getByRole('button', { name: 'Cancel the work' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  for (const one of [page, phone.page]) {
    const table = one.getByRole('table', { name: 'Started by people' });
    const row = table.getByRole('row').filter({ hasText: 'Import' });
    await row.getByText('Cancelled by Ada Admin. Nothing was imported.').filter({ visible: true }).waitFor();
    await expect.poll(() => one.getByRole('button', { name: cancel }).count()).toBe(0);
  }
  await dialog.getByText('Cancelled by Ada Admin. Nothing was imported.').waitFor();
  await dialog.getByRole('button', { name: 'Import 2 deals', exact: true }).waitFor();
  await importer.close();
  await phone.close();
});

test('a phone asks before it cancels, and a restore has no button', async () => {
  await addRunning({ kind: 'restore', user_id: company.admin.id });
  await addRunning({ kind: 'backup', user_id: company.admin.id, percent: 40 });
  await page.setViewportSize(PHONE.viewport);
  await page.reload();
  await rowOf('Started by people', 'Restore').waitFor();
  await page.getByRole('button', { name: 'Cancel: Backup (Ada Admin)' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel: Backup' });
  await question.getByText('Earlier backups are kept.').waitFor();
  await question.getByRole('button', { name: 'Let it run' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel: Backup (Ada Admin)' }).click();
  await question.getByRole('button', { name: 'Cancel the work' }).click();
  const row = rowOf('Started by people', 'Backup');
  await row.getByText('Cancelled by Ada Admin. No backup was created.').filter({ visible: true }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Cancel:/ }).count()).toBe(0);
  await company.db.deleteFrom('jobs').where('kind', '=', 'restore').execute();
  await page.setViewportSize(DESKTOP.viewport);
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
