import { readFile } from 'node:fs/promises';
import { DOT } from '@forecourt/server/test/images';
import { readMail } from '@forecourt/server/test/smtp';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { PHONE, openMailingCompany } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const CONTRACT = Buffer.from('%PDF-1.7\n%âãÏÓ\nsigned\n');

// Almost full with the first two files.
const FILES_PER_PERSON = String(DOT.length + CONTRACT.length + 5);
const { company, browser } = await openMailingCompany({ FILES_PER_PERSON });
const bob = await company.addPerson({ name: 'Bob Reader', permissions: CLERK });
// A refused program returns 400, which the browser logs.
const screen = await openDataEntry(company, browser, company.admin, { expected: [/status of 400/] });
const page = screen.page;
afterAll(() => screen.close());

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

const dialog = (of: Page = page): Locator => of.getByRole('dialog').first();
const files = (of: Page = page) => dialog(of).getByRole('list', { name: 'Files of this row' });
const line = (name: string, of: Page = page) => files(of).getByRole('listitem').filter({ hasText: name });

async function openAttachments(of: DataEntry): Promise<void> {
  await of.cell('Ann Example', 'Vehicle').click({ button: 'right' });
  await of.page.getByRole('menuitem', { name: 'Attachments…' }).click();
  await dialog(of.page).waitFor();
}

async function choose(...chosen: ReturnType<typeof file>[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await dialog().getByRole('button', { name: 'Attach files' }).press('Enter');
  await (await chooser).setFiles(chosen);
}

/** One row: each step uses the results of the previous one. */
describe('files attached to a row', () => {
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(hasFailed, 'a step before failed');
    onTestFailed(() => {
      hasFailed = true;
    });
  });

  test('files attached to a row are added, up to the space of a person; a program is refused with the reason and does not block others', async () => {
    await openAttachments(screen);
    await dialog().getByText('No files yet').waitFor();
    await choose(
      file('photo.png', DOT),
      file('setup.pdf', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])),
      file('Contract.pdf', CONTRACT),
    );
    await dialog().getByText('Programs cannot be attached. This file was not added.').waitFor();
    await expect.poll(() => files().getByRole('listitem').count()).toBe(2);
    await dialog()
      .getByText(/^Your files use \d+ Bytes of \d+ Bytes\. /)
      .waitFor();
    await dialog().getByRole('button', { name: 'Remove setup.pdf' }).click();
    await dialog().getByText('Programs cannot be attached').waitFor({ state: 'detached' });
  });

  test('an image is shown, and a file is downloaded unchanged', async () => {
    await line('photo.png').getByRole('button', { name: 'Show photo.png' }).click();
    const image = page.getByRole('img', { name: 'photo.png' });
    await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
    await line('photo.png').getByRole('button', { name: 'Show photo.png' }).click();
    await image.waitFor({ state: 'detached' });
    const download = page.waitForEvent('download');
    await line('Contract.pdf').getByRole('button', { name: 'Download Contract.pdf' }).click();
    const content = await readFile(await (await download).path());
    expect(content).toEqual(CONTRACT);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('files attached to a row are sent with an email by a tick', async () => {
    await screen.cell('Ann Example', 'Vehicle').click();
    await page.keyboard.press('Control+Enter');
    const tick = dialog().getByRole('checkbox', { name: /^Contract\.pdf/ });
    await tick.click();
    await expect.poll(() => tick.isChecked()).toBe(true);
    await dialog()
      .getByRole('checkbox', { name: /^photo\.png/ })
      .click();
    const attached = dialog().getByRole('list', { name: 'Attached files' }).getByRole('listitem');
    await expect.poll(() => attached.count()).toBe(2);
    await dialog().getByRole('button', { name: 'Remove photo.png' }).click();
    await expect
      .poll(() =>
        dialog()
          .getByRole('checkbox', { name: /^photo\.png/ })
          .isChecked(),
      )
      .toBe(false);
    await dialog().getByRole('button', { name: 'Send', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => company.mail.accepted.length).toBe(1);
    const { attachments } = await readMail(company.mail.accepted[0]!);
    expect(attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['Contract.pdf', 'application/pdf'],
    ]);
    expect(Buffer.from(attachments[0]!.content as ArrayBuffer)).toEqual(CONTRACT);
  });

  test('somebody who may not change the row reads them, also on a phone, and sees a removal at once', async () => {
    const reader = await company.openAs(browser, bob, PHONE);
    await reader.page.goto(`${company.server.url}/data-entry`);
    const card = reader.page.getByRole('button', { name: 'Ann Example' });
    await card.waitFor();
    await reader.page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
    await card.click({ button: 'right' });
    await reader.page.getByRole('menuitem', { name: 'Attachments…' }).click();
    await line('Contract.pdf', reader.page).waitFor();
    await dialog(reader.page).getByRole('button', { name: 'Attach files' }).waitFor({ state: 'detached' });
    await openAttachments(screen);
    await line('photo.png').waitFor();
    await line('photo.png').getByRole('button', { name: 'Remove photo.png' }).click();
    await page.getByRole('dialog', { name: 'Remove file' }).getByRole('button', { name: 'Remove' }).click();
    await line('photo.png').waitFor({ state: 'detached' });
    await line('photo.png', reader.page).waitFor({ state: 'detached' });
    await line('Contract.pdf', reader.page).waitFor();
    await reader.page.keyboard.press('Escape');
    await reader.page.getByRole('button', { name: '1 file', exact: true }).click();
    await line('Contract.pdf', reader.page).waitFor();
    await reader.close();
  });

  test('files attached to a row mark the row of a colleague from the first file to the last; a click and Alt+A open them', async () => {
    const bobs = await openDataEntry(company, browser, bob);
    const mark = bobs.row('Ann Example').getByRole('button', { name: '1 file', exact: true });
    await mark.click();
    await line('Contract.pdf', bobs.page).waitFor();
    await expect.poll(() => bobs.row('Ann Example').getByRole('checkbox').isChecked()).toBe(false);
    await bobs.page.keyboard.press('Escape');
    await dialog(bobs.page).waitFor({ state: 'detached' });
    await line('Contract.pdf').getByRole('button', { name: 'Remove Contract.pdf' }).click();
    await page.getByRole('dialog', { name: 'Remove file' }).getByRole('button', { name: 'Remove' }).click();
    await mark.waitFor({ state: 'detached' });
    await choose(file('Licence.txt', Buffer.from('words')));
    await mark.waitFor();
    await bobs.cell('Ann Example', 'Vehicle').click();
    await bobs.press('Alt+a');
    await line('Licence.txt', bobs.page).waitFor();
    await bobs.close();
  });

  test('files attached to a row are on the page of the row, images as pictures; dropped ones are added', async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await screen.cell('Ann Example', 'Vehicle').click();
    await screen.press('Space');
    const card = page.getByRole('region', { name: 'Attachments' });
    await card.getByRole('button', { name: 'Download Licence.txt' }).waitFor();
    await screen.press('Alt+a');
    const isInCard = () => card.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(isInCard).toBe(true);
    const dataTransfer = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], 'car.png'));
        return transfer;
      },
      [...DOT],
    );
    const target = card.getByRole('button', { name: 'Attach files' });
    for (const type of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(type, { dataTransfer });
    await page.getByRole('region', { name: 'Timeline' }).getByText('car.png').first().waitFor();
    const picture = card.getByRole('img', { name: 'car.png' });
    await expect.poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
    await card.getByRole('button', { name: 'Remove car.png' }).click();
    await page.getByRole('dialog', { name: 'Remove file' }).getByRole('button', { name: 'Remove' }).click();
    await picture.waitFor({ state: 'detached' });
    await screen.press('Escape');
    await card.waitFor({ state: 'detached' });
  });

  test('files attached to a row are sent with each of several emails by one tick, and the review names them', async () => {
    for (const customer of ['Ann Example', 'Bob Example'])
      await screen.row(customer).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Send email', exact: true }).click();
    // She got an email before.
    await dialog()
      .getByRole('checkbox', { name: /Ann Example/ })
      .click();
    const named = dialog()
      .getByRole('row')
      .filter({ hasText: 'Ann Example' })
      .getByText(/Licence\.txt/);
    await dialog().getByRole('checkbox', { name: 'Attach the files of each row' }).click();
    await expect.poll(() => named.textContent()).toBe('1 file, 5 Bytes: Licence.txt');
    const before = company.mail.accepted.length;
    await dialog().getByRole('button', { name: 'Send 2 emails' }).click();
    await dialog().getByText('2 of 2 are through').waitFor();
    const sent = await Promise.all(company.mail.accepted.slice(before).map(readMail));
    expect(
      new Map(sent.map(({ subject, attachments }) => [subject, attachments.map(({ filename }) => filename)])),
    ).toEqual(
      new Map([
        ['About Ann Example', ['Licence.txt']],
        ['About Bob Example', []],
      ]),
    );
  });
});
