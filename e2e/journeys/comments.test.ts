import { addDeal } from '@forecourt/server/test/builders';
import { freePort } from '@forecourt/server/test/free-port';
import { openMailServer, readMail } from '@forecourt/server/test/smtp';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { closePages, isFocused, openPage, sharedBrowser } from '../browser.ts';
import { DESKTOP, PHONE, signIn, startCompany } from './company.fixture.ts';
import { openDataEntry, storedDrafts, type DataEntry } from './data-entry.fixture.ts';

const mail = await openMailServer();
const SMTP_URL = `smtp://127.0.0.1:${mail.port}?from=desk@shine.example`;
// Links contain the port of the configuration.
const PORT = String(await freePort());
const [company, browser] = await Promise.all([startCompany({ SMTP_URL, PORT }), sharedBrowser()]);
const kim = await company.addPerson({ name: 'Kim Novak' });
const [kims, adas] = await Promise.all([
  openDataEntry(company, browser, kim),
  openDataEntry(company, browser, company.admin),
]);
await Promise.all([kims, adas].map((screen) => screen.row('Ann Example').waitFor()));
afterAll(async () => {
  await kims.close();
  await adas.close();
  await closePages();
  await company.close();
  await mail.close();
});

const field = (page: Page) => page.getByRole('textbox', { name: 'New comment' });
const panel = (page: Page, customer: string) => page.getByRole('region', { name: `Comments on ${customer}` });
const mark = ({ row }: DataEntry, customer: string, name: string) =>
  row(customer).getByRole('button', { name, exact: true });

/** Opens the comments of a row by the keyboard. */
async function open({ page, cell, press }: DataEntry, customer: string): Promise<void> {
  await cell(customer, 'Phone').click();
  await press('Alt+c');
  await field(page).waitFor();
}

test('a mention marks the row and notifies; the other person opens it, replies, and both see it at once', async () => {
  await open(kims, 'Ann Example');
  await kims.page.keyboard.type('Please check the price, @ad');
  await kims.page.getByRole('option', { name: /Ada Admin/ }).waitFor();
  await kims.press('Enter');
  await kims.press('Control+Enter');
  await mark(adas, 'Ann Example', '1 unread comment').waitFor();
  await adas.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();

  await mark(adas, 'Ann Example', '1 unread comment').click();
  await panel(adas.page, 'Ann Example').getByText('Please check the price, @Ada Admin').waitFor();
  await mark(adas, 'Ann Example', '1 comment').waitFor();
  await adas.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  await expect.poll(() => adas.row('Ann Example').getByRole('checkbox').isChecked()).toBe(false);

  await field(adas.page).fill('It is right');
  await adas.press('Control+Enter');
  await panel(kims.page, 'Ann Example').getByText('It is right').waitFor();
  // Kim has it open: it is read.
  await mark(kims, 'Ann Example', '2 comments').waitFor();
});

test('Escape closes the panel and returns to the cell, and the text waits there, also after a reload', async () => {
  await open(kims, 'Bob Example');
  await kims.page.keyboard.type('Half a sen');
  await kims.press('Escape');
  await panel(kims.page, 'Bob Example').waitFor({ state: 'detached' });
  await expect
    .poll(() => kims.page.evaluate(() => document.activeElement?.getAttribute('role')))
    .toBe('grid');
  const active = kims.row('Bob Example').locator('.grid-cell.active');
  await expect.poll(() => active.count()).toBe(1);

  await expect
    .poll(async () => JSON.stringify(await storedDrafts(kims.page, 'deal-comment')))
    .toContain('Half a sen');
  await kims.page.reload();
  await kims.row('Bob Example').waitFor();
  await open(kims, 'Bob Example');
  await expect.poll(() => field(kims.page).inputValue()).toBe('Half a sen');
  await kims.page.keyboard.type('tence');
  await kims.press('Control+Enter');
  await panel(kims.page, 'Bob Example').getByText('Half a sentence').waitFor();
  await expect.poll(() => field(kims.page).inputValue()).toBe('');
});

test('a comment can be changed and deleted by its author, also for the others', async () => {
  await open(adas, 'Bob Example');
  const [own, other] = [panel(kims.page, 'Bob Example'), panel(adas.page, 'Bob Example')];
  await other.getByText('Half a sentence').waitFor();
  await own.getByRole('button', { name: 'Change comment of Kim Novak' }).click();
  const editor = kims.page.getByRole('textbox', { name: 'Change comment' });
  await editor.fill('A whole sentence');
  await kims.press('Control+Enter');
  await other.getByText('A whole sentence').waitFor();
  await other.getByText(', changed').waitFor();
  await own.getByRole('button', { name: 'Delete comment of Kim Novak' }).click();
  await kims.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await other.getByText('No comments yet').waitFor();
  await own.getByText('No comments yet').waitFor();
  await kims.page.getByRole('dialog').waitFor({ state: 'detached' });
  // The focus stays in the panel, where Escape closes it.
  await kims.press('Escape');
  await own.waitFor({ state: 'detached' });
});

test('a comment that is deleted while its author changes it keeps the typed text; so does a deleted row', async () => {
  const { _id } = await addDeal(company, company.admin, company.dealershipId, { customerName: 'Gail Gone' });
  const own = await openDataEntry(company, browser, kim, { expected: [/status of 404/] });
  await open(own, 'Gail Gone');
  await own.page.keyboard.type('Rang');
  await own.press('Control+Enter');
  await own.page.getByRole('button', { name: 'Change comment of Kim Novak' }).click();
  await own.page.keyboard.type(' twice');
  const { body } = await company.call(`GET /deals/${_id}/comments`);
  await company.call(`DELETE /deals/${_id}/comments/${body.items[0]._id}`);
  await own.page.getByText('This comment was deleted meanwhile.').waitFor();
  const changed = own.page.getByRole('textbox', { name: 'Change comment' });
  await expect.poll(() => changed.inputValue()).toBe('Rang twice');
  await own.press('Control+Enter', 'Escape');
  await changed.waitFor({ state: 'detached' });

  await own.page.keyboard.type('Not sent');
  await company.call(`DELETE /deals/${_id}`);
  await own.page.getByText('This row was deleted, or you can no longer see it.').waitFor();
  await expect.poll(() => field(own.page).inputValue()).toBe('Not sent');
  await company.call('POST /deals/bulk/restore', { body: { ids: [_id] } });
  await own.page.getByText('This row was deleted').waitFor({ state: 'detached' });
  await own.press('Control+Enter');
  await own.page.getByRole('article').getByText('Not sent').waitFor();
  await own.close();
});

test('a change of a comment survives a reload, with the version on which it is based', async () => {
  const { _id } = await addDeal(company, company.admin, company.dealershipId, { customerName: 'Eda Edited' });
  const add = async (body: string) =>
    (await company.call(`POST /deals/${_id}/comments`, { token: kim.token, body: { body } })).body
      ._id as string;
  const [first, second] = [await add('One'), await add('Two')];
  const own = await openDataEntry(company, browser, kim, { expected: [/status of 409/] });
  await open(own, 'Eda Edited');
  const change = (text: string) =>
    own.page
      .getByRole('article')
      .filter({ hasText: text })
      .getByRole('button', { name: 'Change comment of Kim Novak' })
      .click();
  const editors = own.page.getByRole('textbox', { name: 'Change comment' });
  for (const text of ['One', 'Two']) {
    await change(text);
    await own.page.keyboard.type(' typed');
  }
  const typed = () =>
    editors.evaluateAll((fields) => fields.map((each) => (each as HTMLTextAreaElement).value));
  await expect.poll(typed).toEqual(['One typed', 'Two typed']);
  const kept = async () => (await storedDrafts(own.page, 'deal-comment-edit')).map((edit) => edit['body']);
  await expect.poll(kept).toEqual(['One typed', 'Two typed']);
  // Another window has saved a different text of one.
  await company.call(`PATCH /deals/${_id}/comments/${first}`, {
    token: kim.token,
    body: { body: 'One saved elsewhere', version: 1 },
  });
  await own.page.reload();
  await open(own, 'Eda Edited');
  await expect.poll(typed).toEqual(['One typed', 'Two typed']);
  await own.page.keyboard.type('New');
  await expect.poll(() => field(own.page).inputValue()).toBe('New');

  await editors.first().press('Control+Enter');
  await own.page.getByRole('alert').filter({ hasText: /\S/ }).waitFor();
  await editors.first().press('Control+Enter');
  await expect.poll(typed).toEqual(['Two typed']);
  await editors.first().press('Escape');
  await expect.poll(typed).toEqual([]);
  await expect.poll(kept).toEqual([]);
  await own.page.reload();
  await open(own, 'Eda Edited');
  await own.page.getByRole('article').getByText('One typed').waitFor();
  await expect.poll(() => field(own.page).inputValue()).toBe('New');
  await expect.poll(typed).toEqual([]);

  await change('Two');
  await own.page.keyboard.type(' kept');
  await expect.poll(kept).toEqual(['Two kept']);
  await company.call(`DELETE /deals/${_id}/comments/${second}`);
  await own.page.getByText('This comment was deleted meanwhile.').waitFor();
  await own.page.reload();
  await open(own, 'Eda Edited');
  await own.page.getByText('This comment was deleted meanwhile.').waitFor();
  await expect.poll(typed).toEqual(['Two kept']);
  await own.close();
});

test('a comment whose response was lost is added once, also when it is sent again after a reload', async () => {
  const { _id } = await addDeal(company, company.admin, company.dealershipId, { customerName: 'Lost Line' });
  const own = await openDataEntry(company, browser, kim, { expected: [/ERR_FAILED/] });
  await open(own, 'Lost Line');
  const comments = '**/api/deals/*/comments';
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await own.page.route(comments, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    arrive();
    await route.abort();
  });
  await own.page.keyboard.type('Sent once');
  await own.press('Control+Enter');
  await arrived;
  await own.page.getByText('Network error. Please check your connection.').first().waitFor();
  await own.page.unroute(comments);
  await own.page.reload();
  await open(own, 'Lost Line');
  await expect.poll(() => field(own.page).inputValue()).toBe('Sent once');
  await own.press('Control+Enter');
  await expect.poll(() => field(own.page).inputValue()).toBe('');
  await own.page.getByRole('article').getByText('Sent once').waitFor();
  const { body } = await company.call(`GET /deals/${_id}/comments`);
  expect(body.total).toBe(1);
  await own.close();
});

test('a mention of somebody who sees the row without a share shows no notice', async () => {
  await open(adas, 'Cid Example');
  await adas.page.keyboard.type('@Kim');
  await adas.press('Tab');
  await adas.press('Control+Enter');
  await panel(adas.page, 'Cid Example').getByText('@Kim Novak').waitFor();
  await expect.poll(() => adas.page.getByText('Kim Novak can').count()).toBe(0);
});

test('the notification of a mention opens the page of the row with the comment in view and focused', async () => {
  const { page } = kims;
  const body = { body: 'A later one.\n\n\n\n' };
  for (let count = 0; count < 12; count += 1)
    await company.call(`POST /deals/${company.deals[2]!._id}/comments`, { body });
  await page.goto(`${company.server.url}/changelog`);
  await page.getByRole('button', { name: /^Notifications, / }).click();
  await page.getByRole('link', { name: /Ada Admin mentioned you in a comment on Cid Example/ }).click();
  await page.getByRole('heading', { name: 'Cid Example', level: 1 }).waitFor();
  const shown = page.getByRole('log').getByRole('listitem').filter({ hasText: '@Kim Novak' });
  await expect.poll(() => shown.evaluate((comment) => comment === document.activeElement)).toBe(true);
  const isInView = () =>
    shown.evaluate((comment) => {
      const [list, box] = [comment.closest('[role=log]')!, comment].map((part) =>
        part.getBoundingClientRect(),
      );
      return box!.top >= list!.top && box!.bottom <= Math.min(list!.bottom, window.innerHeight);
    });
  await expect.poll(isInView).toBe(true);
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page
    .getByRole('region', { name: 'Cid Example' })
    .getByRole('button', { name: 'More actions' })
    .click();
  await page.getByRole('menuitem', { name: 'History of the row' }).click();
  await page.getByRole('dialog').getByText('Ada Admin commented').first().waitFor();
});

test('the mail about a mention opens the comment after the sign-in, and the account turns it off', async () => {
  const lea = await company.addPerson({ name: 'Lea Late' });
  const body = { body: '@Lea Late, call them', mentions: [lea.id] };
  await company.call(`POST /deals/${company.deals[1]!._id}/comments`, { body });
  // Now instead of in a minute.
  await company.db
    .withTables<{ 'pgboss.job': { name: string; state: string; start_after: Date } }>()
    .updateTable('pgboss.job')
    .set({ start_after: new Date() })
    .where('name', '=', 'mention-mail')
    .where('state', '=', 'created')
    .execute();
  const received = () => mail.accepted.find(({ envelope }) => envelope.to.includes(lea.email));
  await expect.poll(received).toBeDefined();
  const { text = '' } = await readMail(received()!);
  const { page, close } = await openPage(browser, DESKTOP, [/status of 401/]);
  await page.goto(/https?:\/\/\S+data-entry\S+/.exec(text)![0]);
  await signIn(page, lea.email);
  await page.locator('[data-shown]').getByText('@Lea Late, call them').waitFor();

  await page.goto(/https?:\/\/\S+account/.exec(text)![0]);
  const mentions = page.getByRole('switch', { name: 'Mentions in comments' });
  await expect.poll(() => mentions.isChecked()).toBe(true);
  await mentions.click();
  await expect.poll(() => mentions.isChecked()).toBe(false);
  // The switch changes before it is saved.
  const settings = () => company.call('GET /notifications/settings', { token: lea.token });
  await expect.poll(async () => (await settings()).body.mentionMail).toBe(false);
  await page.reload();
  await mentions.waitFor();
  await expect.poll(() => mentions.isChecked()).toBe(false);
  await close();
});

test('on a phone the card shows the comments, which open over the whole width', async () => {
  const phone = await company.openAs(browser, kim, PHONE);
  await phone.page.goto(`${company.server.url}/data-entry`);
  await phone.page.getByRole('button', { name: '2 comments' }).click();
  const drawer = phone.page.getByRole('dialog', { name: 'Comments on Ann Example' });
  await drawer.getByText('It is right').waitFor();
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(PHONE.viewport.width);
  await drawer.getByRole('textbox', { name: 'New comment' }).fill('From the car');
  await drawer.getByRole('button', { name: 'Comment', exact: true }).click();
  await drawer.getByText('From the car').waitFor();
  await expect.poll(() => isFocused(drawer.getByRole('textbox', { name: 'New comment' }))).toBe(true);
  await mark(adas, 'Ann Example', '1 unread comment').waitFor();
  await phone.close();
});
