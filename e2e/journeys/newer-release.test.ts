import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDeal, addDealership } from '@forecourt/server/test/builders';
import { makeDataFolder } from '@forecourt/server/test/data-folder';
import { emptyDatabase } from '@forecourt/server/test/database';
import { openFaultyLine } from '@forecourt/server/test/faulty-line';
import { callServer, signInAsAdmin, startServer } from '@forecourt/server/test/process';
import { writeNextRelease } from '@forecourt/server/test/releases';
import { expect, test } from 'vitest';
import { closePages, CONNECTION_LOST, openPage, sharedBrowser, signInAtFirst } from '../browser.ts';
import { TOO_OFTEN } from './company.fixture.ts';
import { dataEntryOn, WIDE } from './data-entry.fixture.ts';

const DIST = join(import.meta.dirname, '../../web/dist');
const portOf = ({ url }: { url: string }): number => Number(new URL(url).port);

/** Writes the pages as another build has them: each script and style sheet has another name. */
async function writeOtherBuild(folder: string): Promise<void> {
  const names = (await readdir(DIST, { recursive: true })).filter((name) =>
    /\.(html|js|css|woff2|svg)$/.test(name),
  );
  const renamed = (text: string): string => text.replaceAll(/[\w-]+-[\w-]{8}\.(?:js|css)\b/g, 'later-$&');
  await mkdir(join(folder, 'assets'), { recursive: true });
  for (const name of names) {
    const content = await readFile(join(DIST, name));
    const isText = /\.(html|js|css)$/.test(name);
    await writeFile(join(folder, renamed(name)), isText ? renamed(content.toString()) : content);
  }
}

test('a page of the former release keeps what somebody types while a newer release replaces the server, saves it there, and offers a reload, after which Show row leads to the row without a dealership', async () => {
  await using open = new AsyncDisposableStack();
  const [folder, database, browser] = await Promise.all([
    makeDataFolder('newer-'),
    emptyDatabase(),
    sharedBrowser(),
  ]);
  open.defer(() => Promise.all([database.close(), rm(folder, { recursive: true })]).then(() => {}));
  const start = async (root?: string) =>
    open.adopt(
      await startServer(join(folder, 'data'), { DATABASE_URL: database.url }, [], root),
      async (server) => void (await server.stop()),
    );
  const older = await start();
  const exited = once(older.child, 'close');
  const address = open.adopt(await openFaultyLine(portOf(older)), (line) => line.close());
  const url = `http://127.0.0.1:${address.port}`;
  const token = await signInAsAdmin(older.url);
  let server = older;
  const caller = {
    call: (route: string, { body }: { body?: unknown } = {}) => callServer(server.url, route, token, body),
  };
  const dealershipId = await addDealership(caller, { token });
  const { _id: dealId } = await addDeal(caller, { token }, dealershipId);
  const vehicle = async () => (await caller.call(`GET /deals/${dealId}`)).body.vehicle;

  open.defer(closePages);
  const { page, close } = await openPage(browser, WIDE, [CONNECTION_LOST, TOO_OFTEN, /status of 503/]);
  await signInAtFirst(page, url, token);
  await page.goto(`${url}/data-entry`);
  const screen = dataEntryOn(page, close);
  await screen.typeInto('Ann Example', 'Vehicle', 'Kia');
  await screen.press('Enter');
  await screen.saved();

  const next = await writeNextRelease(join(folder, 'next'), {
    '9001_later.sql': '-- Breaking before 99.0.0: a test.\ncreate table later (id uuid);',
  });
  await writeOtherBuild(join(next, 'web/dist'));
  server = await start(next);
  await expect(exited).resolves.toEqual([1, null]);
  await screen.typeInto('Ann Example', 'Vehicle', 'Audi');
  await screen.press('Enter');
  await page.getByText('Waiting for the connection; everything typed is kept').waitFor();
  await expect.poll(vehicle).toBe('Kia');

  address.redirect(portOf(server));
  await screen.saved();
  await expect.poll(vehicle).toBe('Audi');
  await page.getByText('Forecourt was updated').waitFor();
  await screen.typeInto('Ann Example', 'Vehicle', 'Ute');
  await screen.press('Enter');
  await screen.saved();

  await screen.press('Alt+n');
  await screen.typeCells(['Nora New']);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Reload page' }).click();
  await page.locator('script[src*="/later-"]').first().waitFor({ state: 'attached' });
  await screen.row('Nora New').waitFor();
  await page.getByText(/1 unsaved row/).waitFor();
  await expect.poll(() => screen.cell('Ann Example', 'Vehicle').textContent()).toBe('Ute');
  await page.getByRole('button', { name: 'Show row' }).click();
  await screen.typeCells(['Harb']);
  await screen.press('Enter');
  await screen.saved();
  await close();
});
