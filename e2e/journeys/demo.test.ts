import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@forecourt/server/test/process';
import { afterAll, expect, test } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../browser.ts';
import { TOO_OFTEN } from './company.fixture.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'journey-'));
const [server, browser] = await Promise.all([
  startServer(dataDir, { DEMO: '1', UNDO_SEND_SECONDS: '0' }),
  sharedBrowser(),
]);
// Wide enough to render all columns that the test types into.
const open = await openPage(browser, { viewport: { width: 2400, height: 900 } }, [TOO_OFTEN]);
const page = open.page;
afterAll(async () => {
  await open.close();
  await closePages();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
const steps = () => page.getByRole('region', { name: 'Your first five minutes' });

/** Returns the password printed at the start for a user. */
async function passwordOf(email: string): Promise<string> {
  const printed = () => new RegExp(`${email}  (\\S+)`).exec(server.output())?.[1];
  await expect.poll(printed).toBeDefined();
  return printed()!;
}

test('the user who starts a demo signs in with the printed password and sees the first steps', async () => {
  await page.goto(server.url);
  await page.getByLabel('Email').fill('ada@demo.example');
  await page.getByLabel('Password', { exact: true }).fill(await passwordOf('ada@demo.example'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await steps().getByText('0 of 5 done').waitFor();
  await expect.poll(() => page.getByText('Getting started').count()).toBe(0);
});

test('types a row, sends its email, and reads it in Mailbox', async () => {
  await steps().getByRole('link', { name: 'Data Entry' }).first().click();
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('Alt+n');
  for (const text of ['Ann Example', '0412345678', 'Harbour New']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByText('All changes saved').waitFor();
  await page.getByRole('gridcell', { name: 'Ann Example' }).click();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  await menu('Mailbox');
  await page
    .getByRole('button', { name: /^Open message/ })
    .first()
    .click();
  await page.getByRole('dialog').frameLocator('iframe').getByText('Ann Example').waitFor();
  await page.keyboard.press('Escape');
});

test('completed steps are ticked, the others can be ticked by hand, and then the list can be closed', async () => {
  await menu('Dashboard');
  for (const step of ['Type a row', 'Send its email', 'Read it as the dealership does'])
    await steps().getByText(`${step} (Done)`).waitFor();
  await steps().getByRole('button', { name: 'Mark as done: Paste from a spreadsheet' }).click();
  await steps().getByText('4 of 5 done').waitFor();
  await page.reload();
  await steps().getByText('4 of 5 done').waitFor();
  await steps().getByRole('button', { name: 'Hide' }).click();
  await steps().waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('link', { name: 'Mailbox' }).waitFor();
  // Shown at the same moment as the steps.
  await page.getByText('Failed emails').waitFor();
  await expect.poll(() => steps().count()).toBe(0);
});
