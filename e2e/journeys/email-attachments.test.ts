import { readFile } from 'node:fs/promises';
import { readMail } from '@forecourt/server/test/smtp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { willShow } from '../browser.ts';
import { DESKTOP, openMailingCompany } from './company.fixture.ts';

const { company, browser } = await openMailingCompany();
// A refused file name returns 400, which the browser logs.
const open = await company.openAs(browser, company.admin, { ...DESKTOP, acceptDownloads: true }, [
  /status of 400/,
]);
const page = open.page;
afterAll(() => open.close());

const OFFER = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 256));
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

const dialog = () => page.getByRole('dialog');
const files = () => dialog().getByRole('list', { name: 'Attached files' });
const line = (name: string) => files().getByRole('listitem').filter({ hasText: name });
/** Waits until a file is listed and uploaded: before it is listed, it has no progress either. */
async function uploaded(name: string): Promise<void> {
  await line(name).waitFor();
  await line(name).getByRole('progressbar').waitFor({ state: 'detached' });
}
const attach = () => dialog().getByRole('button', { name: 'Attach files' });
const sendButton = () => dialog().getByRole('button', { name: 'Send', exact: true });

async function choose(...chosen: ReturnType<typeof file>[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await attach().press('Enter');
  await (await chooser).setFiles(chosen);
}

/** Drags a file from outside the browser onto the field. */
async function drop(name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    { name, text },
  );
  for (const type of ['dragenter', 'dragover', 'drop']) await attach().dispatchEvent(type, { dataTransfer });
}

const received = async () =>
  (await readMail(company.mail.accepted.at(-1)!)).attachments.map(({ filename, content }) => ({
    filename,
    content: Buffer.from(content as ArrayBuffer),
  }));

const focused = () =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);

/** One email: each step uses the results of the previous one. */
describe('files attached to an email', () => {
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(hasFailed, 'a step before failed');
    onTestFailed(() => {
      hasFailed = true;
    });
  });

  test('files attached to an email are chosen and dropped; a refused one shows why and does not block others', async () => {
    await page.goto(`${company.server.url}/data-entry`);
    await page.getByRole('gridcell', { name: 'Ann Example' }).click();
    await page.keyboard.press('Control+Enter');
    await choose(
      file('Offer.pdf', OFFER),
      file('Empty.txt', Buffer.alloc(0)),
      file('Half\u202efdp.exe', Buffer.from('x')),
      file('Large.zip', Buffer.alloc(10 * 1024 * 1024)),
    );
    await line('Empty.txt').getByText('The file is empty. This file will not be sent.').waitFor();
    await line('Large.zip').getByText('The files may have at most 10 MB together.').waitFor();
    await line('.exe').getByText('The name of the file must not have control characters.').waitFor();
    await drop('Größe "neu".txt', 'dropped');
    await dialog().getByText('4 KB of 10 MB').waitFor();
    await expect.poll(() => files().getByRole('listitem').count()).toBe(5);
    await sendButton().waitFor();
  });

  test('files attached to an email are removed by keyboard, and the focus moves to the next one', async () => {
    await files().getByRole('button', { name: 'Remove Empty.txt' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toMatch(/^Remove Half/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Remove Large.zip');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Remove Größe "neu".txt');
    await page.keyboard.press('Enter');
    // The last file was removed: the previous one gets the focus.
    await expect.poll(() => focused()).toBe('Remove Offer.pdf');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Attach files');
    await files().waitFor({ state: 'detached' });
  });

  test('block sending during the upload, with a message', async () => {
    const released = Promise.withResolvers<void>();
    await page.route('**/api/email/attachments', async (route) => {
      await released.promise;
      await route.continue();
    });
    await choose(file('Offer.pdf', OFFER));
    const progress = line('Offer.pdf').getByRole('progressbar', { name: 'Uploading Offer.pdf' });
    // Nothing is uploaded yet: the bar has no width.
    await progress.waitFor({ state: 'attached' });
    for (const name of ['Send', 'Send test to me']) {
      const button = dialog().getByRole('button', { name, exact: true });
      await expect.poll(() => button.isDisabled()).toBe(true);
      await button.hover();
      await page.getByRole('tooltip', { name: 'Wait until the files are uploaded' }).waitFor();
    }
    released.resolve();
    await progress.waitFor({ state: 'detached' });
    await page.unroute('**/api/email/attachments');
    await drop('Größe "neu".txt', 'dropped');
    await uploaded('Größe');
  });

  test('files attached to an email are sent with a test to oneself, and then to the dealership with a sentence that the preview shows', async () => {
    const result = willShow(page, 'Email sent to');
    await dialog().getByRole('button', { name: 'Send test to me' }).click();
    await result;
    await expect.poll(() => company.mail.accepted.length).toBe(1);
    await dialog().getByRole('button', { name: 'Add a sentence' }).click();
    await page.keyboard.type('The plates follow on Monday & <soon>.');
    const preview = dialog().frameLocator('iframe');
    await preview.getByText('The plates follow on Monday & <soon>.').waitFor();
    await dialog().getByText('Below the message').click();
    await expect.poll(() => preview.locator('p').last().textContent()).toContain('The plates follow');
    await expect.poll(() => sendButton().isDisabled()).toBe(false);
    await page.keyboard.press('Control+Enter');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => company.mail.accepted.length).toBe(2);
    const { text, html } = await readMail(company.mail.accepted[1]!);
    expect(text).toMatch(/\n\nThe plates follow on Monday & <soon>\.\s*$/);
    expect(html).toContain('The plates follow on Monday &amp; &lt;soon&gt;.');
    await expect
      .poll(() => received())
      .toEqual([
        { filename: 'Offer.pdf', content: OFFER },
        { filename: 'Größe "neu".txt', content: Buffer.from('dropped') },
      ]);
  });

  test('files attached to an email are listed in Email History and downloaded unchanged', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Email History' }).click();
    const row = page.getByRole('row').filter({ hasText: 'About Ann Example' }).first();
    await row.getByRole('img', { name: '2 attachments' }).waitFor();
    await row.getByRole('link', { name: 'Open “About Ann Example”' }).click();
    const download = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Download Offer.pdf, 4 KB' }).click();
    expect((await download).suggestedFilename()).toBe('Offer.pdf');
    const content = await readFile(await (await download).path());
    expect(content).toEqual(OFFER);
    await dialog().getByRole('button', { name: 'Download Größe "neu".txt, 7 Bytes' }).waitFor();
  });

  test('files attached to an email are sent with every email of a mail merge', async () => {
    await page.goto(`${company.server.url}/data-entry`);
    for (const customer of ['Bob Example', 'Cid Example'])
      await page.getByRole('row').filter({ hasText: customer }).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Send email', exact: true }).click();
    await choose(file('Offer.pdf', OFFER));
    const before = company.mail.accepted.length;
    await dialog().getByRole('button', { name: 'Send 2 emails' }).click();
    await dialog().getByText('2 of 2 are through').waitFor();
    expect(company.mail.accepted.length).toBe(before + 2);
    for (const each of company.mail.accepted.slice(before)) {
      const { attachments } = await readMail(each);
      expect(attachments.map(({ filename }) => filename)).toEqual(['Offer.pdf']);
    }
  });

  test('files attached to an email are deleted with the dialog if they were not sent', async () => {
    await page.goto(`${company.server.url}/data-entry`);
    await page.getByRole('gridcell', { name: 'Ann Example' }).click();
    await page.keyboard.press('Control+Enter');
    await choose(file('Offer.pdf', OFFER));
    await uploaded('Offer.pdf');
    const removed = page.waitForResponse(
      (response) =>
        response.request().method() === 'DELETE' && response.url().includes('/email/attachments/'),
    );
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect((await removed).status()).toBe(204);
  });
});
